// Sinkage modulus of the three pressure laws, and what check_soil refuses.
#include <gtest/gtest.h>

#include <cmath>

#include "footfall/error.hpp"
#include "footfall/soil/measured_range.hpp"
#include "footfall/soil/soil.hpp"
#include "support/table_6.hpp"

namespace footfall {
namespace {

using testing::bekker_soil;
using testing::dry_sand;
using testing::table_6;

TEST(Pressure, BekkerAddsCohesionOverWidth) {
  EXPECT_NEAR(sinkage_modulus(dry_sand(), 0.05), 990 / 0.05 + 1528430, 1e-9);
}

TEST(Pressure, ReeceReducesToTheSinkageModulus) {
  PlasticSoil soil = dry_sand();
  soil.pressure = {.law = PressureLaw::reece,
                   .exponent = 0.8,
                   .reece_cohesive_modulus = 30,
                   .reece_frictional_modulus = 600,
                   .unit_weight = 15e3};
  for (const double b : {0.01, 0.05, 0.3}) {
    for (const double d : {0.001, 0.02}) {
      const double sigma = (soil.cohesion * 30 + 15e3 * b * 600) * std::pow(d / b, 0.8);  // (14)
      EXPECT_NEAR(sinkage_modulus(soil, b) * std::pow(d, 0.8), sigma, 1e-14 * sigma);
    }
  }
  // at n = 1 Reece is Bekker with k_c = c k'_c and k_φ = γ_s k'_φ
  soil.pressure.exponent = 1;
  const PlasticSoil bekker = bekker_soil(1, 1e-3 * soil.cohesion * 30, 1e-3 * 15e3 * 600, 1, 28);
  for (const double b : {0.01, 0.3}) {
    EXPECT_NEAR(sinkage_modulus(soil, b), sinkage_modulus(bekker, b),
                1e-14 * sinkage_modulus(bekker, b));
  }
}

TEST(Pressure, BernsteinKnowsNoWidth) {
  PlasticSoil soil = dry_sand();
  soil.pressure = {.law = PressureLaw::bernstein, .exponent = 1, .sinkage_modulus = 2e6};
  EXPECT_EQ(sinkage_modulus(soil, 0.01), 2e6);
  EXPECT_EQ(sinkage_modulus(soil, 1), 2e6);
}

// k_c in Pa/m^{n−1} makes k_c/b a modulus in Pa/mⁿ: a soil told in millimetres is the same soil.
TEST(Pressure, CohesiveModulusHasTheUnitOfTable6) {
  for (const PlasticSoil& soil : table_6()) {
    const double n = soil.pressure.exponent, d = 0.012, b = 0.05;
    const double in_m = sinkage_modulus(soil, b) * std::pow(d, n);
    PlasticSoil mm = soil;
    mm.pressure.cohesive_modulus *= std::pow(1e-3, n - 1);  // Pa/mm^{n−1}
    mm.pressure.frictional_modulus *= std::pow(1e-3, n);    // Pa/mmⁿ
    const double in_mm = sinkage_modulus(mm, 1e3 * b) * std::pow(1e3 * d, n);
    EXPECT_NEAR(in_mm, in_m, 1e-13 * in_m);
  }
}

TEST(Pressure, OutsideOfItsMeasuredRangeASoilIsThatOfTheNearestWidthAndSaysSo) {
  PlasticSoil soil = dry_sand();
  soil.pressure.cohesive_modulus = -0.05 * soil.pressure.frictional_modulus;
  EXPECT_THROW(check_soil(soil), InputError);
  EXPECT_EQ(outside_measured_range(soil, 1e-3, 10, 10), "");
  soil.measured = {
      .least_width = 0.06, .largest_width = 0.12, .largest_sinkage = 0.03, .largest_rate = 0.005};
  EXPECT_NO_THROW(check_soil(soil));
  EXPECT_EQ(sinkage_modulus(soil, 0.01), sinkage_modulus(soil, 0.06));
  EXPECT_EQ(sinkage_modulus(soil, 1), sinkage_modulus(soil, 0.12));
  EXPECT_LT(sinkage_modulus(soil, 0.06), sinkage_modulus(soil, 0.09));
  EXPECT_EQ(outside_measured_range(soil, 0.06, 0.03, 0.005), "");
  EXPECT_EQ(outside_measured_range(soil, 0.02, 0.08, 1),
            "contact width 20 mm, measured 60 to 120 mm; sinkage 80 mm, measured to 30 mm; sinkage "
            "rate 1000 mm/s, measured to 5 mm/s");
  soil.measured.least_width = 0.05;  // where K_σ is zero
  EXPECT_THROW(check_soil(soil), InputError);
}

TEST(Pressure, Table6IsValidAndNonsenseIsNot) {
  for (const PlasticSoil& soil : table_6()) EXPECT_NO_THROW(check_soil(soil));
  const auto refused = [](auto change) {
    PlasticSoil soil = dry_sand();
    change(soil);
    EXPECT_THROW(check_soil(soil), InputError);
  };
  refused([](PlasticSoil& s) { s.pressure.exponent = 0; });
  refused([](PlasticSoil& s) { s.pressure.exponent = NAN; });
  refused([](PlasticSoil& s) { s.pressure.frictional_modulus = -1e9; });
  refused([](PlasticSoil& s) { s.cohesion = -1; });
  refused([](PlasticSoil& s) { s.friction_angle = 1.9; });
  refused([](PlasticSoil& s) { s.shear_modulus = 0; });
  refused([](PlasticSoil& s) { s.damping = -1; });
}

}  // namespace
}  // namespace footfall
