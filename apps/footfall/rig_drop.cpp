// footfall rig drop: a mass falls on the soil.
#include <fmt/format.h>

#include "footfall/io/progress.hpp"
#include "footfall/rig/drop.hpp"
#include "rig_options.hpp"

namespace footfall::rig {
namespace {

struct DropCommand {
  Options options;
  DropSettings settings;
};

Json energy_json(const RigEnergy& e) {
  return {{"input_J", e.input},
          {"motion_J", e.motion},
          {"pad_elastic_J", e.pad_elastic},
          {"pad_damping_J", e.pad_damping},
          {"soil_elastic_J", e.soil_elastic},
          {"soil_plastic_J", e.soil_plastic},
          {"soil_damping_J", e.soil_damping},
          {"jerk_J", e.jerk},
          {"error_J", e.error()}};
}

Json result_json(const DropResult& r) {
  return {{"impact_speed_m_per_s", r.impact_speed},
          {"fall_time_s", r.fall_time},
          {"weight_N", r.weight},
          {"peak_force_N", r.peak_force},
          {"peak_time_s", r.peak_time},
          {"peak_pad_force_N", r.peak_pad_force},
          {"max_sinkage_m", r.max_sinkage},
          {"rebound_m", r.rebound},
          {"elastic_sinkage_m", r.elastic_sinkage},
          {"plastic_sinkage_m", r.plastic_sinkage},
          {"bounces", r.bounces},
          {"at_rest", r.at_rest},
          {"sinkage_m", r.end.sinkage},
          {"pad_compression_m", r.end.pad_compression},
          {"body_sinkage_m", r.end.body_sinkage},
          {"normal_force_N", r.end.normal_force},
          {"energy", energy_json(r.energy)}};
}

void print_energy(const RigEnergy& e) {
  fmt::print("\n  Energy in {:.4g} J, of which\n", e.input);
  const auto row = [&](const char* name, double value) {
    if (std::abs(value) > 1e-6 * e.input) {
      print_row(name, fmt::format("{:6.2f} %", 100 * value / e.input));
    }
  };
  row("soil, plastic", e.soil_plastic);
  row("soil, damping", e.soil_damping);
  row("soil, elastic", e.soil_elastic);
  row("pad, damping", e.pad_damping);
  row("pad, elastic", e.pad_elastic);
  row("jerk of the pad", e.jerk);
  row("motion", e.motion);
  print_row("not accounted for", fmt::format("{:.1e} J", e.error()));
}

void print_result(const Setup& setup, const DropResult& r) {
  fmt::print("Drop    {}\n\n", setup.title);
  print_row("impact", fmt::format("{:.4g} m/s", r.impact_speed));
  print_row("peak force", fmt::format("{:.5g} N after {:.4g} ms, {:.3g} times the weight",
                                      r.peak_force, 1e3 * r.peak_time, r.peak_force / r.weight));
  if (setup.foot.pad) print_row("peak in the pad", fmt::format("{:.5g} N", r.peak_pad_force));
  print_row("deepest", length_text(r.max_sinkage));
  print_row("rebound", fmt::format("{}; the ground itself gives back {}", length_text(r.rebound),
                                   length_text(r.elastic_sinkage)));
  if (setup.ground.plastic) print_row("footprint", length_text(r.plastic_sinkage));
  if (r.bounces > 0)
    print_row("left the ground", fmt::format("{} time{}", r.bounces, r.bounces == 1 ? "" : "s"));
  print_row("in the end", fmt::format("{} deep, {:.5g} N on the ground of {:.5g} N weight, {}",
                                      length_text(r.end.sinkage), r.end.normal_force, r.weight,
                                      r.at_rest ? "at rest" : "still moving"));
  if (setup.foot.pad) print_row("pad compression", length_text(r.end.pad_compression));
  print_energy(r.energy);
}

Plot make_drop_plot(const Setup& setup, const std::vector<RigSample>& series) {
  const std::vector<double> time = column(series, &RigSample::time, 1e3);
  const std::vector<double> sinkage = column(series, &RigSample::sinkage, 1e3);
  const std::vector<double> force = column(series, &RigSample::normal_force);
  const PlotAxis times{.label = "time since the touch", .unit = "ms"};
  const PlotAxis forces{.label = "force", .unit = "N"}, depths{.label = "sinkage", .unit = "mm"};
  Plot plot{.title = "Drop", .subtitle = setup.title, .columns = 3};
  const std::string label = setup.foot.pad ? "foot" : "";
  plot.panels = {{.x = times, .y = depths, .lines = {{.label = label, .x = time, .y = sinkage}}},
                 {.x = times, .y = forces, .lines = {{.label = label, .x = time, .y = force}}},
                 {.x = depths, .y = forces, .lines = {{.label = label, .x = sinkage, .y = force}}}};
  if (setup.foot.pad) {
    const std::vector<double> body = column(series, &RigSample::body_sinkage, 1e3);
    const std::vector<double> pad = column(series, &RigSample::pad_force);
    plot.panels[0].lines.push_back({.label = "body above the pad", .x = time, .y = body});
    plot.panels[1].lines.push_back({.label = "body above the pad", .x = time, .y = pad});
    plot.panels[2].lines.push_back({.label = "body above the pad", .x = body, .y = pad});
  }
  return plot;
}

void run(const DropCommand& command) {
  const Options& o = command.options;
  const Setup setup = make_setup(o);
  ProgressBar bar(1000, !o.json);
  const DropResult result = drop(setup.ground, setup.foot, command.settings, [&](double share) {
    bar.update(static_cast<std::int64_t>(1000 * share));
  });
  bar.clear();
  finish(o, setup, result.series, make_drop_plot(setup, result.series), result_json(result),
         [&] { print_result(setup, result); });
}

}  // namespace

void add_drop(CLI::App& rig) {
  auto [sub, command] = add_command<DropCommand>(rig, "drop", "Let a mass fall on the soil", run);
  DropSettings& settings = command.settings;
  add_options(sub, command.options);
  sub.add_option("--mass", settings.mass, "Of the body above foot and pad [kg]")->required();
  sub.add_option("--load", settings.load, "A force on it beside its weight [N]")
      ->capture_default_str();
  sub.add_option("--height", settings.height, "Of the foot above the soil [m]; or");
  sub.add_option("--speed", settings.speed, "With which it touches [m/s]");
  sub.add_option("--duration", settings.duration, "From the touch [s]")->capture_default_str();
  sub.add_option("--timestep", settings.timestep, "[s]")->capture_default_str();
  sub.add_option("--sample-rate", settings.sample_rate, "Rows of the table per second [Hz]")
      ->capture_default_str();
  sub.footer("Example:\n"
             "  footfall rig drop --foot cylinder --radius 0.05 --width 0.08 --soil dry-sand "
             "--mass 25 --height 0.005");
}

}  // namespace footfall::rig
