// footfall rig path: a foot along any path.
#include <fmt/format.h>

#include <algorithm>

#include "footfall/io/progress.hpp"
#include "footfall/rig/path.hpp"
#include "rig_options.hpp"

namespace footfall::rig {
namespace {

struct PathCommand {
  Options options;
  std::string path;
};

struct PathSummary {
  double max_sinkage = 0, peak_normal_force = 0, peak_tangential_force = 0;
};

PathSummary summarize(const std::vector<RigSample>& series) {
  PathSummary p;
  for (const RigSample& s : series) {
    p.max_sinkage = std::max(p.max_sinkage, s.sinkage);
    p.peak_normal_force = std::max(p.peak_normal_force, s.normal_force);
    p.peak_tangential_force = std::max(p.peak_tangential_force, norm(s.tangential_force));
  }
  return p;
}

Json result_json(const std::vector<RigSample>& series) {
  const PathSummary p = summarize(series);
  Json out{{"points", series.size()},
           {"max_sinkage_m", p.max_sinkage},
           {"peak_normal_force_N", p.peak_normal_force},
           {"peak_tangential_force_N", p.peak_tangential_force}};
  for (const char* key : {"time_s", "sinkage_m", "pad_compression_m", "normal_force_N",
                          "tangential_force_x_N", "tangential_force_y_N"}) {
    out[key] = Json::array();
  }
  for (const RigSample& s : series) {
    out["time_s"].push_back(s.time);
    out["sinkage_m"].push_back(s.sinkage);
    out["pad_compression_m"].push_back(s.pad_compression);
    out["normal_force_N"].push_back(s.normal_force);
    out["tangential_force_x_N"].push_back(s.tangential_force.x);
    out["tangential_force_y_N"].push_back(s.tangential_force.y);
  }
  return out;
}

void print_result(const Setup& setup, const std::vector<RigSample>& series) {
  const PathSummary p = summarize(series);
  fmt::print("Path    {}, {} points\n\n", setup.title, series.size());
  print_row("deepest", length_text(p.max_sinkage));
  print_row("peak normal force", fmt::format("{:.5g} N", p.peak_normal_force));
  print_row("peak tangential", fmt::format("{:.5g} N", p.peak_tangential_force));
  fmt::print("\n  {:>9}  {:>11}  {:>13}  {:>13}  {:>13}\n", "time [s]", "sinkage", "normal [N]",
             "along x [N]", "along y [N]");
  const std::size_t rows = std::min<std::size_t>(series.size() - 1, 10);
  for (std::size_t i = 0; i <= rows; ++i) {
    const RigSample& s = series[i * (series.size() - 1) / rows];
    fmt::print("  {:>9.4g}  {:>11}  {:>13.5g}  {:>13.5g}  {:>13.5g}\n", s.time,
               length_text(s.sinkage), s.normal_force, s.tangential_force.x, s.tangential_force.y);
  }
}

Plot make_path_plot(const Setup& setup, const std::vector<RigSample>& series) {
  const std::vector<double> time = column(series, &RigSample::time);
  std::vector<double> x, y;
  for (const RigSample& s : series) {
    x.push_back(s.tangential_force.x);
    y.push_back(s.tangential_force.y);
  }
  const PlotAxis times{.label = "time", .unit = "s"}, forces{.label = "force", .unit = "N"};
  Plot plot{.title = "Path", .subtitle = setup.title, .columns = 2};
  plot.panels = {
      {.x = times,
       .y = {.label = "sinkage", .unit = "mm"},
       .lines = {{.x = time, .y = column(series, &RigSample::sinkage, 1e3)}}},
      {.x = times,
       .y = forces,
       .lines = {{.label = "normal", .x = time, .y = column(series, &RigSample::normal_force)},
                 {.label = "along x", .x = time, .y = x},
                 {.label = "along y", .x = time, .y = y}}}};
  return plot;
}

void run(const PathCommand& command) {
  const Options& o = command.options;
  const Setup setup = make_setup(o);
  const std::vector<PathPoint> path = read_path(command.path);
  ProgressBar bar(static_cast<std::int64_t>(path.size()), !o.json);
  const std::vector<RigSample> series =
      follow_path(setup.ground, setup.foot, path,
                  [&](std::size_t done) { bar.update(static_cast<std::int64_t>(done)); });
  bar.clear();
  finish(o, setup, series, make_path_plot(setup, series), result_json(series),
         [&] { print_result(setup, series); });
}

}  // namespace

void add_path(CLI::App& rig) {
  auto [sub, command] = add_command<PathCommand>(rig, "path", "Move a foot along any path", run);
  sub.add_option("path", command.path,
                 "CSV file: time_s, sinkage_m or z_m (up), and x_m, y_m where it moves sideways")
      ->required();
  add_options(sub, command.options);
  sub.footer(
      "Example:\n"
      "  footfall rig path step.csv --foot disc --radius 0.05 --soil dry-sand --csv out.csv");
}

}  // namespace footfall::rig
