// A ball falls onto soft ground: the shortest program that uses the engine.
// Usage: drop_a_ball [robots/ball.xml]
#include <cmath>
#include <cstdio>

#include "footfall/mujoco/load.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/step/step.hpp"

int main(int argc, char** argv) {
  using namespace footfall;
  RobotModel ball = load_robot(argc > 1 ? argv[1] : "robots/ball.xml");
  std::vector<double> pose = standing_pose(ball);
  Soles soles = make_soles(ball, find_feet(ball), true, pose);
  const CompliantGround<double> soft{.stiffness = 5e3,
                                     .exponent = 1,
                                     .damping = 60,
                                     .damping_exponent = 0,
                                     .rate_exponent = 1,
                                     .shear_stiffness = 4e3,
                                     .shear_damping = 50,
                                     .friction_coefficient = 0.6};
  const World world =
      make_world(std::move(ball), Terrain{}, {"soft"}, {soft}, std::move(soles), {});

  const double touch = pose[2];  // height at which the ball just touches
  pose[2] += 0.1;
  State<double> state = make_state<double>(world, pose);
  const Control<double> command = make_control<double>(world.robot);
  StepWorkspace<double> workspace(world);
  for (int k = 0; k < 3000; ++k) {
    if (!step(world, command, state, workspace).converged) return 1;
    if (k % 300 == 0) std::printf("%5.2f s  height %8.5f m\n", state.time, state.qpos[2]);
  }
  const double sinkage = touch - state.qpos[2];
  const double expected = world.force_scale / soft.stiffness;  // weight over stiffness
  std::printf("sinkage %.6f mm, weight/stiffness %.6f mm\n", 1e3 * sinkage, 1e3 * expected);
  return std::abs(sinkage - expected) < 1e-6 * expected ? 0 : 1;
}
