// Paths of a foot through grains, and what it met on them, as CSV files. Lines that begin with '#' are
// for people.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "footfall/dem/engine.hpp"

namespace footfall {

// Columns time_s, x_m, depth_m and tilt_rad; without x_m or tilt_rad these are zero. Throws InputError with the
// place of what is wrong.
std::vector<FootPose> read_foot_path(const std::filesystem::path& file);

// Those columns and force_x_N, force_y_N, force_z_N, torque_x_Nm, torque_y_Nm, torque_z_Nm. So a recording is a path,
// too.
std::vector<GrainSample> read_grain_samples(const std::filesystem::path& file);
void write_grain_samples(const std::filesystem::path& file, const std::vector<GrainSample>& samples,
                         const std::vector<std::string>& comments);

}  // namespace footfall
