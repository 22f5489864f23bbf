// A quadruped's trot and walk: clock, expected sinkage, and runs on hard, sloping and soft ground.
#include "footfall/gait/trot.hpp"

#include <gtest/gtest.h>

#include "footfall/error.hpp"
#include "support/plastic_worlds.hpp"

namespace footfall {
namespace {

using testing::make_plastic_world;
using testing::make_test_world;
using testing::plastic_soil;
using testing::table_4;

World make_hard_world(const Terrain& terrain = {}, double timestep = 1e-3) {
  StepOptions options;
  options.timestep = timestep;
  return make_test_world("quadruped", table_4()[0].ground, options, terrain);
}

// A robot that trots, and what it did.
struct Trotter {
  Trotter(World w, const TrotParameters& parameters)
      : world(std::move(w)), state(make_state<double>(world, standing_pose(world.robot))),
        control(make_control<double>(world.robot)), workspace(world) {
    const std::size_t n = world.robot.actuators.size();
    controller.emplace(parameters, world, state, std::vector<double>(n, 60),
                       std::vector<double>(n, 3));
  }

  void run(double until, const Vec3d& push = {0, 0, 0}) {
    while (state.time < until - 1e-9) {
      controller->update(world, state, control);
      // on the trunk alone, as if it had its own mass
      const double share = world.options.timestep / world.robot.bodies[1].mass;
      state.qvel[0] += share * push.x;
      state.qvel[1] += share * push.y;
      ASSERT_TRUE(step(world, control, state, workspace).converged) << state.time << " s";
      const Mat3d R = to_matrix(Quatd{state.qpos[3], state.qpos[4], state.qpos[5], state.qpos[6]});
      tilt = std::fmax(tilt, std::acos(std::fmin(1, dot(R.z, world.terrain.plane_normal))));
      const double height = state.qpos[2] - ground();
      lowest = std::fmin(lowest, height);
      highest = std::fmax(highest, height);
    }
  }
  double ground() const {
    return sample_ground(world.terrain, state.qpos[0], state.qpos[1]).height;
  }
  double heading() const { return 2 * std::atan2(state.qpos[6], state.qpos[3]); }
  void forget() { tilt = highest = 0, lowest = 1e3; }

