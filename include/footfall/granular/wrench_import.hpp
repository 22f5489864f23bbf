// Wrenches that others measured, as a database.
//
// CSV with one row for each configuration and direction; columns depth_m, tilt_rad, velocity_index (or
// direction), force_x_N, force_z_N, torque_y_Nm, in any order. Directions are counted as
// velocity_directions() does. Depths may be negative in the ground, as in Zhu 2019, if all are. Rows at zero
// depth must be zero and are dropped. A configuration may be missing, a direction of one may not.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "footfall/granular/wrench_database.hpp"

namespace footfall {

struct ImportOptions {
  std::string medium;
  std::string source;  // as the database shall have it
  GrainFoot foot;
  PlanarVelocity speeds{0.02, 0.02, 0.3};  // along the ellipsoid's axes; Zhu 2019, IV.A, for sand
};

struct ImportedWrenches {
  WrenchDatabase database;
  std::vector<std::string> notes;  // on what was taken in which way
};

// Throws InputError with file and line.
ImportedWrenches import_wrenches(const std::filesystem::path& file, const ImportOptions& options);

}  // namespace footfall
