// MuJoCo as the carrier of our feet: its inertia, its free motion and its constraints, as carried_feet.hpp asks for.
#pragma once

#include <array>

#include "carried_feet.hpp"
#include "footfall/ground/foot_patch.hpp"
#include "mujoco/soil_memory.hpp"
#include "mujoco/soil_world.hpp"

namespace footfall {

// What one mjData needs of one instance of the plugin: constants and scratch, no memory.
struct SoilInstance {
  SoilInstance(const mjModel& m, const SoilConfig& config);

  SoilWorld soil;
  SoilMemory memory;
  CarriedFeet feet;
  bool is_computed = false;  // feet hold what the current step found
  // for readers
  RobotData<double> data;
  std::vector<ContactPoint<double>> points;
  std::vector<FootPatch> patches;
  // scratch
  std::vector<int> local;       // of each dof of the model: its number among soil.dofs, or −1
  std::vector<double> numbers;  // of dofs
  std::array<std::vector<double>, 4> kept;  // MuJoCo's own, to be put back
};

// Finds the forces of the ground in this state and adds them to qfrc_passive.
void apply_soil(const mjModel& m, mjData& d, const mjtNum* state, SoilInstance& soil);
// What the ground remembers of the step that was just taken.
void commit_soil(const mjData& d, mjtNum* state, SoilInstance& soil);

}  // namespace footfall
