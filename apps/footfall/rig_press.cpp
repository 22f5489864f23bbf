// footfall rig press: slowly in, and out again.
#include <fmt/format.h>

#include "footfall/rig/press.hpp"
#include "rig_options.hpp"

namespace footfall::rig {
namespace {

struct PressCommand {
  Options options;
  PressSettings settings;
};

Json result_json(const Setup& setup, const PressResult& r) {
  const RigSample& end = r.end;
  Json out{{"sinkage_m", end.sinkage}, {"normal_force_N", end.normal_force}};
  if (setup.ground.sole) {
    out["pressure_Pa"] = r.pressure;
    out["contact_area_m2"] = end.contact_area;
    out["plan_area_m2"] = r.plan_area;
  }
  out["load_N"] = end.pad_force;
  out["pad_compression_m"] = end.pad_compression;
  out["body_sinkage_m"] = end.body_sinkage;
  if (setup.ground.plastic) {
    out["unload_stiffness_N_per_m"] = r.unload_stiffness;
    out["plastic_sinkage_m"] = r.plastic_sinkage;
  }
  out["work_J"] = r.work;
  if (!r.loop_work.empty()) out["loop_work_J"] = r.loop_work;
  return out;
}

void print_result(const Setup& setup, const PressResult& r) {
  const RigSample& end = r.end;
  fmt::print("Press   {}\n\n", setup.title);
  print_row("sinkage", length_text(end.sinkage));
  print_row("normal force", fmt::format("{:.5g} N", end.normal_force));
  if (setup.ground.sole) {
    print_row("pressure", fmt::format("{:.4g} kPa over the {:.4g} cm² seen from above",
                                      1e-3 * r.pressure, 1e4 * r.plan_area));
    print_row("contact area", fmt::format("{:.4g} cm²", 1e4 * end.contact_area));
  }
  if (setup.foot.pad) {
    print_row("pad compression", length_text(end.pad_compression));
    print_row("both", length_text(end.body_sinkage));
  }
  if (setup.ground.plastic) {
    print_row("footprint left", length_text(r.plastic_sinkage));
    print_row("unloading stiffness", fmt::format("{:.4g} kN/m", 1e-3 * r.unload_stiffness));
  }
  print_row("work", fmt::format("{:.4g} J", r.work));
  for (std::size_t i = 0; i < r.loop_work.size(); ++i) {
    print_row(fmt::format("loop {}", i + 1).c_str(), fmt::format("{:.4g} J lost", r.loop_work[i]));
  }
}

Plot make_press_plot(const Setup& setup, const std::vector<RigSample>& series) {
  const std::vector<double> force = column(series, &RigSample::normal_force);
  PlotPanel panel{.x = {.label = "sinkage", .unit = "mm"},
                  .y = {.label = "normal force", .unit = "N"},
                  .lines = {{.x = column(series, &RigSample::sinkage, 1e3), .y = force}}};
  if (setup.foot.pad) {
    panel.lines[0].label = "foot in the ground";
    panel.lines.push_back(
        {.label = "foot and pad", .x = column(series, &RigSample::body_sinkage, 1e3), .y = force});
  }
  return {.title = "Press", .subtitle = setup.title, .panels = {panel}, .columns = 1};
}

void run(const PressCommand& command) {
  const Options& o = command.options;
  const Setup setup = make_setup(o);
  const PressResult result = press(setup.ground, setup.foot, command.settings);
  finish(o, setup, result.series, make_press_plot(setup, result.series), result_json(setup, result),
         [&] { print_result(setup, result); });
}

}  // namespace

void add_press(CLI::App& rig) {
  auto [sub, command] = add_command<PressCommand>(
      rig, "press", "Press a foot slowly into the soil, and lift it", run);
  PressSettings& settings = command.settings;
  add_options(sub, command.options);
  sub.add_option("--sinkage", settings.sinkage, "How deep the foot goes [m]; or");
  sub.add_option("--load", settings.load, "What presses on it, besides its own weight [N]");
  sub.add_flag("--unload", settings.unload, "Lift it in the end");
  sub.add_option("--cycles", settings.cycles, "How often it is loaded, and unloaded between")
      ->capture_default_str();
  sub.add_flag("--staged", settings.staged, "Cycle i of N goes to i/N of the sinkage or load");
  sub.add_option("--samples", settings.samples, "Rows of the table for each way down or up")
      ->capture_default_str();
  sub.add_option("--speed", settings.speed, "Speed of the foot, for the table's time [m/s]")
      ->capture_default_str();
  sub.footer("Examples:\n"
             "  footfall rig press --foot cylinder --radius 0.05 --width 0.08 --soil dry-sand "
             "--sinkage 0.01 --json\n"
             "  footfall rig press --foot disc --radius 0.05 --soil dry-sand --load 300 --cycles "
             "3 --staged --unload --plot press.svg");
}

}  // namespace footfall::rig
