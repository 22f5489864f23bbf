// Measurements of a world after a step: what happened under the feet, and energies.
#pragma once

#include "footfall/ground/foot_patch.hpp"
#include "footfall/step/energy.hpp"
#include "footfall/step/step.hpp"

namespace footfall {

// Patches of all feet after a step; `patches` has one entry per foot and is overwritten.
void summarize_feet(const World& world, const State<double>& state,
                    StepWorkspace<double>& workspace, std::vector<FootPatch>& patches);

// Energy of the state; the ground's part is that of the soles' present sinkage and shear.
// Overwrites the workspace: call it after summarize_feet.
Energy measure_energy(const World& world, const State<double>& state,
                      StepWorkspace<double>& workspace);

}  // namespace footfall
