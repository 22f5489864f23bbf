// What `mujoco tune` takes for ground, robot and feet, and how each foot enters its formula.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <mujoco/mujoco.h>

#include <cmath>

#include "footfall/error.hpp"
#include "footfall/tune/tune.hpp"
#include "mujoco/model_text.hpp"

namespace footfall {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr const char* kBall = R"(<body name="ball" pos="0 0 1"><freejoint/>
  <geom name="ball" size=".05"/></body>)";

std::string scene_of(const std::string& world, const std::string& more = "") {
  return R"(<mujoco><option cone="elliptic"/>)" + more + "<worldbody>" + world +
         "</worldbody></mujoco>";
}

// A trunk on three legs that slide, each with a ball below; attributes of the third, and how much
// shorter it is.
std::string stool(const std::string& third, double shorter) {
  std::string text = R"(<geom name="floor" type="plane" size="1 1 .1"/>
    <body name="trunk" pos="0 0 1"><freejoint/><geom type="box" size=".2 .2 .02" mass="3"/>)";
  for (int k = 0; k < 3; ++k) {
    text += fmt::format(
        R"(<body name="leg{}" pos="{} {} {}"><joint type="slide" axis="0 0 1"/>
          <geom name="foot{}" size=".02" mass=".2" {}/></body>)",
        k, 0.15 * std::cos(2.1 * k), 0.15 * std::sin(2.1 * k), -0.2 + (k == 2 ? shorter : 0), k,
        k == 2 ? third : "");
  }
  return scene_of(text + "</body>");
}

Tuned tune_text(const std::string& text, double sinkage, const std::string& ground = "") {
  TuneOptions o;
  o.sinkage = sinkage;
  o.ground = ground;
  return tune_soft_ground(test::TextFile(text).path(), o);
}

std::string ground_error_of(const std::string& text, const std::string& ground = "") {
  try {
    tune_text(text, 0.005, ground);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(TuneGround, IsALevelPlaneOrBoxAndIsNamed) {
  const std::string floor = R"(<geom name="floor" type="plane" size="1 1 .1"/>)";
  const std::string walls =
      R"(<geom name="wall" type="plane" size="1 1 .1" pos="2 0 0" euler="0 -90 0"/>
         <geom name="step" type="box" size=".1 .3 .1" pos="1 0 0"/>
         <geom name="ramp" type="box" size=".3 .3 .1" pos="-1 0 0" euler="0 10 0"/>)";
  const Tuned on_floor = tune_text(scene_of(walls + floor + kBall), 0.005);
  EXPECT_EQ(on_floor.ground, "floor");
  EXPECT_EQ(on_floor.ground_type, "plane");
  EXPECT_FALSE(on_floor.ground_added);
  EXPECT_EQ(on_floor.root, "ball");
  // a box that lies on its side: the face that looks up
  const Tuned on_box =
      tune_text(scene_of(R"(<geom name="slab" type="box" size=".1 1 1" euler="0 90 0"/>)" +
                         std::string(kBall)),
                0.005);
  EXPECT_EQ(on_box.ground_type, "box");
  EXPECT_NEAR(on_box.feet.at(0).achieved_sinkage, 0.005, 5e-6);

  EXPECT_THAT(ground_error_of(scene_of(walls + floor + kBall), "wall"),
              HasSubstr("slopes by 90 degrees"));
  EXPECT_THAT(ground_error_of(scene_of(walls + floor + kBall), "ramp"),
              HasSubstr("slopes by 10 degrees"));
  EXPECT_THAT(ground_error_of(scene_of(walls + floor + kBall), "step"),
              HasSubstr("does not stand on geom 'step' (box)"));
  EXPECT_THAT(ground_error_of(scene_of(walls + floor + kBall), "ball"), HasSubstr("that can move"));
  EXPECT_THAT(ground_error_of(
                  scene_of(floor + R"(<geom name="deck" type="plane" size="1 1 .1"/>)" + kBall)),
              HasSubstr("2 fixed level planes, geom 'floor', geom 'deck'"));
}

TEST(TuneGround, HeightfieldsAreRefused) {
  const std::string field = R"(<geom name="hills" type="hfield" hfield="h"/>)";
  const std::string asset =
      R"(<asset><hfield name="h" nrow="5" ncol="5" size="2 2 .1 .1"/></asset>)";
  EXPECT_THAT(ground_error_of(scene_of(field + kBall, asset)),
              HasSubstr("geom 'hills' is a heightfield, expected a level plane or box"));
  EXPECT_THAT(ground_error_of(scene_of(field + kBall, asset), "hills"),
              HasSubstr("is a heightfield"));
}

TEST(TuneGround, OfSeveralTreesTheRobotHasTheMostJoints) {
  std::string text = stool("", 0);
  const std::string anvil = R"(<body name="anvil" pos="2 0 1"><freejoint/>
    <geom type="box" size=".1 .1 .1" mass="500"/></body>)";
  text.insert(text.find("<body"), anvil);
  const Tuned t = tune_text(text, 0.005);
  EXPECT_EQ(t.root, "trunk");
  EXPECT_EQ(t.joints, 4);
  EXPECT_THAT(t.warnings, Contains(HasSubstr("body 'anvil' moves too")));
}

