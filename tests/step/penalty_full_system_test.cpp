// Penalty contact's forces against the full system (18), solved by Eigen with the dense inertia.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <memory>

#include "footfall/step/measure.hpp"
#include "support/hard_worlds.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using testing::Hard;
using testing::make_hard_world;
using testing::Random;

// Velocities of a point of `body` at p_OC per velocity of each dof.
Eigen::MatrixXd point_jacobian(const RobotModel& robot, const RobotData<double>& data, int body,
                               const Vec3d& p_OC) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, robot.velocity_size());
  for (int b = body; b > 0; b = robot.bodies[b].parent) {
    for (int j = robot.bodies[b].first_joint;
         j < robot.bodies[b].first_joint + robot.bodies[b].joint_count; ++j) {
      for (int d = robot.joints[j].v_index;
           d < robot.joints[j].v_index + velocity_count(robot.joints[j].type); ++d) {
        const Vec3d u = point_velocity(data.S[d], p_OC);
        J.col(d) << u.x, u.y, u.z;
      }
    }
  }
  return J;
}

// Inertia of the discrete step, with implicit damping and springs.
Eigen::MatrixXd step_inertia(const World& world, const RobotData<double>& data) {
  const int nv = world.robot.velocity_size();
  const double h = world.options.timestep;
  Eigen::MatrixXd M(nv, nv);
  std::vector<RigidInertia<double>> composite(world.robot.bodies.size());
  mass_matrix(world.robot, data, composite, M.data());
  for (int d = 0; d < nv; ++d) {
    M(d, d) += h * world.robot.dofs[d].damping +
               h * h * world.robot.joints[world.robot.dofs[d].joint].stiffness;
  }
  return M;
}

// A step from a random state, and what the full system (18) needs.
struct Step {
  Hard hard;
  bool converged = false;
  std::unique_ptr<World> world;  // stays where it is: the workspace knows it
  std::unique_ptr<StepWorkspace<double>> workspace;
  Eigen::MatrixXd M, J;  // of the touching points, three rows each

  const PenaltyWorkspace& work() const { return std::get<PenaltyContact>(workspace->contact).work; }
};

Step take_step(const std::string& name, unsigned seed, double depth, int rounds) {
  Step out;
  out.hard.model.rounds = rounds;
  out.hard.terrain = make_flat(depth);
  RobotModel robot = load_robot(testing::robot_file(name));
  for (Actuator& a : robot.actuators) a.bias1 = a.bias2 = 0;  // rows would be inertia too
  out.world = std::make_unique<World>(make_hard_world(std::move(robot), out.hard));
  World& world = *out.world;
  world.options.joint_limits = world.options.joint_friction = false;
  Random random(seed);
  State<double> state = make_state<double>(world, standing_pose(world.robot));
  for (std::size_t i = 0; i < state.qpos.size(); ++i) state.qpos[i] += 0.02 * random();
  for (double& v : state.qvel) v = 0.3 * random();
  out.workspace = std::make_unique<StepWorkspace<double>>(world);
  RobotData<double> data(world.robot);
  compute_positions(world.robot, state.qpos.data(), data);
  out.M = step_inertia(world, data);
  out.converged = step(world, make_control<double>(world.robot), state, *out.workspace).converged;
  list_results(world, *out.workspace);
  const auto& contact = std::get<PenaltyContact>(out.workspace->contact);
  const PenaltyWorkspace& p = contact.work;
  out.J.resize(3 * p.active_count, world.robot.velocity_size());
  for (int k = 0; k < p.active_count; ++k) {
    const SolePack<double>& sole =
        contact.soles.packs[contact.points.places[p.active[k].pack].sole_pack];
    out.J.middleRows<3>(3 * k) =
        point_jacobian(world.robot, data, sole.body[p.active[k].item], p.position[k]);
  }
  return out;
}

Eigen::VectorXd stacked(const std::vector<Vec3d>& vectors, int count) {
  Eigen::VectorXd out(3 * count);
  for (int k = 0; k < count; ++k) out.segment<3>(3 * k) << vectors[k].x, vectors[k].y, vectors[k].z;
  return out;
}

struct Touched {
  int points = 0, rank = 0, saturated = 0;
};

