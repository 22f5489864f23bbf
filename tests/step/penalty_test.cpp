// Penalty contact in the step: points that move as wanted, momentum to round-off, exact solutions of a ball, a brick on a
// ramp, robots that stand. Against the full system: penalty_full_system_test.cpp.
#include <gtest/gtest.h>

#include <numbers>

#include "footfall/step/measure.hpp"
#include "support/hard_worlds.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using testing::Hard;
using testing::make_hard_world;
using testing::Random;

Vec3d ground_force(const StepWorkspace<double>& w) {
  Vec3d sum{0, 0, 0};
  for (const ContactPoint<double>& p : w.points) sum += (-1 / p.step) * p.gradient;
  return sum;
}

// ---- one step ----

// Without saturation the points end the step as wanted, to round-off, so far as a rigid foot can: up and
// down are braked differently and corners fly outwards, so what is wanted of them is no motion of it.
TEST(PenaltyStep, PointsMoveAsWanted) {
  const World world = make_hard_world("biped", {});
  const std::vector<double> pose = standing_pose(world.robot);
  State<double> state = make_state<double>(world, pose);
  state.qpos[2] -= 1e-3;
  const Control<double> command = testing::hold<double>(world, pose, 3000, 100);
  StepWorkspace<double> w(world);
  int bodies = 0;
  for (int k = 0; k < 200; ++k) {
    step(world, command, state, w);
    list_results(world, w);
    const auto& contact = std::get<PenaltyContact>(w.contact);
    const PenaltyWorkspace& p = contact.work;
    for (int b = 0; b < p.body_count; ++b) {
      const PointBasis& basis = p.bodies[b].basis;
      std::vector<Vec3d> error;
      for (int i = p.bodies[b].first; i < p.bodies[b].first + basis.count; ++i) {
        const ContactPoint<double> point =
            get_item<double>(contact.points.laws[p.active[i].pack],
                             contact.points.trials[p.active[i].pack], p.active[i].item);
        const int body = contact.soles.packs[contact.points.places[p.active[i].pack].sole_pack]
                             .body[p.active[i].item];
        const double h = world.options.timestep;
        const Twist<double>&V = w.data.V[body], &A = w.data.A_bias[body];
        const Vec3d start = point_velocity(V, point.p_OC);
        const Vec3d bias =
            A.lin + world.robot.gravity + cross(A.ang, point.p_OC) + cross(V.ang, start);
        error.push_back(point.velocity + h * bias -
                        wanted_velocity(contact.law.model, h, -point.sinkage, point.normal, start));
        EXPECT_LT(norm(error.back()), 1e-6);
      }
      double parts[6] = {};
      project(basis, &p.position[p.bodies[b].first], error.data(), parts);
      for (const double part : parts) EXPECT_LT(std::abs(part), 1e-14) << "step " << k;
      ++bodies;
    }
  }
  EXPECT_GT(bodies, 300);
}

// Impulses of the ground are weight and change of momentum, linear and angular, in every step, in all
// regimes: standing, falling over, lying.
TEST(PenaltyStep, MomentumBalancesToRoundOff) {
  for (const char* name : {"biped", "quadruped"}) {
    const World world = make_hard_world(name, {});
    const std::vector<double> pose = standing_pose(world.robot);
    State<double> state = make_state<double>(world, pose);
    Control<double> command = testing::hold<double>(world, pose, 100, 2);
    StepWorkspace<double> w(world);
    RobotData<double> next(world.robot);
    Random random(1);
    const double h = world.options.timestep;
    double worst = 0, largest = 0;
    for (int k = 0; k < 600; ++k) {
      if (k > 100) {
        for (double& u : command.control) u = 20 * random();
      }
      const std::vector<double> qpos = state.qpos;
      ASSERT_TRUE(step(world, command, state, w).converged);
      list_results(world, w);
      compute_positions(world.robot, qpos.data(), next);
      compute_velocities(world.robot, state.qvel.data(), next);
      Wrench<double> change = zero6<double>();
      for (int b = 1; b < world.robot.body_count(); ++b) {
        change += w.data.inertia[b] * (next.V[b] - w.data.V[b]) + h * body_bias(w.data, b);
      }
      for (const ContactPoint<double>& p : w.points) {
        change += Wrench<double>{cross(p.p_OC, p.gradient), p.gradient};
        largest = std::fmax(largest, norm(p.gradient));
      }
      worst = std::fmax(worst, norm(change.lin) + norm(change.ang));
    }
    EXPECT_LT(worst, 1e-11 * h * world.force_scale + 1e-13 * largest) << name;
  }
}

