// RobotData: what the kernels compute about a robot in one state. All sizes are fixed when it is
// made, so kernels that fill it allocate nothing.
#pragma once

#include <vector>

#include "footfall/robot/model.hpp"

namespace footfall {

template <class T>
struct RobotData {
  explicit RobotData(const RobotModel& model)
      : R_WB(model.bodies.size(), identity3<T>()), p_WB(model.bodies.size(), zero3<T>()),
        inertia(model.bodies.size()), S(model.dofs.size()), V(model.bodies.size(), zero6<T>()),
        A_bias(model.bodies.size(), zero6<T>()) {}

  // filled by compute_positions
  std::vector<Mat3<T>> R_WB;             // orientation of each body
  std::vector<Vec3<T>> p_WB;             // origin of each body [m]
  std::vector<RigidInertia<T>> inertia;  // of each body about its tree's O
  std::vector<Twist<T>> S;               // twist of each dof at unit speed, about O

  // filled by compute_velocities
  std::vector<Twist<T>> V;       // twist of each body about O [rad/s, m/s]
  std::vector<Twist<T>> A_bias;  // its spatial acceleration if all accelerations were zero,
                                 // gravity as an upward acceleration of the world
};

// The point O about which a body's twist, inertia and wrench are written.
template <class T>
const Vec3<T>& tree_origin(const RobotModel& model, const RobotData<T>& data, int body) {
  return data.p_WB[model.bodies[body].root];
}

}  // namespace footfall