TEST(TunedFeet, WhatCarriesAtRestCountsHoweverLateItTouches) {
  const Tuned t = tune_text(stool(R"(friction="1.5")", 0.003), 0.006);
  ASSERT_EQ(t.feet.size(), 3U);
  EXPECT_EQ(t.feet[2].body_name, "leg2");
  EXPECT_GT(t.feet[2].load, 5);
  EXPECT_EQ(t.means, "pair");  // its friction differs, and stays: all three have the tuned numbers
  double mean = 0;
  for (const TunedFoot& foot : t.feet) mean += foot.achieved_sinkage / 3;
  EXPECT_NEAR(mean, 0.006, 6e-7);
}

TEST(TunedFeet, AShankThatTheGroundReachesIsNone) {
  // the trunk's keel is 5 mm above the soles
  std::string text = stool("", 0);
  text.insert(text.find("<geom type=\"box\""),
              R"(<geom name="keel" size=".02" pos="0 0 -.195" mass=".1"/>)");
  const Tuned t = tune_text(text, 0.008);
  ASSERT_EQ(t.feet.size(), 3U);
  EXPECT_THAT(t.warnings, Contains(HasSubstr("keel touches the ground too")));
  for (const TunedFoot& foot : t.feet) EXPECT_NEAR(foot.achieved_sinkage, 0.008, 8e-6);
}

// The formula with each foot's own margin is MuJoCo's rest to rounding.
TEST(TunedFeet, EachHasItsOwnMargin) {
  const Tuned t = tune_text(stool(R"(margin="0.004")", 0), 0.005);
  ASSERT_EQ(t.feet.size(), 3U);
  for (const TunedFoot& foot : t.feet) EXPECT_NEAR(foot.inverse_sinkage, 0.005, 1e-11);
  EXPECT_THAT(t.warnings, Contains(HasSubstr("a margin of up to 4 mm")));
}

TEST(TunedFeet, ARobotInItsMarginHasNotSunk) {
  std::string text = scene_of(R"(<geom name="floor" type="plane" size="1 1 .1" margin="0.02"/>)" +
                              std::string(kBall));
  const SoftImpedance stiff{0.9, 0.95, 0.001, 0.5, 2};
  const Tuned t = try_soft_ground(test::TextFile(text).path(), {-5000, -100}, stiff, {});
  ASSERT_EQ(t.feet.size(), 1U);
  EXPECT_EQ(t.feet[0].achieved_sinkage, 0);
  EXPECT_NEAR(t.feet[0].load, t.weight, 1e-3 * t.weight);
}

}  // namespace
}  // namespace footfall
