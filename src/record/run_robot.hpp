// The robot and the ground in a run file: what is needed to draw a run without any other file.
#pragma once

#include <string>

#include "footfall/simulate/world.hpp"
#include "record/hdf5.hpp"

namespace footfall::record {

// Writes groups /robot and /terrain.
void write_robot(hid_t file, const RobotModel& robot, const std::string& file_name);
void write_terrain(hid_t file, const Terrain& terrain, const std::string& file_name);

}  // namespace footfall::record
