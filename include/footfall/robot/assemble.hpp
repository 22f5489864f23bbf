// A robot that is put together in a program, or read from our own file: its parts are checked and
// numbered here. (mujoco/load.hpp takes the numbers from MuJoCo.)
#pragma once

#include <optional>
#include <string>

#include "footfall/robot/model.hpp"

namespace footfall {

// What is wrong with a robot, in the words of docs/robot-file.md.
struct RobotFault {
  std::string list;  // "bodies"; empty: not in a list
  int index = 0;     // in that list
  std::string key;   // "mass_kg"
  std::string what;  // "= -1, expected 0 or more"

  std::string message() const;  // "key 'bodies[3].mass_kg' = -1, expected 0 or more"
};

// Fills what follows from the order of bodies and joints, and returns the first fault, if any; then
// the robot is not usable. Needs: bodies (parents first, [0] the world) without root, first_joint,
// joint_count; joints (by body) without q_index and v_index; dofs without joint, body, parent.
[[nodiscard]] std::optional<RobotFault> assemble_robot(RobotModel& model);

}  // namespace footfall
