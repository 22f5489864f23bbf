// What was learned from a wrench database, as a file of plain numbers: all that a WrenchModel is made of, so that it can
// be read where nothing can be learned, as in MuJoCo's plugin. Text, a word and its numbers on each line:
//
//   footfall-wrenches 1
//   medium beads
//   foot 0 0.04 0 0 0.308 0.25          GrainFoot: shape, radius, length_x, width_y, height, reference_height [m]
//   kernel 4 0.09 0.6 0.001 0 0         Hyperparameters, in their order
//   reach 0.12 0.6                      deepest [m], largest tilt [rad]
//   directions 26  …                    x, z [m/s], tilt [rad/s] of each
//   configurations 9  …                 depth [m], tilt [rad] of each
//   even 858  …                         WrenchExpansion::even, odd
//   odd 780  …
#pragma once

#include <filesystem>
#include <string>

#include "footfall/ground/wrench_model.hpp"

namespace footfall {

struct MediumFile {
  std::string medium;
  WrenchExpansion expansion;
};

// Throws InputError with the file, what is wrong in it and what is expected.
MediumFile read_medium_file(const std::filesystem::path& file);
// Read again it gives the same bits. Throws InputError where it cannot be written.
void write_medium_file(const std::filesystem::path& file, const MediumFile& medium);

}  // namespace footfall
