// Table 6 and Fig. 8: the soils. Table 7: stiffness, exponent and friction of four feet.
#include <fmt/format.h>

#include <numbers>

#include "footfall/soil/wong_reece.hpp"
#include "reproduce/ding2013_parts.hpp"

namespace footfall::ding2013 {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kFootLoad = 100;        // of Table 7's feet [N]
constexpr double kLength = 0.1;          // a of the rectangle [m]
constexpr double kShearPressure = 50e3;  // of Fig. 8 (b) [Pa]

// A row of Table 7, with the paper's formulas.
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
      {"disc", make_disc(r), kPi * r * (k_c + r * k_phi), n, kPi * r * r},
      {"rectangle", make_rectangle(kLength, b), kLength * (k_c + b * k_phi), n, kLength * b},
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
  const Item k = item("k_TN", fmt::format("N/m^{:g}", foot.exponent), foot.stiffness, stiffness);
  const Item n = item("n_TN", "", foot.exponent, exponent);
  const Item mu = item("mu", "", paper_friction, friction);
  const bool flat = foot.sole.shape == SoleShape::disc || foot.sole.shape == SoleShape::rectangle;
  if (flat) {
    out.add(reproduces(k, 1e-9 * foot.stiffness));
    out.add(reproduces(n, 1e-9));
    out.add(reproduces(mu, 1e-9));
    return;
  }
  const bool rim = foot.sole.shape == SoleShape::cylinder;
  out.add(is_difference(k, 0.05 * foot.stiffness, rim ? "(29c) is too soft" : "(34) is too stiff"));
  out.add(is_difference(n, 0.01, "the exact curve is no power"));
  out.add(reproduces(mu, 0.01 * paper_friction));
  out.items.back().reason = "depth differs, cohesion counts little";
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
                        100, "a straight shear stress loses half; we keep the paper's"));
  // Stress ahead of the lowest point only, no shear: the integral, not the factor that `one_sided` is.
  const RimContact ahead{kRadius, kWidth, angle, 0, 0};
  const double whole = normal_force(cylinder, soil, depth).force;
  const double half = integrate_rim_stress(ahead, soil, 0).normal;
  out.add(reproduces(
      compared("Table 7", "k_TN loaded on one side, of that on both", "", 0.5, half / whole),
      1e-9));
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
  out.add(reproduces(
      compared("Table 6", "soils in the library", "", 9, static_cast<double>(table.rows.size())),
      0));
  out.tables.push_back(table);
  out.figures.push_back({"fig08-soils.svg",
                         "pressure and shear stress of the soils of Table 6",
                         {.title = "Ding 2013, Fig. 8: the soils of Table 6",
                          .subtitle = "K is not in Table 6: the library says where each comes from",
                          .panels = {pressure, shear}}});
}

}  // namespace footfall::ding2013
