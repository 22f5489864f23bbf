#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "footfall/identify/normal.hpp"
#include "footfall/rig/ground.hpp"
#include "footfall/soil/plastic.hpp"
#include "identify/normal_bearing.hpp"
#include "rig/grounds.hpp"
#include "soil/quadrature.hpp"

namespace footfall {
namespace {

using Value = NormalLawFit::Value;

// A bowl of triangles: soles of any shape.
FootSole bowl() {
  std::vector<Vec3d> vertices{{0, 0, 0}};
  std::vector<std::array<int, 3>> faces;
  constexpr int kSides = 12;
  for (int i = 0; i < kSides; ++i) {
    const double a = 2 * std::numbers::pi * i / kSides;
    vertices.push_back({0.04 * std::cos(a), 0.03 * std::sin(a), 0.012});
    faces.push_back({0, 1 + (i + 1) % kSides, 1 + i});
  }
  return make_mesh(vertices, faces, 0.005);
}

std::vector<FootSole> soles() {
  return {make_disc(0.05), make_rectangle(0.1, 0.06), make_cylinder(0.05, 0.08), make_sphere(0.05),
          bowl()};
}

// d f/dx by central differences of sixth order.
template <class F>
double difference(const F& f, double x, double h) {
  return (45 * (f(x + h) - f(x - h)) - 9 * (f(x + 2 * h) - f(x - 2 * h)) +
          (f(x + 3 * h) - f(x - 3 * h))) /
         (60 * h);
}

struct LawCase {
  NormalModel model;
  std::vector<double> x;
};
std::vector<LawCase> law_cases() {
  return {{NormalModel::spring, {1.2e4}},
          {NormalModel::hertz, {1e4, 1.3}},
          {NormalModel::spring_damper, {1e4, 300}},
          {NormalModel::simple_hunt_crossley, {1e4, 1.3, 2e4}},
          {NormalModel::hunt_crossley, {1e4, 1.3, 500, 0.3, 1.1}},
          {NormalModel::bernstein, {2e5, 0.632, 205, 0.096, 0.075}},
          {NormalModel::bekker, {990, 1.5e6, 1.1, 500, 0.3, 1.1}},
          {NormalModel::reece, {2e3, 3e5, 0.8, 300, 0.3, 0.6}}};
}

// A mesh presses point by point and is tabulated: its slope by sinkage has a tolerance of its own.
void expect_slopes(NormalLawFit& law, const std::vector<double>& x, double sinkage, double rate,
                   double tolerance, double sinkage_tolerance) {
  law.set(x);
  const Value v = law.evaluate(sinkage, rate);
  const double by_sinkage =
      difference([&](double d) { return law.evaluate(d, rate).force; }, sinkage, 1e-3 * sinkage);
  EXPECT_NEAR(v.sinkage_slope, by_sinkage, sinkage_tolerance * v.force / sinkage);
  const double by_rate = difference([&](double r) { return law.evaluate(sinkage, r).force; }, rate,
                                    1e-3 * std::abs(rate));
  EXPECT_NEAR(v.rate_slope, by_rate, tolerance * v.force / std::abs(rate));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = difference(
        [&](double value) {
          std::vector<double> moved = x;
          moved[i] = value;
          law.set(moved);
          return law.evaluate(sinkage, rate).force;
        },
        x[i], 2e-3 * std::abs(x[i]));
    EXPECT_NEAR(v.slope[i], expected, tolerance * v.force / std::abs(x[i])) << "parameter " << i;
  }
}

TEST(NormalLaw, SlopesAreThoseOfDifferences) {
  for (const LawCase& c : law_cases()) {
    for (const FootSole& sole : soles()) {
      const auto law = make_normal_law(c.model, sole);
      const bool table = sole.shape == SoleShape::hull;
      for (const double sinkage : {2.03e-3, 0.0171, 0.0333}) {
        for (const double rate : {0.4, 0.03, -0.02}) {
          SCOPED_TRACE(normal_model_names()[static_cast<std::size_t>(c.model)] + " on sole " +
                       std::to_string(static_cast<int>(sole.shape)));
          expect_slopes(*law, c.x, sinkage, rate, table ? 1e-8 : 1e-9,
                        table && is_soil(c.model) ? 1e-3 : 1e-9);
        }
      }
      if (!is_soil(c.model)) break;  // no sole in it
    }
  }
}

TEST(NormalLaw, DeepRoundSolesHaveSlopesToo) {
  for (const FootSole& sole : {make_cylinder(0.02, 0.08), make_sphere(0.02)}) {
    const auto law = make_normal_law(NormalModel::bernstein, sole);
    expect_slopes(*law, {2e5, 0.632, 205, 0.096, 0.075}, 0.03105, 0.1, 1e-8, 1e-6);
  }
}

TEST(NormalLaw, FormulasOfThePaperHaveSlopesToo) {
  const auto check = [](const FootSole& sole, ForceForm form) {
    const auto law = make_normal_law(NormalModel::bekker, sole, {.form = form, .one_sided = true});
    expect_slopes(*law, {990, 1.5e6, 1.1, 500, 0.3, 1.1}, 0.02, 0.1, 1e-8, 1e-8);
  };
  for (const ForceForm form : {ForceForm::eq_25, ForceForm::eq_29a, ForceForm::eq_29b,
                               ForceForm::eq_29c, ForceForm::linearized_stress}) {
    check(make_cylinder(0.05, 0.08), form);
  }
  for (const ForceForm form : {ForceForm::eq_33, ForceForm::eq_34, ForceForm::linearized_stress}) {
    check(make_sphere(0.05), form);
  }
}

// dB/dn of a rim against the integral with ln s in it.
TEST(SoleBearing, ExponentSlopeOfARimIsTheIntegralWithTheLogarithm) {
  const double R = 0.05, w = 0.08;
  SoleBearing bearing(make_cylinder(R, w), {});
  for (const double n : {0.11, 0.632, 1.0, 1.6}) {
    bearing.set(n);
    for (const double sinkage : {1e-4, 0.003, 0.02, 0.0499}) {
      const double top = entry_angle(R, sinkage);
      const double expected = 2 * w * R * top * integrate_from_edge([&](double t) {
                                const double s =
                                    2 * R * std::sin(top * (1 - 0.5 * t)) * std::sin(0.5 * top * t);
                                return std::pow(s, n) * std::log(s) * std::cos(top * (1 - t));
                              });
      EXPECT_NEAR(bearing.evaluate(sinkage).exponent_slope / expected, 1, 1e-9) << n << sinkage;
    }
  }
}

// Tables against the law itself.
TEST(SoleBearing, ValuesAreThoseOfTheSoleLaw) {
  PlasticSoil soil;
  soil.pressure = {.law = PressureLaw::bernstein, .exponent = 0.7, .sinkage_modulus = 1};
  std::vector<FootSole> all = soles();
  all.push_back(make_cylinder(0.01, 0.08));
  for (const FootSole& sole : all) {
    SoleBearing bearing(sole, {});
    bearing.set(0.7);
    const SoleLaw law = make_sole_law(sole, soil);
    const double tolerance = sole.shape == SoleShape::hull ? 1e-5 : 1e-9;
    for (double sinkage = 1e-3; sinkage < 0.045; sinkage *= 1.37) {
      const Bearing<double> expected = normal_force(law, sinkage);
      EXPECT_NEAR(bearing.evaluate(sinkage).force / expected.force, 1, tolerance) << sinkage;
      EXPECT_NEAR(bearing.evaluate(sinkage).slope / expected.slope, 1, 3e-4);
    }
  }
}

// The rig's ground has its own code: both must be one law.
TEST(NormalLaw, IsTheRigsGround) {
  const PlasticSoil soil = rig_test::standard_sand();
  const FootSole sole = make_cylinder(0.05, 0.08);
  const RigGround ground = rig_test::on(soil, sole);
  const auto law = make_normal_law(NormalModel::bernstein, sole);
  law->set(std::vector{soil.pressure.sinkage_modulus, 0.632, 205.07, 0.096, 0.075});
  const HuntCrossley foot{1e4, 1.3, 500, 0.3, 1.1};
  const auto spring = make_normal_law(NormalModel::hunt_crossley, {});
  spring->set(std::vector{1e4, 1.3, 500.0, 0.3, 1.1});
  for (const double sinkage : {-0.01, 0.0, 1e-3, 0.02}) {
    for (const double rate : {-3.0, -0.01, 0.0, 0.001, 0.3}) {
      const GroundForce expected = evaluate_hunt_crossley(foot, sinkage, rate);
      EXPECT_DOUBLE_EQ(spring->evaluate(sinkage, rate).force, expected.force);
      if (rate < 0) continue;
      GroundMemory memory;
      commit_sinkage(ground, sinkage, memory);  // a foot that came here without turning
      EXPECT_NEAR(law->evaluate(sinkage, rate).force,
                  evaluate_ground(ground, memory, sinkage, rate).force, 1e-10);
    }
  }
}

// What falls needs ground that carries; a press is linear in its moduli, and a fit of one may pass through less.
TEST(NormalLaw, HasNoValueWhereSoilBearsNothing) {
  const auto law = make_normal_law(NormalModel::bekker, make_disc(0.05));
  law->set(std::vector{-1e6, 1e6, 1.0, 100.0, 0.0, 1.0});
  EXPECT_TRUE(std::isnan(law->evaluate(0.01, 0).force));
  law->set(std::vector{-1e6, 1e6, 1.0, 0.0, 0.0, 1.0});
  const double area = std::numbers::pi * 0.05 * 0.05;
  EXPECT_NEAR(law->evaluate(0.01, 0).force, (-1e6 / 0.05 + 1e6) * 0.01 * area, 1e-6);
  EXPECT_THROW(make_normal_law(NormalModel::bernstein, {}), InputError);
}

}  // namespace
}  // namespace footfall
