#include "footfall/dem/benchmark.hpp"

#include <algorithm>
#include <chrono>

#include "dem/lammps_run.hpp"

namespace footfall {
namespace {

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

// LAMMPS as one would start it by hand: it writes its log and tells us nothing.
void run_plain(const LammpsProgram& program, int processes, const std::filesystem::path& folder) {
  std::vector<std::string> command = lammps_command(program, "drive.in", processes);
  *std::find(command.begin(), command.end(), "none") = "log.lammps";
  command.insert(command.end(), {"-screen", "none"});
  LammpsOutput output(0, {});
  const ProcessEnd end =
      run_process({.arguments = command,
                   .folder = folder,
                   .environment = lammps_environment(command, program),
                   .on_line = [&](std::string_view line) { output.read_line(line); }});
  output.check_end(end);
}

}  // namespace

GrainBenchmark benchmark_lammps(const LammpsOptions& options, const Bed& bed, const GrainFoot& foot,
                                std::span<const FootPose> path, double sample_interval,
                                std::span<const int> processes, int repeats,
                                const std::filesystem::path& folder) {
  const LammpsProgram program = find_lammps(options);
  const auto engine = make_lammps_engine(options);
  const DriveSteps steps = drive_steps(path, sample_interval, bed.timestep);
  const WorkFolder plain(folder / "plain");
  write_drive(plain.path(), bed, foot, path, steps);
  GrainBenchmark out{
      .grains = bed.grain_count, .steps = steps.of.back(), .repeats = repeats, .rows = {}};
  const double work = static_cast<double>(out.grains) * static_cast<double>(out.steps);
  for (const int count : processes) {
    std::vector<double> ours, theirs, ratios;
    for (int i = 0; i < repeats; ++i) {
      ours.push_back(seconds_of([&] {
        engine->drive_foot(bed, foot, path, sample_interval,
                           {.processes = count, .folder = folder / "ours"});
      }));
      theirs.push_back(seconds_of([&] { run_plain(program, count, plain.path()); }));
      ratios.push_back(theirs.back() / ours.back());
    }
    out.rows.push_back({.processes = count,
                        .time = median_of(ours),
                        .plain_time = median_of(theirs),
                        .rate = work / median_of(ours),
                        .plain_rate = work / median_of(theirs),
                        .ratio = median_of(ratios)});
  }
  plain.remove();
  return out;
}

}  // namespace footfall
