// Robots on hard ground by penalty contact.
#pragma once

#include <string>
#include <utility>

#include "support/worlds.hpp"

namespace footfall::testing {

struct Hard {
  double friction = 0.8;
  double timestep = 1e-3;
  PenaltyModel model{};
  Terrain terrain{};
  bool body_contacts = true;
};

inline World make_hard_world(RobotModel robot, const Hard& hard) {
  StepOptions options;
  options.timestep = hard.timestep;
  Soles soles = make_soles(robot, find_feet(robot), hard.body_contacts, standing_pose(robot),
                           SolePoints::corners);
  return make_world(std::move(robot), hard.terrain,
                    PenaltyGround{hard.model, {{"hard", hard.friction}}}, std::move(soles),
                    options);
}
inline World make_hard_world(const std::string& name, const Hard& hard) {
  return make_hard_world(load_robot(robot_file(name)), hard);
}

}  // namespace footfall::testing
