// Our dynamics against MuJoCo's, at random states of the same robot.
#pragma once

#include "footfall/robot/model.hpp"

struct mjModel_;

namespace footfall {

// The largest relative error over all states. Of one state it is
//
//   max|ours − MuJoCo's| / max(1e-300, max|MuJoCo's|)
//
// where the maxima run over the elements of one quantity: the matrix M(q), the vector C(q, v), the
// 6×nv Jacobians of one point on every body, the vector q̈.
struct DynamicsComparison {
  int states = 0;
  double mass_matrix = 0;       // M(q), armature included
  double bias_force = 0;        // C(q, v): gravity, Coriolis and centrifugal
  double jacobian = 0;          // angular and linear
  double forward_dynamics = 0;  // q̈ under random controls and joint forces: springs, damping,
  // gravity compensation, actuators; no contact, limit or dry friction

  double largest() const;
};

// Draws joint coordinates (within limits where there are any), velocities of the order of 1,
// controls half as wide again as their limits, and joint forces. The same seed gives the same
// states. `theirs` must be the model from which `ours` was built; it is not changed.
DynamicsComparison compare_dynamics(const RobotModel& ours, const mjModel_& theirs,
                                    int random_states, unsigned seed);

}  // namespace footfall
