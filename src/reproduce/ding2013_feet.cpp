// Table 6 and Fig. 8: the soils. Table 7: stiffness, exponent and friction of four feet.
#include <fmt/format.h>

#include <numbers>

#include "footfall/io/soil_library.hpp"
#include "footfall/rig/ground.hpp"
#include "footfall/soil/wong_reece.hpp"
#include "reproduce/ding2013_parts.hpp"

namespace footfall::ding2013 {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kFootLoad = 100;        // of Table 7's feet [N]
constexpr double kShearPressure = 50e3;  // of Fig. 8 (b) [Pa]

// A row of Table 7, with the paper's formulas.
// A row of Table 7. Those of flat feet are the law itself times their area: nothing to compare.
struct Foot {
  const char* name;
  FootSole sole;
  double stiffness;      // k_TN [N/m^n_TN]
  double exponent;       // n_TN
  double cohesive_area;  // that c counts in mu F_TN [m²]
};

std::vector<Foot> table_7(const PlasticSoil& soil) {
  const PressureSinkage& p = soil.pressure;
  const double n = p.exponent, r = kRadius, b = kWidth;
  const double k_c = p.cohesive_modulus, k_phi = p.frictional_modulus;
  const double rim = std::sqrt(2 * r) * (k_c + b * k_phi);
  const double ball = kPi * (k_c + r * k_phi);
  const double rim_depth = std::pow(kFootLoad / rim, 1 / (n + 0.5));
  const double ball_depth = std::pow(kFootLoad / ball, 1 / (n + 1));
  return {
      {"cylinder", make_cylinder(r, b), rim, n + 0.5, b * std::sqrt(2 * r * rim_depth)},
      {"sphere", make_sphere(r), ball, n + 1, kPi * r * ball_depth},
  };
}

void add_foot(const Foot& foot, const PlasticSoil& soil, Reproduction& out) {
  const SoleLaw law = make_sole_law(foot.sole, soil);
  const double depth = find_sinkage(law, kFootLoad);
  const Bearing<double> bearing = normal_force(law, depth);
  const double stiffness = bearing.force / std::pow(depth, foot.exponent);
  const double exponent = depth * bearing.slope / bearing.force;
  const double friction = shear_strength(foot.sole, soil, depth, kFootLoad) / kFootLoad;
  const double paper_friction =
      foot.cohesive_area * soil.cohesion / kFootLoad + std::tan(soil.friction_angle);
  const auto item = [&](const char* symbol, const std::string& unit, double paper, double ours) {
    return compared("Table 7", fmt::format("{} of the {}, 100 N", symbol, foot.name), unit, paper,
                    ours);
  };
  const Comparison k =
      item("k_TN", fmt::format("N/m^{:g}", foot.exponent), foot.stiffness, stiffness);
  const Comparison n = item("n_TN", "", foot.exponent, exponent);
  const Comparison mu = item("mu", "", paper_friction, friction);
  const bool rim = foot.sole.shape == SoleShape::cylinder;
  out.add(
      is_difference(k, formula(foot.stiffness), rim ? "(29c) is too soft" : "(34) is too stiff"));
  out.add(is_difference(n, formula(foot.exponent), "the exact curve is no power"));
  out.add(is_difference(mu, formula(paper_friction), "depth differs; cohesion counts little"));
}

// What the table cannot say: how cohesion and one-sided loading enter.
void add_halves(const PlasticSoil& soil, Reproduction& out) {
  const FootSole cylinder = make_cylinder(kRadius, kWidth);
  const double depth = 1e-3, angle = entry_angle(kRadius, depth);
  PlasticSoil cohesive = soil;
  cohesive.friction_angle = 0;
  const RimContact contact{kRadius, kWidth, angle, -angle, 0};
  const double truly = integrate_rim_stress(contact, cohesive, 1).tangential;
  out.add(is_difference(compared("Table 7", "area that cohesion counts, cylinder, 1 mm", "mm^2",
                                 1e6 * cohesive_area(cylinder, depth), 1e6 * truly / soil.cohesion),
                        formula(1e6 * cohesive_area(cylinder, depth)),
                        "a straight shear stress loses half; we keep the paper's"));
  // Stress ahead of the lowest point only, no shear: the integral, not the factor that `one_sided` is.
  const RimContact ahead{kRadius, kWidth, angle, 0, 0};
  const double whole = normal_force(cylinder, soil, depth).force;
  const double half = integrate_rim_stress(ahead, soil, 0).normal;
  out.add(adds_up(
      compared("Table 7", "k_TN loaded on one side, of that on both", "", 0.5, half / whole),
      formula(0.5)));
}

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
  out.add(agrees(item("Fig. 14", "broken line (39), largest deviation", "reasonable", line),
                 line < 0.2));
  out.add(agrees(item("Fig. 15", "tanh(j/1.5K), largest deviation", "quite close", one_half),
                 one_half < 0.1));
  out.add(
      agrees(item("Fig. 15", "tanh(j/K), largest deviation", "less close", one), one > one_half));
  out.add(
      agrees(item("Fig. 15", "tanh(j/2K), largest deviation", "less close", two), two > one_half));
  double between = 1;  // the least distance to either
  for (int i = 10; i <= 600; ++i) {
    const double x = 0.01 * i, e = exponential_shear(x);
    between = std::fmin(between, std::fmin(e - tanh_shear(x, 2), tanh_shear(x, 1) - e));
  }
  out.add(
      agrees(item("Fig. 15", "exponential above tanh(j/2K), below tanh(j/K), from 0.1K to 6K, by",
                  "obvious", between),
             between > 0));
  const double best = best_stretch();
  Comparison closest = compared("Fig. 15", "K' that deviates least", "K", 1.5, best);
  out.add(is_difference(
      closest, printed(0.1),
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
                        formula(1), "j needs a history: soil would push along the way"));
}

}  // namespace

