// Uneven stress under a rim, against adaptive quadrature over the angle.
#include "footfall/soil/wong_reece.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "footfall/error.hpp"
#include "footfall/foot/foot_sole.hpp"
#include "support/quadrature.hpp"
#include "support/table_6.hpp"

namespace footfall {
namespace {

using testing::dry_sand;
using testing::integrate;
using testing::table_6;

constexpr double kRadius = 0.05, kWidth = 0.08;

std::vector<RimContact> contacts() {
  std::vector<RimContact> all;
  for (const double entry : {0.05, 0.4, 0.9, 1.5}) {
    for (const double exit : {-1.0, -0.6, -0.1, 0.0}) {
      for (const double peak : {0.0, 0.3, 0.7}) {
        all.push_back({kRadius, kWidth, entry, exit * entry, peak * entry});
      }
    }
  }
  return all;
}

// Ding 2013 (24), literally, of stresses σ(θ) and τ(θ).
template <class Sigma, class Tau>
RimForce integrate_24(const RimContact& c, double scale, const Sigma& sigma, const Tau& tau) {
  const auto over = [&](const auto& f) {
    const double s = scale * c.entry_angle;
    return c.radius * c.width *
           (integrate(f, c.exit_angle, c.peak_angle, s) +
            integrate(f, c.peak_angle, c.entry_angle, s));
  };
  return {over([&](double t) { return sigma(t) * std::cos(t) + tau(t) * std::sin(t); }),
          over([&](double t) { return -sigma(t) * std::sin(t) + tau(t) * std::cos(t); })};
}

double stress_21(const RimContact& c, const PlasticSoil& soil, double theta) {
  if (theta < c.peak_angle) {
    theta = c.entry_angle -
            (theta - c.exit_angle) / (c.peak_angle - c.exit_angle) * (c.entry_angle - c.peak_angle);
  }
  const double share = std::max(std::cos(theta) - std::cos(c.entry_angle), 0.0);
  return sinkage_modulus(soil, c.width) * std::pow(c.radius * share, soil.pressure.exponent);
}

TEST(WongReece, TrueStressIntegratesTo1e10) {
  for (const PlasticSoil& soil : table_6()) {
    for (const RimContact& c : contacts()) {
      for (const double m : {0.0, 0.6, -1.0}) {
        const double peak = stress_21(c, soil, c.peak_angle);
        const double tan_phi = std::tan(soil.friction_angle);
        const auto sigma = [&](double t) { return stress_21(c, soil, t); };
        const auto tau = [&](double t) { return (soil.cohesion + sigma(t) * tan_phi) * m; };
        const RimForce expected = integrate_24(c, peak + soil.cohesion, sigma, tau);
        const RimForce found = integrate_rim_stress(c, soil, m);
        const double scale = c.radius * c.width * c.entry_angle * (peak + soil.cohesion);
        EXPECT_NEAR(found.normal, expected.normal, 1e-10 * scale);
        EXPECT_NEAR(found.tangential, expected.tangential, 1e-10 * scale);
      }
    }
  }
}

TEST(WongReece, ClosedForm25IsTheIntegralOfLinearStress) {
  for (const PlasticSoil& soil : table_6()) {
    for (const RimContact& c : contacts()) {
      for (const double m : {0.0, 0.6, -1.0}) {
        const double sigma_m = stress_21(c, soil, c.peak_angle);
        const double tau_m = (soil.cohesion + sigma_m * std::tan(soil.friction_angle)) * m;
        const auto share = [&](double t) {
          return t >= c.peak_angle ? (c.entry_angle - t) / (c.entry_angle - c.peak_angle)
                                   : (t - c.exit_angle) / (c.peak_angle - c.exit_angle);
        };
        const RimForce expected = integrate_24(
            c, sigma_m + std::abs(tau_m), [&](double t) { return sigma_m * share(t); },
            [&](double t) { return tau_m * share(t); });
        const RimForce found = linearized_rim_force(c, soil, m);
        const double scale = c.radius * c.width * c.entry_angle * (sigma_m + std::abs(tau_m));
        EXPECT_NEAR(found.normal, expected.normal, 1e-13 * scale);
        EXPECT_NEAR(found.tangential, expected.tangential, 1e-13 * scale);
      }
    }
  }
}

TEST(WongReece, EvenLoadingIsTheLawOfTheCylinder) {
  const FootSole sole = make_cylinder(kRadius, kWidth);
  for (const PlasticSoil& soil : table_6()) {
    for (const double d : {0.001, 0.01, 0.03, 0.05}) {
      const double entry = entry_angle(kRadius, d);
      const RimContact c{kRadius, kWidth, entry, -entry, 0};
      const double exact = normal_force(sole, soil, d).force;
      EXPECT_NEAR(integrate_rim_stress(c, soil, 0).normal, exact, 1e-10 * exact);
      const double linear = normal_force(sole, soil, d, {ForceForm::eq_29a, false}).force;
      EXPECT_NEAR(linearized_rim_force(c, soil, 0).normal, linear, 1e-13 * linear);
      // one side only: half
      const RimContact front{kRadius, kWidth, entry, 0, 0};
      EXPECT_NEAR(integrate_rim_stress(front, soil, 0).normal, 0.5 * exact, 1e-10 * exact);
      // linearised shear under even stress: r b A (c + σ_m tanφ) m, half of the cohesion (30)
      const double sigma_m = stress_21(c, soil, 0);
      const double sheared = linear * (soil.cohesion / sigma_m + std::tan(soil.friction_angle));
      EXPECT_NEAR(linearized_rim_force(c, soil, 1).tangential, sheared, 1e-13 * sheared);
    }
  }
}

TEST(WongReece, TrueShearKeepsTheCohesionOfTheWholePlan) {
  PlasticSoil soil = dry_sand();
  soil.friction_angle = 0;
  const FootSole sole = make_cylinder(kRadius, kWidth);
  for (const double d : {0.001, 0.01, 0.05}) {
    const double entry = entry_angle(kRadius, d);
    const RimContact c{kRadius, kWidth, entry, -entry, 0};
    const double expected = soil.cohesion * plan_area(sole, d);
    EXPECT_NEAR(integrate_rim_stress(c, soil, 1).tangential, expected, 1e-12 * expected);
  }
}

TEST(WongReece, RefusesAnglesOutOfOrder) {
  const PlasticSoil soil = dry_sand();
  EXPECT_THROW(integrate_rim_stress({kRadius, kWidth, 0.5, 0.1, 0.0}, soil, 1), InputError);
  EXPECT_THROW(integrate_rim_stress({kRadius, kWidth, 0.5, -0.1, 0.5}, soil, 1), InputError);
  EXPECT_THROW(linearized_rim_force({kRadius, kWidth, 1.7, -0.1, 0.5}, soil, 1), InputError);
  EXPECT_THROW(linearized_rim_force({kRadius, kWidth, NAN, -0.1, 0.5}, soil, 1), InputError);
  EXPECT_THROW(linearized_rim_force({0, kWidth, 0.5, -0.1, 0.1}, soil, 1), InputError);
}

}  // namespace
}  // namespace footfall