// ---- exact solutions ----

struct Bounce {
  double depth = 0;    // largest [m]
  double rebound = 0;  // speed at lift-off over that at impact
  double force = 0;    // largest [N]
};

// A ball of mass m meets the ground with speed v.
Bounce bounce(double mass, double v, const PenaltyModel& model, double h) {
  RobotModel robot = load_robot(testing::robot_file("ball"));
  robot.bodies[1].mass = mass;
  robot.bodies[1].inertia = mass * robot.bodies[1].inertia;
  const World world = make_hard_world(std::move(robot), {.timestep = h, .model = model});
  State<double> state = make_state<double>(world, {0, 0, 0.05 - 1e-15, 1, 0, 0, 0});
  state.qvel[2] = -v;
  StepWorkspace<double> w(world);
  const Control<double> none = make_control<double>(world.robot);
  Bounce out;
  for (int k = 0; k < 20000 && state.qpos[2] < 0.05; ++k) {
    step(world, none, state, w);
    list_results(world, w);
    out.force = std::fmax(out.force, ground_force(w).z);
    out.depth = std::fmax(out.depth, 0.05 - state.qpos[2]);
    if (model.k_p == 0 && k > 100) break;  // it never comes out
  }
  out.rebound = state.qvel[2] / v;
  return out;
}

// Braked by k_v on the way in, thrown back by k_p alone: e = exp(−ζ acos ζ/√(1−ζ²)), ζ = k_v/(2√k_p).
double exact_restitution(double k_p, double k_v) {
  const double z = k_v / (2 * std::sqrt(k_p));
  if (z < 1) return std::exp(-z * std::acos(z) / std::sqrt(1 - z * z));
  return std::exp(-z * std::acosh(z) / std::sqrt(z * z - 1));
}

TEST(PenaltyStep, BallFollowsItsExactSolutionWhateverItsMass) {
  PenaltyModel model{.k_p = 500, .k_v = 250, .epsilon = 0};
  for (const double k_p : {500.0, 2e4, 1e6}) {
    for (const double k_v : {5.0, 250.0}) {
      model.k_p = k_p;
      model.k_v = k_v;
      const double e = exact_restitution(k_p, k_v);
      const double h = std::fmin(2e-5, 1e-2 / std::sqrt(k_p));
      if (e / std::sqrt(k_p) > 0.01) continue;  // deeper than the ball reaches, at 1 m/s
      const Bounce one = bounce(1, 1, model, h);
      const double first_order = 2 * h * (std::sqrt(k_p) + k_v);
      EXPECT_NEAR(one.rebound, e, first_order * e) << k_p << " " << k_v;
      EXPECT_NEAR(one.depth, e / std::sqrt(k_p), first_order * one.depth) << k_p << " " << k_v;
    }
  }
  model = {.k_p = 2e4, .k_v = 250, .epsilon = 0};
  const Bounce one = bounce(1, 1, model, 1e-5);
  for (const double mass : {0.1, 100.0}) {
    const Bounce other = bounce(mass, 1, model, 1e-5);
    EXPECT_NEAR(other.depth, one.depth, 1e-13);
    EXPECT_NEAR(other.rebound, one.rebound, 1e-11);
    EXPECT_NEAR(other.force, mass * one.force, 1e-10 * mass * one.force);
  }
  // with k_p = 0 it stops where v/k_v is used up, and the largest force is m (g + k_v v)
  model = {.k_p = 0, .k_v = 5000, .epsilon = 0};
  const double h = 1e-6;  // the shortest step
  const Bounce stop = bounce(1, 1, model, h);
  EXPECT_NEAR(stop.force, 9.81 + 5000 / (1 + 5000 * h), 1e-6);
}

TEST(PenaltyStep, AnyGainAtAnyStepComesToRestAtEpsilon) {
  for (const double h : {1e-4, 5e-4, 1e-3, 2e-3}) {
    for (const double k_v : {250.0, 5000.0, 1e6}) {
      const PenaltyModel model{.k_p = 500, .k_v = k_v, .epsilon = -1e-4};
      const World world = make_hard_world("ball", {.timestep = h, .model = model});
      State<double> state = make_state<double>(world, {0, 0, 0.06, 1, 0, 0, 0});
      StepWorkspace<double> w(world);
      const Control<double> none = make_control<double>(world.robot);
      double pull = 0;
      for (int k = 0; k < 2 / h; ++k) {
        step(world, none, state, w);
        list_results(world, w);
        pull = std::fmin(pull, ground_force(w).z);
      }
      EXPECT_EQ(pull, 0);
      // on its way down towards ε, at the rate k_p/k_v, it is between its first depth and ε
      EXPECT_LT(std::abs(state.qvel[2]), 1e-3) << h << " " << k_v;
      EXPECT_NEAR(ground_force(w).z, 9.81, 0.5) << h << " " << k_v;
    }
  }
}

