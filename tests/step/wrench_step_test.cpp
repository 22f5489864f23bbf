// Feet in granular media: steps against the dense problem, momentum, dissipation, standing without creep,
// slopes, two dimensions within three, drops.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "footfall/step/measure.hpp"
#include "support/grains.hpp"

namespace footfall {
namespace {

using testing::Grains;
using testing::make_grain_world;
using testing::Random;

constexpr int kPlanarParts[3] = {0, 2, 4};

// Twist of a foot's sole centre in the surface frame, part by part, per velocity of each dof.
Eigen::MatrixXd sole_jacobian(const World& world, const RobotData<double>& data,
                              const WrenchContact& contact, int foot) {
  const WrenchSpace& space = *wrench_space(world.ground);
  const RobotModel& robot = world.robot;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(space.parts(), robot.velocity_size());
  for (int b = world.soles.feet[foot].body; b > 0; b = robot.bodies[b].parent) {
    for (int j = robot.bodies[b].first_joint;
         j < robot.bodies[b].first_joint + robot.bodies[b].joint_count; ++j) {
      for (int d = robot.joints[j].v_index;
           d < robot.joints[j].v_index + velocity_count(robot.joints[j].type); ++d) {
        const Vec3d v =
            transpose_times(contact.place.R_WC, point_velocity(data.S[d], contact.p_OC));
        const Vec3d w = transpose_times(contact.place.R_WC, data.S[d].ang);
        const double all[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
        for (int p = 0; p < space.parts(); ++p) {
          J(p, d) = all[space.is_planar() ? kPlanarParts[p] : p];
        }
      }
    }
  }
  return J;
}

Eigen::MatrixXd dense_inertia(const World& world, const RobotData<double>& data) {
  const int nv = world.robot.velocity_size();
  Eigen::MatrixXd M(nv, nv);
  std::vector<RigidInertia<double>> composite(world.robot.bodies.size());
  mass_matrix(world.robot, data, composite, M.data());
  for (int d = 0; d < nv; ++d) M(d, d) += world.options.timestep * world.robot.dofs[d].damping;
  return M;
}

// One step of a robot in motion, its feet in the ground: momentum by the dense mass matrix, and that the
// impulses are the best that the sets hold. Returns the feet that touch.
int expect_best_step(const std::string& robot, unsigned seed, int dimensions, double factor) {
  Grains grains;
  grains.options.dimensions = dimensions;
  grains.options.grain_inertia_factor = factor;
  World world = make_grain_world(robot, grains);
  world.options.joint_limits = world.options.joint_friction = false;
  Random random(seed);
  State<double> state = make_state<double>(world, standing_pose(world.robot));
  const int height = dimensions == 2 ? 1 : 2;
  state.qpos[height] -= 0.06;
  for (std::size_t i = 0; i < state.qpos.size(); ++i) state.qpos[i] += 0.03 * random();
  for (double& v : state.qvel) v = 0.3 * random();
  const State<double> start = state;
  const Control<double> command = make_control<double>(world.robot);
  StepWorkspace<double> w(world);
  EXPECT_TRUE(step(world, command, state, w).converged);
  const GranularContact& found = std::get<GranularContact>(w.contact);

  World air = world;  // the step without ground
  air.terrain = make_flat(-10);
  State<double> free = start;
  StepWorkspace<double> air_workspace(air);
  step(air, command, free, air_workspace);

  RobotData<double> data(world.robot);
  compute_positions(world.robot, start.qpos.data(), data);
  const Eigen::MatrixXd M = dense_inertia(world, data);
  const int parts = wrench_space(world.ground)->parts(), nv = world.robot.velocity_size();
  const auto rows = static_cast<Eigen::Index>(found.active.size() * parts);
  Eigen::MatrixXd J(rows, nv);
  Eigen::VectorXd c(rows), masses(rows);
  for (std::size_t i = 0; i < found.active.size(); ++i) {
    const int foot = found.active[i];
    const WrenchContact& contact = found.contacts[foot];
    J.middleRows(static_cast<Eigen::Index>(i) * parts, parts) =
        sole_jacobian(world, data, contact, foot);
    const Vec3d f = transpose_times(contact.place.R_WC, contact.wrench.lin);
    const Vec3d t = transpose_times(contact.place.R_WC, contact.wrench.ang);
    const double all[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
    for (int p = 0; p < parts; ++p) {
      const Eigen::Index row = static_cast<Eigen::Index>(i) * parts + p;
      c[row] = world.options.timestep * all[dimensions == 2 ? kPlanarParts[p] : p];
      masses[row] =
          wrench_space(world.ground)->grain_inertia(wrench_space(world.ground)->soles()[foot], p);
    }
  }
  const Eigen::Map<const Eigen::VectorXd> v(state.qvel.data(), nv), v_free(free.qvel.data(), nv);
  const Eigen::VectorXd momentum = M * (v - v_free), impulse = J.transpose() * c;
  EXPECT_LT((momentum - impulse).norm(), 1e-12 * (1 + impulse.norm())) << robot << " " << seed;
  const Eigen::VectorXd u = J * v;
  EXPECT_LE(u.dot(c), 1e-12) << "what grains do to feet never drives them";
  const Eigen::MatrixXd G = J * M.ldlt().solve(J.transpose());
  const Eigen::VectorXd gradient = u + G * masses.asDiagonal() * u;
  for (std::size_t i = 0; i < found.active.size(); ++i) {
    const Eigen::Index first = static_cast<Eigen::Index>(i) * parts;
    const Eigen::VectorXd slopes = gradient.segment(first, parts);
    const VertexSet& set = found.sets[found.active[i]];
    double least = 0, size = 1e-3;
    for (int k = 0; k < set.count(); ++k) {
      double slope = 0;
      for (int p = 0; p < parts; ++p) slope += slopes[p] * set.part(p)[k];
      least = std::fmin(least, slope);
      size = std::fmax(size, std::abs(slope));
    }
    EXPECT_NEAR(slopes.dot(c.segment(first, parts)), least, 1e-12 * size) << robot << " " << seed;
  }
  return static_cast<int>(found.active.size());
}

TEST(WrenchStep, IsTheBestThatTheSetsHold) {
  int feet = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const double factor = seed % 3 == 0 ? 0 : 2;
    feet += expect_best_step("single_foot", seed, seed % 2 == 0 ? 2 : 3, factor);
    feet += expect_best_step("robosimian_planar", seed, 2, factor);
    feet += expect_best_step("robosimian", seed, 3, factor);
    feet += expect_best_step("quadruped", seed, 3, factor);
  }
  EXPECT_GT(feet, 50);
}

// A foot that is pushed through sand meets the wrench that resists its motion most, on the boundary.
TEST(WrenchStep, AMovingFootMeetsTheBoundary) {
  Grains grains;
  grains.options = {.dimensions = 2, .grain_inertia_factor = 0};
  const World world = make_grain_world("single_foot", grains);
  StepWorkspace<double> w(world);
  std::vector<FootPatch> feet(1);
  Random random(2);
  for (int i = 0; i < 30; ++i) {
    State<double> state = make_state<double>(world, {0, 0.154 - 0.08, 0.3 * random()});
    for (double& v : state.qvel) v = 2 * random();
    step(world, make_control<double>(world.robot), state, w);
    summarize_feet(world, state, w, feet);
    const WrenchContact& contact = std::get<GranularContact>(w.contact).contacts[0];
    const double u[3] = {contact.velocity.lin.x, contact.velocity.lin.z, contact.velocity.ang.y};
    const VertexSet& set = std::get<GranularContact>(w.contact).sets[0];
    double most = 0;
    for (int k = 0; k < set.count(); ++k) {
      most =
          std::fmax(most, -(u[0] * set.part(0)[k] + u[1] * set.part(1)[k] + u[2] * set.part(2)[k]));
    }
    const double resists =
        -(u[0] * contact.wrench.lin.x + u[1] * contact.wrench.lin.z + u[2] * contact.wrench.ang.y);
    EXPECT_NEAR(resists, most / world.options.timestep, 1e-9 * resists);
    EXPECT_NEAR(feet[0].friction_use, 1, 1e-9);
    EXPECT_NEAR(feet[0].grains.depth, std::get<GranularContact>(w.contact).contacts[0].place.depth,
                0);
  }
}

// ---- standing ----

TEST(WrenchStanding, AFootUnderLoadDoesNotCreep) {
  for (const int dimensions : {2, 3}) {
    Grains grains;
    grains.options.dimensions = dimensions;
    const World world = make_grain_world("single_foot", grains);
    State<double> state = make_state<double>(world, {0.3, 0.154 - 0.05, 0.01});
    Control<double> command = make_control<double>(world.robot);
    command.control = {2, -20, 0.05};  // pushed sideways, down and over
    StepWorkspace<double> w(world);
    for (int k = 0; k < 1000; ++k) step(world, command, state, w);
    const std::vector<double> start = state.qpos;
    for (int k = 0; k < 60000; ++k) step(world, command, state, w);
    EXPECT_EQ(state.qpos,
              start);  // bit by bit: rounding in velocities is less than positions resolve
    std::vector<FootPatch> feet(1);
    summarize_feet(world, state, w, feet);
    EXPECT_LT(feet[0].friction_use, 1);
    EXPECT_NEAR(feet[0].force.x, -2, 1e-11);
    EXPECT_NEAR(feet[0].force.z, 20 + 7.357 * 9.81, 1e-11);
  }
}

TEST(WrenchStanding, ARobotDoesNotCreep) {
  Grains grains;
  grains.options.dimensions = 2;
  const World world = make_grain_world("robosimian_planar", grains);
  std::vector<double> pose = standing_pose(world.robot);
  State<double> state = make_state<double>(world, pose);
  const Control<double> command = testing::hold<double>(world, pose, 4000, 200);
  StepWorkspace<double> w(world);
  for (int k = 0; k < 20000; ++k) step(world, command, state, w);
  std::vector<FootPatch> feet(4), later(4);
  summarize_feet(world, state, w, feet);
  for (int k = 0; k < 60000; ++k) step(world, command, state, w);
  summarize_feet(world, state, w, later);
  // Rounding makes velocities of 1e-16 m/s. Positions of some size do not feel that, but the base is at
  // x = 0, pitch = 0, where nothing is too small to be added.
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(feet[i].touching);
    EXPECT_LT(norm(later[i].center - feet[i].center), 1e-14) << i;
    EXPECT_LT(std::abs(later[i].grains.tilt - feet[i].grains.tilt), 1e-14) << i;
  }
}

// ---- two routes to one motion ----

State<double> run_drop(const World& world, State<double> state, int steps) {
  const Control<double> command = make_control<double>(world.robot);
  StepWorkspace<double> w(world);
  for (int k = 0; k < steps; ++k) step(world, command, state, w);
  return state;
}

TEST(WrenchStep, ASlopeIsTurnedFlatGround) {
  const double slope = 0.3;
  RobotModel robot = load_robot(testing::robot_file("single_foot"));
  Grains grains;
  grains.options.dimensions = 2;
  robot.gravity = {9.81 * std::sin(0.1), 0, -9.81 * std::cos(0.1)};
  const World flat = make_grain_world(robot, grains);
  // everything turned about y so that the ground rises towards +x
  const double c = std::cos(slope), s = std::sin(slope);
  const auto turn = [&](double x, double z) { return std::pair(c * x - s * z, s * x + c * z); };
  const auto [gx, gz] = turn(robot.gravity.x, robot.gravity.z);
  robot.gravity = {gx, 0, gz};
  grains.terrain = make_slope(slope, 0);
  const World inclined = make_grain_world(robot, grains);
  const std::vector<double> pose = {0.1, 0.17, 0.15};
  const auto [x, z] = turn(pose[0], pose[1]);
  const State<double> a = run_drop(flat, make_state<double>(flat, pose), 400);
  const State<double> b =
      run_drop(inclined, make_state<double>(inclined, {x, z, pose[2] - slope}), 400);
  const auto [ax, az] = turn(a.qpos[0], a.qpos[1]);
  EXPECT_NEAR(b.qpos[0], ax, 1e-9);
  EXPECT_NEAR(b.qpos[1], az, 1e-9);
  EXPECT_NEAR(b.qpos[2], a.qpos[2] - slope, 1e-9);
  EXPECT_LT(a.qpos[1], 0.154);  // it went in
}

TEST(WrenchStep, AnUprightFootMovesInThreeDimensionsAsInTwo) {
  Grains two, three;
  two.options.dimensions = 2;
  const World flat = make_grain_world("single_foot", two),
              space = make_grain_world("single_foot", three);
  const std::vector<double> drop = {0, 0.204, 0};
  const State<double> a = run_drop(flat, make_state<double>(flat, drop), 1000);
  const State<double> b = run_drop(space, make_state<double>(space, drop), 1000);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.qpos[i], b.qpos[i], 1e-12);
}

TEST(WrenchStep, DropsStandOrTipOver) {
  Grains grains;
  grains.options.dimensions = 2;
  const World world = make_grain_world("single_foot", grains);
  const State<double> upright = run_drop(world, make_state<double>(world, {0, 0.204, 0}), 2000);
  EXPECT_NEAR(upright.qpos[2], 0, 1e-12);
  EXPECT_LT(upright.qpos[1], 0.154);
  for (const double v : upright.qvel) EXPECT_LT(std::abs(v), 1e-13);
}

TEST(WrenchSpace, RefusesWhatDoesNotFit) {
  Grains grains;
  grains.options.dimensions = 2;
  EXPECT_THROW(make_grain_world("quadruped", grains), InputError);
  grains.terrain = make_slope(0.2, std::numbers::pi / 2);
  EXPECT_THROW(make_grain_world("single_foot", grains), InputError);
  grains.terrain = {};
  const World world = make_grain_world("single_foot", grains);
  EXPECT_THROW(StepWorkspace<Lane8>{world}, InputError);
}

}  // namespace
}  // namespace footfall