  World world;
  State<double> state;
  Control<double> control;
  StepWorkspace<double> workspace;
  std::optional<TrotController> controller;
  double tilt = 0, lowest = 1e3, highest = 0;
};

TEST(GaitClock, DiagonalPairsTrotAndOneFootAtATimeWalks) {
  TrotParameters p;
  p.start_delay = 0;
  const GaitClock trot = make_gait_clock(p);
  p.gait = QuadrupedGait::walk;
  const GaitClock walk = make_gait_clock(p);
  EXPECT_EQ(trot.support(), 2);
  EXPECT_EQ(walk.support(), 3);
  std::vector<int> order;  // of feet that begin to swing
  std::array<bool, kQuadLegs> stood{};
  for (int k = 0; k < 2000; ++k) {
    const double time = 1e-3 * k + 3e-4;
    int standing_trot = 0, standing_walk = 0;
    for (int leg = 0; leg < kQuadLegs; ++leg) {
      standing_trot += leg_phase(trot, leg, time) < trot.duty ? 1 : 0;
      const bool stands = leg_phase(walk, leg, time) < walk.duty;
      standing_walk += stands ? 1 : 0;
      if (stood[leg] && !stands) order.push_back(leg);
      stood[leg] = stands;
    }
    EXPECT_EQ(leg_phase(trot, kFrontLeft, time), leg_phase(trot, kRearRight, time));
    EXPECT_EQ(leg_phase(trot, kFrontRight, time), leg_phase(trot, kRearLeft, time));
    EXPECT_GE(standing_trot, 2);
    EXPECT_GE(standing_walk, 3);
  }
  ASSERT_GE(order.size(), 5U);
  EXPECT_EQ(std::vector<int>(order.begin(), order.begin() + 5),
            (std::vector<int>{kFrontLeft, kRearRight, kFrontRight, kRearLeft, kFrontLeft}));
}

TEST(GaitClock, RefusesWhatIsNoGait) {
  TrotParameters p;
  p.duty = 0.4;
  EXPECT_THROW(make_gait_clock(p), InputError);
  p.gait = QuadrupedGait::walk;
  p.duty = 0.6;
  EXPECT_THROW(make_gait_clock(p), InputError);
  p.duty = {};
  p.stride_duration = 0;
  EXPECT_THROW(make_gait_clock(p), InputError);
}

TEST(SinkageMap, IsWhereTheGroundCarriesTheLoad) {
  constexpr double kLoad = 70;
  ExpectedSinkage from_soil;
  from_soil.from_soil = true;
  for (const char* name : {"dry-sand", "sandy-loam", "lete-sand", "standard-sand"}) {
    const PlasticSoil soil = plastic_soil(name);
    const World world = make_plastic_world("quadruped", soil);
    const double sinkage = SinkageMap(world, from_soil, kLoad).at(world, 2, 0.3, -1);
    EXPECT_NEAR(normal_force(make_sphere(0.02), soil, sinkage).force, kLoad, 1e-9 * kLoad) << name;
  }
  const World world = make_hard_world();
  EXPECT_NEAR(SinkageMap(world, from_soil, kLoad).at(world, 0, 0, 0), kLoad / 3.4e9, 1e-15);
  ExpectedSinkage given;
  given.sinkage = 0.012;
  EXPECT_EQ(SinkageMap(world, given, kLoad).at(world, 3, 5, 5), 0.012);
}

TEST(Trot, NeedsFourLegsWithMotors) {
  for (const char* name : {"ball", "biped", "humanoid"}) {
    const World world = make_test_world(name, table_4()[0].ground, {});
    const State<double> state = make_state<double>(world, standing_pose(world.robot));
    const std::vector<double> gains(world.robot.actuators.size(), 1);
    EXPECT_THROW(TrotController({}, world, state, gains, gains), InputError) << name;
  }
}

// Standing, the motors carry the weight and nothing moves.
TEST(Trot, StandsBeforeItStarts) {
  TrotParameters p;
  Trotter robot(make_hard_world(), p);
  robot.run(0.05);
  EXPECT_NEAR(robot.state.qpos[2], standing_pose(robot.world.robot)[2], 1e-4);
  double carried = 0;
  for (const Vec3d& force : robot.controller->whole_body().forces()) carried += force.z;
  EXPECT_NEAR(carried, robot.world.force_scale, 1e-2 * robot.world.force_scale);
  EXPECT_LT(robot.tilt, 1e-3);
}

TEST(TrotRuns, HoldsSpeedAndTurningRateAtEveryTimestep) {
  for (const double timestep : {5e-4, 1e-3, 2e-3}) {
    TrotParameters p;
    p.turn_rate = 0.3;
    Trotter robot(make_hard_world({}, timestep), p);
    robot.run(1.5);
    const double x = robot.state.qpos[0], y = robot.state.qpos[1], yaw = robot.heading();
    robot.forget();
    robot.run(3.5);  // four strides
    const double way = std::hypot(robot.state.qpos[0] - x, robot.state.qpos[1] - y);
    const double chord = 2 * std::sin(0.3) / 0.6;  // over the arc of 0.6 rad
    EXPECT_NEAR(way, 1.0 * chord, 0.02) << timestep;
    EXPECT_NEAR(robot.heading() - yaw, 0.6, 0.02);
    EXPECT_LT(robot.tilt, 0.06);
    EXPECT_NEAR(robot.lowest, 0.2987, 3e-3);
    EXPECT_NEAR(robot.highest, 0.2987, 3e-3);
  }
}

TEST(TrotRuns, WalksSidewaysAndStops) {
  TrotParameters p;
  p.gait = QuadrupedGait::walk;
  p.speed = 0.1;
  p.lateral_speed = 0.1;
  p.stop_time = 3;
  Trotter robot(make_hard_world(), p);
  robot.run(4);
  // at full speed from 1.5 to 2 s, and ramps of 1 s before and after
  EXPECT_NEAR(robot.state.qpos[0], 0.15, 0.02);
  EXPECT_NEAR(robot.state.qpos[1], 0.15, 0.02);
  EXPECT_LT(robot.tilt, 0.05);
  double speed = 0;
  for (const double v : robot.state.qvel) speed = std::fmax(speed, std::abs(v));
  EXPECT_LT(speed, 0.02) << "stands";
}

TEST(TrotRuns, ClimbsAndRecoversFromAPush) {
  TrotParameters p;
  Trotter robot(make_hard_world(make_slope(0.2, 0)), p);
  const Quatd level = integrate_quat(Quatd{1, 0, 0, 0}, Vec3d{0, -0.2, 0});
  robot.state.qpos[3] = level.w;
  robot.state.qpos[5] = level.y;
  robot.state.qpos[0] = -0.2987 * std::sin(0.2);
  robot.state.qpos[2] = 0.2987 * std::cos(0.2);
  robot.run(2);
  const double x = robot.state.qpos[0];
  robot.run(2.1, {0, 100, 0});
  robot.run(4);
  EXPECT_NEAR(robot.state.qpos[0] - x, 1.0, 0.15);
  EXPECT_LT(robot.tilt, 0.4);
  robot.forget();
  robot.run(4.5);
  EXPECT_LT(robot.tilt, 0.06) << "as before";
  EXPECT_NEAR(robot.lowest, 0.2987, 5e-3);
}

TEST(TrotRuns, CrossesDrySandWithTheSinkageThatItExpects) {
  TrotParameters p;
  p.expected_sinkage.from_soil = true;
  Trotter robot(make_plastic_world("quadruped", plastic_soil("dry-sand")), p);
  robot.run(1.5);
  const double x = robot.state.qpos[0];
  robot.forget();
  robot.run(3.5);
  EXPECT_NEAR(robot.state.qpos[0] - x, 1.0, 0.05);
  EXPECT_LT(robot.tilt, 0.1);
  const double expected = robot.controller->expected_sinkage(0);
  EXPECT_GT(expected, 0.04);
  EXPECT_NEAR(robot.lowest, 0.2987 - expected, 0.02);
  EXPECT_NEAR(robot.state.memory.ruts[0].deepest().cell.sinkage, expected, 0.5 * expected);
}

}  // namespace
}  // namespace footfall
