// Rengifo, Aoustin, Chevallereau and Plestan 2009, A penalty-based approach for contact forces
// computation in bipedal robots: figures and statements with our step. docs/reproduce.md
#pragma once

#include "footfall/reproduce/reproduction.hpp"

namespace footfall {

// Reads robots/ball.xml, box.xml and biped.xml; throws InputError where one is not found.
Reproduction reproduce_rengifo2009(const ShareDone& progress = {});

}  // namespace footfall
