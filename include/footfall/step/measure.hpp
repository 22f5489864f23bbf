// Measurements of a world after a step: what happened under the feet and at the rest of the body,
// momentum, energies.
#pragma once

#include "footfall/ground/body_contacts.hpp"
#include "footfall/ground/foot_patch.hpp"
#include "footfall/step/energy.hpp"
#include "footfall/step/step.hpp"

namespace footfall {

// Patches of all feet after a step; `patches` has one entry per foot and is overwritten.
void summarize_feet(const World& world, const State<double>& state,
                    StepWorkspace<double>& workspace, std::vector<FootPatch>& patches);

// Forces on the robot's other parts after a step; `contacts` comes from make_body_contacts. Reads what
// list_results has written.
void summarize_body(const World& world, const StepWorkspace<double>& workspace,
                    BodyContacts& contacts);

// Momentum of the whole robot, frame W.
struct Momentum {
  Vec3d linear{0, 0, 0};  // after the step [N s]
  // What the step's forces made of the momentum: h times the sum of all forces of the ground and of
  // gravity on a robot that nothing else holds [N s]. It is not the difference of `linear` of two steps:
  // after the forces have acted the robot is moved with its new velocities, which turns its links and
  // by that changes the momentum a little (of order h²) without any force.
  Vec3d change{0, 0, 0};
};

// `before` is the state that the step started from. Overwrites `data`.
Momentum measure_momentum(const World& world, const State<double>& before,
                          const State<double>& after, RobotData<double>& data);

// Energy of the state; the ground's part is that of the soles' present sinkage and shear.
// Overwrites the workspace: call it after summarize_feet.
Energy measure_energy(const World& world, const State<double>& state,
                      StepWorkspace<double>& workspace);

}  // namespace footfall
