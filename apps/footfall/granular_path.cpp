// footfall granular path: a foot along any path, driven through grains or led through a learned medium.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "commands.hpp"
#include "foot_options.hpp"
#include "footfall/campaign/bed_cache.hpp"
#include "footfall/campaign/campaign.hpp"
#include "footfall/dem/lammps.hpp"
#include "footfall/dem/record.hpp"
#include "footfall/error.hpp"
#include "footfall/granular/wrench_database.hpp"
#include "footfall/io/new_file.hpp"
#include "footfall/io/progress.hpp"
#include "footfall/report/plot.hpp"
#include "footfall/run/led_foot.hpp"
#include "interrupt.hpp"
#include "io/data_folders.hpp"

namespace footfall::granular_commands {
namespace {

struct GrainPathCommand {
  std::string campaign, path;
  std::vector<std::string> overrides;
  std::string beds, csv, plot;
  std::string pid, regression;  // of a foot that is led through a learned medium
  double sample_interval = 0;
  bool dry_run = false, json = false;
  std::string command_line;
};

double peak_of(const std::vector<GrainSample>& samples, double (*value)(const GrainSample&)) {
  double peak = 0;
  for (const GrainSample& s : samples) peak = std::max(peak, std::abs(value(s)));
  return peak;
}

double force_x(const GrainSample& s) { return s.force[0]; }
double force_z(const GrainSample& s) { return s.force[2]; }
double torque_y(const GrainSample& s) { return s.torque[1]; }

std::vector<double> values_of(const std::vector<GrainSample>& samples,
                              double (*value)(const GrainSample&)) {
  std::vector<double> values;
  values.reserve(samples.size());
  for (const GrainSample& s : samples) values.push_back(value(s));
  return values;
}

void print_path_json(Json out, const std::vector<GrainSample>& samples) {
  out["samples"] = samples.size();
  out["peak_force_x_N"] = peak_of(samples, force_x);
  out["peak_force_z_N"] = peak_of(samples, force_z);
  out["peak_torque_y_Nm"] = peak_of(samples, torque_y);
  Json& rows = out["wrenches"] = Json::array();
  for (const GrainSample& s : samples) {
    rows.push_back({{"time_s", s.pose.time},
                    {"x_m", s.pose.x},
                    {"depth_m", s.pose.depth},
                    {"tilt_rad", s.pose.tilt},
                    {"force_N", {s.force[0], s.force[1], s.force[2]}},
                    {"torque_Nm", {s.torque[0], s.torque[1], s.torque[2]}}});
  }
  print_json(out);
}

void print_path_text(const GrainPathCommand& command, const std::string& medium,
                     const std::vector<GrainSample>& samples) {
  fmt::print("Medium  {}\n", medium);
  fmt::print("Path    {}, {:g} s, {} samples\n", command.path,
             samples.back().pose.time - samples.front().pose.time, samples.size());
  fmt::print("Peaks   force {:.4g} N along, {:.4g} N up, torque {:.4g} N m about p_r\n",
             peak_of(samples, force_x), peak_of(samples, force_z), peak_of(samples, torque_y));
  if (!command.csv.empty()) fmt::print("\nTable: {}\n", command.csv);
  if (!command.plot.empty()) fmt::print("Picture: {}\n", command.plot);
}

void write_path_plot(const GrainPathCommand& command, const std::string& medium,
                     const std::vector<GrainSample>& samples) {
  const std::vector<double> time =
      values_of(samples, [](const GrainSample& s) { return s.pose.time; });
  const auto line = [&](const char* label, double (*value)(const GrainSample&)) {
    return PlotLine{.label = label, .x = time, .y = values_of(samples, value)};
  };
  const PlotAxis times{.label = "time", .unit = "s"};
  Plot plot{.title = "A foot's path through " + medium, .subtitle = command.path, .columns = 2};
  plot.panels = {{.x = times,
                  .y = {.label = "place", .unit = "m"},
                  .lines = {line("along x", [](const GrainSample& s) { return s.pose.x; }),
                            line("depth", [](const GrainSample& s) { return s.pose.depth; })}},
                 {.x = times,
                  .y = {.label = "tilt", .unit = "rad"},
                  .lines = {line("", [](const GrainSample& s) { return s.pose.tilt; })}},
                 {.x = times,
                  .y = {.label = "force of the grains", .unit = "N"},
                  .lines = {line("along x", force_x), line("up", force_z)}},
                 {.x = times,
                  .y = {.label = "torque about p_r", .unit = "N m"},
                  .lines = {line("", torque_y)}}};
  write_plot(command.plot, plot);
}

// What the command would do, once its files are found to be in order.
void print_path_plan(const Campaign& campaign, const std::vector<FootPose>& path, double interval) {
  const double duration = path.back().time - path.front().time;
  fmt::print("Medium  {}: a bed of {:g} x {:g} x {:g} m, seed {}\n", campaign.medium,
             campaign.bed.length_x, campaign.bed.width_y, campaign.bed.depth, campaign.bed.seed);
  fmt::print("Path    {} rows, {:g} s, about {:.0f} samples\n", path.size(), duration,
             duration / interval + 1);
  fmt::print("Nothing is run: --dry-run\n");
}

// ---- through a learned medium ----

// On straight lines between the path's points, at even speed.
LedPose pose_on(const std::vector<FootPose>& path, double time) {
  const auto after = std::upper_bound(path.begin() + 1, path.end() - 1, path.front().time + time,
                                      [](double t, const FootPose& p) { return t < p.time; });
  const FootPose &a = *(after - 1), &b = *after;
  const double dt = b.time - a.time, u = (path.front().time + time - a.time) / dt;
  const auto between = [u](double from, double to) { return from + u * (to - from); };
  return {{between(a.x, b.x), between(a.depth, b.depth), between(a.tilt, b.tilt)},
          {(b.x - a.x) / dt, (b.depth - a.depth) / dt, (b.tilt - a.tilt) / dt}};
}

void run_led_path(const GrainPathCommand& command) {
  if (!command.overrides.empty() || command.dry_run) {
    throw InputError("--set and --dry-run are for a campaign, expected a TOML file of grains");
  }
  const std::string medium =
      std::filesystem::absolute(find_file(medium_files(), command.campaign, "", "")).string();
  const std::vector<FootPose> path = read_foot_path(command.path);
  LedFootOptions options;
  if (!command.pid.empty()) options = read_led_foot(command.pid);
  if (!command.regression.empty()) options.regression = command.regression;
  if (command.sample_interval > 0) options.interval = command.sample_interval;
  std::vector<GrainSample> samples;
  int clamped = 0;
  for (const LedSample& s : lead_foot(
           medium, ".", [&](double t) { return pose_on(path, t); },
           path.back().time - path.front().time, options)) {
    clamped += s.clamped ? 1 : 0;
    GrainSample& out = samples.emplace_back();
    out.pose = {path.front().time + s.time, s.x, s.at.depth, s.at.tilt};
    out.force[0] = s.wrench.force_x;
    out.force[2] = s.wrench.force_z;
    out.torque[1] = s.wrench.torque_y;
  }
  const std::string name = read_wrench_database(medium).medium;
  OutputsTogether together;
  if (!command.csv.empty()) {
    write_grain_samples(
        command.csv, samples,
        {"The wrench of " + name + ", as learned, on a foot that a PID leads along a path, made by",
         "  " + command.command_line});
  }
  if (!command.plot.empty()) write_path_plot(command, name, samples);
  together.keep();
  if (command.json)
    return print_path_json({{"medium", name}, {"clamped_samples", clamped}}, samples);
  print_path_text(command, name + ", learned; a PID leads the foot", samples);
  if (clamped > 0)
    fmt::print("note: in {} of {} samples depth or tilt were outside the data\n", clamped,
               samples.size());
}

void run_grain_path(const GrainPathCommand& command) {
  if (!command.plot.empty()) check_ending("plot", command.plot, ".svg");
  if (!command.campaign.ends_with(".toml")) return run_led_path(command);
  if (!command.pid.empty() || !command.regression.empty()) {
    throw InputError("--pid and --regression are for a learned medium, expected a database (.csv, "
                     "or a name in media/)");
  }
  const Campaign campaign = read_campaign(command.campaign, command.overrides);
  const std::vector<FootPose> path = read_foot_path(command.path);
  const double interval =
      command.sample_interval > 0 ? command.sample_interval : campaign.sampling.sample_interval;
  if (command.dry_run) return print_path_plan(campaign, path, interval);
  const auto engine =
      make_lammps_engine({.program = campaign.program, .launcher = campaign.launcher});
  const InterruptGuard guard;
  ProgressBar bar(1000, !command.json);
  EngineRun run{.processes = campaign.bed_processes,
                .folder = std::filesystem::path(command.beds) / "work",
                .progress = {},
                .stop = [] { return interrupted.load(); }};
  try {
    const Bed bed = find_or_prepare_bed(*engine, campaign.bed, command.beds, run);
    run.processes = campaign.processes;
    run.folder = std::filesystem::path(command.beds) / fmt::format("path-{}", ::getpid());
    run.progress = [&](double share) { bar.update(static_cast<std::int64_t>(1000 * share)); };
    const std::vector<GrainSample> samples =
        engine->drive_foot(bed, campaign.foot, path, interval, run);
    bar.clear();
    OutputsTogether together;
    if (!command.csv.empty()) {
      write_grain_samples(command.csv, samples,
                          {"The wrench of " + campaign.medium + " on a foot along a path, made by",
                           "  " + command.command_line, engine->identity()});
    }
    if (!command.plot.empty()) write_path_plot(command, campaign.medium, samples);
    together.keep();
    if (command.json) {
      print_path_json({{"grains", bed.grain_count},
                       {"surface_height_m", bed.surface_height},
                       {"packing", bed.packing},
                       {"timestep_s", bed.timestep}},
                      samples);
    } else {
      print_path_text(command,
                      fmt::format("{}: {} grains, {:.4g} m deep, packing {:.3f}", campaign.medium,
                                  bed.grain_count, bed.surface_height, bed.packing),
                      samples);
    }
  } catch (const EngineStopped&) {
    bar.clear();
    fmt::print(stderr, "footfall: interrupted\n");
    throw CLI::RuntimeError(130);
  }
}

}  // namespace

void add_grain_path(CLI::App& granular, const std::string& command_line) {
  auto [sub, command] = add_command<GrainPathCommand>(
      granular, "path", "Take a foot along any path, through grains or a learned medium",
      run_grain_path);
  command.command_line = command_line;
  command.beds = "results/beds";
  sub.add_option(
         "medium", command.campaign,
         "TOML file with grains, bed and foot; or a wrench database, which is learned: its file or "
         "its name in media/")
      ->required();
  sub.add_option("path", command.path,
                 "CSV file: time_s, depth_m, and x_m, tilt_rad where they are not zero; it begins "
                 "clear of the grains")
      ->required();
  sub.add_option("--csv", command.csv, "Write the wrenches as a table");
  sub.add_option("--plot", command.plot, "Draw them as an SVG file");
  sub.add_option("--sample-interval", command.sample_interval,
                 "Between samples [s]; without it the campaign's")
      ->check(CLI::Range(1e-7, 10.0));
  sub.add_option("--beds", command.beds, "Folder of settled beds")->capture_default_str();
  add_settings(sub, command.overrides, "campaign");
  sub.add_option("--pid", command.pid,
                 "TOML file with kp, ki, kd and grain_inertia_kg_kg_kgm2 of the foot that is led "
                 "through a learned "
                 "medium; without it those of Zhu 2019");
  sub.add_option("--regression", command.regression, "Of a learned medium: rbf, gp or svr");
  sub.add_flag("--dry-run", command.dry_run,
               "Check the files, say what there is to do, run nothing");
  sub.add_flag("--json", command.json, "Print JSON, and nothing else, on stdout");
  sub.footer("Examples:\n"
             "  footfall granular path beads media/paths/curved.csv --pid media/paths/pid.toml "
             "--plot led.svg\n"
             "  footfall granular path media/beads.toml media/paths/straight.csv --csv "
             "wrenches.csv --plot push.svg");
}

}  // namespace footfall::granular_commands
