// footfall granular bench: what driving LAMMPS costs, next to plain LAMMPS.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "commands.hpp"
#include "footfall/campaign/bed_cache.hpp"
#include "footfall/campaign/campaign.hpp"
#include "footfall/dem/benchmark.hpp"
#include "interrupt.hpp"

namespace footfall::granular_commands {
namespace {

struct GrainBenchCommand {
  std::string campaign;
  std::vector<std::string> overrides;
  std::string beds = "results/beds";
  int repeats = 3;
  bool json = false;
};

void print_grain_bench_json(const GrainBenchmark& b) {
  Json out{{"grains", b.grains}, {"steps", b.steps}, {"repeats", b.repeats}};
  for (const GrainBenchmarkRow& row : b.rows) {
    out["rows"].push_back({{"processes", row.processes},
                           {"time_s", row.time},
                           {"lammps_time_s", row.plain_time},
                           {"particle_steps_per_s", row.rate},
                           {"lammps_particle_steps_per_s", row.plain_rate},
                           {"ratio", row.ratio},
                           {"core_time_s", row.core_time},
                           {"lammps_core_time_s", row.plain_core_time},
                           {"core_ratio", row.core_ratio},
                           {"own_core_time_s", row.own_core_time}});
  }
  print_json(out);
}

void print_grain_bench(const GrainBenchmark& b) {
  fmt::print("{} grains, {} steps; medians of {}, the programs taking turns\n\n", b.grains, b.steps,
             b.repeats);
  fmt::print("  {:>9}  {:>15}  {:>15}  {:>6}  {:>10}  {:>15}\n", "processes", "ours",
             "plain LAMMPS", "ratio", "core ratio", "ours alone");
  for (const GrainBenchmarkRow& row : b.rows) {
    fmt::print("  {:>9}  {:>13.3g}/s  {:>13.3g}/s  {:>6.3f}  {:>10.3f}  {:>13.3f} s\n",
               row.processes, row.rate, row.plain_rate, row.ratio, row.core_ratio,
               row.own_core_time);
  }
  fmt::print(
      "\nparticle-steps per second by the clock; ratio: of ours to plain LAMMPS's; core ratio: the "
      "same by the time\nof cores, of all processes; ours alone: core time of this process in a "
      "case\n");
}

void run_grain_bench(const GrainBenchCommand& command) {
  const Campaign campaign = read_campaign(command.campaign, command.overrides);
  const LammpsOptions options{.program = campaign.program, .launcher = campaign.launcher};
  const InterruptGuard guard;
  const auto engine = make_lammps_engine(options);
  const std::filesystem::path beds = command.beds;
  const Bed bed = find_or_prepare_bed(
      *engine, campaign.bed, beds,
      {.processes = campaign.bed_processes, .folder = beds / "work", .progress = {}, .stop = [] {
         return interrupted.load();
       }});
  // A case from the campaign's middle, neither its longest nor its shortest.
  const std::vector<SampleCase> cases = campaign_cases(campaign);
  const std::vector<FootPose> path = case_path(campaign, cases[cases.size() / 2]);
  const GrainBenchmark result = benchmark_lammps(
      options, bed, campaign.foot, path, campaign.sampling.sample_interval, std::array{1, 2},
      command.repeats, beds / fmt::format("bench-{}", ::getpid()));
  if (command.json) {
    print_grain_bench_json(result);
  } else {
    print_grain_bench(result);
  }
}

}  // namespace

void add_grain_bench(CLI::App& granular) {
  auto [sub, command] = add_command<GrainBenchCommand>(
      granular, "bench", "Time a case of a campaign next to plain LAMMPS, on one and two cores",
      run_grain_bench);
  sub.add_option("campaign", command.campaign, "TOML file of the campaign")->required();
  sub.add_option("--repeats", command.repeats, "Medians are taken over these")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  sub.add_option("--beds", command.beds, "Folder of settled beds")->capture_default_str();
  add_settings(sub, command.overrides, "campaign");
  sub.add_flag("--json", command.json, "Print JSON, and nothing else, on stdout");
  sub.footer("Example:\n  footfall granular bench media/beads.toml --repeats 5");
}

}  // namespace footfall::granular_commands
