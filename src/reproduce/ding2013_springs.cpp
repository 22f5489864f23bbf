// (7), (52), (68): foot and soil in series.

#include "footfall/io/soil_library.hpp"
#include "footfall/rig/press.hpp"
#include "reproduce/ding2013_parts.hpp"

namespace footfall::ding2013 {
namespace {

constexpr double kGroundStiffness = 3e4;  // k_T of the example for (7) [N/m]
constexpr double kRubberStiffness = 1e5;  // of the pad below the spring, section 5.2 [N/m]

constexpr int kSamples = 2000;  // of a way down or up

// A line F = slope z + offset of (68).
struct Line {
  double slope;   // [N/m]
  double offset;  // [N]
};
constexpr Line kL1{1.227e4, -14.9}, kL2{5.530e3, 38.9}, kL3{1.172e4, 51.0 - 1.172e4 * 0.0225};

double at(const Line& line, double z) { return line.slope * z + line.offset; }
double crossing(const Line& a, const Line& b) {
  return (b.offset - a.offset) / (a.slope - b.slope);
}

// The straight line through the samples whose ground force is in [low, high], least squares: N/m.
double fit_slope(const std::vector<RigSample>& series, double low, double high) {
  double count = 0, z = 0, f = 0, zz = 0, zf = 0;
  for (const RigSample& s : series) {
    if (s.normal_force < low || s.normal_force > high) continue;
    count += 1;
    z += s.body_sinkage;
    f += s.normal_force;
    zz += s.body_sinkage * s.body_sinkage;
    zf += s.body_sinkage * s.normal_force;
  }
  return (count * zf - z * f) / (count * zz - z * z);
}

PlotLine plot_series(const std::string& label, const std::vector<RigSample>& series) {
  PlotLine line{.label = label};
  for (const RigSample& s : series) {
    line.x.push_back(1e3 * s.body_sinkage);
    line.y.push_back(s.normal_force);
  }
  return line;
}

// The soft foot pressed into sand until the ground carries `top`, and lifted.
std::vector<RigSample> press_soft_foot(const Soil& sand, double stiffness, double foot_weight,
                                       double top, double& footprint) {
  const RigGround ground =
      make_rig_ground(make_cylinder(kRadius, kWidth), sand, {.form = ForceForm::eq_29c});
  const RigFoot foot{.pad = FootPad{.stiffness = stiffness},
                     .foot_mass = foot_weight / kRigGravity};
  PressSettings settings;
  settings.load = top - foot_weight;
  settings.unload = true;
  settings.samples = kSamples;
  const PressResult pressed = press(ground, foot, settings);
  footprint = pressed.plastic_sinkage;
  return pressed.series;
}

void add_figure(const std::vector<RigSample>& whole, const std::vector<RigSample>& unloading,
                Reproduction& out) {
  const PlotAxis force{.label = "force on the sand", .unit = "N"};
  const double knee = crossing(kL1, kL2), turn = crossing(kL2, kL3);
  const auto line = [](const Line& l, double from, double to) {
    return PlotLine{.x = {1e3 * from, 1e3 * to},
                    .y = {at(l, from), at(l, to)},
                    .style = LineStyle::dashed,
                    .color = 1};
  };
  PlotPanel panel{.title = "Slowly pressed and lifted",
                  .x = {.label = "deflection of spring and sand", .unit = "mm"},
                  .y = force};
  panel.lines = {plot_series("ours: spring of 11.94 kN/m on sand of Table 12", whole),
                 line(kL1, -kL1.offset / kL1.slope, knee), line(kL2, knee, turn),
                 line(kL3, turn, 0.0225)};
  panel.lines[1].label = "paper: lines (68)";
  PlotPanel lifted{.title = "Lifted, from the deepest point",
                   .x = {.label = "way up", .unit = "mm"},
                   .y = force};
  lifted.lines = {plot_series(panel.lines[0].label, unloading), line(kL3, turn, 0.0225)};
  lifted.lines[1].label = panel.lines[1].label;
  const double lowest = 1e3 * unloading.front().body_sinkage;
  for (double& x : lifted.lines[0].x) x = lowest - x;
  for (double& x : lifted.lines[1].x) x = 1e3 * turn - x;
  out.figures.push_back(
      {"fig26-soft-foot-on-sand.svg",
       "a soft foot pressed into sand and lifted, with the lines (68)",
       {.title = "Ding 2013, Fig. 26: a soft foot on soft sand",
        .subtitle =
            "Unloading is the spring's. The sand of this test was stiffer at first than Table 12's",
        .panels = {panel, lifted}}});
}

}  // namespace

void add_springs(const Soils& soils, Reproduction& out) {
  // Linear ground of k_T under a disc, solved as any other: not by the formula.
  const FootSole disc = make_disc(kRadius);
  PlasticSoil linear;
  linear.pressure = {.law = PressureLaw::bernstein, .exponent = 1};
  linear.pressure.sinkage_modulus = kGroundStiffness / plan_area(disc, 0.01);
  linear.shear_modulus = 0.01;
  const FootPad pad{.stiffness = kPadStiffness};
  const double series = series_deflection(pad, disc, linear, kLoad).stiffness;
  out.add(is_papers_error(
      compared("(7)", "k_N of k_F = 11940, k_T = 30000 N/m", "N/m",
               (kPadStiffness + kGroundStiffness) / (kPadStiffness * kGroundStiffness), series),
      1 / series, "upside down"));

  const PlasticSoil& sand = plastic_soil(soils, "standard-sand");
  const FootSole foot = make_cylinder(kRadius, kWidth);
  const NormalLaw law{.form = ForceForm::eq_29c};
  const double ours = series_deflection(pad, foot, sand, kLoad, 0, law).stiffness;
  const double n = sand.pressure.exponent + 0.5;
  const double k_T = normal_force(foot, sand, 1, law).force;  // δ = 1 m: k_TN itself
  const double root = std::pow(k_T, 1 / n);
  const double printed =
      kPadStiffness * root * kLoad / (root + std::pow(kLoad, (1 - n) / n) * kPadStiffness);
  out.add(is_papers_error(
      compared("(52)", "k_N of spring and standard sand, 250 N", "N/m", printed, ours),
      kLoad * ours, "W times too large"));
}

void add_soft_on_soft(const Soils& soils, Reproduction& out) {
  const Soil& sand = find_soil(soils, "standard-sand");
  const double turn = crossing(kL2, kL3), top = at(kL2, turn);  // where unloading began
  double footprint = 0;
  const std::vector<RigSample> whole =
      press_soft_foot(sand, kPadStiffness, kFootWeight, top, footprint);
  const auto deepest =
      std::max_element(whole.begin(), whole.end(),
                       [](const auto& a, const auto& b) { return a.sinkage < b.sinkage; });
  const std::vector<RigSample> loading(whole.begin(), deepest + 1), unloading(deepest, whole.end());
  // Before the spring moves: rubber and sand, up to where L1 ends.
  double ignored = 0;
  const double first = at(kL1, crossing(kL1, kL2));
  const std::vector<RigSample> rubber = press_soft_foot(sand, kRubberStiffness, 0, first, ignored);
  const std::vector<RigSample> rubber_loading(rubber.begin(), rubber.begin() + kSamples + 1);

  const auto item = [](const char* quantity, const char* unit, double paper, double ours) {
    return compared("(68)", quantity, unit, paper, ours);
  };
  const char* const softer = "sand of Table 12 is softer at first than that of G5";
  out.add(is_difference(
      item("L1: rubber and sand, to 83 N", "N/m", kL1.slope, fit_slope(rubber_loading, 0, first)),
      printed(10), softer));
  out.add(is_difference(
      item("L2: spring and sand, 83 to 264 N", "N/m", kL2.slope, fit_slope(loading, first, top)),
      printed(1), softer));
  out.add(reproduces(item("L3: unloading, spring on sand", "N/m", kL3.slope,
                          fit_slope(unloading, kFootWeight, top)),
                     scatter(175, "k_FN of Table 10's five tests, 11.79 to 12.14 kN/m")));
  out.add(is_difference(item("sand sunk, spring relaxed (L3 at 51 N)", "mm", 22.5, 1e3 * footprint),
                        printed(0.1), softer));
  add_figure(whole, unloading, out);
}

}  // namespace footfall::ding2013
