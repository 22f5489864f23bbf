// Walks on hard ground: the whole way from a plan to torques, and the simulation that answers.
#include "footfall/gait/walk.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "footfall/error.hpp"
#include "footfall/robot/dynamics.hpp"
#include "footfall/scenario/scenario.hpp"
#include "footfall/step/step.hpp"

namespace footfall {
namespace {

struct Walker {
  explicit Walker(const std::string& robot, const WalkParameters& parameters, double timestep)
      : scenario(parse_scenario("[robot]\nfile = \"robots/" + robot +
                                    ".xml\"\ndrop_height_m = 0\n[ground]\nkind = "
                                    "\"plane\"\n[soil]\nname = \"concrete\"\n"
                                    "[step]\ntimestep_s = " +
                                    std::to_string(timestep) + "\nduration_s = 1\n",
                                "walk", FOOTFALL_SOURCE_DIR)),
        world(build_world(scenario)), state(place_robot(scenario, world)),
        control(make_control<double>(world.robot)),
        walk(parameters, world, state, std::vector<double>(world.robot.actuators.size(), 200),
             std::vector<double>(world.robot.actuators.size(), 5)),
        workspace(world), data(world.robot) {}

  void go_until(double time) {
    while (state.time < time) {
      walk.update(world, state, control);
      step(world, control, state, workspace);
      compute_positions(world.robot, state.qpos.data(), data);
      largest_tilt = std::fmax(largest_tilt, std::acos(std::fmin(data.R_WB[1].z.z, 1.0)));
    }
  }

  Scenario scenario;
  World world;
  State<double> state;
  Control<double> control;
  WalkController walk;
  StepWorkspace<double> workspace;
  RobotData<double> data;
  double largest_tilt = 0;  // of the trunk [rad]
};

TEST(BodyMotion, GivesWhatWasWanted) {
  WalkParameters parameters;
  Walker walker("biped", parameters, 0.002);
  const RobotModel& model = walker.world.robot;
  const LeggedRobot& robot = walker.walk.robot();
  State<double>& state = walker.state;
  for (std::size_t i = 0; i < state.qvel.size(); ++i)
    state.qvel[i] = 0.1 * std::sin(3.0 * static_cast<double>(i));
  RobotData<double> data(model);
  BodyMotionSolver solver(model, robot);
  BodyMotion wanted{{0.1, -0.2, 0.05}, {0.1, 0.2, -0.3}, {}};
  wanted.soles = {{{0, 0, 0.2}, {0.3, 0, 0.1}}, {{0.1, 0, 0}, {0, 0.1, 0}}};
  compute_positions(model, state.qpos.data(), data);
  std::vector<double> qvel(model.dofs.size(), 0.0);
  solver.solve_velocity(model, data, robot, wanted, qvel);
  compute_velocities(model, qvel.data(), data);
  EXPECT_LT(norm(center_of_mass_velocity(model, data) - wanted.center_of_mass), 1e-4);
  EXPECT_LT(norm(sole_velocity(model, data, robot.legs[0]) - wanted.soles[0].lin), 1e-4);
  EXPECT_LT(norm(data.V[robot.base].ang - wanted.trunk), 1e-14);
  // accelerations: the velocities that they lead to, by central differences
  compute_velocities(model, state.qvel.data(), data);
  std::vector<double> acceleration(model.dofs.size(), 0.0);
  solver.solve_acceleration(model, data, robot, wanted, acceleration);
  const double h = 1e-5;
  Vec3d com[2], sole[2];
  for (const int k : {0, 1}) {
    const double t = k == 0 ? -h : h;
    std::vector<double> q = state.qpos, v = state.qvel;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += 0.5 * t * acceleration[i];
    integrate_positions(model, t, v.data(), q.data());
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += 0.5 * t * acceleration[i];
    compute_positions(model, q.data(), data);
    compute_velocities(model, v.data(), data);
    com[k] = center_of_mass_velocity(model, data);
    sole[k] = sole_velocity(model, data, robot.legs[0]);
  }
  EXPECT_LT(norm((0.5 / h) * (com[1] - com[0]) - wanted.center_of_mass), 1e-3);
  EXPECT_LT(norm((0.5 / h) * (sole[1] - sole[0]) - wanted.soles[0].lin), 1e-3);
}

TEST(Walk, TheBipedTakesFiveStepsAndStands) {
  WalkParameters parameters;
  parameters.base_height = 0.79;
  parameters.start_delay = 0.2;
  parameters.step_duration = 0.6;
  Walker walker("biped", parameters, 0.002);
  walker.go_until(walker.walk.end_time() + 0.5);
  EXPECT_EQ(walker.walk.phase(), WalkPhase::finished);
  ASSERT_EQ(walker.walk.touchdowns().size(), 5U);
  EXPECT_LT(walker.largest_tilt, 0.03);
  EXPECT_NEAR(walker.walk.com().x, 0.03 + 4 * 0.2, 0.02);
  EXPECT_NEAR(walker.walk.com().y, 0, 0.02);
  for (const Touchdown& t : walker.walk.touchdowns()) {
    EXPECT_LT(std::abs(t.lateness), 0.1) << t.step;
    EXPECT_LT(t.speed, 0.3) << t.step;
    EXPECT_LT(norm(t.miss), 0.02) << t.step;
  }
}

TEST(WalkRuns, TurnsAndGoesBackwards) {
  struct Case {
    double step_length, turn;  // [m], [rad]
  };
  for (const Case& c : {Case{0.12, 0.15}, Case{-0.1, 0}}) {
    WalkParameters parameters;
    parameters.base_height = 0.79;
    parameters.step_length = c.step_length;
    parameters.turn = c.turn;
    Walker walker("biped", parameters, 0.001);
    walker.go_until(walker.walk.end_time() + 0.5);
    EXPECT_EQ(walker.walk.phase(), WalkPhase::finished);
    EXPECT_LT(walker.largest_tilt, 0.03) << c.step_length;
    // four steps ahead, each on the mean heading of its two footprints; the fifth closes the feet
    Vec3d way{0, 0, 0};
    for (int k = 0; k < 4; ++k) {
      const double heading = (k + 0.5) * c.turn;
      way += Vec3d{c.step_length * std::cos(heading), c.step_length * std::sin(heading), 0};
    }
    Vec3d middle{0, 0, 0};
    for (const Leg& leg : walker.walk.robot().legs) {
      middle += 0.5 * sole_position(walker.data, leg);
    }
    EXPECT_NEAR(middle.x, 0.03 + way.x, 0.02) << c.step_length;  // soles reach 30 mm ahead
    EXPECT_NEAR(middle.y, way.y, 0.02) << c.step_length;
    const Mat3d& R = walker.data.R_WB[1];
    EXPECT_NEAR(std::atan2(R.x.y, R.x.x), 4 * c.turn, 0.03) << c.step_length;
  }
}

TEST(Walk, RefusesRobotsThatCannot) {
  WalkParameters parameters;
  EXPECT_THROW(Walker("quadruped", parameters, 0.002), InputError);
  parameters.step_height = 7;
  EXPECT_THROW(Walker("biped", parameters, 0.002), InputError);
}

}  // namespace
}  // namespace footfall
