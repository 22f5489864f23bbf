#include "footfall/dem/benchmark.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "dem/lammps_run.hpp"
#include "signal/noise.hpp"

namespace footfall {
namespace {

// What some work took, by the clock and of cores [s].
struct WorkTime {
  double wall = 0, own = 0, children = 0;
  double cores() const { return own + children; }
};

double core_seconds(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <class Work>
WorkTime time_of(const Work& work) {
  const double own = core_seconds(RUSAGE_SELF), children = core_seconds(RUSAGE_CHILDREN);
  const auto begin = std::chrono::steady_clock::now();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          core_seconds(RUSAGE_SELF) - own, core_seconds(RUSAGE_CHILDREN) - children};
}

GrainBenchmarkRow make_row(int processes, double work, const std::vector<WorkTime>& ours,
                           const std::vector<WorkTime>& theirs) {
  const auto median = [&](const auto& value) {
    std::vector<double> values(ours.size());
    for (std::size_t i = 0; i < ours.size(); ++i) values[i] = value(ours[i], theirs[i]);
    return median_of(std::move(values));
  };
  GrainBenchmarkRow row{.processes = processes};
  row.time = median([](const WorkTime& a, const WorkTime&) { return a.wall; });
  row.plain_time = median([](const WorkTime&, const WorkTime& b) { return b.wall; });
  row.rate = work / row.time;
  row.plain_rate = work / row.plain_time;
  row.ratio = median([](const WorkTime& a, const WorkTime& b) { return b.wall / a.wall; });
  row.core_time = median([](const WorkTime& a, const WorkTime&) { return a.cores(); });
  row.plain_core_time = median([](const WorkTime&, const WorkTime& b) { return b.cores(); });
  row.core_ratio =
      median([](const WorkTime& a, const WorkTime& b) { return b.cores() / a.cores(); });
  row.own_core_time = median([](const WorkTime& a, const WorkTime&) { return a.own; });
  return row;
}

// LAMMPS as one would start it by hand: it writes its log and tells us nothing.
void run_plain(const LammpsProgram& program, int processes, const std::filesystem::path& folder) {
  std::vector<std::string> command = lammps_command(program, "drive.in", processes);
  *std::find(command.begin(), command.end(), "none") = "log.lammps";
  command.insert(command.end(), {"-screen", "none"});
  LammpsOutput output(0, {});
  run_lammps(program, command, folder, output);
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
    std::vector<WorkTime> ours, theirs;
    for (int i = 0; i < repeats; ++i) {
      ours.push_back(time_of([&] {
        engine->drive_foot(bed, foot, path, sample_interval,
                           {.processes = count, .folder = folder / "ours"});
      }));
      theirs.push_back(time_of([&] { run_plain(program, count, plain.path()); }));
    }
    out.rows.push_back(make_row(count, work, ours, theirs));
  }
  plain.remove();
  return out;
}

}  // namespace footfall