// ---- a brick on a ramp ----

World make_ramp(double slope, double friction, double h, const PenaltyModel& model) {
  RobotModel robot = load_robot(testing::robot_file("box"));
  robot.bodies[1].com = {0, 0, -0.1};  // at the sole, as the paper's brick is a point: no moments
  return make_hard_world(
      std::move(robot),
      {.friction = friction, .timestep = h, .model = model, .terrain = make_slope(slope, 0)});
}

State<double> on_ramp(const World& world, double slope, double height) {
  const Vec3d n = world.terrain.plane_normal;
  const double z = 0.1 + height;
  return make_state<double>(
      world, {z * n.x, z * n.y, z * n.z, std::cos(slope / 2), 0, -std::sin(slope / 2), 0});
}

TEST(PenaltyStep, BrickSticksWithoutCreepOrSlidesAsCoulombSays) {
  const double slope = 0.3, g = 9.81;
  for (const double friction : {0.9 * std::tan(slope), 1.1 * std::tan(slope)}) {
    const World world = make_ramp(slope, friction, 1e-3, {});
    State<double> state = on_ramp(world, slope, -1e-4);
    StepWorkspace<double> w(world);
    const Control<double> none = make_control<double>(world.robot);
    const Vec3d down{-std::cos(slope), 0, -std::sin(slope)};
    for (int k = 0; k < 1000; ++k) step(world, none, state, w);
    const double v = dot(down, Vec3d{state.qvel[0], state.qvel[1], state.qvel[2]});
    if (friction > std::tan(slope)) {
      EXPECT_LT(std::abs(v), 1e-14);
    } else {
      EXPECT_NEAR(v, g * (std::sin(slope) - friction * std::cos(slope)), 1e-9);
    }
  }
}

// Pushed down the ramp it slides with Coulomb's deceleration until v_s and stops exponentially there.
TEST(PenaltyStep, BrickStopsByTheThresholdFreeTransition) {
  const double slope = 0.2, mu = 0.5, g = 9.81, h = 1e-4;
  const World world = make_ramp(slope, mu, h, {});
  const double v_s =
      g / std::get<PenaltyGround>(world.ground).law.k_v * (mu * std::cos(slope) - std::sin(slope));
  State<double> state = on_ramp(world, slope, -1e-4);
  const Vec3d down{-std::cos(slope), 0, -std::sin(slope)};
  state.qvel[0] = 0.1 * down.x;
  state.qvel[2] = 0.1 * down.z;
  StepWorkspace<double> w(world);
  const Control<double> none = make_control<double>(world.robot);
  double v = 0.1;
  int sliding = 0, sticking = 0;
  for (int k = 0; k < 1000; ++k) {
    step(world, none, state, w);
    const double next = dot(down, Vec3d{state.qvel[0], state.qvel[1], state.qvel[2]});
    if (next > v_s * (1 + 1e-9)) {
      EXPECT_NEAR((v - next) / h, g * (mu * std::cos(slope) - std::sin(slope)), 1e-8);
      ++sliding;
    } else if (v < v_s) {
      EXPECT_NEAR(next, v / (1 + h * std::get<PenaltyGround>(world.ground).law.k_v), 1e-13);
      ++sticking;
    }
    v = next;
  }
  EXPECT_GT(sliding, 100);
  EXPECT_GT(sticking, 100);
}

// ---- robots that stand ----

