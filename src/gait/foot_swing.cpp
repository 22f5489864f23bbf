#include "footfall/gait/foot_swing.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {
namespace {

// From a to b between two times, along the quintic.
Moving move_between(double a, double b, double start, double end, double time) {
  const double span = end - start;
  const Moving q = quintic((time - start) / span);
  return {a + (b - a) * q.value, (b - a) * q.rate / span, (b - a) * q.acceleration / (span * span)};
}

}  // namespace

Moving quintic(double s) {
  const double x = std::clamp(s, 0.0, 1.0);
  const double y = 1 - x;
  return {x * x * x * (10 - 15 * x + 6 * x * x), 30 * x * x * y * y, 60 * x * y * (1 - 2 * x)};
}

SwingSample sample_swing(const FootSwing& swing, double time) {
  const double start = kSwingStart * swing.duration, end = kSwingEnd * swing.duration;
  const Moving x = move_between(swing.from.x, swing.to.x, start, end, time);
  const Moving y = move_between(swing.from.y, swing.to.y, start, end, time);
  const double turn = std::remainder(swing.to.yaw - swing.from.yaw, 2 * M_PI);
  const double half = 0.5 * swing.duration;
  const Moving z =
      time < half ? move_between(swing.start_height, swing.top_height, 0, half, time)
                  : move_between(swing.top_height, swing.end_height, half, swing.duration, time);
  return {{x.value, y.value, z.value},
          {x.rate, y.rate, z.rate},
          {x.acceleration, y.acceleration, z.acceleration},
          move_between(swing.from.yaw, swing.from.yaw + turn, start, end, time)};
}

}  // namespace footfall