// Forces of a step from a random state, against the pseudo-inverse of the full system, saturated.
Touched expect_full_system(const std::string& name, unsigned seed, double depth) {
  const Step step = take_step(name, seed, depth, 1);  // cut once
  EXPECT_TRUE(step.converged);
  const PenaltyWorkspace& p = step.work();
  Touched out{p.active_count, 0, 0};
  if (p.active_count == 0) return out;
  const Eigen::MatrixXd W = step.J * step.M.ldlt().solve(step.J.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(W);
  const Eigen::VectorXd share = eigen.eigenvalues() / eigen.eigenvalues().maxCoeff();
  if (((share.array() > 1e-13) && (share.array() < 1e-5)).any()) return {};  // rank open to debate
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> full(W.rows(), W.cols());
  full.setThreshold(1e-9);
  full.compute(W);
  out.rank = static_cast<int>(full.rank());
  const Eigen::VectorXd F = full.solve(stacked(p.wanted, p.active_count));
  for (int k = 0; k < p.active_count; ++k) {
    const Vec3d f{F(3 * k), F(3 * k + 1), F(3 * k + 2)};
    const Vec3d kept = saturate(f, {0, 0, 1}, step.hard.friction, Clipping::radial);
    EXPECT_LT(norm(kept - p.impulse[k]), 1e-9 * F.norm()) << name << " " << seed << ", point " << k;
    out.saturated += norm(kept - f) > 0 ? 1 : 0;
  }
  return out;
}

TEST(PenaltyStep, ForcesAreThePseudoInversesOfTheFullSystem) {
  int deficient = 0, free_points = 0, most = 0;
  for (const char* name : {"ball", "box", "biped", "quadruped", "humanoid", "robosimian_planar",
                           "robosimian", "single_foot"}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      for (const double depth : {0.005, 0.03, 0.08}) {
        const Touched t = expect_full_system(name, seed, depth);
        deficient += t.points > 0 && t.rank < 3 * t.points ? 1 : 0;
        free_points += t.points - t.saturated;
        most = std::max(most, t.points);
      }
    }
  }
  EXPECT_GT(deficient, 20);    // more points than ways to move
  EXPECT_GT(free_points, 20);  // and forces that the cone leaves alone
  EXPECT_GT(most, 12);
}

// Random states whose wanted wrenches no forces in the cones have: forces and changes of velocity are
// complementary, by the full inertia. A point that pushes comes to its wanted normal velocity, one that does not
// is faster; one whose friction is not used up does not slip, else friction is against the rest of the slip.
TEST(PenaltyStep, WhatCannotBeSharedIsComplementary) {
  int slipping = 0, leaving = 0, carrying = 0;
  for (const char* name : {"box", "biped", "quadruped"}) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
      const Step step = take_step(name, seed, 0.03, 20000);
      const PenaltyWorkspace& p = step.work();
      const Eigen::VectorXd impulse = stacked(p.impulse, p.active_count);
      const Eigen::VectorXd reached = step.J * step.M.ldlt().solve(step.J.transpose() * impulse);
      const double fast = 1e-4 * reached.norm(), strong = 1e-9 * impulse.norm();
      std::vector<Vec3d> wanted(p.wanted);  // what rigid bodies can do of it
      for (int b = 0; b < p.body_count; ++b) {
        const PenaltyWorkspace::Body& body = p.bodies[b];
        double parts[6];
        project(body.basis, &p.position[body.first], &p.wanted[body.first], parts);
        for (int k = body.first; k < body.first + body.basis.count; ++k) {
          wanted[k] = point_vector(body.basis, p.position[k], parts);
        }
      }
      for (int k = 0; k < p.active_count; ++k) {
        const Vec3d f = p.impulse[k];
        const Vec3d lacking =
            wanted[k] - Vec3d{reached(3 * k), reached(3 * k + 1), reached(3 * k + 2)};
        const double slip = std::hypot(lacking.x, lacking.y), limit = step.hard.friction * f.z;
        EXPECT_GE(f.z, 0);
        EXPECT_LT(lacking.z, fast) << name << " " << seed << ", point " << k;
        if (f.z > strong) {
          EXPECT_GT(lacking.z, -fast) << name << " " << seed << ", point " << k;
        }
        leaving += f.z <= strong && lacking.z < -fast ? 1 : 0;
        carrying += f.z > strong ? 1 : 0;
        if (std::hypot(f.x, f.y) < limit * (1 - 1e-6)) {
          EXPECT_LT(slip, fast) << name << " " << seed << ", point " << k;
        } else if (slip > 10 * fast && limit > strong) {
          EXPECT_NEAR((f.x * lacking.x + f.y * lacking.y) / (slip * limit), 1, 1e-2)
              << name << " " << seed;
          ++slipping;
        }
      }
    }
  }
  EXPECT_GT(slipping, 5);
  EXPECT_GT(leaving, 5);
  EXPECT_GT(carrying, 20);
}

}  // namespace
}  // namespace footfall
