// Worlds for tests: a robot of robots/, a soil of Ding 2013, Table 4, flat or sloping ground.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "footfall/mujoco/load.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/step/step.hpp"
#include "footfall/terrain/plane.hpp"

namespace footfall::testing {

// Ding 2013, Table 4: k_TN, b_TN, k_TT, b_TT; friction is ours, high enough for the slopes used.
struct TableSoil {
  const char* name;
  CompliantGround<double> ground;
};
inline std::vector<TableSoil> table_4() {
  const auto soil = [](double k, double b, double k_t, double b_t) {
    return CompliantGround<double>{k, 1, b, 0, 1, k_t, b_t, 0.8};
  };
  return {{"concrete", soil(3.4e9, 1.8e5, 2.6e9, 1.5e5)},
          {"wood", soil(1.5e9, 1.2e5, 1.1e9, 1.0e5)},
          {"gravel", soil(2.3e7, 1.4e4, 1.7e7, 1.2e4)},
          {"sand", soil(9.1e6, 9.0e3, 6.9e6, 7.9e3)},
          {"compact_clay", soil(1.7e6, 3.9e3, 1.3e6, 3.4e3)},
          {"loose_clay", soil(3.4e5, 1.8e3, 2.6e5, 1.5e3)}};
}

inline std::string robot_file(const std::string& name) {
  return std::string(FOOTFALL_SOURCE_DIR) + "/robots/" + name + ".xml";
}

inline World make_test_world(const std::string& robot_name, const CompliantGround<double>& soil,
                             const StepOptions& options, Terrain terrain = {},
                             bool body_contacts = true) {
  RobotModel robot = load_robot(robot_file(robot_name));
  Soles soles = make_soles(robot, find_feet(robot), body_contacts, standing_pose(robot));
  return make_world(std::move(robot), std::move(terrain), SoilGround{{{"soil", soil}}},
                    std::move(soles), options);
}

// Where qpos has the robot's height.
inline int height_index(const World& world) {
  return world.robot.joints[0].type == JointType::free ? 2 : 1;
}

// Holds the standing pose: servos of the robot's own, or a PD on its motors.
template <class T>
Control<T> hold(const World& world, const std::vector<double>& qpos, double kp, double kd) {
  Control<T> command = make_control<T>(world.robot);
  for (std::size_t i = 0; i < world.robot.actuators.size(); ++i) {
    const Actuator& a = world.robot.actuators[i];
    const double target = qpos[world.robot.joints[a.joint].q_index];
    command.position[i] = T(target);
    if (a.bias1 == 0) {
      command.kp[i] = kp;
      command.kd[i] = kd;
    } else {
      command.control[i] = T(target);
    }
  }
  return command;
}

// A number in [−1, 1), the same on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  double operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1.0;
  }

 private:
  std::uint64_t state_;
};

}  // namespace footfall::testing
