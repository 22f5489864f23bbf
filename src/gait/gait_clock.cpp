#include "footfall/gait/gait_clock.hpp"

#include <cmath>

#include "footfall/error.hpp"

namespace footfall {

GaitClock make_gait_clock(const TrotParameters& p) {
  GaitClock clock;
  if (p.gait == QuadrupedGait::trot) {
    clock.stride = p.stride_duration.value_or(0.5);
    clock.duty = p.duty.value_or(0.6);
    check_range("duty of a trot", clock.duty, 0.5, 0.74, "0.5 to 0.74: diagonal pairs");
    clock.offset = {0, 0.5, 0.5, 0};
  } else {
    clock.stride = p.stride_duration.value_or(0.9);
    clock.duty = p.duty.value_or(0.8);
    check_range("duty of a walk", clock.duty, 0.75, 0.95, "0.75 to 0.95: three feet stand");
    clock.offset = {0.75, 0.25, 0, 0.5};  // rear left, front left, rear right, front right
  }
  check_range("stride_duration_s", clock.stride, 0.1, 5, "0.1 to 5 s");
  clock.start = p.start_delay;
  if (p.stop_time) clock.stop = *p.stop_time;
  return clock;
}

double leg_phase(const GaitClock& clock, int leg, double time) {
  const double cycles = (time - clock.start) / clock.stride + clock.offset[leg];
  return cycles - std::floor(cycles);
}

}  // namespace footfall
