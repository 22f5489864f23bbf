// A settled bed as LAMMPS's data file.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "footfall/dem/engine.hpp"

namespace footfall {

using GrainPosition = std::array<double, 3>;  // of a centre, from the box's corner on the floor [m]

// Throws EngineError where the file is not whole.
std::vector<GrainPosition> read_grain_positions(const std::filesystem::path& file);

// Mean over square columns, a grain's diameter wide, of their highest grain's top [m].
double surface_height(const std::vector<GrainPosition>& grains, const BedOptions& options);

// Shortest way from the foot's surface to a grain's, negative where they overlap [m].
double clearance(const std::vector<GrainPosition>& grains, const Bed& bed, const GrainFoot& foot,
                 const FootPose& pose);

// Shortest way from the foot's surface to the floor and the side walls, along a path [m].
double wall_clearance(const Bed& bed, const GrainFoot& foot, const FootPose& pose);

}  // namespace footfall
