#include "footfall/rig/press.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "footfall/error.hpp"
#include "footfall/rig/drag.hpp"
#include "footfall/soil/plastic.hpp"
#include "rig/grounds.hpp"

namespace footfall {
namespace {

using namespace rig_test;

constexpr double kPi = std::numbers::pi;

TEST(Press, IsTheVirginCurveOfEveryShape) {
  const FootSole soles[] = {make_disc(0.05), make_rectangle(0.1, 0.06), make_cylinder(0.05, 0.08),
                            make_sphere(0.05)};
  for (const FootSole& sole : soles) {
    const PressResult r = press(on(dry_sand(), sole), {}, {.sinkage = 0.01});
    const double expected = normal_force(sole, dry_sand(), 0.01).force;
    EXPECT_DOUBLE_EQ(r.end.normal_force, expected);
    EXPECT_DOUBLE_EQ(r.pressure * r.plan_area, expected);
    EXPECT_EQ(r.series.size(), 201u);
  }
}

// Ding 2013 (17): F = (k_c πr + k_φ πr²) δⁿ, written out here.
TEST(Press, ADiscUnderLoadSinksAsTheFormulaTurnedRound) {
  const double r = 0.05, load = 300;
  const double k = 990 * kPi * r + 1528430 * kPi * r * r;
  const PressResult p = press(on(dry_sand(), make_disc(r)), {}, {.load = load});
  EXPECT_NEAR(p.end.sinkage, std::pow(load / k, 1 / 1.1), 1e-13);
  EXPECT_NEAR(p.end.normal_force, load, 1e-9);
}

// (49) and (51) with n_N = 1.
TEST(Press, PadAndSoilInSeriesAreThePapersStatics) {
  const RigFoot foot{.pad = FootPad{.stiffness = 2e4, .exponent = 1.3}, .foot_mass = 5.4};
  const double load = 250, weight = 5.4 * kRigGravity;
  const double k_T = 990 * kPi * 0.05 + 1528430 * kPi * 0.05 * 0.05;
  const PressResult p = press(on(dry_sand(), make_disc(0.05)), foot, {.load = load});
  const double pad = std::pow(load / 2e4, 1 / 1.3), soil = std::pow((load + weight) / k_T, 1 / 1.1);
  EXPECT_NEAR(p.end.pad_compression, pad, 1e-13);
  EXPECT_NEAR(p.end.sinkage, soil, 1e-13);
  EXPECT_NEAR(p.end.pad_force / p.end.body_sinkage, load / (pad + soil), 1e-8);
  EXPECT_NEAR(p.end.body_sinkage,
              pad + series_deflection(*foot.pad, make_disc(0.05), dry_sand(), load, weight).sinkage,
              1e-13);
}

// Heavy clay: V is so steep at δ = 0 that a light load rests on the line of k_u.
TEST(Press, TheLoadAskedForIsTheLoadFoundOnEverySoil) {
  const FootSole soles[] = {make_disc(0.05), make_rectangle(0.1, 0.06), make_cylinder(0.05, 0.08),
                            make_sphere(0.05)};
  PlasticSoil measured = heavy_clay();
  measured.unload_modulus = 1e6;
  measured.unload_modulus_slope = 4e8;
  for (const PlasticSoil& soil : {dry_sand(), standard_sand(), heavy_clay(), measured}) {
    for (const FootSole& sole : soles) {
      const RigGround ground = on(soil, sole);
      const double most = normal_force(ground.law, 0.04).force;  // above the axis of round soles
      for (double load = 1e-6 * most; load < most; load *= 3) {
        const PressResult p = press(ground, {}, {.load = load, .samples = 20});
        EXPECT_NEAR(p.end.normal_force, load, 1e-9 * load);
        EXPECT_NEAR(drag(ground, {}, {.load = load, .samples = 2}).out.normal_force, load,
                    1e-9 * load);
        // No shallower place carries it.
        EXPECT_LT(evaluate_ground(ground, {}, (1 - 1e-6) * p.end.sinkage, 0).force, load);
      }
    }
  }
}

TEST(Press, ALightLoadOnClayRestsOnTheElasticLine) {
  const double area = kPi * 0.05 * 0.05;
  const double at_1_mm = (1840 / 0.05 + 103270) * area * std::pow(1e-3, 0.11);
  const double k_u = at_1_mm / (kNoRebound * 1e-3);
  const PressResult p = press(on(heavy_clay(), make_disc(0.05)), {}, {.load = 100});
  EXPECT_NEAR(p.end.sinkage, 100 / k_u, 1e-12 * p.end.sinkage);
  EXPECT_NEAR(p.end.sinkage, 1.943e-6, 1e-9);
  EXPECT_NEAR(p.plastic_sinkage, 0, 1e-18);
  EXPECT_NEAR(p.work, 0.5 * 100 * 100 / k_u, 1e-10 * p.work);
}

// ∫V dδ − V²/(2 k_u) by hand for a disc.
TEST(Press, TheFirstLoopTakesTheAreaUnderTheCurveLessTheElasticPart) {
  const double depth = 0.02, n = 1.1;
  const double force = (990 * kPi * 0.05 + 1528430 * kPi * 0.05 * 0.05) * std::pow(depth, n);
  const double k_u = force / (kNoRebound * depth);
  const double expected = force * depth / (n + 1) - force * force / (2 * k_u);
  for (const int samples : {2, 200}) {  // the rows are for the table alone
    const PressResult p =
        press(on(dry_sand(), make_disc(0.05)), {},
              {.sinkage = depth, .cycles = 3, .unload = true, .samples = samples});
    ASSERT_EQ(p.loop_work.size(), 3u);
    EXPECT_NEAR(p.loop_work[0], expected, 1e-11 * expected);
    EXPECT_EQ(p.loop_work[1], 0);  // the same line down and up
    EXPECT_EQ(p.loop_work[2], 0);
    EXPECT_EQ(p.work, p.loop_work[0]);
    EXPECT_NEAR(p.unload_stiffness, k_u, 1e-9 * k_u);
    EXPECT_NEAR(p.plastic_sinkage, (1 - kNoRebound) * depth, 1e-15);
    EXPECT_EQ(p.series.back().normal_force, 0);
  }
}

// Up the line to where it meets V, then V: k_u c²/2 + ∫V dδ from c on.
TEST(Press, LoadingAloneTakesTheAreaUnderTheCurve) {
  for (const PlasticSoil& soil : {dry_sand(), heavy_clay()}) {
    const double n = soil.pressure.exponent, depth = 0.02;
    const RigGround ground = on(soil, make_disc(0.05));
    const double V1 = normal_force(ground.law, 1).force;
    const double k_u = V1 * std::pow(1e-3, n) / (kNoRebound * 1e-3);
    const double c = n < 1 ? std::pow(V1 / k_u, 1 / (1 - n)) : 0;
    const double expected =
        0.5 * k_u * c * c + V1 * (std::pow(depth, n + 1) - std::pow(c, n + 1)) / (n + 1);
    const PressResult p = press(ground, {}, {.sinkage = depth});
    EXPECT_NEAR(p.work, expected, 1e-10 * expected);
    EXPECT_TRUE(p.loop_work.empty());
    const PressResult twice = press(ground, {}, {.sinkage = depth, .cycles = 2});
    EXPECT_EQ(twice.loop_work.size(), 1u);
    EXPECT_NEAR(twice.work, expected, 1e-10 * expected);
  }
}

TEST(Press, MeasuredUnloadingGivesItsOwnSlope) {
  PlasticSoil soil = dry_sand();
  soil.unload_modulus = 1e6;
  soil.unload_modulus_slope = 4e8;
  const double area = kPi * 0.05 * 0.05, depth = 0.02;
  const PressResult p = press(on(soil, make_disc(0.05)), {}, {.sinkage = depth, .unload = true});
  const double slope = (1e6 + 4e8 * depth) * area;
  ASSERT_GT(slope, p.end.normal_force / (kMostRebound * depth));
  EXPECT_NEAR(p.unload_stiffness, slope, 1e-9 * slope);
  EXPECT_NEAR(p.plastic_sinkage, depth - p.end.normal_force / slope, 1e-14);
}

TEST(Press, DeeperStagesClimbTheirLineAndGoOnAlongTheCurve) {
  const RigGround ground = on(dry_sand(), make_cylinder(0.05, 0.08));
  const PressResult once = press(ground, {}, {.load = 300});
  const PressResult staged = press(ground, {}, {.load = 300, .cycles = 3, .staged = true});
  EXPECT_NEAR(staged.end.sinkage, once.end.sinkage, 1e-15);
  EXPECT_NEAR(staged.end.normal_force, once.end.normal_force, 1e-9);
  for (const RigSample& s : staged.series) {
    EXPECT_LE(s.normal_force, normal_force(ground.law, s.sinkage).force * (1 + 1e-12));
  }
}

TEST(Press, HardGroundLeavesNoFootprint) {
  const PressResult p = press(spring_ground(1e6), {}, {.load = 100, .unload = true});
  EXPECT_NEAR(p.end.sinkage, 1e-4, 1e-16);
  EXPECT_EQ(p.plastic_sinkage, 0);
  EXPECT_EQ(p.loop_work, std::vector<double>{0.0});  // not a rounding error
  EXPECT_EQ(p.work, 0);
}

TEST(Press, SaysWhatIsWrong) {
  const RigGround ground = on(dry_sand(), make_disc(0.05));
  EXPECT_THROW(press(ground, {}, {}), InputError);
  EXPECT_THROW(press(ground, {}, {.sinkage = 0.01, .load = 100}), InputError);
  EXPECT_THROW(press(ground, {}, {.sinkage = -0.01}), InputError);
  EXPECT_THROW(press(ground, {}, {.load = std::nan("")}), InputError);
  EXPECT_THROW(press(ground, {}, {.load = 100, .cycles = 0}), InputError);
  EXPECT_THROW(press(ground, {}, {.load = 100, .staged = true}), InputError);
  Soil soil;
  soil.plastic = dry_sand();
  EXPECT_THROW(make_rig_ground({}, soil), InputError);
  EXPECT_THROW(make_rig_ground(make_disc(0.05), soil, {.form = ForceForm::eq_34}), InputError);
}

}  // namespace
}  // namespace footfall
