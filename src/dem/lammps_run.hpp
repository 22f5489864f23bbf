// LAMMPS as a program: where it is, and one run of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dem/lammps_input.hpp"
#include "dem/lammps_output.hpp"
#include "footfall/dem/lammps.hpp"

namespace footfall {

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
