// Figs. 14 and 15: the share of the shear strength that is mobilised, and its simpler forms.
#include <fmt/format.h>

#include "footfall/io/soil_library.hpp"
#include "footfall/rig/ground.hpp"
#include "reproduce/ding2013_parts.hpp"

namespace footfall::ding2013 {
namespace {

constexpr double kEnd = 6;  // of j/K in the figures

// Shear over j/K: a soil whose K is 1 m.
PlasticSoil unit_soil(ShearForm form) {
  PlasticSoil soil;
  soil.shear = form;
  soil.shear_modulus = 1;
  return soil;
}

// tanh(x/stretch), by the form whose own stretch is 1.5.
double tanh_shear(double x, double stretch) {
  static const PlasticSoil soil = unit_soil(ShearForm::tanh);
  return mobilized_shear(soil, 1.5 * x / stretch);
}

double exponential_shear(double x) {
  static const PlasticSoil soil = unit_soil(ShearForm::exponential);
  return mobilized_shear(soil, x);
}

double broken_line(double x) {
  static const PlasticSoil soil = unit_soil(ShearForm::piecewise_linear);
  return mobilized_shear(soil, x);
}

double tanh_error(double stretch) {
  return largest_of(kEnd, [&](double x) { return tanh_shear(x, stretch) - exponential_shear(x); });
}

double line_error() {
  return largest_of(kEnd, [](double x) { return broken_line(x) - exponential_shear(x); });
}

// Too far above the exponential for small stretches, too far below for large: the least error.
double best_stretch() {
  double low = 1, high = 2;
  while (high - low > 1e-6) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (tanh_error(a) < tanh_error(b) ? high : low) = tanh_error(a) < tanh_error(b) ? b : a;
  }
  return 0.5 * (low + high);
}

void add_forms(Reproduction& out) {
  const double line = line_error();
  const double one = tanh_error(1), one_half = tanh_error(1.5), two = tanh_error(2);
  const auto item = [](const char* place, const char* quantity, const char* claim, double ours) {
    return claimed(place, quantity, "", claim, ours);
  };
  out.add(claims(item("Fig. 14", "broken line (39), largest deviation", "reasonable", line),
                 line < 0.2));
  out.add(claims(item("Fig. 15", "tanh(j/1.5K), largest deviation", "quite close", one_half),
                 one_half < 0.1));
  out.add(
      claims(item("Fig. 15", "tanh(j/K), largest deviation", "less close", one), one > one_half));
  out.add(
      claims(item("Fig. 15", "tanh(j/2K), largest deviation", "less close", two), two > one_half));
  bool between = true;
  for (int i = 0; i <= 600; ++i) {
    const double x = 0.01 * i, e = exponential_shear(x);
    between = between && tanh_shear(x, 2) <= e && e <= tanh_shear(x, 1);
  }
  out.add(
      claims(item("Fig. 15", "tanh(j/2K) <= exponential <= tanh(j/K)", "obvious", between ? 1 : 0),
             between));
  const double best = best_stretch();
  Item closest = compared("Fig. 15", "K' that deviates least", "K", 1.5, best);
  out.add(is_difference(
      closest, 0.1,
      fmt::format("1.5K is closest of the three shown; {:.3f} here", tanh_error(best))));
}

// (37) as it stands, j from the first touch: 5K forward, K back.
void add_reversal(const Soils& soils, Reproduction& out) {
  const Soil& soil = find_soil(soils, "dry-sand");
  const RigGround ground = make_rig_ground(make_disc(kRadius), soil);
  const double K = ground.plastic->shear_modulus, depth = 0.01;
  GroundMemory memory;
  commit_sinkage(ground, depth, memory);
  const double force = normal_force(ground.law, depth).force;
  commit_shear(ground, depth, force, {5 * K, 0, 0}, 1, memory);
  const ShearForce back = commit_shear(ground, depth, force, {-K, 0, 0}, 1, memory);
  out.add(is_difference(compared("(37), (56)", "share mobilised, 5K forward and K back", "",
                                 exponential_shear(4), -back.force.x / back.strength),
                        0.5, "j needs a history: soil would push along the way"));
}

}  // namespace

void add_shear(const Soils& soils, Reproduction& out) {
  add_forms(out);
  add_reversal(soils, out);
  const PlotAxis way{.label = "shear displacement j/K"};
  PlotPanel curves{.title = "Share of the shear strength", .x = way, .y = {.label = "share"}};
  PlotPanel errors{
      .title = "Deviation from the exponential", .x = way, .y = {.label = "deviation"}};
  const auto add = [&](const std::string& label, const auto& curve) {
    curves.lines.push_back(sample_line(label, 0, kEnd, curve));
    errors.lines.push_back(
        sample_line(label, 0, kEnd, [&](double x) { return curve(x) - exponential_shear(x); }));
  };
  add("1 - exp(-j/K)", exponential_shear);
  add("broken line (39)", broken_line);
  add("tanh(j/K)", [](double x) { return tanh_shear(x, 1); });
  add("tanh(j/1.5K)", [](double x) { return tanh_shear(x, 1.5); });
  add("tanh(j/2K)", [](double x) { return tanh_shear(x, 2); });
  out.figures.push_back(
      {"fig14-15-shear.svg",
       "mobilised shear: exponential, broken line, tanh",
       {.title = "Ding 2013, Figs. 14 and 15: mobilised shear and its simpler forms",
        .subtitle = fmt::format("Largest deviation: tanh(j/1.5K) {:.3f}, broken line {:.3f}",
                                tanh_error(1.5), line_error()),
        .panels = {curves, errors}}});
}

}  // namespace footfall::ding2013
