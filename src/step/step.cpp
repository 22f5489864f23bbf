// The step of one robot, compiled once for each instruction set. Apart from step_lanes.cpp, so that both
// compile at the same time.
#include "step/kernels.hpp"

FOOTFALL_STEP_ONE(FOOTFALL_KERNEL_SET) {
  report = footfall::compute_step(world, command, state, workspace);
}
