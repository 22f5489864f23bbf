// The step of eight robots, one per lane, compiled once for each instruction set.
#include "step/kernels.hpp"

FOOTFALL_STEP_LANES(FOOTFALL_KERNEL_SET) {
  report = footfall::compute_step(world, command, state, workspace);
}
