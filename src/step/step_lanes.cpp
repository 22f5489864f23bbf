// The step of eight robots, one per lane.
#include "footfall/step/step.hpp"

namespace footfall {

FOOTFALL_STEP_KERNELS(, Lane8)

}  // namespace footfall
