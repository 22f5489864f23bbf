#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "footfall/error.hpp"
#include "footfall/identify/normal.hpp"
#include "footfall/io/soil_library.hpp"
#include "identify/normal_rig.hpp"
#include "rig/grounds.hpp"

namespace footfall {
namespace {

using namespace identify_test;
using ::testing::Contains;
using ::testing::HasSubstr;

std::vector<FootSole> pressed_soles() {
  return {make_disc(0.05), make_rectangle(0.1, 0.06), make_cylinder(0.05, 0.08), make_sphere(0.05)};
}

// Every soil of the library under every sole gives itself back.
TEST(StaticFit, ThePressedSoilIsFoundAgain) {
  const std::vector<Soil> soils = load_soil_library(std::string(FOOTFALL_SOURCE_DIR) + "/soils");
  int fitted = 0;
  for (const Soil& soil : soils) {
    if (!soil.plastic) continue;
    for (const FootSole& sole : pressed_soles()) {
      SCOPED_TRACE(soil.name + " under sole " + std::to_string(static_cast<int>(sole.shape)));
      const RigTest test = pressed(make_rig_ground(sole, soil), 0.03, 60);
      const FittedLaw part = fit_static({test}, {});
      const double expected = sinkage_modulus(*soil.plastic, contact_width(sole));
      EXPECT_NEAR(part.fit.value("k") / expected, 1, 1e-9);
      EXPECT_NEAR(part.fit.value("n") / soil.plastic->pressure.exponent, 1, 1e-9);
      EXPECT_TRUE(part.fit.converged);
      ++fitted;
    }
  }
  EXPECT_GE(fitted, 40);
}

TEST(StaticFit, PlatesOfTwoWidthsTellThePairApart) {
  const PlasticSoil soil = rig_test::dry_sand();
  std::vector<RigTest> tests;
  for (const double radius : {0.02, 0.05}) {
    tests.push_back(pressed(rig_test::on(soil, make_disc(radius)), 0.02));
  }
  NormalOptions options;
  options.model = NormalModel::bekker;
  const FittedLaw part = fit_static(tests, options);
  EXPECT_NEAR(part.fit.value("k_c"), 990, 990e-7);
  EXPECT_NEAR(part.fit.value("k_phi"), 1528430, 1528430e-9);
  EXPECT_NEAR(part.fit.value("n"), 1.1, 1e-9);
  ASSERT_EQ(part.curves.size(), 2u);
  EXPECT_NEAR(part.curves[1].model.back(), part.curves[1].data.back(), 1e-6);
  ASSERT_EQ(part.derived.size(), 4u);
  EXPECT_EQ(part.derived[2].name, "k_TN_2");
  EXPECT_NEAR(part.derived[2].value / foot_form(make_disc(0.05), soil, 0.02).stiffness, 1, 1e-8);
}

TEST(StaticFit, ReecesPairIsFoundAgain) {
  PlasticSoil soil = rig_test::dry_sand();
  soil.pressure = {.law = PressureLaw::reece,
                   .exponent = 0.8,
                   .reece_cohesive_modulus = 12,
                   .reece_frictional_modulus = 900,
                   .unit_weight = 15000};
  std::vector<RigTest> tests;
  for (const double width : {0.03, 0.06, 0.1}) {
    tests.push_back(pressed(rig_test::on(soil, make_rectangle(0.2, width)), 0.02));
  }
  NormalOptions options;
  options.model = NormalModel::reece;
  const Fit fit = fit_static(tests, options).fit;
  EXPECT_NEAR(fit.value("C") / (12 * soil.cohesion), 1, 1e-7);
  EXPECT_NEAR(fit.value("G") / (900 * 15000.0), 1, 1e-7);
  EXPECT_NEAR(fit.value("n"), 0.8, 1e-8);
}

TEST(StaticFit, OneWidthIsNamedAsTheReason) {
  NormalOptions options;
  options.model = NormalModel::bekker;
  const RigTest test = pressed(rig_test::on(rig_test::dry_sand(), make_disc(0.05)), 0.02);
  const Fit fit = fit_static({test, test}, options).fit;
  EXPECT_THAT(fit.warnings, Contains(HasSubstr("all feet are 50 mm wide: k_c and k_phi cannot")));
}

// Ding 2013, Table 9: least squares over the averages gives k = 11945 N/m and m_F g = 52.99 N.
TEST(EquilibriumFit, IsThePapersTable9) {
  RigTest test;
  test.name = "table 9";
  test.kind = TestKind::points;
  test.sinkage = {4.86e-3, 10.55e-3, 16.60e-3, 20.79e-3, 23.75e-3};
  test.rate.assign(5, 0.0);
  test.phase.assign(5, Phase::holding);
  test.recording.normal_force = {111.42, 178.82, 252.01, 298.09, 339.04};
  NormalOptions options;
  options.model = NormalModel::spring;
  options.free = {"foot_weight"};
  const Fit fit = fit_equilibrium({test}, options).fit;
  EXPECT_NEAR(fit.value("k"), 11945, 0.5);
  EXPECT_NEAR(fit.value("foot_weight"), 52.99, 0.01);
}

TEST(EquilibriumFit, MeansOfHoldingCount) {
  RigTest test;
  test.name = "steps";
  for (int step = 1; step <= 4; ++step) {
    for (int i = 0; i < 20; ++i) {
      const bool rest = i >= 10;
      test.phase.push_back(rest ? Phase::holding : Phase::loading);
      test.sinkage.push_back(0.005 * step);
      test.rate.push_back(0);
      const double ripple = i % 2 == 0 ? 3 : -3;
      test.recording.normal_force.push_back(rest ? 8000 * 0.005 * step + ripple : 0);
    }
  }
  NormalOptions options;
  options.model = NormalModel::spring;
  const FittedLaw part = fit_equilibrium({test}, options);
  EXPECT_EQ(part.sample_count, 4);
  EXPECT_NEAR(part.fit.value("k"), 8000, 1e-6);
}

// The touch found too early by 0.2 mm.
TEST(StaticFit, AnOffsetOfTheContactIsFound) {
  const PlasticSoil soil = rig_test::dry_sand();
  RigTest test = pressed(rig_test::on(soil, make_cylinder(0.05, 0.08)), 0.02);
  for (double& d : test.sinkage) d += 2e-4;
  test.contact_error = 1e-4;
  const Fit fit = fit_static({test}, {}).fit;
  EXPECT_NEAR(fit.value("contact_offset_1"), 2e-4, 1e-9);
  EXPECT_NEAR(fit.value("n"), 1.1, 1e-6);
  EXPECT_TRUE(fit.find("contact_offset_1").nuisance);
}

// A spring gives the same while it is lifted; soil does not, and its lifting is left out.
TEST(StaticFit, LiftingCountsForSpringsOnly) {
  const RigTest spring = pressed(rig_test::spring_ground(2e4), 0.02, 100, true);
  NormalOptions options;
  options.model = NormalModel::spring;
  const FittedLaw part = fit_static({spring}, options);
  EXPECT_NEAR(part.fit.value("k"), 2e4, 1e-6);
  EXPECT_GT(part.sample_count, 150);
  const RigGround ground = rig_test::on(rig_test::dry_sand(), make_disc(0.05));
  const FittedLaw soil = fit_static({pressed(ground, 0.02, 100, true)}, {});
  EXPECT_LE(soil.sample_count, 100);
  EXPECT_NEAR(soil.fit.value("n"), 1.1, 1e-9);
}

TEST(StaticFit, SaysWhatIsMissing) {
  RigTest test = pressed(rig_test::on(rig_test::dry_sand(), make_disc(0.05)), 0.02);
  RigTest no_sole = test;
  no_sole.sole.reset();
  EXPECT_THROW(fit_static({no_sole}, {}), InputError);
  RigTest no_force = test;
  no_force.recording.normal_force.clear();
  EXPECT_THROW(fit_static({no_force}, {}), InputError);
  test.phase.assign(test.phase.size(), Phase::air);
  EXPECT_THROW(fit_static({test}, {}), InputError);
}

TEST(FootForm, IsTable7) {
  const PlasticSoil soil = rig_test::dry_sand();
  const FootForm disc = foot_form(make_disc(0.05), soil, 0.01);
  EXPECT_DOUBLE_EQ(disc.exponent, 1.1);
  EXPECT_NEAR(disc.stiffness /
                  (990 * std::numbers::pi * 0.05 + 1528430 * std::numbers::pi * 0.0025),
              1, 1e-12);
  const FootForm ball = foot_form(make_sphere(0.05), soil, 0.01);
  EXPECT_DOUBLE_EQ(ball.exponent, 2.1);
  EXPECT_NEAR(ball.stiffness * std::pow(0.01, 2.1), 13.671, 5e-4);  // docs/theory/terramechanics.md
  EXPECT_DOUBLE_EQ(foot_form(make_cylinder(0.05, 0.08), soil, 0.01).exponent, 1.6);
}

}  // namespace
}  // namespace footfall
