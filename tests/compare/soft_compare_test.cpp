// Our soft constraints against the real library: contacts, forces, accelerations, inverse dynamics.
#include "footfall/compare/soft_compare.hpp"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>

#include "footfall/compare/compare.hpp"
#include "footfall/error.hpp"
#include "footfall/mujoco/soft_world.hpp"
#include "footfall/step/step.hpp"
#include "mujoco/model_text.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using test::TextFile;

void expect_same(const SoftStepDifference& d, double tolerance) {
  EXPECT_EQ(d.missing, 0);
  EXPECT_LE(d.position, 1e-12);
  EXPECT_LE(d.distance, 1e-12);
  EXPECT_LE(d.force, tolerance);
  EXPECT_LE(d.acceleration, tolerance);
  EXPECT_LE(d.next_velocity, tolerance);
  EXPECT_LE(d.inverse_force, tolerance);
  EXPECT_LE(d.applied_force, tolerance);
}

TEST(SoftCompare, ANanIsTheLargestDifference) {
  SoftStepDifference worst;
  for (const double force : {0.1, std::nan(""), 1e-12}) {
    SoftStepDifference step;
    step.force = force;
    keep_larger(step, worst);
  }
  EXPECT_TRUE(std::isnan(worst.force));
  worst.applied_force = 1;
  EXPECT_TRUE(std::isnan(worst.largest_relative()));
  DynamicsComparison dynamics;
  dynamics.mass_matrix = 0.1;
  dynamics.bias_force = std::nan("");
  dynamics.forward_dynamics = 1e-12;
  EXPECT_TRUE(std::isnan(dynamics.largest()));
}

TEST(SoftCompare, RandomScenesAgree) {
  const RandomComparison result = compare_random_scenes(60, 3, FOOTFALL_SOURCE_DIR);
  EXPECT_EQ(result.converged, result.states);
  EXPECT_GT(result.contacts, result.states / 2);
  expect_same(result.worst, 1e-8);
}

std::string tumbling_box(const char* option) {
  return std::string("<mujoco><option ") + option + R"(/><worldbody>
    <geom name="floor" type="plane" size="5 5 1" euler="8 3 0"/>
    <body pos="0 0 0.13" euler="3 10 20"><freejoint/>
      <geom type="box" size="0.1 0.07 0.1" friction="0.3 0.02 0.01" condim="6"/></body>
  </worldbody></mujoco>)";
}

class TumblingBox : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Options, TumblingBox,
                         ::testing::Values("cone=\"elliptic\"", "cone=\"pyramidal\"",
                                           "cone=\"elliptic\" impratio=\"10\""));

// Long enough for it to fall on a slope, tip over and slide.
TEST_P(TumblingBox, MovesAsInMujoco) {
  const TextFile file(tumbling_box(GetParam()));
  const SoftComparison result = compare_soft_file(file.path(), {.steps = 400});
  expect_same(result.worst, 1e-8);
  EXPECT_GE(result.worst.contacts, 4);
  EXPECT_LE(result.worst.drift, 1e-7) << "of a run that is never set back [m]";
}

// A body off its origin that spins fast: implicitfast takes its gyroscopic moment implicitly.
std::string spinning_top() {
  return R"(<mujoco><option integrator="implicitfast" timestep="0.004" cone="elliptic"/><worldbody>
    <geom type="plane" size="5 5 1"/><body pos="0 0 .3">
    <joint name="j" type="free" damping=".1" armature=".03"/>
    <geom type="box" size=".1 .05 .2" pos=".03 .02 .1"/></body></worldbody>
    <actuator><motor joint="j" gear="0 0 0 0 0 1" ctrllimited="true" ctrlrange="1 2"/></actuator>
    <keyframe><key name="rest" qpos="0 0 1 1 0 0 0"/>
    <key name="spin" qpos="0 0 .3 1 .1 .2 .3" qvel=".1 0 0 5 20 10" ctrl="1.5"/></keyframe></mujoco>)";
}

