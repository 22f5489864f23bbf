// A pad and soil in series.
#include "footfall/foot/pad.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "footfall/error.hpp"
#include "support/table_6.hpp"

namespace footfall {
namespace {

using testing::dry_sand;
using testing::table_6;

PlasticSoil linear_soil(double modulus) {
  PlasticSoil soil = dry_sand();
  soil.pressure = {.law = PressureLaw::bernstein, .exponent = 1, .sinkage_modulus = modulus};
  return soil;
}

TEST(Pad, LinearSpringsInSeriesAreEquation7TheRightWayUp) {
  const FootSole sole = make_rectangle(0.1, 0.1);
  const FootPad pad{.stiffness = 1.194e4};
  const double k_T = 3e6 * 0.01, k_F = 1.194e4;
  const SeriesDeflection rest = series_deflection(pad, sole, linear_soil(3e6), 250);
  const double expected = k_F * k_T / (k_F + k_T);
  EXPECT_NEAR(series_stiffness(k_F, k_T), expected, 1e-14 * expected);
  EXPECT_NEAR(rest.stiffness, expected, 1e-12 * expected);
  EXPECT_NEAR(rest.tangent_stiffness, expected, 1e-12 * expected);
  EXPECT_NEAR(expected, 8541, 0.5);
  EXPECT_LT(expected, std::min(k_F, k_T));  // as printed, (7) is a compliance
  EXPECT_NEAR((k_F + k_T) / (k_F * k_T), (rest.pad_deflection + rest.sinkage) / 250, 1e-16);
}

TEST(Pad, BothForcesBalanceAtRest) {
  const FootPad pad{.stiffness = 8e5, .exponent = 1.5};
  for (const PlasticSoil& soil : table_6()) {
    for (const FootSole& sole : {make_disc(0.04), make_sphere(0.04), make_cylinder(0.04, 0.06)}) {
      const SeriesDeflection rest = series_deflection(pad, sole, soil, 120, 15);
      EXPECT_NEAR(pad_force(pad, rest.pad_deflection, 0), 120, 1e-10);
      EXPECT_NEAR(normal_force(sole, soil, rest.sinkage).force, 135, 1e-9);
      EXPECT_NEAR(rest.stiffness, 120 / (rest.pad_deflection + rest.sinkage), 1e-9);
      // dW/dδ by its own definition
      const auto total = [&](double W) {
        const SeriesDeflection r = series_deflection(pad, sole, soil, W, 15);
        return r.pad_deflection + r.sinkage;
      };
      const double slope = 0.02 / (total(120.01) - total(119.99));
      EXPECT_NEAR(rest.tangent_stiffness, slope, 1e-6 * slope);
    }
  }
}

// (52) is (51) with n_N = 1 and no foot weight, but keeps a W that has been divided out.
TEST(Pad, Equation52IsTooLargeByTheLoad) {
  const double k_F = 8e5, n_F = 1.5, n_T = 1.1, W = 120;
  const FootPad pad{.stiffness = k_F, .exponent = n_F};
  const FootSole sole = make_disc(0.04);
  const PlasticSoil soil = dry_sand();
  const double k_T = contact_area(sole, 0) * sinkage_modulus(soil, 0.04);
  const double f = std::pow(k_F, 1 / n_F), t = std::pow(k_T, 1 / n_T);
  const double printed =
      f * t * W / (std::pow(W, (1 - n_F) / n_F) * t + std::pow(W, (1 - n_T) / n_T) * f);
  const double k_N = series_deflection(pad, sole, soil, W).stiffness;
  EXPECT_NEAR(printed, W * k_N, 1e-10 * printed);
}

TEST(Pad, NeverPullsAndDampsAgainstTheRate) {
  const FootPad pad{.stiffness = 1e4,
                    .exponent = 1.3,
                    .damping = 500,
                    .damping_exponent = 0.3,
                    .rate_exponent = 1.1};
  const double spring = 1e4 * std::pow(0.02, 1.3);
  const double damper = 500 * std::pow(0.02, 0.3) * std::pow(0.1, 1.1);
  EXPECT_NEAR(pad_force(pad, 0.02, 0.1), spring + damper, 1e-12);
  EXPECT_NEAR(pad_force(pad, 0.02, -0.1), spring - damper, 1e-12);
  EXPECT_EQ(pad_force(pad, 0.02, -10), 0);
  EXPECT_EQ(pad_force(pad, 0, 1), 0);
  EXPECT_EQ(pad_force(pad, -0.01, 1), 0);
}

TEST(Pad, NoLoadNoDeflection) {
  const SeriesDeflection rest =
      series_deflection({.stiffness = 1e4}, make_disc(0.05), dry_sand(), 0);
  EXPECT_EQ(rest.pad_deflection, 0);
  EXPECT_EQ(rest.sinkage, 0);
  EXPECT_EQ(rest.stiffness, 0);
}

TEST(Pad, RefusesWhatMakesNoSense) {
  const FootSole sole = make_disc(0.05);
  EXPECT_THROW(series_deflection({.stiffness = 0}, sole, dry_sand(), 1), InputError);
  EXPECT_THROW(series_deflection({.stiffness = 1e4}, sole, dry_sand(), -1), InputError);
  EXPECT_THROW(series_deflection({.stiffness = 1e4}, sole, dry_sand(), 1, NAN), InputError);
  EXPECT_THROW(check_pad({.stiffness = 1e4, .exponent = 0}), InputError);
  EXPECT_THROW(check_pad({.stiffness = 1e4, .damping = -1}), InputError);
}

}  // namespace
}  // namespace footfall
