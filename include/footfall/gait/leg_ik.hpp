// Inverse kinematics of one leg: joint angles that bring its sole to a wanted place.
//
// Newton's method with damped least squares (Levenberg–Marquardt) on the position of the sole and, of
// a flat one, its orientation. Redundant joints stay near where they were: start from the last pose.
#pragma once

#include "footfall/gait/legs.hpp"

namespace footfall {

struct SoleTarget {
  Vec3d position{0, 0, 0};                  // p_WS [m]
  Mat3d orientation = identity3<double>();  // R_WS; only of flat soles
};

struct IkResult {
  bool reached = false;       // within 1 µm and 1 µrad
  double position_error = 0;  // [m]
  double rotation_error = 0;  // [rad]
};

// Moves the leg's joints in `qpos`, within their limits; all else in it, the base in particular, stays.
// A place that cannot be reached gives the nearest pose, and says so. `data` is scratch.
IkResult solve_leg(const RobotModel& model, const Leg& leg, const SoleTarget& target,
                   RobotData<double>& data, std::vector<double>& qpos);

// Joint velocities of the leg, written into qvel, that move its sole with the given velocity (and a
// flat one with the given rate of turn, frame W), the base moving as qvel says. After
// compute_positions. Least squares, damped near singular poses.
void solve_leg_velocity(const RobotModel& model, const RobotData<double>& data, const Leg& leg,
                        const Vec3d& velocity, const Vec3d& angular_velocity,
                        std::vector<double>& qvel);

}  // namespace footfall