TEST(PenaltyStep, BipedStandsAtAnyStepOnLevelAndSlopingGround) {
  for (const double h : {1e-4, 5e-4, 1e-3, 2e-3}) {
    for (const double slope : {0.0, 0.05}) {
      const World world =
          make_hard_world("biped", {.timestep = h, .terrain = make_slope(slope, 0)});
      std::vector<double> pose = standing_pose(world.robot);
      const Control<double> command = testing::hold<double>(world, pose, 3000, 100);
      const double z = pose[2] - 1e-4;
      const Vec3d n = world.terrain.plane_normal;
      pose[0] = z * n.x, pose[2] = z * n.z;
      pose[3] = std::cos(slope / 2), pose[5] = -std::sin(slope / 2);
      State<double> state = make_state<double>(world, pose);
      StepWorkspace<double> w(world);
      for (int k = 0; k < 0.5 / h; ++k) step(world, command, state, w);
      const std::vector<double> settled = state.qpos;
      for (int k = 0; k < 0.5 / h; ++k) step(world, command, state, w);
      list_results(world, w);
      EXPECT_LT(norm(ground_force(w) - Vec3d{0, 0, world.force_scale}), 0.01 * world.force_scale)
          << h << " " << slope;
      std::vector<FootPatch> patches(2);
      summarize_feet(world, state, w, patches);
      for (const FootPatch& patch : patches) {
        EXPECT_LT(norm(patch.velocity), 1e-6);
        EXPECT_NEAR(patch.sinkage, 1e-4, 1e-4);
        EXPECT_GT(patch.normal_force, 0.4 * world.force_scale);
      }
      EXPECT_NEAR(state.qpos[0], settled[0], 1e-3);
    }
  }
}

// A box whose weight is near a corner, outside the diamond where the minimum norm has no corner pull: it
// stands if what is cut is shared, and does not if not.
TEST(PenaltyStep, WhatTheConeCutsIsShared) {
  for (const int rounds : {1, 1000}) {
    Hard hard;
    hard.model.rounds = rounds;
    RobotModel robot = load_robot(testing::robot_file("box"));
    robot.bodies[1].com = {0.12, 0.09, -0.05};
    const World world = make_hard_world(std::move(robot), hard);
    State<double> state = make_state<double>(world, {0, 0, 0.1 - 1e-4, 1, 0, 0, 0});
    StepWorkspace<double> w(world);
    const Control<double> none = make_control<double>(world.robot);
    step(world, none, state, w);
    list_results(world, w);
    const double error = norm(ground_force(w) - Vec3d{0, 0, world.force_scale});
    EXPECT_EQ(error < 1e-5 * world.force_scale, rounds > 1) << error;
    for (int k = 0; k < 1000; ++k) step(world, none, state, w);
    EXPECT_EQ(std::abs(state.qpos[2] - 0.1 + 1e-4) < 2e-6, rounds > 1) << state.qpos[2];
  }
}

// F′ would stop it within 1/k_v, and its normal forces would balance that friction.
TEST(PenaltyStep, ATallBoxThatSlidesFastDoesNotRock) {
  Hard hard;
  hard.friction = 0.3;
  RobotModel robot = load_robot(testing::robot_file("box"));
  robot.bodies[1].com = {0, 0, 0.15};
  const World world = make_hard_world(std::move(robot), hard);
  State<double> state = make_state<double>(world, {0, 0, 0.1 - 1e-4, 1, 0, 0, 0});
  StepWorkspace<double> w(world);
  const Control<double> none = make_control<double>(world.robot);
  state.qvel[0] = 2;
  const double braking = hard.friction * norm(world.robot.gravity);
  for (int k = 1; k <= 600; ++k) {
    step(world, none, state, w);
    EXPECT_NEAR(state.qvel[0], 2 - braking * k * 1e-3, 1e-3) << k;
    EXPECT_NEAR(state.qpos[2], 0.1 - 1e-4, 1e-6) << k;
    EXPECT_NEAR(state.qpos[5], 0, 1e-6) << k;
  }
}

// ---- springs and dampers ----

TEST(PenaltyStep, SpringsSinkByTheirLoadAndPullOnlyWithoutGuard) {
  for (const bool guard : {true, false}) {
    PenaltyModel model;
    model.kind = PenaltyKind::spring_damper;
    model.stiffness = 1e4;
    model.damping = model.tangential_damping = 60;
    model.guard = guard;
    const World world = make_hard_world("ball", {.timestep = 1e-4, .model = model});
    State<double> state = make_state<double>(world, {0, 0, 0.15, 1, 0, 0, 0});
    StepWorkspace<double> w(world);
    const Control<double> none = make_control<double>(world.robot);
    int pulls = 0;
    for (int k = 0; k < 30000; ++k) {
      step(world, none, state, w);
      list_results(world, w);
      if (ground_force(w).z < 0) ++pulls;
    }
    EXPECT_EQ(pulls > 0, !guard);
    EXPECT_NEAR(0.05 - state.qpos[2], 9.81 / 1e4, 1e-9);
    EXPECT_NEAR(ground_force(w).z, 9.81, 1e-6);
  }
}

}  // namespace
}  // namespace footfall
