// The articulated Newton solve by a second route: the same problem with a dense mass matrix.
#include "footfall/solver/solve.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/worlds.hpp"

namespace footfall {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::Random;

MatrixXd dense_mass(const World& world, const RobotData<double>& data) {
  const int nv = world.robot.velocity_size();
  std::vector<RigidInertia<double>> composite(world.robot.bodies.size());
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(nv, nv);
  mass_matrix(world.robot, data, composite, M.data());
  return M;
}

MatrixXd point_rows(const World& world, const RobotData<double>& data,
                    const ContactPoint<double>& p) {
  const int nv = world.robot.velocity_size();
  Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor> J(6, nv);
  point_jacobian(world.robot, data, p.body, p.p_OC + tree_origin(world.robot, data, p.body),
                 J.data());
  return J;
}

class ArticulatedNewton : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Robots, ArticulatedNewton,
                         ::testing::Values("ball", "box", "single_foot", "quadruped", "humanoid",
                                           "biped", "robosimian_planar", "robosimian"),
                         [](const auto& test) { return std::string(test.param); });

// At the solution M(v − v_free) + Jᵀ∇ℓ + Σ rows = 0, with M by composite bodies, C by RNEA, J by
// columns: none of it shared with the articulated sweep.
TEST_P(ArticulatedNewton, SatisfiesTheDenseMomentumBalance) {
  StepOptions options;
  options.timestep = 1e-3;
  options.integrator = Integrator::implicitfast;
  const World world = testing::make_test_world(GetParam(), testing::table_4()[4].ground, options);
  const int nv = world.robot.velocity_size();
  Random random(3);
  int touched = 0;
  for (int trial = 0; trial < 60; ++trial) {
    State<double> state = make_state<double>(world, standing_pose(world.robot));
    for (double& v : state.qvel) v = random();
    if (world.robot.joints[0].type == JointType::free) state.qpos[2] += 2e-3 * random();
    Control<double> command = make_control<double>(world.robot);
    for (double& u : command.control) u = random();
    StepWorkspace<double> w(world);
    const State<double> before = state;
    const SolverReport<double> report = step(world, command, state, w);
    ASSERT_TRUE(report.converged) << "trial " << trial;
    list_results(world, w);
    touched += !w.points.empty() ? 1 : 0;

    const MatrixXd M = dense_mass(world, w.data);
    std::vector<Wrench<double>> scratch(world.robot.bodies.size());
    VectorXd C(nv);
    bias_force(world.robot, w.data, scratch, C.data());
    const VectorXd v0 = Eigen::Map<const VectorXd>(before.qvel.data(), nv);
    const VectorXd v1 = Eigen::Map<const VectorXd>(state.qvel.data(), nv);
    VectorXd balance = M * (v1 - v0) + options.timestep * C;
    double scale = balance.lpNorm<Eigen::Infinity>();
    for (int d = 0; d < nv; ++d) {  // damping, and explicit actuator impulses
      balance[d] += options.timestep * world.robot.dofs[d].damping * v1[d];
    }
    for (int i = 0; i < static_cast<int>(world.robot.actuators.size()); ++i) {
      const Actuator& a = world.robot.actuators[i];
      if (a.bias2 != 0) continue;  // a servo: among the rows
      double u = command.control[i];
      if (a.control_limited) u = std::fmin(std::fmax(u, a.control_lower), a.control_upper);
      balance[a.dof] -= options.timestep * a.gear * a.gain * u;
    }
    for (const ContactPoint<double>& p : w.points) {
      Eigen::Matrix<double, 6, 1> wrench;
      const Vec3d moment = p.spin_gradient * p.normal + p.couple;
      wrench << moment.x, moment.y, moment.z, p.gradient.x, p.gradient.y, p.gradient.z;
      balance += point_rows(world, w.data, p).transpose() * wrench;
    }
    for (const JointRow<Pack<double>>& r : w.rows) {
      for (int item = 0; item < pack_size<double>; ++item) {
        const int dof = w.tree.slots[r.slot].dof[item];
        if (dof >= 0) balance[dof] += r.gradient[item];
      }
    }
    // the solver's own tolerance (1e-8 of the largest force) times a lever of at most 1 m
    EXPECT_LT(balance.lpNorm<Eigen::Infinity>(), 3e-8 * (scale + world.force_scale * 1e-3))
        << "trial " << trial;
  }
  EXPECT_GT(touched, 10);
}

TEST(ArticulatedNewton, SaysThatItFailedWhenItIsNotGivenTheIterations) {
  StepOptions options;
  options.solver.max_iterations = 1;
  const World world = testing::make_test_world("quadruped", testing::table_4()[0].ground, options);
  State<double> state = make_state<double>(world, standing_pose(world.robot));
  state.qpos[2] += 1e-4;
  for (double& v : state.qvel) v = -1.0;  // a violent landing, twisted
  StepWorkspace<double> w(world);
  bool failed = false;
  double residual = 0;
  const Control<double> command = make_control<double>(world.robot);
  for (int k = 0; k < 50; ++k) {
    const SolverReport<double> report = step(world, command, state, w);
    if (!report.converged) {
      failed = true;
      residual = std::fmax(residual, report.residual);
    }
  }
  EXPECT_TRUE(failed);
  EXPECT_GT(residual, 0);
}

}  // namespace
}  // namespace footfall
