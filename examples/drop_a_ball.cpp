// Drops a ball on soft ground and waits until it rests: the shortest program that uses the library.
#include <cmath>
#include <cstdio>

#include "footfall/mujoco/load.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/step/simulation.hpp"

int main(int argc, char** argv) {
  using namespace footfall;
  RobotModel ball = load_robot(argc > 1 ? argv[1] : "robots/ball.xml");
  std::vector<double> pose = standing_pose(ball);
  Soles soles = make_soles(ball, find_feet(ball), true, pose);
  const CompliantGround<double> soft{.stiffness = 5e3,  // N/m
                                     .exponent = 1,
                                     .damping = 60,  // N s/m
                                     .damping_exponent = 0,
                                     .rate_exponent = 1,
                                     .shear_stiffness = 4e3,  // N/m
                                     .shear_damping = 50,     // N s/m
                                     .friction_coefficient = 0.6};
  pose[2] += 0.1;  // m above the ground
  Simulation sim(
      make_world(std::move(ball), {}, SoilGround{{{"soft", soft}}}, std::move(soles), {}), pose);
  while (sim.time() < 3) {
    if (!sim.step(300).converged) return 1;
    std::printf("%5.2f s  height %8.5f m\n", sim.time(), sim.qpos()[2]);
  }
  const double sinkage = sim.feet()[0].sinkage;
  const double expected = sim.world().force_scale / soft.stiffness;  // weight over stiffness
  std::printf("sinkage %.6f mm, weight/stiffness %.6f mm\n", 1e3 * sinkage, 1e3 * expected);
  return std::abs(sinkage - expected) < 1e-6 * expected ? 0 : 1;
}
