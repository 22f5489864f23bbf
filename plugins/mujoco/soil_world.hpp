// The ground's side of a model: what the plugin's configuration makes of it.
#pragma once

#include <mujoco/mujoco.h>

#include <vector>

#include "footfall/ground/world.hpp"

namespace footfall {

// Names of the configuration's attributes, null at the end.
extern const char* const kSoilAttributes[];
extern const int kSoilAttributeCount;

struct SoilWorld {
  World world;              // its robot: a free body for each of `bodies`
  std::vector<int> bodies;  // MuJoCo's, of the world's bodies from [1] on
  std::vector<int> geoms;   // MuJoCo's, taken as soles
  int ground = -1;          // MuJoCo's geom
  std::vector<int> dofs;    // of all trees that have one of the bodies, ascending
  int prints = 0;           // how many footprints are remembered
};

// Throws InputError with what is wrong: attribute, value, what is expected.
SoilWorld make_soil_world(const mjModel& m, int instance);

}  // namespace footfall
