// A program outside of Footfall on the core alone: a ball of 1 kg, put together here, comes to rest where weight over
// stiffness says.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "footfall/robot/assemble.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/step/step.hpp"
#include "footfall/version.hpp"

namespace {

footfall::RobotModel make_ball() {
  using namespace footfall;
  RobotModel robot;
  robot.name = "ball";
  robot.bodies.resize(2);
  robot.bodies[0].name = "world";
  robot.bodies[1].name = "ball";
  robot.bodies[1].mass = 1;
  robot.bodies[1].inertia = {0.004, 0, 0, 0.004, 0, 0.004};
  robot.joints.push_back({.name = "root", .type = JointType::free, .body = 1});
  robot.dofs.resize(6);
  robot.geoms.resize(1);
  robot.geoms[0].name = "ball";
  robot.geoms[0].body = 1;
  robot.geoms[0].size = {0.1, 0, 0};
  robot.qpos0 = {0, 0, 0.1, 1, 0, 0, 0};
  if (const std::optional<RobotFault> fault = assemble_robot(robot)) {
    std::printf("%s\n", fault->message().c_str());
    std::exit(1);
  }
  return robot;
}

}  // namespace

int main() {
  using namespace footfall;
  const std::string_view description = build_description();
  std::printf("%.*s\n", static_cast<int>(description.size()), description.data());

  RobotModel ball = make_ball();
  const std::vector<double> pose = ball.qpos0;
  Soles soles = make_soles(ball, find_feet(ball), true, pose);
  const CompliantGround<double> soft{5e3, 1, 60, 0, 1, 4e3, 50, 0.6};
  const World world =
      make_world(std::move(ball), {}, SoilGround{{{"soft", soft}}}, std::move(soles), {});
  State<double> state = make_state<double>(world, pose);
  StepWorkspace<double> workspace(world);
  for (int k = 0; k < 3000; ++k) {
    if (!step(world, make_control<double>(world.robot), state, workspace).converged) return 1;
  }
  const double sinkage = pose[2] - state.qpos[2];
  std::printf("sinkage %.6f mm\n", 1e3 * sinkage);
  return std::abs(sinkage - 9.81 / 5e3) < 1e-6 ? 0 : 1;
}
