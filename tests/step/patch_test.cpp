// What feet do on the ground: rock on an edge, resist twisting, lie when fallen, stand on bumps.
#include "footfall/step/measure.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <thread>

#include "support/worlds.hpp"

namespace footfall {
namespace {

using testing::make_test_world;
using testing::table_4;

StepOptions millisecond() {
  StepOptions options;
  options.timestep = 1e-3;
  return options;
}

void run_steps(const World& world, const Control<double>& command, int steps, State<double>& state,
               StepWorkspace<double>& w) {
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(step(world, command, state, w).converged) << "step " << k;
  }
}

// A box pushed over its edge tips back while its centre is inside the edge, and over when not.
TEST(Patch, FlatFootRocksOnItsEdge) {
  const World world = make_test_world("box", table_4()[2].ground, millisecond());
  const Control<double> command = make_control<double>(world.robot);
  const double half_x = 0.2, half_z = 0.1;  // of the box
  const double balance = std::atan2(half_x, half_z);
  for (const double share : {0.9, 1.1}) {
    State<double> state = make_state<double>(world, standing_pose(world.robot));
    const double tilt = share * balance;
    const Quatd q = integrate_quat(Quatd{1, 0, 0, 0}, Vec3d{0, tilt, 0});
    // the lower edge on the ground
    state.qpos = {0, 0, half_x * std::sin(tilt) + half_z * std::cos(tilt), q.w, q.x, q.y, q.z};
    StepWorkspace<double> w(world);
    run_steps(world, command, 3000, state, w);
    const double up = 1 - 2 * (state.qpos[4] * state.qpos[4] + state.qpos[5] * state.qpos[5]);
    // Flat, or on its side to 2 mrad: what a finite step turns into the ground is not counted as sinkage.
    EXPECT_NEAR(up, share < 1 ? 1.0 : 0.0, 2e-3) << "tilt " << tilt;
  }
}

// A box thrown along the ground tumbles, slides and comes to rest: friction is never above its limit, and at it
// while the box slides.
TEST(Patch, FrictionUseIsNeverAboveOne) {
  for (const int soil : {0, 3, 5}) {
    const World world = make_test_world("box", table_4()[soil].ground, millisecond());
    State<double> state = make_state<double>(world, standing_pose(world.robot));
    state.qpos[2] += 0.02;
    state.qvel = {1.5, 0.4, 0, 0.5, 2, 1};
    StepWorkspace<double> w(world);
    std::vector<FootPatch> patches(world.soles.feet.size());
    const Control<double> command = make_control<double>(world.robot);
    int sliding = 0;
    for (int k = 0; k < 1500; ++k) {
      step(world, command, state, w);
      summarize_feet(world, state, w, patches);
      EXPECT_LT(patches[0].friction_use, 1 + 1e-9) << table_4()[soil].name << ", step " << k;
      sliding += patches[0].friction_use > 0.999 ? 1 : 0;
    }
    EXPECT_GT(sliding, 20) << table_4()[soil].name;
  }
}

// A torque below the friction limit about the normal turns a foot elastically and it comes to rest;
// above it the foot spins.
TEST(Patch, FootResistsTwisting) {
  for (const char* robot : {"box", "ball"}) {
    CompliantGround<double> soil = table_4()[5].ground;
    const World world = make_test_world(robot, soil, millisecond());
    const double weight = world.force_scale;
    const double depth = weight / soil.stiffness;
    // the ball's patch is a disc; the box's limit is summed over its nine points
    double limit = 2.0 / 3 * 0.8 * weight * std::sqrt(2 * 0.05 * depth - depth * depth);
    if (std::string(robot) == "box") {
      limit = 0;
      for (int i = 0; i < 9; ++i) {
        const SolePoint& p = world.soles.points[i];
        limit += 0.8 * weight * p.weight * std::hypot(p.position.x, p.position.y);
      }
    }
    World twisted = world;  // a motor about the free joint's z axis
    Actuator motor;
    motor.joint = 0;
    motor.dof = 5;
    twisted.robot.actuators = {motor};
    for (const double share : {0.5, 1.5}) {
      State<double> state = make_state<double>(twisted, standing_pose(world.robot));
      state.qpos[2] -= depth;
      Control<double> command = make_control<double>(twisted.robot);
      StepWorkspace<double> w(twisted);
      run_steps(twisted, command, 500, state, w);
      command.control[0] = share * limit;
      run_steps(twisted, command, share < 1 ? 20000 : 1000, state, w);  // held: let it swing out
      if (share < 1) {
        EXPECT_LT(std::abs(state.qvel[5]), 1e-6) << robot << " holds";
      } else {
        EXPECT_GT(state.qvel[5], 0.1) << robot << " spins";
      }
    }
  }
}

TEST(Patch, WrenchOfAllFeetCarriesTheRobotAndItsCentreIsUnderTheCentreOfMass) {
  const World world = make_test_world("humanoid", table_4()[3].ground, millisecond());
  const std::vector<double> pose = standing_pose(world.robot);
  State<double> state = make_state<double>(world, pose);
  StepWorkspace<double> w(world);
  run_steps(world, testing::hold<double>(world, pose, 0, 0), 8000, state, w);
  std::vector<FootPatch> feet(world.soles.feet.size());
  summarize_feet(world, state, w, feet);
  Vec3d force{0, 0, 0}, moment{0, 0, 0}, com{0, 0, 0};
  for (const FootPatch& f : feet) {
    force += f.force;
    moment += cross(f.center, f.force) + f.moment;
    EXPECT_GT(f.contact_area, 0);
    EXPECT_LE(f.contact_area, 0.05 * 0.04 + 1e-12);
  }
  for (int b = 1; b < world.robot.body_count(); ++b) {
    const Body& body = world.robot.bodies[b];
    com += body.mass * (w.data.p_WB[b] + w.data.R_WB[b] * body.com);
  }
  const double g = 9.81;
  EXPECT_NEAR(force.z, world.force_scale, 1e-6 * world.force_scale);
  EXPECT_NEAR(std::hypot(force.x, force.y), 0, 1e-6 * world.force_scale);
  const Vec3d of_weight = cross(com, Vec3d{0, 0, g});  // moment that the weight asks for
  EXPECT_NEAR(norm(moment - of_weight), 0, 1e-6 * world.force_scale);
}

TEST(Patch, FallenRobotLiesOnTheGround) {
  for (const char* name : {"quadruped", "humanoid", "biped"}) {
    World world = make_test_world(name, table_4()[3].ground, millisecond());
    for (Actuator& a : world.robot.actuators) a.gain = a.bias0 = a.bias1 = a.bias2 = 0;  // limp
    State<double> state = make_state<double>(world, standing_pose(world.robot));
    state.qvel[1] = 1.0;  // pushed sideways
    StepWorkspace<double> w(world);
    run_steps(world, make_control<double>(world.robot), 6000, state, w);
    compute_positions(world.robot, state.qpos.data(), w.data);
    double lowest = 1e300;
    for (int b = 1; b < world.robot.body_count(); ++b) {
      const Vec3d com = w.data.p_WB[b] + w.data.R_WB[b] * world.robot.bodies[b].com;
      lowest = std::fmin(lowest, com.z);
    }
    EXPECT_GT(lowest, -1e-3) << name << " sank through";
    EXPECT_LT(state.qpos[2], 0.8 * standing_pose(world.robot)[2]) << name << " did not fall";
  }
}

TEST(Patch, StandsOnBumpsWithNormalsOfTheGround) {
  Heightfield field;
  field.nx = field.ny = 101;
  field.spacing = 0.02;
  field.origin_x = field.origin_y = -1;
  for (int i = 0; i < field.nx * field.ny; ++i) {
    const double x = -1 + 0.02 * (i % field.nx), y = -1 + 0.02 * (i / field.nx);
    field.heights.push_back(0.02 * std::sin(6 * x) * std::cos(5 * y));
  }
  const World world = make_test_world("quadruped", table_4()[2].ground, millisecond(),
                                      make_terrain(std::move(field)));
  const std::vector<double> pose = standing_pose(world.robot);
  State<double> state = make_state<double>(world, pose);
  state.qpos[2] += 0.03;
  StepWorkspace<double> w(world);
  run_steps(world, testing::hold<double>(world, pose, 300, 15), 6000, state, w);
  std::vector<FootPatch> feet(world.soles.feet.size());
  summarize_feet(world, state, w, feet);
  double carried = 0;
  for (const FootPatch& f : feet) {
    carried += f.force.z;
    if (!f.touching) continue;
    const double gx = 0.02 * 6 * std::cos(6 * f.center.x) * std::cos(5 * f.center.y);
    EXPECT_NEAR(-f.normal.x / f.normal.z, gx, 8e-3);  // cells of 20 mm
    EXPECT_NEAR(f.center.z, 0.02 * std::sin(6 * f.center.x) * std::cos(5 * f.center.y), 5e-4);
  }
  EXPECT_NEAR(carried, world.force_scale, 1e-4 * world.force_scale);
}

// Robots on several threads do what they do on one, to the last bit.
TEST(PatchThreads, RunsAreTheSameOnAnyNumberOfThreads) {
  const World world = make_test_world("quadruped", table_4()[4].ground, millisecond());
  const std::vector<double> pose = standing_pose(world.robot);
  const auto run_one = [&](int number) {
    State<double> state = make_state<double>(world, pose);
    state.qpos[2] += 0.01 * (number + 1);
    StepWorkspace<double> w(world);
    const Control<double> command = testing::hold<double>(world, pose, 100, 2);
    for (int k = 0; k < 400; ++k) step(world, command, state, w);
    return state.qpos;
  };
  std::vector<std::vector<double>> alone, together(4);
  for (int i = 0; i < 4; ++i) alone.push_back(run_one(i));
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) threads.emplace_back([&, i] { together[i] = run_one(i); });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(alone, together);
}

}  // namespace
}  // namespace footfall
