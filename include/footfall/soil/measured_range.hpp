// Whether a soil is used beyond what it was measured with.
#pragma once

#include <string>

#include "footfall/soil/soil.hpp"

namespace footfall {

// What a foot of this contact width [m], sinkage [m] and sinkage rate [m/s] asks beyond the soil's
// measured range: "contact width 20 mm, measured 60 to 120 mm; sinkage 80 mm, measured to 30 mm".
// Empty: nothing, or the range is not known.
std::string outside_measured_range(const PlasticSoil& soil, double width, double sinkage,
                                   double rate);

}  // namespace footfall
