// A run in a terminal: a line of blocks for the base's height and for each foot's force and sinkage.
#pragma once

#include <string>
#include <vector>

#include "footfall/record/run_data.hpp"

namespace footfall {

// Values as a row of blocks, the lowest and the highest a whole block apart; what is no number is a gap.
std::string sparkline(const std::vector<double>& values);

// The lines, names flush left, with the lowest and the highest value and its unit.
std::vector<std::string> run_lines(const RunData& run, const std::vector<double>& base_heights);

}  // namespace footfall
