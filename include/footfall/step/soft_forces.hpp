// The forces of soft constraints, one by one, and inverse dynamics: which forces the constraints
// exert if the robot accelerates so, and what has to be applied to it beside them.
#pragma once

#include <vector>

#include "footfall/step/step.hpp"

namespace footfall {

// A contact in a step, in the contact's frame C (x along the normal).
struct SoftContactForce {
  int geom = 0;             // of the robot
  int plane = 0;            // of SoftModel
  Vec3d position{0, 0, 0};  // frame W [m]
  Mat3d R_WC = identity3<double>();
  double distance = 0;    // [m]
  Vec3d force{0, 0, 0};   // on the robot, frame C [N]
  Vec3d moment{0, 0, 0};  // about the contact point, frame C [N m]
};

struct SoftForces {
  std::vector<SoftContactForce> contacts;  // in the order of the world's pairings
  std::vector<double> joint_force;         // of limits and friction on each dof [N m or N]
};

// The forces at the trial velocity that the workspace was left with: after step(), those of the step.
SoftForces list_soft_forces(const World& world, const StepWorkspace<double>& workspace);

// Of a state in which the dofs accelerate by `acceleration` (as (v⁺ − v)/h, MuJoCo's qacc).
struct SoftInverse {
  SoftForces constraints;
  std::vector<double> constraint_force;  // of all constraints on each dof [N m or N]
  // What else has to act on each dof beside springs, damping, gravity and the constraints: MuJoCo's
  // qfrc_inverse. Actuators are part of it.
  std::vector<double> applied_force;
};
SoftInverse force_from_acceleration(const World& world, const State<double>& state,
                                    const std::vector<double>& acceleration,
                                    StepWorkspace<double>& workspace);

}  // namespace footfall
