// footfall granular sample: a campaign of grains, into a ledger and in the end a database of wrenches.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <numbers>

#include "commands.hpp"
#include "foot_options.hpp"
#include "footfall/campaign/campaign_run.hpp"
#include "footfall/dem/lammps.hpp"
#include "footfall/error.hpp"
#include "interrupt.hpp"

namespace footfall::granular_commands {
namespace {

struct SampleCommand {
  std::string campaign;
  std::vector<std::string> overrides;
  std::string ledger, beds, output;
  int jobs = 1;
  bool dry_run = false, json = false;
  std::string command_line;

  std::filesystem::path ledger_file() const {
    if (!ledger.empty()) return ledger;
    return std::filesystem::path("results") /
           (std::filesystem::path(campaign).stem().string() + ".ledger");
  }
  std::filesystem::path beds_folder() const {
    return beds.empty() ? ledger_file().parent_path() / "beds" : std::filesystem::path(beds);
  }
  std::filesystem::path output_file() const {
    return output.empty() ? ledger_file().replace_extension(".csv") : std::filesystem::path(output);
  }
};

std::string duration_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.3g} s", seconds);
  if (seconds < 3600) return fmt::format("{:.1f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string case_text(const SampleCase& c) {
  return fmt::format(
      "depth {:g} m, tilt {:g} rad, velocity {:.3g} m/s {:.3g} m/s {:.3g} rad/s, seed {}",
      c.configuration.depth, c.configuration.tilt, c.velocity.x, c.velocity.z, c.velocity.tilt,
      c.seed);
}

// What a campaign asks for, before anything runs.
struct CampaignOutlook {
  std::size_t cases = 0, done = 0;
  double simulated_time = 0;  // of the cases that are not done [s]
  double grains = 0;          // in the bed, about
  CampaignReach reach;
  std::optional<double> time_left;  // [s]
};

CampaignOutlook look_ahead(const Campaign& campaign, const SampleCommand& command) {
  CampaignOutlook ahead;
  ahead.reach = measure_reach(campaign);
  const double r = campaign.bed.grains.radius;
  constexpr double kPacking = 0.6;
  ahead.grains = kPacking * campaign.bed.length_x * campaign.bed.width_y * campaign.bed.depth /
                 (4.0 / 3.0 * std::numbers::pi * r * r * r);
  std::map<std::string, LedgerCase> known;
  if (std::filesystem::exists(command.ledger_file())) {
    const Ledger ledger(command.ledger_file(), Ledger::Mode::read);
    for (const auto& [key, value] : ledger.physics()) {
      // its engine is not asked for yet
      if (key == "engine") ledger.check_physics(campaign_physics(campaign, value));
    }
    for (const LedgerCase& c : ledger.cases()) known.emplace(case_key(c.sample), c);
  }
  std::vector<LedgerCase> cases;
  for (const SampleCase& c : campaign_cases(campaign)) {
    const auto found = known.find(case_key(c));
    cases.push_back(found == known.end() ? LedgerCase{} : found->second);
    cases.back().sample = c;
    cases.back().simulated_time = case_path(campaign, c).back().time;
    if (cases.back().state == CaseState::done) {
      ++ahead.done;
    } else {
      ahead.simulated_time += cases.back().simulated_time;
    }
  }
  ahead.cases = cases.size();
  ahead.time_left = estimate_time_left(cases, command.jobs);
  return ahead;
}

Json outlook_json(const Campaign& campaign, const SampleCommand& command,
                  const CampaignOutlook& ahead) {
  Json out{{"medium", campaign.medium},
           {"cases", ahead.cases},
           {"done", ahead.done},
           {"simulated_time_s", ahead.simulated_time},
           {"grains", ahead.grains},
           {"reach_x_m", ahead.reach.half_length_x},
           {"reach_y_m", ahead.reach.half_width_y},
           {"reach_depth_m", ahead.reach.depth},
           {"ledger", command.ledger_file().string()}};
  if (ahead.time_left) out["time_left_s"] = *ahead.time_left;
  return out;
}

void print_outlook(const Campaign& campaign, const SampleCommand& command,
                   const CampaignOutlook& ahead) {
  const CampaignSampling& s = campaign.sampling;
  fmt::print("Medium  {}: about {:.0f} grains of radius {:g} mm in {:g} x {:g} x {:g} m\n",
             campaign.medium, ahead.grains, 1e3 * campaign.bed.grains.radius, campaign.bed.length_x,
             campaign.bed.width_y, campaign.bed.depth);
  fmt::print("Foot    {}; in the grains it comes to {:.3g} m of a wall along x, {:.3g} m along y, "
             "{:.3g} m of the floor\n",
             shape_name(campaign.foot.shape),
             0.5 * campaign.bed.length_x - ahead.reach.half_length_x,
             0.5 * campaign.bed.width_y - ahead.reach.half_width_y,
             campaign.bed.depth - ahead.reach.depth);
  fmt::print(
      "Cases   {}: {} depths, {} tilts, {} directions{}; at zero tilt mirror images are one\n",
      ahead.cases, s.depths.size(), s.tilts.size(), campaign_directions(campaign).size(),
      s.repeats > 1 ? fmt::format(", {} repeats", s.repeats) : "");
  fmt::print("Ledger  {}: {} of them done; {:.4g} s to simulate{}\n",
             command.ledger_file().string(), ahead.done, ahead.simulated_time,
             ahead.time_left ? ", about " + duration_text(*ahead.time_left) : "");
}

Json sample_summary_json(const SampleCommand& command, const CampaignSummary& s) {
  Json failures = Json::array();
  for (const CaseFailure& f : s.failures) {
    failures.push_back({{"case", case_key(f.sample)}, {"error", f.error}});
  }
  Json out{{"cases", s.total},
           {"done", s.done_before + s.done_now},
           {"done_now", s.done_now},
           {"missing", s.missing()},
           {"running_elsewhere", s.elsewhere},
           {"failures", failures},
           {"interrupted", s.interrupted},
           {"wall_time_s", s.wall_time},
           {"bed_time_s", s.bed_time},
           {"case_time_s", s.case_time},
           {"ledger", command.ledger_file().string()}};
  if (!s.beds.empty()) {
    const Bed& bed = s.beds.front();
    out["bed"] = {{"file", bed.file.string()},
                  {"timestep_s", bed.timestep},
                  {"grains", bed.grain_count},
                  {"surface_height_m", bed.surface_height},
                  {"packing", bed.packing}};
  }
  if (s.scatter) {
    out["scatter_of_repeats"] = {{"force", s.scatter->force}, {"torque", s.scatter->torque}};
  }
  if (s.database) out["output"] = command.output_file().string();
  return out;
}

void print_sample_summary(const SampleCommand& command, const CampaignSummary& s) {
  for (const Bed& bed : s.beds) {
    fmt::print("Bed     {}: {} grains, {:.4g} m deep, packing {:.3f}, steps of {:.3g} µs\n",
               bed.file.string(), bed.grain_count, bed.surface_height, bed.packing,
               1e6 * bed.timestep);
  }
  fmt::print("Done    {} of {} cases, {} of them now in {}{}\n", s.done_before + s.done_now,
             s.total, s.done_now, duration_text(s.wall_time),
             s.case_time > 0 ? ", " + duration_text(s.case_time) + " each" : "");
  for (const CaseFailure& f : s.failures) {
    fmt::print("Failed  {}\n        {}\n", case_text(f.sample), f.error);
  }
  if (s.scatter) {
    fmt::print("Scatter a bed of another seed differs by {:.1f} % in force, {:.1f} % in torque\n",
               100 * s.scatter->force, 100 * s.scatter->torque);
  }
  if (s.elsewhere > 0) fmt::print("Running {} cases in other processes\n", s.elsewhere);
  if (s.database) {
    fmt::print("\nDatabase: {}\n", command.output_file().string());
  } else {
    fmt::print(
        "\nMissing {} cases: the database is written when none is; the same command goes on\n",
        s.missing());
  }
}

void run_sample(const SampleCommand& command) {
  const Campaign campaign = read_campaign(command.campaign, command.overrides);
  const CampaignOutlook ahead = look_ahead(campaign, command);
  if (command.dry_run && command.json) {
    print_json(outlook_json(campaign, command, ahead));
  }
  if (!command.json) {
    print_outlook(campaign, command, ahead);
    std::fflush(stdout);
  }
  if (command.dry_run) return;
  const auto engine =
      make_lammps_engine({.program = campaign.program, .launcher = campaign.launcher});
  check_ending("output", command.output_file().string(), ".csv");
  CampaignOptions options;
  options.ledger = command.ledger_file();
  options.beds = command.beds_folder();
  options.jobs = command.jobs;
  options.progress = !command.json;
  options.stop = [] { return interrupted.load(); };
  options.source = command.command_line;
  const InterruptGuard guard;
  const CampaignSummary summary = run_campaign(campaign, *engine, options);
  if (summary.database) write_wrench_database(command.output_file(), *summary.database);
  if (command.json) {
    print_json(sample_summary_json(command, summary));
  } else {
    print_sample_summary(command, summary);
  }
  std::fflush(stdout);
  if (summary.interrupted) {
    fmt::print(stderr, "footfall: interrupted; what was finished lies in {}\n",
               options.ledger.string());
    throw CLI::RuntimeError(130);
  }
  if (summary.failures.empty()) return;
  fmt::print(stderr, "footfall: error: {} cases failed{}: {}\n", summary.failures.size(),
             summary.gave_up ? " one after another, and no more were started" : "",
             summary.failures.front().error);
  throw CLI::RuntimeError(1);
}

}  // namespace

