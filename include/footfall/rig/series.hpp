// What a test on the rig records, row by row, and its CSV file: one column per field, the unit in
// the header, as `footfall identify` reads it back.
#pragma once

#include <filesystem>
#include <vector>

#include "footfall/math/spatial.hpp"

namespace footfall {

struct RigSample {
  double time = 0;                    // from the first touch [s]
  double body_sinkage = 0;            // of what presses on the pad: sinkage and pad [m]
  double body_rate = 0;               // [m/s]
  double sinkage = 0;                 // of the foot in the ground [m]
  double sinkage_rate = 0;            // [m/s]
  double normal_force = 0;            // of the ground on the foot [N]
  double pad_compression = 0;         // [m]
  double pad_force = 0;               // of the pad on the body; without pad the body's load [N]
  Vec3d shear_displacement{0, 0, 0};  // of the foot over the ground, in the tangent plane [m]
  Vec3d tangential_force{0, 0, 0};    // of the ground on the foot [N]
  double shear_strength = 0;          // the most that the tangential force can be [N]
  double mobilized_shear = 0;         // |tangential force| over that [-]
  double contact_area = 0;            // 0 where no sole was given [m²]
};

// Throws InputError when the file cannot be written.
void write_series(const std::vector<RigSample>& series, const std::filesystem::path& file);

}  // namespace footfall
