// Gora and Dutta 2025, Foot-terrain deformation based parameters identification of MuJoCo for simulation
// of bipedal locomotion on deformable terrain: numbers and figures in real MuJoCo. docs/reproduce.md
#pragma once

#include "footfall/reproduce/reproduction.hpp"

namespace footfall {

// Reads robots/humanoid.xml; throws InputError where it is not found.
Reproduction reproduce_gora2025(const ShareDone& progress = {});

}  // namespace footfall