void add_sample(CLI::App& granular, const std::string& command_line) {
  auto [sub, command] = add_command<SampleCommand>(
      granular, "sample", "Drive a foot through grains, case by case", run_sample);
  command.command_line = command_line;
  sub.add_option("campaign", command.campaign,
                 "TOML file; its keys stand in docs/granular-sampling.md")
      ->required();
  sub.add_option("--ledger", command.ledger,
                 "SQLite file of the cases; without it results/<campaign>.ledger");
  sub.add_option("--beds", command.beds,
                 "Folder of settled beds, shared by campaigns; without it beds/ beside the ledger");
  sub.add_option("--jobs", command.jobs, "Cases at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  sub.add_option("-o,--output", command.output,
                 "Database of wrenches (CSV), written when no case is missing; without it beside "
                 "the ledger");
  add_settings(sub, command.overrides, "campaign");
  sub.add_flag("--dry-run", command.dry_run, "Check the campaign and say what it asks for");
  sub.add_flag("--json", command.json, "Print the summary as JSON, and nothing else, on stdout");
  sub.footer("Examples:\n"
             "  footfall granular sample media/beads.toml --dry-run\n"
             "  footfall granular sample media/beads.toml --jobs 2 --output beads.csv");
}

}  // namespace footfall::granular_commands
