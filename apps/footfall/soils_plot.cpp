#include "soils_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/error.hpp"
#include "footfall/rig/foot.hpp"

namespace footfall {
namespace {

constexpr double kDeepest = 0.05;        // of the sinkage axis [m]
constexpr double kFarthest = 0.1;        // of the shear displacement axis [m]
constexpr double kPlateRadius = 0.05;    // where no foot is given [m]
constexpr double kShearPressure = 50e3;  // under which shear stress is shown [Pa]
constexpr int kPoints = 200;

template <class Curve>
PlotLine sample(const std::string& label, double end, const Curve& curve) {
  PlotLine line{.label = label};
  for (int i = 0; i <= kPoints; ++i) {
    const double x = end * i / kPoints;
    line.x.push_back(1e3 * x);
    line.y.push_back(curve(x));
  }
  return line;
}

// Soils that differ a hundredfold need a logarithmic axis to be seen together.
void choose_scale(PlotPanel& panel) {
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (const PlotLine& line : panel.lines) {
    least = std::min(least, line.y.back());
    largest = std::max(largest, line.y.back());
  }
  panel.y.log = largest > 20 * least;
  if (panel.y.log) panel.y.low = std::pow(10, std::floor(std::log10(least / 20)));
}

}  // namespace

Plot plot_soils(const std::vector<Soil>& soils, const std::optional<FootSole>& foot,
                const std::optional<double>& load, const std::string& foot_text) {
  const PlotAxis sinkage{.label = "sinkage", .unit = "mm"};
  const PlotAxis displacement{.label = "shear displacement", .unit = "mm"};
  const double width = foot ? contact_width(*foot) : kPlateRadius;
  PlotPanel pressure{.title = fmt::format("Pressure under a sole of b = {:g} mm", 1e3 * width),
                     .x = sinkage,
                     .y = {.label = "pressure", .unit = "kPa"}};
  PlotPanel shear{.title = fmt::format("Shear stress at {:g} kPa", kShearPressure / 1e3),
                  .x = displacement,
                  .y = {.label = "shear stress", .unit = "kPa"}};
  PlotPanel normal{.title = "Normal force on the foot",
                   .x = sinkage,
                   .y = {.label = "normal force", .unit = "N"}};
  PlotPanel tangential{.title = fmt::format("Tangential force under {:g} N", load.value_or(0)),
                       .x = displacement,
                       .y = {.label = "tangential force", .unit = "N"}};
  for (const Soil& soil : soils) {
    if (!soil.plastic) continue;
    const PlasticSoil& s = *soil.plastic;
    const double modulus = sinkage_modulus(s, width);
    pressure.lines.push_back(sample(soil.name, kDeepest, [&](double d) {
      return modulus * std::pow(d, s.pressure.exponent) / 1e3;
    }));
    const double strength = s.cohesion + kShearPressure * std::tan(s.friction_angle);
    shear.lines.push_back(sample(soil.name, kFarthest,
                                 [&](double j) { return strength * mobilized_shear(s, j) / 1e3; }));
    if (!foot) continue;
    const SoleLaw law = make_sole_law(*foot, s);
    normal.lines.push_back(
        sample(soil.name, kDeepest, [&](double d) { return normal_force(law, d).force; }));
    if (!load) continue;
    const double limit =
        shear_strength(*foot, s, find_rest(make_rig_ground(foot, soil), *load), *load);
    tangential.lines.push_back(
        sample(soil.name, kFarthest, [&](double j) { return limit * mobilized_shear(s, j); }));
  }
  if (pressure.lines.empty()) {
    throw InputError("--plot draws plastic soils, and none of those selected is plastic");
  }
  Plot plot{.title = pressure.lines.size() == 1 ? pressure.lines[0].label : "Soils",
            .subtitle = foot ? "foot: " + foot_text : "",
            .panels = {pressure, shear}};
  if (foot) plot.panels.push_back(normal);
  if (foot && load) plot.panels.push_back(tangential);
  for (PlotPanel& panel : plot.panels) choose_scale(panel);
  return plot;
}

}  // namespace footfall
