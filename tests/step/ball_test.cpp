// A ball that is put together here, so that these tests need the core alone: also on machines that MuJoCo is not built for.
#include <gtest/gtest.h>

#include "footfall/error.hpp"
#include "footfall/kernels.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/step/step.hpp"
#include "support/made_robots.hpp"

namespace footfall {
namespace {

constexpr double kMass = 1, kRadius = 0.1, kStiffness = 5e3;

World make_ball_world() {
  RobotModel ball = testing::make_ball(kRadius);
  Soles soles = make_soles(ball, find_feet(ball), true, ball.qpos0);
  const CompliantGround<double> soft{kStiffness, 1, 60, 0, 1, 4e3, 50, 0.6};
  return make_world(std::move(ball), {}, SoilGround{{{"soft", soft}}}, std::move(soles), {});
}

TEST(HandMadeBall, RestsWhereItsWeightOverTheStiffnessSays) {
  const World world = make_ball_world();
  State<double> state = make_state<double>(world, world.robot.qpos0);
  StepWorkspace<double> workspace(world);
  const Control<double> control = make_control<double>(world.robot);
  for (int k = 0; k < 3000; ++k) {
    ASSERT_TRUE(step(world, control, state, workspace).converged) << "step " << k;
  }
  EXPECT_NEAR(kRadius - state.qpos[2], kMass * 9.81 / kStiffness, 1e-7);
}

// The same fall, alone and in lanes that start at different heights.
TEST(HandMadeBall, FallsInEveryLaneAsItDoesAlone) {
  const World world = make_ball_world();
  State<Lane8> lanes = make_state<Lane8>(world, world.robot.qpos0);
  for (int i = 0; i < kLaneCount; ++i) lanes.qpos[2].set(i, kRadius + 0.01 * i);
  StepWorkspace<Lane8> lane_workspace(world);
  const Control<Lane8> lane_control = make_control<Lane8>(world.robot);
  for (int k = 0; k < 300; ++k) {
    ASSERT_TRUE(all(step(world, lane_control, lanes, lane_workspace).converged)) << "step " << k;
  }
  StepWorkspace<double> workspace(world);
  const Control<double> control = make_control<double>(world.robot);
  for (int i = 0; i < kLaneCount; ++i) {
    State<double> state = make_state<double>(world, world.robot.qpos0);
    state.qpos[2] = kRadius + 0.01 * i;
    for (int k = 0; k < 300; ++k) step(world, control, state, workspace);
    EXPECT_NEAR(lanes.qpos[2][i], state.qpos[2], 1e-10) << "lane " << i;
    EXPECT_NEAR(lanes.qvel[2][i], state.qvel[2], 1e-8) << "lane " << i;
  }
}

// A step whose report goes to a place on the stack that is aligned as the caller pleases.
template <int bytes>
[[gnu::noinline]] void step_from(const World& world, const Control<Lane8>& control,
                                 State<Lane8>& state, StepWorkspace<Lane8>& workspace) {
  volatile char pad[bytes];
  pad[0] = 1;
  step(world, control, state, workspace);
  EXPECT_EQ(pad[0], 1);
}

TEST(HandMadeBall, StepsInLanesFromAnyPlaceOnTheStack) {
  const World world = make_ball_world();
  State<Lane8> state = make_state<Lane8>(world, world.robot.qpos0);
  StepWorkspace<Lane8> workspace(world);
  const Control<Lane8> control = make_control<Lane8>(world.robot);
  step_from<16>(world, control, state, workspace);
  step_from<32>(world, control, state, workspace);
  step_from<48>(world, control, state, workspace);
  step_from<64>(world, control, state, workspace);
  EXPECT_NEAR(state.time[0], 4 * world.options.timestep, 1e-15);
}

TEST(KernelSets, TakeTheOneThatIsAskedFor) {
  const std::string_view widest = choose_kernel_set("");
  EXPECT_EQ(choose_kernel_set(std::string(widest)), widest);
  EXPECT_EQ(choose_kernel_set(std::string(kernel_sets().front())), kernel_sets().front());
}

TEST(KernelSets, NameWhatTheyDoNotKnow) {
  try {
    choose_kernel_set("v9");
    FAIL() << "v9 was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("FOOTFALL_KERNELS = 'v9', expected one of: "),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace footfall
