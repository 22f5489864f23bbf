// Contact-free motion against real MuJoCo: Euler, implicitfast and RK4, step by step.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "footfall/mujoco/handle.hpp"
#include "footfall/step/rk4.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using testing::Random;

class FreeMotion : public ::testing::TestWithParam<std::tuple<const char*, mjtIntegrator>> {};
INSTANTIATE_TEST_SUITE_P(
    Robots, FreeMotion,
    ::testing::Combine(::testing::Values("ball", "box", "single_foot", "quadruped", "humanoid",
                                         "biped", "robosimian_planar", "robosimian"),
                       ::testing::Values(mjINT_EULER, mjINT_IMPLICITFAST, mjINT_RK4)),
    [](const auto& test) {
      const mjtIntegrator kind = std::get<1>(test.param);
      return std::string(std::get<0>(test.param)) + (kind == mjINT_EULER ? "_euler"
                                                     : kind == mjINT_RK4 ? "_rk4"
                                                                         : "_implicitfast");
    });

TEST_P(FreeMotion, FollowsMujocoToRoundOff) {
  const auto& [robot, integrator] = GetParam();
  if (std::string(robot) == "box" && integrator == mjINT_IMPLICITFAST) {
    GTEST_SKIP() << "with soft constraints only, see soft/lone_bodies.hpp";
  }
  MjModelPtr model = load_mujoco_model(testing::robot_file(robot));
  model->opt.integrator = integrator;
  model->opt.timestep = 1e-3;
  model->opt.disableflags |= mjDSBL_CONSTRAINT;
  MjDataPtr data = make_mujoco_data(*model);
  StepOptions options;
  options.timestep = 1e-3;
  options.joint_limits = options.joint_friction = false;
  options.integrator = integrator == mjINT_EULER ? Integrator::euler : Integrator::implicitfast;
  RobotModel ours = load_robot(testing::robot_file(robot));
  const World world = make_world(ours, {}, NoGround{}, {}, options);
  require_smooth(world);
  State<double> state = make_state<double>(world, standing_pose(world.robot));
  Random random(21);
  for (double& v : state.qvel) v = 0.3 * random();
  Control<double> command = make_control<double>(world.robot);
  for (std::size_t i = 0; i < command.control.size(); ++i) {
    const Actuator& a = world.robot.actuators[i];
    const bool servo = a.bias1 != 0;  // kept off its torque limit, where the two programs differ
    command.control[i] =
        servo ? state.qpos[world.robot.joints[a.joint].q_index] + 0.02 * random() : random();
    data->ctrl[i] = command.control[i];
  }
  std::copy(state.qpos.begin(), state.qpos.end(), data->qpos);
  std::copy(state.qvel.begin(), state.qvel.end(), data->qvel);
  StepWorkspace<double> workspace(world);
  Rk4Workspace<double> rk4(world);
  for (int k = 0; k < 300; ++k) {
    mj_step(model.get(), data.get());
    if (integrator == mjINT_RK4) {
      step_rk4(world, command, state, rk4);
    } else {
      step(world, command, state, workspace);
    }
    // round-off, grown over the steps so far: 300 steps of error 1e-14 each, times the growth of
    // a falling many-body system
    for (int i = 0; i < model->nq; ++i) {
      ASSERT_NEAR(state.qpos[i], data->qpos[i], 1e-10) << "step " << k << ", qpos " << i;
    }
    double speed = 1;
    for (int i = 0; i < model->nv; ++i) speed = std::fmax(speed, std::abs(data->qvel[i]));
    for (int i = 0; i < model->nv; ++i) {
      ASSERT_NEAR(state.qvel[i], data->qvel[i], 1e-9 * speed) << "step " << k << ", qvel " << i;
    }
  }
}

TEST(FreeMotion, Rk4RefusesWhatItCannotIntegrate) {
  StepOptions options;
  const World touching = testing::make_test_world("ball", testing::table_4()[0].ground, options);
  EXPECT_THROW(require_smooth(touching), InputError);
  const World limited =
      make_world(load_robot(testing::robot_file("quadruped")), {}, NoGround{}, {}, options);
  EXPECT_THROW(require_smooth(limited), InputError);
}

}  // namespace
}  // namespace footfall
