// What a user sees of the ground: numbers of each foot, arrows and footprints.
#pragma once

#include "carrier.hpp"

namespace footfall {

// A plugin sensor has these of each foot, in the order of the feet: force on it (x, y, z) [N], sinkage [m], slip [m/s],
// friction use [-].
inline constexpr int kFootNumbers = 6;

void write_sensors(const mjModel& m, mjData& d, int instance, SoilInstance& soil);
void draw_soil(const mjModel& m, const mjtNum* state, const mjvOption& option, SoilInstance& soil,
               mjvScene& scene);

}  // namespace footfall
