// footfall stress: random robots on random ground, looked at in every step.
#include "footfall/stress/stress.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"

namespace footfall {
namespace {

struct StressCommand {
  StressOptions options;
  bool json = false;
};

Json to_json(const StressSummary& s, const StressOptions& options) {
  Json faults = Json::array();
  for (const StressFault& f : s.faults) {
    faults.push_back({{"scene", f.scene},
                      {"step", f.step},
                      {"check", f.check},
                      {"what", f.what},
                      {"bundle", f.bundle.string()}});
  }
  return {{"seed", options.seed},
          {"scenes", s.scenes},
          {"steps", s.steps},
          {"refused", s.refused},
          {"refusals", s.refusals},
          {"grounds", s.grounds},
          {"scenes_with_energy_watched", s.passive},
          {"largest_energy_rise_over_weight_m", s.largest_rise},
          {"largest_energy_rise_scene", s.largest_rise_scene},
          {"fault_count", s.fault_count},
          {"faults", faults},
          {"interrupted", s.interrupted}};
}

void print_summary(const StressSummary& s) {
  fmt::print("{} scenes, {} steps", s.scenes, s.steps);
  if (s.refused > 0) fmt::print("; {} refused", s.refused);
  fmt::print("\n");
  for (const auto& [ground, count] : s.grounds) fmt::print("  {:20} {}\n", ground, count);
  for (const auto& [text, count] : s.refusals) fmt::print("  refused {} times: {}\n", count, text);
  fmt::print(
      "Energy was watched in {} scenes: at most {:.2g} of the weight times a metre was given{}\n",
      s.passive, s.largest_rise,
      s.largest_rise_scene < 0 ? "" : fmt::format(" (scene {})", s.largest_rise_scene));
  fmt::print("{} scenes failed\n", s.fault_count);
  for (const StressFault& f : s.faults) {
    fmt::print("  scene {}{}, {}: {}\n    {}\n", f.scene,
               f.step > 0 ? fmt::format(", step {}", f.step) : "", f.check, f.what,
               f.step > 0 ? "footfall replay " + f.bundle.string() : f.bundle.string());
  }
}

void run_stress(const StressCommand& command) {
  StressOptions options = command.options;
  options.progress = !command.json;
  options.stop = &interrupted;
  const InterruptGuard guard;
  const StressSummary summary = stress(options);
  if (command.json) {
    print_json(to_json(summary, options));
  } else {
    print_summary(summary);
  }
  if (summary.interrupted) throw CLI::RuntimeError(130);
  if (summary.fault_count > 0) throw CLI::RuntimeError(1);
}

}  // namespace

void add_stress_command(CLI::App& app) {
  auto [sub, command] = add_command<StressCommand>(
      app, "stress", "Run random robots on random ground and check every step", run_stress);
  StressOptions& options = command.options;
  sub.add_option("--scenes", options.scenes, "How many, a simulated second each")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->capture_default_str();
  sub.add_option("--first", options.first,
                 "Number of the first: a single one again with --scenes 1")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  sub.add_option("--seed", options.seed, "Of the series; its scenes are the same in every run")
      ->capture_default_str();
  sub.add_option("--duration", options.duration, "Of a scene [s]")
      ->check(CLI::Range(0.001, 1000.0))
      ->capture_default_str();
  sub.add_option("--threads", options.threads, "0: as many as there are processors")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  sub.add_option("-o,--output", options.output, "Folder for scenes that fail")
      ->capture_default_str();
  sub.add_flag("--json", command.json, "Print the results as JSON, and nothing else, on stdout");
  sub.footer("Examples:\n"
             "  footfall stress --scenes 1000\n"
             "  footfall stress --first 4711 --scenes 1\n"
             "  footfall replay results/stress/scene-1-4711");
}

}  // namespace footfall
