// Gaits and pushes in scenarios: what is read, what is refused, and what a gait came to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "footfall/error.hpp"
#include "footfall/run/run.hpp"

namespace footfall {
namespace {

using testing::HasSubstr;

const std::string kTrot = R"([robot]
file = "../robots/quadruped.xml"
[soil]
name = "concrete"
[step]
duration_s = 0.3
[controller]
kind = "trot"
kp = 60
kd = 3
)";

Scenario parse_gait(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_scenario(text, "t.toml", std::string(FOOTFALL_SOURCE_DIR) + "/scenarios", overrides);
}

std::string error_with(const std::vector<std::string>& overrides) {
  try {
    RunOptions options;
    options.record = false;
    run(parse_gait(kTrot, overrides), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(GaitScenario, ReadsItsKeys) {
  const Scenario trot = parse_gait(
      kTrot, {"controller.speed_m_per_s=0.3", "controller.turn_rate_deg_per_s=90",
              "controller.gait=walk", "controller.expected_sinkage_m=soil", "controller.duty=0.8"});
  EXPECT_EQ(trot.controller.trot.speed, 0.3);
  EXPECT_NEAR(trot.controller.trot.turn_rate, std::numbers::pi / 2, 1e-15);
  EXPECT_EQ(trot.controller.trot.gait, QuadrupedGait::walk);
  EXPECT_TRUE(trot.controller.trot.expected_sinkage.from_soil);
  EXPECT_EQ(trot.controller.trot.duty, 0.8);
  const Scenario walk =
      parse_gait(kTrot, {"controller.kind=walk", "controller.step_count=3",
                         "controller.turn_deg=-10", "controller.expected_sinkage_m=0.006"});
  EXPECT_EQ(walk.controller.walk.step_count, 3);
  EXPECT_NEAR(walk.controller.walk.turn, -std::numbers::pi / 18, 1e-15);
  EXPECT_EQ(walk.controller.walk.expected_sinkage.sinkage, 0.006);
}

TEST(GaitScenario, RefusesWhatDoesNotFit) {
  EXPECT_THAT(error_with({"controller.step_count=3"}), HasSubstr("controller kind 'walk'"));
  EXPECT_THAT(error_with({"controller.kind=hold", "controller.duty=0.6"}),
              HasSubstr("controller kind 'trot'"));
  EXPECT_THAT(error_with({"controller.expected_sinkage_m=sand"}),
              HasSubstr("0 to 0.3 m, or \"soil\""));
  EXPECT_THAT(error_with({"controller.duty=0.4"}),
              HasSubstr("'controller.duty' = 0.4, expected 0.5"));
  EXPECT_THAT(error_with({"contact=none"}), HasSubstr("t.toml:8:1: a gait needs ground"));
  EXPECT_THAT(error_with({"controller.kind=walk"}), HasSubstr("two"));  // it has four feet
  EXPECT_THAT(error_with({"robot.file=\"../robots/ball.xml\""}), HasSubstr("ball"));
}

TEST(Push, GivesItsWholeImpulseAtAnyStep) {
  for (const double h : {1e-3, 0.7e-3}) {
    Scenario scenario = parse_gait(kTrot);
    const RobotModel robot = build_world(scenario).robot;
    std::vector<double> v(robot.dofs.size(), 0.0);
    const Push push{"rear_left_calf", 0.0123, 0.05, {3, -2, 1}};
    Pusher pusher(robot, {push});
    const std::vector<double>& q = robot.keyframes[0].qpos;
    for (int n = 0; n < 200; ++n) pusher.push(robot, n * h, h, q, v);
    // momentum p = Σ m v of all bodies, in the pose that was held
    RobotData<double> data(robot);
    compute_positions(robot, q.data(), data);
    compute_velocities(robot, v.data(), data);
    Vec3d p{0, 0, 0};
    for (int b = 1; b < robot.body_count(); ++b) {
      const Vec3d com = data.p_WB[b] + data.R_WB[b] * robot.bodies[b].com;
      p += robot.bodies[b].mass * point_velocity(data.V[b], com - tree_origin(robot, data, b));
    }
    EXPECT_LT(norm(p - 0.05 * push.force), 1e-12) << h;
  }
}

TEST(Push, NamesTheBodiesThereAre) {
  const RobotModel robot = build_world(parse_gait(kTrot)).robot;
  try {
    const Pusher pusher(robot, {{"tail", 0, 0.1, {1, 0, 0}}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("trunk, front_left_hip"));
  }
}

// A robot that is carried: its way, its tilt and its fall are known.
TEST(GaitWatch, AddsUpWhatItSees) {
  const RunSetup setup = prepare_run(parse_gait(kTrot));
  const World& world = setup.world;
  State<double> before = setup.state, after = setup.state;
  Control<double> control = setup.controller.start;
  for (double& k : control.kp) k = 0;
  for (double& k : control.kd) k = 0;
  control.control[2] = 5;  // [N m]
  GaitWatch watch(world, setup.controller.pose,
                  {.speed = 0.5, .direction = {1, 0, 0}, .from = 0.01, .to = 0.02});
  std::vector<FootPatch> feet(4);
  after.qvel[0] = 0.5;
  after.qvel[6 + 2] = -2;  // of the first knee [rad/s]
  for (int n = 1; n <= 30; ++n) {
    after.time = n * 1e-3;
    // a foot that loses touch for a moment makes one footfall, of 5 mm of slip in 10 ms
    feet[1].touching = n > 12 && n < 24 && n != 16;
    feet[1].normal_force = feet[1].touching ? 30 : 0;
    feet[1].sinkage = 0.002;
    feet[1].velocity = {0.5, 0, -0.1};
    watch.update(world, before, control, after, feet);
  }
  EXPECT_FALSE(watch.fell());
  GaitSummary seen = GaitWatch(watch).finish(9.81);
  EXPECT_NEAR(seen.distance, 0.005, 1e-12);
  EXPECT_NEAR(seen.speed, 0.5, 1e-12);
  EXPECT_NEAR(seen.work, 10 * 0.01, 1e-12);
  EXPECT_EQ(seen.footfalls, 1);
  EXPECT_NEAR(seen.slip, 0.005, 1e-12);
  EXPECT_NEAR(seen.sinkage, 0.002, 1e-15);
  EXPECT_NEAR(*seen.cost_of_transport, 0.1 / (15 * 9.81 * 0.005), 1e-9);
  const double half = 0.55;  // of the angle of roll, to the left
  after.qpos[3] = std::cos(half);
  after.qpos[4] = -std::sin(half);
  watch.update(world, before, control, after, feet);
  seen = watch.finish(9.81);
  ASSERT_TRUE(seen.fall);
  EXPECT_NEAR(seen.fall->tilt, 1.1, 1e-9);
  EXPECT_THAT(
      seen.fall->reason,
      HasSubstr("tipped to the left by 63 degrees; front_right_foot sank 2 mm and slid 5 mm"));
}

}  // namespace
}  // namespace footfall
