// What a granular medium did to one foot: the wrenches that it met at each configuration, moving in each
// of m directions (Zhu, Jabalameli, Hauser 2019, III.B). Measured on a robot, or sampled in DEM.
//
// Frame, depth, tilt and wrench are those of ground/wrench_model.hpp.
//
// A mirrored motion meets a mirrored wrench: (d, −φ), (−v_x, v_z, −φ̇) has (−f_x, f_z, −τ).
//
// The file is CSV, one row for each configuration and direction, headed by comment lines that are a
// TOML document once their '#' is taken away: medium, foot, directions, number of rows, where it came from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "footfall/ground/wrench_model.hpp"

namespace footfall {

struct WrenchDatabase {
  std::string medium;                             // "beads"
  GrainFoot foot;                                 // that was driven
  std::string source;                             // the command or the file that it came from
  std::vector<PlanarVelocity> directions;         // m of them
  std::vector<FootConfiguration> configurations;  // n of them, depth > 0
  std::vector<PlanarWrench> wrenches;             // [configuration · m + direction]

  const PlanarWrench& at(std::size_t configuration, std::size_t direction) const {
    return wrenches[configuration * directions.size() + direction];
  }
};

// m directions on the unit sphere in spherical coordinates, as the paper's, scaled by the speeds. m = 26 is
// two poles and three rings of eight, 58 two poles and seven rings of eight. The first is the pole of pure
// tilting with φ̇ > 0, the last the other one; rings come in the order of falling φ̇, and each starts
// straight down (0, −1) and turns towards +x: (1, −1)/√2, (1, 0), … The directions are closed under
// mirroring, bit by bit. Throws InputError for any other m.
std::vector<PlanarVelocity> velocity_directions(int count, const PlanarVelocity& speeds);

// For each direction the one that mirrors it, (−v_x, v_z, −φ̇). Throws InputError where there is none: W of
// a foot that leans the other way needs it.
std::vector<int> mirrored_directions(const std::vector<PlanarVelocity>& directions);

// Throws InputError, with file and line, for anything that is not a whole database: rows or directions
// missing, rows twice, numbers that are not finite, a depth that is not positive.
WrenchDatabase read_wrench_database(const std::filesystem::path& file);

// The file is there as a whole or not at all, and read again it gives the same bits. Throws InputError
// for what reading would refuse, and where it cannot be written.
void write_wrench_database(const std::filesystem::path& file, const WrenchDatabase& database);

// What a message calls a shape: "cylinder".
const char* shape_name(GrainFootShape shape);

// Wrenches that others measured, as a database.
//
// CSV with one row for each configuration and direction; columns depth_m, tilt_rad, velocity_index (or
// direction), force_x_N, force_z_N, torque_y_Nm, in any order. Directions are counted as
// velocity_directions() does. Depths may be negative in the ground, as in Zhu 2019, if all are. Rows at zero
// depth must be zero and are dropped. A configuration may be missing, a direction of one may not.
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
