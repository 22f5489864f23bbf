// footfall rig drag: a loaded foot pulled over the soil.
#include <fmt/format.h>

#include <algorithm>

#include "footfall/rig/drag.hpp"
#include "rig_options.hpp"

namespace footfall::rig {
namespace {

struct DragCommand {
  Options options;
  DragSettings settings;
};

Json end_json(const RigSample& s) {
  return {{"shear_displacement_m", s.shear_displacement.x},
          {"tangential_force_N", s.tangential_force.x},
          {"mobilized_shear", s.mobilized_shear}};
}

Json result_json(const DragResult& r) {
  const RigSample& s = r.out;
  Json out{{"sinkage_m", s.sinkage},
           {"normal_force_N", s.normal_force},
           {"load_N", s.pad_force},
           {"shear_strength_N", s.shear_strength},
           {"traction_coefficient", s.shear_strength / s.normal_force},
           {"out", end_json(s)}};
  if (r.back) out["back"] = end_json(*r.back);
  return out;
}

void print_end(const char* name, const RigSample& s) {
  print_row(name, fmt::format("{:.5g} N at {}, {:.1f} % of the strength", s.tangential_force.x,
                              length_text(s.shear_displacement.x), 100 * s.mobilized_shear));
}

void print_result(const Setup& setup, const DragResult& r) {
  const RigSample& s = r.out;
  fmt::print("Drag    {}\n\n", setup.title);
  print_row("sinkage", length_text(s.sinkage));
  print_row("normal force", fmt::format("{:.5g} N", s.normal_force));
  print_row("shear strength", fmt::format("{:.5g} N, {:.4g} of the normal force", s.shear_strength,
                                          s.shear_strength / s.normal_force));
  print_end("force on the way out", s);
  if (r.back) print_end("force on the way back", *r.back);
}

Plot make_drag_plot(const Setup& setup, const std::vector<RigSample>& series) {
  std::vector<double> x, force;
  for (const RigSample& s : series) {
    x.push_back(1e3 * s.shear_displacement.x);
    force.push_back(-s.tangential_force.x);
  }
  const double far = *std::max_element(x.begin(), x.end());
  const double limit = series[0].shear_strength;
  PlotPanel panel{
      .x = {.label = "shear displacement", .unit = "mm"},
      .y = {.label = "pull on the foot", .unit = "N"},
      .lines = {
          {.label = "pull", .x = x, .y = force},
          {.label = "strength", .x = {0, far}, .y = {limit, limit}, .style = LineStyle::dashed}}};
  if (force.back() < 0) {
    panel.lines.push_back(
        {.x = {0, far}, .y = {-limit, -limit}, .style = LineStyle::dashed, .color = 1});
  }
  return {.title = "Drag", .subtitle = setup.title, .panels = {panel}, .columns = 1};
}

void run(const DragCommand& command) {
  const Options& o = command.options;
  const Setup setup = make_setup(o);
  const DragResult result = drag(setup.ground, setup.foot, command.settings);
  finish(o, setup, result.series, make_drag_plot(setup, result.series), result_json(result),
         [&] { print_result(setup, result); });
}

}  // namespace

void add_drag(CLI::App& rig) {
  auto [sub, command] =
      add_command<DragCommand>(rig, "drag", "Pull a loaded foot over the soil", run);
  DragSettings& settings = command.settings;
  add_options(sub, command.options);
  sub.add_option("--sinkage", settings.sinkage, "Of the foot, held [m]; or");
  sub.add_option("--load", settings.load, "What presses on it, besides its own weight, held [N]");
  sub.add_option("--speed", settings.speed, "[m/s]")->capture_default_str();
  sub.add_option("--distance", settings.distance, "One way [m]")->capture_default_str();
  sub.add_flag("--reverse", settings.reverse, "And back again");
  sub.add_option("--samples", settings.samples, "Rows of the table for each way")
      ->capture_default_str();
  sub.footer("Example:\n"
             "  footfall rig drag --foot disc --radius 0.05 --soil dry-sand --load 300 --reverse");
}

}  // namespace footfall::rig