TEST(SoftCompare, ALoneBodySpinsAsInMujoco) {
  const TextFile file(spinning_top());
  const SoftComparison result = compare_soft_file(file.path(), {.steps = 150, .keyframe = "spin"});
  expect_same(result.worst, 1e-9);
  EXPECT_LE(result.worst.next_velocity, 1e-10);
  EXPECT_LE(result.worst.drift, 1e-10);
  EXPECT_GE(result.worst.contacts, 1);
}

TEST(SoftCompare, SaysWhereItStartsAndWhatItOverrides) {
  const TextFile file(spinning_top());
  const SoftComparison first = compare_soft_file(file.path(), {.steps = 1});
  EXPECT_EQ(first.start, "keyframe 'rest'");
  EXPECT_EQ(first.controls, "the keyframe's");
  ASSERT_FALSE(first.overridden.empty());
  EXPECT_EQ(first.overridden[0], "tolerance = 0 (file: 1e-08)");
  const SoftComparison random = compare_soft_file(
      file.path(), {.steps = 1, .seed = 4, .control_from = CompareControl::random});
  EXPECT_EQ(random.controls, "random, seed 4");
  try {
    compare_soft_file(file.path(), {.keyframe = "leap"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("one of rest, spin"), std::string::npos);
  }
  SoftCompareOptions two;
  two.control_from = CompareControl::values;
  two.control = {1, 2};
  EXPECT_THROW(compare_soft_file(file.path(), two), InputError);
}

std::string error_of(const std::string& text) {
  const TextFile file(text);
  try {
    compare_soft_file(file.path(), {.steps = 1});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SoftCompare, NamesWhatItCannotDo) {
  const std::string body = "<body name=\"b\" pos=\"0 0 1\"><freejoint/><geom name=\"ball\" "
                           "size=\"0.1\"/></body></worldbody></mujoco>";
  const std::string on_box =
      "<mujoco><worldbody><geom name=\"table\" type=\"box\" size=\"1 1 1\"/>" + body;
  EXPECT_NE(error_of(on_box).find("geom 'ball' touching geom 'table'"), std::string::npos);
  const std::string rk4 = "<mujoco><option integrator=\"RK4\"/><worldbody>" + body;
  EXPECT_NE(error_of(rk4).find("integrator"), std::string::npos);
}

// Ends with more corners than contacts, and with coplanar triangles; two meshes, so that the second
// does not start at zero in MuJoCo's lists.
TEST(SoftCompare, MeshesTumbleAsInMujoco) {
  const TextFile file(R"(<mujoco><asset>
    <mesh name="block" vertex="-.1 -.06 -.04 .1 -.06 -.04 -.1 .06 -.04 .1 .06 -.04
                               -.1 -.06 .04 .1 -.06 .04 -.1 .06 .04 .1 .06 .04"/>
    <mesh name="prism" vertex=".1 0 0 .04 .09 0 -.06 .07 0 -.1 -.01 0 -.04 -.08 0 .05 -.08 0 .09 -.05 0
                               .05 0 .1 .02 .045 .1 -.03 .035 .1 -.05 0 .1 -.02 -.04 .1"/></asset>
    <worldbody><geom type="plane" size="5 5 1" euler="3 -2 0"/>
    <body pos="0 0 0.12" euler="20 35 5"><freejoint/><geom type="mesh" mesh="block"/></body>
    <body pos="1 0 0.2" euler="-70 15 40"><freejoint/><geom type="mesh" mesh="prism"/></body>
    </worldbody></mujoco>)");
  const SoftComparison result = compare_soft_file(file.path(), {.steps = 500});
  expect_same(result.worst, 1e-8);
  EXPECT_EQ(result.worst.contacts, 8);
}

// A mesh that touches nothing in its file has no hull that could touch a plane.
TEST(SoftCompare, MeshWithoutHullIsNamed) {
  const TextFile file(R"(<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"
    face="0 2 1 0 1 3 0 3 2 1 2 3"/></asset>
    <worldbody><body><freejoint/><geom size="1"/><geom name="shell" type="mesh" mesh="m"
    contype="0" conaffinity="0"/></body></worldbody></mujoco>)");
  const MjModelPtr model = load_mujoco_model(file.path());
  try {
    build_soft_model(*model, {false, true}, {}, std::nullopt);
    FAIL() << "a hull out of nothing";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("geom 'shell' (a mesh without convex hull"),
              std::string::npos)
        << error.what();
  }
}

TEST(SoftCompare, NamesLinksThatTouchEachOther) {
  const TextFile file(R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
    <body pos="0 0 0.1"><freejoint/><geom name="a" size="0.1"/></body>
    <body pos="0 0 0.25"><freejoint/><geom name="b" size="0.1"/></body></worldbody></mujoco>)");
  const SoftComparison result = compare_soft_file(file.path(), {.steps = 5});
  ASSERT_EQ(result.warnings.size(), 1);
  EXPECT_NE(result.warnings[0].find("geom 'a' with geom 'b'"), std::string::npos);
  expect_same(result.worst, 1e-10);
}

// Robots in lanes are the same robots.
TEST(SoftCompare, LanesMoveAsOneRobotDoes) {
  for (const char* option : {"cone=\"elliptic\"", "cone=\"pyramidal\""}) {
    const TextFile file(tumbling_box(option));
    const MjModelPtr model = load_mujoco_model(file.path());
    for (const bool exact : {false, true}) {
      World world = build_soft_world(*model, "box");
      std::get<SoftGround>(world.ground).model.exact_diagonal = exact;
      world.options.solver.tolerance = 1e-12;
      State<double> state = make_state<double>(world, world.robot.qpos0);
      State<Lane8> lanes = make_state<Lane8>(world, world.robot.qpos0);
      StepWorkspace<double> workspace(world);
      StepWorkspace<Lane8> lanes_workspace(world);
      const Control<double> command = make_control<double>(world.robot);
      const Control<Lane8> lanes_command = make_control<Lane8>(world.robot);
      for (int k = 0; k < 100; ++k) {
        step(world, command, state, workspace);
        step(world, lanes_command, lanes, lanes_workspace);
        for (std::size_t i = 0; i < state.qpos.size(); ++i) {
          ASSERT_NEAR(lanes.qpos[i][0], state.qpos[i], 1e-10) << "step " << k;
          ASSERT_EQ(lanes.qpos[i][7], lanes.qpos[i][0]);
        }
      }
    }
  }
}

// Resting on the ground, sinkage does not depend on the mass: Â F is the weight over the mass.
TEST(SoftCompare, HeavyAndLightBallsSinkAlike) {
  double sinkage[2];
  for (const int heavy : {0, 1}) {
    const TextFile file(std::string(R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 0.1"><freejoint/><geom size="0.1" solref="-2000 -90" solimp="0.3 0.9 0.02 0.5 2")") +
                        (heavy ? " mass=\"100\"" : " mass=\"1\"") +
                        "/></body></worldbody></mujoco>");
    const MjModelPtr model = load_mujoco_model(file.path());
    const World world = build_soft_world(*model, "ball");
    State<double> state = make_state<double>(world, world.robot.qpos0);
    StepWorkspace<double> workspace(world);
    const Control<double> command = make_control<double>(world.robot);
    for (int k = 0; k < 2000; ++k) step(world, command, state, workspace);
    sinkage[heavy] = 0.1 - state.qpos[2];
  }
  EXPECT_GT(sinkage[0], 1e-3);
  EXPECT_NEAR(sinkage[0], sinkage[1], 1e-12);
}

}  // namespace
}  // namespace footfall
