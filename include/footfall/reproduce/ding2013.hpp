// Ding et al. 2013, Foot–terrain interaction mechanics for legged robots, IJRR 32(13): figures, tables
// and equations with our laws. docs/reproduce.md
#pragma once

#include "footfall/reproduce/reproduction.hpp"

namespace footfall {

// Reads the soil library; throws InputError where it is not found.
Reproduction reproduce_ding2013(const ShareDone& progress = {});

}  // namespace footfall
