// A run at a glance: one SVG file that needs nothing else.
#pragma once

#include <filesystem>

#include "footfall/ground/world.hpp"
#include "footfall/record/run_data.hpp"

namespace footfall {

// Draws the run: the robot on its ground at the start, at the hardest impact and at the end; what
// is under each foot at the end; and base height, forces, sinkage and solver iterations over time.
// Throws InputError if the run file cannot be read, is of another robot or has no rows, or if the
// picture cannot be written.
void write_picture(const std::filesystem::path& run_file, const World& world,
                   const std::filesystem::path& svg_file);
void write_picture(const RunData& run, const World& world, const std::filesystem::path& svg_file);

}  // namespace footfall
