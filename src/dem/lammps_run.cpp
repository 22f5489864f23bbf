#include "dem/lammps_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "input_error.hpp"

namespace footfall {
namespace {

constexpr std::size_t kLastLines = 8;

// All numbers of a line, or none where it has anything else.
std::vector<double> numbers_of(std::string_view line) {
  std::vector<double> numbers;
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
    if (at == end) return numbers;
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (next != end && *next != ' ' && *next != '\t' && *next != '\r')) {
      return {};
    }
    numbers.push_back(value);
    at = next;
  }
}

std::string advice(const std::string& error) {
  if (error.find("Lost atoms") != std::string::npos) {
    return "; grains left the box: give the foot more room to the walls and the floor, a slower "
           "path "
           "or a shorter timestep";
  }
  if (error.find("inside fix wall") != std::string::npos ||
      error.find("too close to") != std::string::npos) {
    return "; begin the path clear of the grains";
  }
  return "";
}

namespace fs = std::filesystem;

// Of the inputs that LAMMPS is given: another one, where beds or wrenches come out otherwise.
constexpr int kProcedureVersion = 1;

std::string resolved(const std::string& program) {
  const fs::path path = find_program({program});
  if (path.empty()) {
    throw input_error("engine.launcher = \"{}\": no such program on the PATH, expected what starts "
                      "programs in parallel, such as mpirun (apt-get install mpi-default-bin)",
                      program);
  }
  return path.string();
}

// What the environment of a command needs besides.
std::vector<std::string> lammps_environment(const std::vector<std::string>& command,
                                            const LammpsProgram& program) {
  std::vector<std::string> settings = {"OMP_NUM_THREADS=1"};
  if (command[0] == program.path) {
    // Alone it needs no daemon beside it, whose start takes ten times as long as LAMMPS's.
    settings.insert(settings.end(),
                    {"OMPI_MCA_ess_singleton_isolated=1", "OMPI_MCA_pml=ob1", "OMPI_MCA_btl=self"});
    return settings;
  }
  // Cases run beside each other: Open MPI must not tie all of them to the first cores, nor keep cores busy
  // with waiting.
  settings.insert(settings.end(),
                  {"OMPI_MCA_hwloc_base_binding_policy=none", "OMPI_MCA_rmaps_base_oversubscribe=1",
                   "OMPI_MCA_mpi_yield_when_idle=1"});
  if (::geteuid() == 0) {
    settings.insert(settings.end(),
                    {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"});
  }
  return settings;
}

ProcessEnd run_command(const LammpsProgram& program, const std::vector<std::string>& command,
                       const fs::path& folder, const std::function<void(std::string_view)>& on_line,
                       const std::function<bool()>& stop = {}) {
  try {
    // Open MPI's processes share a folder, and one that ends may remove it while another starts.
    const TemporaryFolder own;
    std::vector<std::string> environment = lammps_environment(command, program);
    environment.push_back("OMPI_MCA_orte_tmpdir_base=" + own.path().string());
    return run_process({.arguments = command, .folder = folder, .environment = environment},
                       on_line, stop);
  } catch (const std::system_error& error) {
    throw EngineError(error.what());
  }
}

}  // namespace

LammpsProgram find_lammps(const LammpsOptions& options) {
  const char* variable = std::getenv("FOOTFALL_LAMMPS");
  std::string name = options.program;
  if (name.empty()) name = variable != nullptr && *variable != '\0' ? variable : "lmp";
  LammpsProgram program{.path = find_program({name}), .launcher = {}, .identity = {}};
  add_words(options.launcher, program.launcher);
  if (program.path.empty()) {
    throw input_error("there is no LAMMPS program '{}': install it (apt-get install lammps), or "
                      "name it in the environment's FOOTFALL_LAMMPS",
                      name);
  }
  if (!program.launcher.empty()) program.launcher[0] = resolved(program.launcher[0]);
  bool granular = false;
  const ProcessEnd end = run_command(
      program, {program.path.string(), "-h"}, fs::current_path(), [&](std::string_view line) {
        constexpr std::string_view kTitle =
            "Large-scale Atomic/Molecular Massively Parallel Simulator - ";
        if (line.starts_with(kTitle)) program.identity = line.substr(kTitle.size());
        granular |= line.find("wall/gran/region") != line.npos;
      });
  if (end.status != 0 || end.signal != 0 || program.identity.empty()) {
    throw input_error("{} does not say that it is LAMMPS when started with -h, expected the "
                      "program of Debian's package lammps",
                      program.path.string());
  }
  if (!granular) {
    throw input_error("{} (LAMMPS {}) was built without its package GRANULAR, expected one with "
                      "it, as Debian's package lammps",
                      program.path.string(), program.identity);
  }
  program.identity = fmt::format("LAMMPS {}, procedure {}", program.identity, kProcedureVersion);
  return program;
}

std::vector<std::string> lammps_command(const LammpsProgram& program, const std::string& input,
                                        int processes) {
  if (processes < 1) throw input_error("engine.processes = {}, expected 1 or more", processes);
  std::vector<std::string> words = program.launcher;
  if (words.empty() && processes > 1) {
    words = {resolved("mpirun"), "-np", std::to_string(processes)};
  }
  const std::vector<std::string> own = {
      program.path.string(), "-in", input, "-log", "none", "-nocite"};
  words.insert(words.end(), own.begin(), own.end());
  return words;
}

void run_lammps(const LammpsProgram& program, const std::vector<std::string>& command,
                const fs::path& folder, LammpsOutput& output, const std::function<bool()>& stop) {
  output.check_end(run_command(
      program, command, folder, [&](std::string_view line) { output.read_line(line); }, stop));
}

WorkFolder::WorkFolder(const fs::path& path) : path_(fs::absolute(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    throw EngineError(
        fmt::format("{}: the engine's folder cannot be made: {}", path_.string(), error.message()));
  }
}

void WorkFolder::remove() const {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) {
    throw EngineError(fmt::format("{}: cannot be written whole; is the disk full?", file.string()));
  }
}

