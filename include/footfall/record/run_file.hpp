// The run file: everything that happened in a run, one row per step, in HDF5. Its layout, with
// units, stands in docs/run-file.md.
//
// Rows are buffered and flushed every 1000 rows or every second, whichever comes first. The file can
// be read while it is written, up to the last flush, and so it can whenever the program dies; it then
// says complete = 0. close() makes it 1. Numbers are stored as they are, so that the same scenario and program give the same content
// to the last bit, except under /stages, which holds times that were measured.
//
// Whatever goes wrong with the file (no such folder, no space left, …) is an InputError with the
// file's name and the reason. HDF5 is not made for threads: calls from several threads wait for
// each other, so several runs may be recorded at once.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "footfall/ground/world.hpp"
#include "footfall/step/measure.hpp"
#include "footfall/step/step.hpp"
#include "footfall/terrain/ruts.hpp"

namespace footfall {

// What made the run.
struct RunHeader {
  std::string scenario_text;  // the scenario file, after overrides
  std::string scenario_path;
  std::string command;           // as typed
  std::string mujoco_version{};  // of the MuJoCo that compiled the robot; empty: none did
};

// One row: the state after a step, what the robot was told, what happened under its feet and to the rest of it.
struct RunRow {
  const State<double>& state;
  const Control<double>& control;
  const std::vector<FootPatch>& feet;
  const BodyContacts& body;
  const Momentum& momentum;
  const SolverReport<double>& report;
  const StageTimes& times;
  const Energy& energy;
};

// What stands at the end of a run file.
struct RunEnd {
  std::string summary{};          // results, as JSON
  const RutGrid* ruts = nullptr;  // that feet have pressed; null: none
  bool complete = true;           // false: the run was interrupted
};

class RunWriter {
 public:
  // Makes the file, with all that does not change during the run. A file of that name is replaced
  // if it is a run file and is an error if it is anything else. `row_capacity_hint`: rows that
  // will come, about; keeps the file of a short run small. 0: not known. `name`: what messages call the
  // file; empty: as it is called.
  RunWriter(const std::filesystem::path& file, const World& world, const RunHeader& header,
            int row_capacity_hint, const std::string& name = {});
  ~RunWriter();  // without close(): keeps the rows, leaves complete = 0, throws nothing
  RunWriter(RunWriter&&) noexcept;
  RunWriter& operator=(RunWriter&&) noexcept;

  // The first rows of an earlier file of the same run, before any other. Throws InputError where it has fewer.
  void copy_rows(const std::filesystem::path& from, std::int64_t rows);
  void append(const RunRow& row);
  void flush();
  void sync();               // flush, and wait until the disk has it
  int flushed_rows() const;  // that others can read

  // Writes what is buffered and the end, and marks the file complete. No append may follow.
  void close(const RunEnd& end = {});

 private:
  class Recorder;
  std::unique_ptr<Recorder> recorder_;
};

// Throws InputError where a run file may not be put: there is something else, for another purpose.
void refuse_other_file(const std::filesystem::path& file);

// The run as comma-separated values: a line of names with units, then a line per row with 17
// significant digits. Refuses to replace a run file. Throws InputError.
void export_csv(const std::filesystem::path& run_file, const std::filesystem::path& csv_file);

}  // namespace footfall
