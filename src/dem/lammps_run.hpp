// LAMMPS as a program: where it is, and one run of it.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dem/lammps_input.hpp"
#include "footfall/dem/lammps.hpp"
#include "io/process.hpp"

namespace footfall {

// What LAMMPS says: rows of numbers, and its errors.
class LammpsOutput {
 public:
  // A row is `columns` numbers below a line that begins with Step.
  LammpsOutput(std::size_t columns, std::function<void(std::span<const double>)> on_row)
      : columns_(columns), on_row_(std::move(on_row)) {}

  void read_line(std::string_view line);

  // Throws EngineStopped, or EngineError with LAMMPS's own message, unless it ended well.
  void check_end(const ProcessEnd& end) const;
  // The last lines, for a message.
  std::string last_lines() const;

 private:
  std::size_t columns_;
  std::function<void(std::span<const double>)> on_row_;
  bool in_table_ = false;
  std::deque<std::string> last_;
  std::string error_;
};

struct LammpsProgram {
  std::filesystem::path path;
  std::vector<std::string> launcher;  // its words; empty: mpirun, where there is need
  std::string identity;
};

// Throws InputError where there is none, or where it lacks GRANULAR.
LammpsProgram find_lammps(const LammpsOptions& options);

// The words that start it on an input file with this many processes.
std::vector<std::string> lammps_command(const LammpsProgram& program, const std::string& input,
                                        int processes);
// Runs such words. Throws EngineError or EngineStopped unless it ends well.
void run_lammps(const LammpsProgram& program, const std::vector<std::string>& command,
                const std::filesystem::path& folder, LammpsOutput& output,
                const std::function<bool()>& stop = {});

// Made when it is not there; removed with what is in it only when a run went well, so that its files can be looked at.
class WorkFolder {
 public:
  explicit WorkFolder(const std::filesystem::path& path);
  const std::filesystem::path& path() const { return path_; }
  void remove() const;

 private:
  std::filesystem::path path_;
};

// Throws EngineError where it cannot be written whole.
void write_text(const std::filesystem::path& file, const std::string& text);

// drive.in, and bed.data that leads to the bed.
void write_drive(const std::filesystem::path& folder, const Bed& bed, const GrainFoot& foot,
                 std::span<const FootPose> path, const DriveSteps& steps);

}  // namespace footfall