void add_feet(const Soils& soils, Reproduction& out) {
  const PlasticSoil& sand = plastic_soil(soils, "dry-sand");
  for (const Foot& foot : table_7(sand)) add_foot(foot, sand, out);
  add_halves(sand, out);
}

void add_soils(const Soils& soils, Reproduction& out) {
  PlotPanel pressure{.title = "(a) Pressure under a plate, b = 50 mm",
                     .x = {.label = "sinkage", .unit = "mm"},
                     .y = {.label = "pressure", .unit = "kPa", .log = true, .low = 0.01}};
  PlotPanel shear{.title = "(b) Shear stress at a pressure of 50 kPa",
                  .x = {.label = "shear displacement", .unit = "mm"},
                  .y = {.label = "shear stress", .unit = "kPa"}};
  NumberTable table{
      .title = "Soils of Table 6: pressure under a plate of b = 50 mm, shear strength at 50 kPa",
      .columns = {"n [-]", "10 mm [kPa]", "50 mm [kPa]", "strength [kPa]"},
      .names = {},
      .rows = {}};
  for (const Soil& soil : soils) {
    if (!soil.plastic || soil.source.find("Table 6") == std::string::npos) continue;
    const PlasticSoil& s = *soil.plastic;
    const double modulus = sinkage_modulus(s, kRadius), n = s.pressure.exponent;
    const auto pressure_at = [&](double d) { return modulus * std::pow(d, n); };
    const double strength = s.cohesion + kShearPressure * std::tan(s.friction_angle);
    const auto stress_at = [&](double j) { return strength * mobilized_shear(s, j); };
    pressure.lines.push_back(sample_line(soil.name, 0, kRadius, pressure_at, 1e3, 1e-3));
    shear.lines.push_back(sample_line(soil.name, 0, 0.1, stress_at, 1e3, 1e-3));
    table.names.push_back(soil.name);
    table.rows.push_back({n, pressure_at(0.01) / 1e3, pressure_at(0.05) / 1e3, strength / 1e3});
  }
  out.tables.push_back(table);
  out.figures.push_back({"fig08-soils.svg",
                         "pressure and shear stress of the soils of Table 6",
                         {.title = "Ding 2013, Fig. 8: the soils of Table 6",
                          .subtitle = "K is not in Table 6: the library says where each comes from",
                          .panels = {pressure, shear}}});
}

// Figs. 14 and 15: the share of the shear strength that is mobilised, and its simpler forms.

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
