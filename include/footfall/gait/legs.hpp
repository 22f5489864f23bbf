// Legs: the joints between a robot's base and each of its feet, and the sole at the end.
#pragma once

#include <string>
#include <vector>

#include "footfall/foot/sole.hpp"
#include "footfall/robot/data.hpp"

namespace footfall {

// The sole's frame S has its origin in the middle of the sole's underside (of a ball: its lowest
// point), and the axes of the upright base when the robot stands in its pose.
struct Leg {
  std::string name;         // of its foot
  int foot = 0;             // index in Soles::feet
  int body = 0;             // that bears the sole
  std::vector<int> joints;  // hinges and slides from the base to the foot
  std::vector<int> q;       // of each joint: its coordinate in qpos
  std::vector<int> v;       // and its velocity in qvel
  Vec3d p_BS{0, 0, 0};      // the sole's frame in the body's [m]
  Mat3d R_BS = identity3<double>();
  std::vector<Vec3d> corners;  // where the sole carries, frame B [m]; a single one: it is round
  double radius = 0;           // of a round sole [m]

  bool is_flat() const { return corners.size() > 2; }
};

struct LeggedRobot {
  int base = 0;                // body with the free joint; the trunk
  int base_q = 0, base_v = 0;  // first of its coordinates and velocities
  // Axes of the base along which x is forwards, y left and z up: its own where its z points up in
  // the pose (within 45 degrees: it may stand on a slope), otherwise those of W there.
  Mat3d R_BU = identity3<double>();
  double mass = 0;           // [kg]
  std::vector<Leg> legs;     // in the order of Soles::feet
  std::vector<double> pose;  // in which it stands, as given
};

// The legs of a robot with a free base, from the soles of its feet. `pose` is one in which it stands.
// Throws InputError where there is no free base, or a foot without joints between base and sole.
LeggedRobot find_legs(const RobotModel& model, const Soles& soles, const std::vector<double>& pose);

// Where a sole is, after compute_positions, and how its origin moves, after compute_velocities.
Vec3d sole_position(const RobotData<double>& data, const Leg& leg);
Mat3d sole_rotation(const RobotData<double>& data, const Leg& leg);
Vec3d sole_velocity(const RobotModel& model, const RobotData<double>& data, const Leg& leg);

// Centre of mass p_WC and its velocity, after compute_positions and compute_velocities.
Vec3d center_of_mass(const RobotModel& model, const RobotData<double>& data);
Vec3d center_of_mass_velocity(const RobotModel& model, const RobotData<double>& data);

// Of each foot: the sum of its points' normal forces in the last step [N].
template <class Memory>
void foot_loads(const Soles& soles, const Memory& memory, std::vector<double>& loads) {
  loads.assign(soles.feet.size(), 0.0);
  for (std::size_t i = 0; i < soles.points.size(); ++i) {
    if (soles.points[i].foot >= 0) loads[soles.points[i].foot] += memory.normal_force[i];
  }
}

}  // namespace footfall
