// The mass matrix, its factor and its solution by two other routes: dense algebra (Eigen) and the
// articulated sweep, which never forms the matrix.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <filesystem>

#include "compare/random_state.hpp"
#include "footfall/robot/dynamics.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::VectorXd;

constexpr double kRelative = 1e-10;

std::vector<std::string> robot_names() {
  std::vector<std::string> names;
  const std::filesystem::path folder = std::filesystem::path(FOOTFALL_SOURCE_DIR) / "robots";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".xml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class MassMatrix : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Robots, MassMatrix, ::testing::ValuesIn(robot_names()),
                         [](const auto& test) { return test.param; });

// One random state with its mass matrix and its factor.
struct Sample {
  Sample(const RobotModel& model, const RandomState& state) : data(model) {
    compute_positions(model, state.qpos.data(), data);
    compute_velocities(model, state.qvel.data(), data);
    const int nv = model.velocity_size();
    M.resize(nv, nv);
    std::vector<RigidInertia<double>> composite(model.bodies.size());
    mass_matrix(model, data, composite, M.data());
    factor = M;
    factor_mass_matrix(model, factor.data());
  }
  RobotData<double> data;
  Matrix M, factor;
};

TEST_P(MassMatrix, IsTheProductOfItsFactors) {
  const RobotModel model = load_robot(testing::robot_file(GetParam()));
  RandomStates states(model, 1);
  for (int i = 0; i < 20; ++i) {
    const Sample sample(model, states.next());
    const Matrix L = sample.factor.triangularView<Eigen::UnitLower>();
    const Matrix product = L.transpose() * sample.factor.diagonal().asDiagonal() * L;
    EXPECT_LT((product - sample.M).norm(), kRelative * sample.M.norm());
    EXPECT_GT(sample.factor.diagonal().minCoeff(), 0);
  }
}

TEST_P(MassMatrix, SolvesAsDenseAlgebraDoes) {
  const RobotModel model = load_robot(testing::robot_file(GetParam()));
  RandomStates states(model, 2);
  for (int i = 0; i < 20; ++i) {
    const RandomState state = states.next();
    const Sample sample(model, state);
    VectorXd x = Eigen::Map<const VectorXd>(state.applied_force.data(), model.velocity_size());
    const VectorXd expected = sample.M.ldlt().solve(x);
    solve_mass_matrix(model, sample.factor.data(), x.data());
    EXPECT_LT((x - expected).norm(), kRelative * expected.norm());
  }
}

TEST_P(MassMatrix, AcceleratesAsTheArticulatedSweepDoes) {
  const RobotModel model = load_robot(testing::robot_file(GetParam()));
  RandomStates states(model, 3);
  for (int i = 0; i < 20; ++i) {
    const RandomState state = states.next();
    const Sample sample(model, state);
    const int nv = model.velocity_size();
    std::vector<Wrench<double>> wrench(model.bodies.size());
    VectorXd bias(nv);
    bias_force(model, sample.data, wrench, bias.data());
    VectorXd x = Eigen::Map<const VectorXd>(state.applied_force.data(), nv) - bias;
    solve_mass_matrix(model, sample.factor.data(), x.data());
    ArticulatedSweep<double> sweep(model);
    forward_dynamics(model, sample.data, state.applied_force.data(), sweep);
    const VectorXd expected = Eigen::Map<const VectorXd>(sweep.solution.data(), nv);
    EXPECT_LT((x - expected).norm(), kRelative * expected.norm());
  }
}

}  // namespace
}  // namespace footfall
