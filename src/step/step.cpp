// The step of one robot. Apart from step_lanes.cpp, so that both compile at the same time.
#include "footfall/step/step.hpp"

namespace footfall {

FOOTFALL_STEP_KERNELS(, double)

}  // namespace footfall
