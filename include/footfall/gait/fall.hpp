// When a robot counts as fallen.
#pragma once

#include <string>

#include "footfall/gait/legs.hpp"

namespace footfall {

inline constexpr double kFallenTilt = 1.0;         // [rad]
inline constexpr double kFallenHeightShare = 0.5;  // of the standing height

struct Fall {
  double time = 0;          // [s]
  Vec3d position{0, 0, 0};  // of the base [m]
  double tilt = 0;          // [rad]
  std::string reason;       // one sentence, with figures

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("time_s", time);
    archive("position_m", position);
    archive("tilt_rad", tilt);
    archive("reason", reason);
  }
};

// Of the base above its lowest sole [m]; after compute_positions.
double height_over_soles(const LeggedRobot& robot, const RobotData<double>& data);

// Where up of the upright base points, frame W; after compute_positions.
Vec3d base_up(const LeggedRobot& robot, const RobotData<double>& data);
// Its angle to the vertical [rad].
double base_tilt(const LeggedRobot& robot, const RobotData<double>& data);

// Fallen is a base that is tilted by more than kFallenTilt, or lower over its lowest sole than
// kFallenHeightShare of what it has standing.
bool has_fallen(const LeggedRobot& robot, const RobotData<double>& data, double standing_height);

}  // namespace footfall
