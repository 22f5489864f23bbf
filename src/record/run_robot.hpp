// The robot and the ground in a run file: what is needed to draw a run without any other file.
#pragma once

#include <string>
#include <vector>

#include "footfall/ground/world.hpp"
#include "io/hdf5.hpp"
#include "record/soil_texts.hpp"

namespace footfall::record {

// Writes groups /robot and /terrain.
void write_robot(hid_t file, const World& world, const std::string& file_name);
void write_terrain(hid_t file, const World& world, const std::string& file_name);

}  // namespace footfall::record
