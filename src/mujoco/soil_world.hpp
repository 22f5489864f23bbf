// The ground's side of a model: what the configuration of the plugin footfall.soil makes of it. For the plugin, and for
// the program that writes such a configuration.
#pragma once

#include <mujoco/mujoco.h>

#include <map>
#include <string>
#include <vector>

#include "footfall/ground/world.hpp"

namespace footfall {

// Names of the configuration's attributes, null at the end.
extern const char* const kSoilAttributes[];
extern const int kSoilAttributeCount;

// Values of attributes that are given.
using SoilConfig = std::map<std::string, std::string>;

struct SoilWorld {
  World world;              // its robot: a free body for each of `bodies`
  std::vector<int> bodies;  // MuJoCo's, of the world's bodies from [1] on
  std::vector<int> geoms;   // MuJoCo's, taken as soles
  int ground = -1;          // MuJoCo's geom
  std::vector<int> dofs;    // of all trees that have one of the bodies, ascending
  int prints = 0;           // how many footprints are remembered
};

// Throws InputError for an integrator whose step the plugin cannot foresee.
void refuse_integrator(const mjModel& m);

// Throws InputError with what is wrong: attribute, value, what is expected.
SoilWorld make_soil_world(const mjModel& m, const SoilConfig& config);

// What MuJoCo's compiler asks before it has meshes and keyframes, so that no world can be made: how many feet there
// are, and how many numbers of state. The latter is in the configuration, and checked once the world is there.
int count_sensor_feet(const mjModel& m, const SoilConfig& config);
int given_numbers(const SoilConfig& config);

}  // namespace footfall
