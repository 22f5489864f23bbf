// A program outside of Footfall on the installed library: a ball comes to rest where weight over
// stiffness says. Headers, archive, MuJoCo and the installed robots must all be found.
#include <cmath>
#include <cstdio>
#include <string_view>

#include "footfall/mujoco/load.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/step/step.hpp"
#include "footfall/version.hpp"

int main() {
  using namespace footfall;
  const std::string_view description = build_description();
  std::printf("%.*s\n", static_cast<int>(description.size()), description.data());
  if (description.find(version) == std::string_view::npos) return 1;

  RobotModel ball = load_robot(FOOTFALL_DATA_DIR "/robots/ball.xml");
  const std::vector<double> pose = standing_pose(ball);
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