void write_drive(const fs::path& folder, const Bed& bed, const GrainFoot& foot,
                 std::span<const FootPose> path, const DriveSteps& steps) {
  write_text(folder / "drive.in", drive_input(bed, foot, path, steps));
  std::error_code error;
  fs::remove(folder / "bed.data", error);
  fs::create_symlink(fs::absolute(bed.file), folder / "bed.data", error);
  if (error) {
    throw EngineError(
        fmt::format("{}: no link to the bed can be made: {}", folder.string(), error.message()));
  }
}

void LammpsOutput::read_line(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  last_.emplace_back(line);
  if (last_.size() > kLastLines) last_.pop_front();
  if (error_.empty() && line.starts_with("ERROR")) error_ = line;
  if (line.starts_with("Step ")) {
    in_table_ = true;
    return;
  }
  if (line.starts_with("Loop time of")) in_table_ = false;
  if (!in_table_) return;
  const std::vector<double> row = numbers_of(line);
  if (row.size() == columns_ && on_row_) on_row_(row);
}

std::string LammpsOutput::last_lines() const { return fmt::format("{}", fmt::join(last_, "\n  ")); }

void LammpsOutput::check_end(const ProcessEnd& end) const {
  if (end.stopped) throw EngineStopped();
  if (!error_.empty()) throw EngineError(fmt::format("LAMMPS: {}{}", error_, advice(error_)));
  if (end.signal != 0) {
    throw EngineError(fmt::format("LAMMPS was ended by signal {} ({}); it said last:\n  {}",
                                  end.signal, ::strsignal(end.signal), last_lines()));
  }
  if (end.status != 0) {
    throw EngineError(
        fmt::format("LAMMPS ended with status {}; it said last:\n  {}", end.status, last_lines()));
  }
}

}  // namespace footfall
