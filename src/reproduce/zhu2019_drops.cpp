// Section IV.C.2, Fig. 9: a single foot is dropped. The paper says neither heights nor slope; ours are 10 mm
// and 10 degrees.
#include <fmt/format.h>

#include <cmath>

#include "footfall/compare/benchmark.hpp"
#include "io/data_folders.hpp"
#include "reproduce/zhu2019_parts.hpp"

namespace footfall::zhu2019 {
namespace {

constexpr double kDropTime = 2;  // [s]

struct Drop {
  std::string name;      // of its line
  std::string ground;    // section of the scenario
  std::string keyframe;  // of robots/single_foot.xml
  Trace trace;
};

Trace drop_foot(const Drop& drop) {
  const std::string text =
      fmt::format("[robot]\nfile = \"single_foot\"\nkeyframe = \"{}\"\ndrop_height_m = 0.01\n"
                  "[ground]\n{}\n"
                  "[contact]\nmodel = \"wrench_space\"\ndatabase = \"play-sand\"\ndimensions = 2\n"
                  "[step]\nduration_s = {}\n",
                  drop.keyframe, drop.ground, kDropTime);
  return trace_scenario(parse_scenario(text, "zhu2019", "."), 5);
}

double rest_time(const Trace& trace) {
  std::size_t k = trace.time.size();
  while (k > 0 && trace.speed[k - 1] < 1e-9) --k;
  return k == 0 ? 0 : trace.time[k - 1];
}

PlotPanel drop_panel(const char* title, const char* unit, const std::vector<Drop>& drops,
                     std::vector<double> (*values)(const Trace&)) {
  PlotPanel panel{.title = title,
                  .x = {.label = "time", .unit = "s", .low = 0, .high = 1.0},
                  .y = {.label = title, .unit = unit}};
  for (const Drop& drop : drops) {
    panel.lines.push_back({.label = drop.name, .x = drop.trace.time, .y = values(drop.trace)});
  }
  return panel;
}

void add_drop_figure(const std::vector<Drop>& drops, Reproduction& out) {
  const auto pitch = [](const Trace& trace) { return trace.base_pitch; };
  const auto depth = [](const Trace& trace) {
    std::vector<double> mm;
    for (const double d : trace.feet[0].depth) mm.push_back(1e3 * d);
    return mm;
  };
  out.figures.push_back({"fig09-drops.svg",
                         "a foot of 7.357 kg dropped in play sand",
                         {.title = "Zhu 2019, Fig. 9: a foot is dropped",
                          .subtitle = "7.357 kg from 10 mm above play sand",
                          .panels = {drop_panel("pitch", "rad", drops, pitch),
                                     drop_panel("depth", "mm", drops, depth)}}});
}

Comparison drop_claim(const std::string& quantity, const std::string& unit,
                      const std::string& claim, double ours, bool holds) {
  return agrees(claimed("IV.C.2", quantity, unit, claim, ours), holds);
}

}  // namespace

void add_drops(Reproduction& out) {
  std::vector<Drop> drops = {{"upright", "kind = \"plane\"", "drop", {}},
                             {"slope, 10°", "kind = \"slope\"\nslope_deg = 10", "drop", {}},
                             {"tilted, 0.2 rad", "kind = \"plane\"", "drop_tilted", {}}};
  for (Drop& drop : drops) drop.trace = drop_foot(drop);
  const Trace &flat = drops[0].trace, &slope = drops[1].trace, &tilted = drops[2].trace;
  double lean = 0;
  for (const double p : flat.base_pitch) lean = std::fmax(lean, std::abs(p));
  out.add(drop_claim("upright on level ground: largest tilt", "rad", "remains erect", lean,
                     lean < 1e-6));
  const double tips = slope.base_pitch.back();
  out.add(drop_claim("upright on a slope of 10°: tilt", "rad", "begins to tip, ultimately balances",
                     tips, tips > 0.01 && tips < 0.3 && rest_time(slope) < 1));
  out.add(drop_claim("0.2 rad: tilt in the end", "rad", "tips over", tilted.base_pitch.back(),
                     tilted.base_pitch.back() > 1));
  out.add(drop_claim("0.2 rad: stands still after", "s", "eventually stops", rest_time(tilted),
                     rest_time(tilted) < 0.9 * kDropTime));
  for (const Drop& drop : drops) add_clamped("drop, " + drop.name, drop.trace, out);
  add_drop_figure(drops, out);
  // W holds forces. As printed, h A c <= b, an impulse c may be b/h, and the force c/h is then b/h².
  constexpr double kStep = 1e-3, kRoundOff = 1e-6;
  const double allowed = 1 / (kStep * kStep);
  Comparison wrench =
      claimed("(2)", "largest wrench of the drop over the boundary of W", "", "in W", flat.use);
  wrench.reason = fmt::format(
      "with impulses c it must read A c <= h b: as printed up to {:.0e} at h = 1 ms", allowed);
  out.add(contradicts_itself(wrench, allowed < 1 + kRoundOff, flat.use < 1 + kRoundOff));
}

// Section IV.C.4: what a step of 13 bodies, 12 joints and 4 contacts takes.

void add_speed(Reproduction& out) {
  BenchmarkOptions options;
  options.repeats = 3;
  options.steps = 500;
  options.wrench_database = "play-sand";
  const Benchmark done =
      benchmark_robot(find_file(robot_files(), "robosimian_planar", ".", "zhu2019"), options);
  const double time = done.cases.front().step_time;
  Comparison step = claimed("IV.C.4", "time of a step: 13 bodies, 12 joints, 4 contacts", "s",
                            "about 0.343 s", time);
  step.reason = "another program and machine";
  out.add(disagrees(step, time > 0.5 * kZhuStepTime));
}

}  // namespace footfall::zhu2019
