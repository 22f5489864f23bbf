#include "footfall/gait/fall.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {

double height_over_soles(const LeggedRobot& robot, const RobotData<double>& data) {
  double lowest = 1e300;
  for (const Leg& leg : robot.legs) lowest = std::min(lowest, sole_position(data, leg).z);
  return data.p_WB[robot.base].z - lowest;
}

Vec3d base_up(const LeggedRobot& robot, const RobotData<double>& data) {
  return data.R_WB[robot.base] * robot.R_BU.z;
}

double base_tilt(const LeggedRobot& robot, const RobotData<double>& data) {
  return std::acos(std::clamp(base_up(robot, data).z, -1.0, 1.0));
}

bool has_fallen(const LeggedRobot& robot, const RobotData<double>& data, double standing_height) {
  return base_tilt(robot, data) > kFallenTilt ||
         height_over_soles(robot, data) < kFallenHeightShare * standing_height;
}

}  // namespace footfall
