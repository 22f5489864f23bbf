#include "footfall/compare/compare.hpp"

#include <mujoco/mujoco.h>

#include "mujoco/model_text.hpp"
#include "mujoco/tricky_models.hpp"

namespace footfall::test {
namespace {

constexpr double kTolerance = 1e-10;

void expect_agreement(const std::filesystem::path& file) {
  const MjModelPtr theirs = load_mujoco_model(file);
  const RobotModel ours = build_robot(*theirs, file.string());
  const DynamicsComparison error = compare_dynamics(ours, *theirs, 200, 1);
  EXPECT_EQ(error.states, 200);
  EXPECT_LT(error.mass_matrix, kTolerance);
  EXPECT_LT(error.bias_force, kTolerance);
  EXPECT_LT(error.jacobian, kTolerance);
  EXPECT_LT(error.forward_dynamics, kTolerance);
}

class CompareRobots : public ::testing::TestWithParam<const char*> {};

TEST_P(CompareRobots, AgreeWithMuJoCo) { expect_agreement(robot_file(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Robots, CompareRobots,
                         ::testing::Values("ball", "box", "single_foot", "quadruped", "humanoid",
                                           "biped", "robosimian", "robosimian_planar"));

class CompareTrickyModels : public ::testing::TestWithParam<NamedModel> {};

TEST_P(CompareTrickyModels, AgreeWithMuJoCo) {
  const TextFile file(GetParam().text);
  expect_agreement(file.path());
}

INSTANTIATE_TEST_SUITE_P(Models, CompareTrickyModels, ::testing::ValuesIn(tricky_models()),
                         [](const auto& test) { return std::string(test.param.name); });

// The comparison must see an error where there is one.
TEST(Compare, SeesAWrongModel) {
  const MjModelPtr theirs = load_mujoco_model(robot_file("quadruped"));
  const RobotModel right = build_robot(*theirs, "quadruped");

  RobotModel heavier = right;
  heavier.bodies[2].mass *= 1.001;
  const DynamicsComparison mass = compare_dynamics(heavier, *theirs, 3, 1);
  EXPECT_GT(mass.mass_matrix, 1e-6);
  EXPECT_GT(mass.bias_force, 1e-6);
  EXPECT_LT(mass.jacobian, kTolerance);

  RobotModel longer = right;
  longer.bodies[4].position.z -= 1e-4;
  EXPECT_GT(compare_dynamics(longer, *theirs, 3, 1).jacobian, 1e-6);

  RobotModel damped = right;
  damped.dofs[8].damping += 0.01;
  const DynamicsComparison damping = compare_dynamics(damped, *theirs, 3, 1);
  EXPECT_GT(damping.forward_dynamics, 1e-6);
  EXPECT_LT(damping.bias_force, kTolerance);
  EXPECT_EQ(damping.largest(), damping.forward_dynamics);
}

TEST(Compare, IsTheSameForTheSameSeed) {
  const MjModelPtr theirs = load_mujoco_model(robot_file("humanoid"));
  const RobotModel ours = build_robot(*theirs, "humanoid");
  const DynamicsComparison a = compare_dynamics(ours, *theirs, 5, 7);
  const DynamicsComparison b = compare_dynamics(ours, *theirs, 5, 7);
  const DynamicsComparison c = compare_dynamics(ours, *theirs, 5, 8);
  EXPECT_EQ(a.forward_dynamics, b.forward_dynamics);
  EXPECT_NE(a.forward_dynamics, c.forward_dynamics);
}

TEST(Compare, LeavesTheirModelUnchanged) {
  const MjModelPtr theirs = load_mujoco_model(robot_file("ball"));
  const RobotModel ours = build_robot(*theirs, "ball");
  compare_dynamics(ours, *theirs, 1, 1);
  EXPECT_EQ(theirs->opt.disableflags, 0);
}

}  // namespace
}  // namespace footfall::test
