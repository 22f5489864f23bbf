#include "footfall/mujoco/load.hpp"
#include "footfall/robot/feet.hpp"
#include "io/data_folders.hpp"
#include "reproduce/rengifo2009_parts.hpp"

namespace footfall {
namespace rengifo2009 {

RobotModel load_named(const std::string& name) {
  return load_robot(find_file(robot_files(), name, ".", "rengifo2009"));
}

World make_hard_world(RobotModel robot, const HardGround& ground) {
  StepOptions options;
  options.timestep = ground.timestep;
  Soles soles =
      make_soles(robot, find_feet(robot), true, standing_pose(robot), SolePoints::corners);
  return make_world(std::move(robot), ground.terrain,
                    PenaltyGround{ground.model, {{"hard ground", ground.friction}}},
                    std::move(soles), options);
}

Vec3d ground_force(const StepWorkspace<double>& workspace) {
  Vec3d sum{0, 0, 0};
  for (const ContactPoint<double>& point : workspace.points) {
    sum += (-1 / point.step) * point.gradient;
  }
  return sum;
}

}  // namespace rengifo2009

Reproduction reproduce_rengifo2009(const ShareDone& progress) {
  Reproduction out;
  rengifo2009::add_ball(out);
  progress(0.3);
  rengifo2009::add_classical(out);
  rengifo2009::add_brick(out);
  progress(0.4);
  rengifo2009::add_clipping(out);
  rengifo2009::add_balance(out);
  rengifo2009::add_walk(out, [&](double share) { progress(0.4 + 0.6 * share); });
  return out;
}

}  // namespace footfall
