// Footprints: soil that carried a foot carries it again, in the same place and up to the same load;
// and pads under the feet, which bend while the soil yields.
#include <gtest/gtest.h>

#include <numbers>

#include "support/plastic_worlds.hpp"

namespace footfall {
namespace {

using testing::make_plastic_world;
using testing::plastic_soil;
using testing::sole_of;
using testing::Stand;

const char* const kSoils[] = {"dry-sand", "lete-sand", "heavy-clay", "snow-sweden"};

double carried(Stand& stand) {
  double sum = 0;
  for (const FootPatch& foot : stand.look()) sum += foot.normal_force;
  return sum;
}

// Takes the robot out of the ground, moves it by x and lowers it without weight until it touches.
// Returns how far its soles are below untouched ground then.
double lift_and_lower(Stand& stand, double x) {
  stand.world.robot.gravity = {0, 0, 0};
  std::fill(stand.state.qvel.begin(), stand.state.qvel.end(), 0.0);
  const std::vector<double> stood = stand.state.qpos;
  stand.state.qpos = stand.pose;
  stand.state.qpos[0] = stood[0] + x;
  stand.height() += 2e-3;
  if (!stand.command.position.empty()) stand.command.position[0] = stand.state.qpos[0];
  stand.run(0.01);
  const double speed = 2e-3;
  stand.state.qvel[testing::height_index(stand.world)] = -speed;
  for (int k = 0; k < 200000 && carried(stand) == 0; ++k) {
    stand.step_once();
    if (::testing::Test::HasFatalFailure()) break;
  }
  std::fill(stand.state.qvel.begin(), stand.state.qvel.end(), 0.0);
  return stand.sunk();
}

class Prints : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Robots, Prints,
                         ::testing::Combine(::testing::Values("box", "ball", "single_foot"),
                                            ::testing::ValuesIn(kSoils)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" +
                                  testing::test_name(std::get<1>(test.param));
                         });

TEST_P(Prints, ASecondStepStartsAtTheBottomOfTheFirst) {
  const auto& [robot, soil_name] = GetParam();
  const PlasticSoil soil = plastic_soil(soil_name);
  Stand stand(make_plastic_world(robot, soil));
  stand.load(0, 1, 16);
  stand.run(1);
  const double first = stand.sunk();
  const double weight = stand.world.force_scale;
  const FootSole sole = sole_of(stand.world, 0);
  const double rebound = kNoRebound * std::fmax(first, kLeastDepth);
  const double touched = lift_and_lower(stand, 0);
  EXPECT_GE(touched, first - 1.01 * rebound - 2e-6);  // speed × time step below the bottom
  EXPECT_LE(touched, first);
  stand.load(0, 1, 4);
  stand.run(1);
  EXPECT_NEAR(stand.sunk(), first, 1e-3 * first) << "the same load sinks no further";
  // half as much again: on along the virgin curve
  stand.load(1, 1.5, 16);
  stand.run(1);
  const double deeper = testing::rest_sinkage(sole, soil, 1.5 * weight);
  EXPECT_NEAR(stand.sunk(), deeper, 1e-3 * deeper);
}

TEST_P(Prints, BesideItTheGroundIsUntouched) {
  const auto& [robot, soil_name] = GetParam();
  const PlasticSoil soil = plastic_soil(soil_name);
  Stand stand(make_plastic_world(robot, soil));
  stand.load(0, 1, 16);
  stand.run(1);
  const double touched = lift_and_lower(stand, 0.6);
  EXPECT_NEAR(touched, 0, 3e-6);
  stand.load(0, 1, 16);
  stand.run(1);
  const double expected =
      testing::rest_sinkage(sole_of(stand.world, 0), soil, stand.world.force_scale);
  EXPECT_NEAR(stand.sunk(), expected, 1e-3 * expected);
}

TEST_P(Prints, EqualPassesAddNothingRisingOnesFollowTheVirginCurve) {
  const auto& [robot, soil_name] = GetParam();
  const PlasticSoil soil = plastic_soil(soil_name);
  Stand stand(make_plastic_world(robot, soil));
  const FootSole sole = sole_of(stand.world, 0);
  const double weight = stand.world.force_scale;
  double first = 0;
  for (int pass = 0; pass < 5; ++pass) {
    stand.load(0, 1, 16);
    stand.run(0.5);
    if (pass == 0) first = stand.sunk();
    EXPECT_NEAR(stand.sunk(), first, 2e-4 * first) << "pass " << pass;
    stand.load(1, 0, 4);
    stand.run(0.5);
    EXPECT_LE(stand.sunk(), first);
    EXPECT_GE(stand.sunk(), first - 1.01 * kNoRebound * std::fmax(first, kLeastDepth));
  }
  for (int pass = 1; pass <= 3; ++pass) {
    const double load = 1 + 0.3 * pass;
    stand.load(0, load, 20);
    stand.run(0.5);
    const double expected = testing::rest_sinkage(sole, soil, load * weight);
    EXPECT_NEAR(stand.sunk(), expected, 1e-3 * expected) << load << " times the weight";
    stand.load(load, 0, 4);
  }
}

// A foot in the ground without a footprint below it, as one that was pushed in from the side: soil
// that was not pressed has nothing to give back.
TEST_P(Prints, UntouchedSoilBelowAFootThrowsNothingUp) {
  const auto& [robot, soil_name] = GetParam();
  Stand stand(make_plastic_world(robot, plastic_soil(soil_name)));
  stand.height() -= 0.04;
  const double start = stand.height();
  double highest = start;
  for (int k = 0; k < 500; ++k) {
    stand.step_once();
    highest = std::fmax(highest, stand.height());
  }
  EXPECT_LE(highest, start + 1e-9);
}

// ---- pads ----

const FootPad kTable9{.stiffness = 1.194e4};  // Ding 2013, averages of Table 9

World make_padded(const CompliantGround<double>& ground, double timestep) {
  RobotModel robot = load_robot(testing::robot_file("single_foot"));
  Soles soles = make_soles(robot, find_feet(robot), false, standing_pose(robot));
  StepOptions options;
  options.timestep = timestep;
  return make_world(std::move(robot), {}, SoilGround{{{"ground", ground}}, kTable9},
                    std::move(soles), options);
}

TEST(Pads, OnHardGroundAFootSwingsOnItsPadAlone) {
  CompliantGround<double> concrete = testing::table_4()[0].ground;
  Stand stand(make_padded(concrete, 1e-4));
  const double mass = stand.world.force_scale / 9.81;
  const double rest = stand.world.force_scale / kTable9.stiffness;
  stand.height() -= 0.5 * rest;  // pressed in halfway: swings without leaving the ground
  std::vector<double> turns;     // times at which it turns
  double before = 0;
  for (int k = 0; k < 12000; ++k) {
    stand.step_once();
    const double v = stand.state.qvel[1];
    if (before * v < 0) turns.push_back(stand.state.time - 1e-4 * v / (v - before));
    if (v != 0) before = v;
  }
  ASSERT_GT(turns.size(), 10u);
  const double period = 2 * (turns[10] - turns[0]) / 10;
  const double k_N = series_stiffness(kTable9.stiffness, concrete.stiffness);
  const double expected = 2 * std::numbers::pi * std::sqrt(mass / k_N);
  EXPECT_NEAR(period, expected, 2e-3 * expected);
  EXPECT_NEAR(stand.sunk(), rest, 0.6 * rest);
}

TEST(Pads, DeflectionsOfPadAndSoilAddUp) {
  for (const char* name : {"dry-sand", "lete-sand", "snow-sweden", "sandy-loam"}) {
    const PlasticSoil soil = plastic_soil(name);
    const FootPad pads[] = {{.stiffness = 1.194e4, .damping = 100},
                            {.stiffness = 5e5, .exponent = 1.5, .damping = 300}};
    for (const FootPad& pad : pads) {
      Stand stand(make_plastic_world("single_foot", soil, {.pad = pad}));
      stand.load(0, 1, 12);
      stand.run(2);
      const SeriesDeflection expected =
          series_deflection(pad, sole_of(stand.world, 0), soil, stand.world.force_scale);
      const double sum = expected.pad_deflection + expected.sinkage;
      EXPECT_NEAR(stand.sunk(), sum, 1e-3 * sum) << name;
      EXPECT_NEAR(stand.look()[0].sinkage, expected.sinkage, 1e-3 * expected.sinkage) << name;
      // unloaded the pad comes back, the soil does not
      stand.load(1, 0.01, 6);
      stand.run(1);
      const double left =
          std::pow(0.01 * stand.world.force_scale / pad.stiffness, 1 / pad.exponent);
      EXPECT_NEAR(stand.sunk(), expected.sinkage + left,
                  1.1 * kNoRebound * std::fmax(expected.sinkage, kLeastDepth))
          << name;
    }
  }
}

}  // namespace
}  // namespace footfall
