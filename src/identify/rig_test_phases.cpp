#include <algorithm>
#include <cmath>

#include "identify/rig_test_parts.hpp"
#include "signal/noise.hpp"

namespace footfall {
namespace {

using Values = std::vector<double>;
using std::size_t;

constexpr double kTurnNoises = 8;      // noises of the position that a turn must exceed
constexpr double kWayRoundOff = 1e-6;  // of the depth, likewise
constexpr double kStep = 50;           // noises that a way must exceed to tell a speed
constexpr double kSlow = 0.1;          // of the usual speed: at rest
constexpr double kStillSlow = 0.2;     // and until the foot is faster than this
constexpr double kHoldNoise = 4;       // noises of the position that are rest
constexpr size_t kLeastHold = 5;       // samples

double depth_of(const Values& z, size_t first) {
  const auto [low, high] =
      std::minmax_element(z.begin() + static_cast<std::ptrdiff_t>(first), z.end());
  return *high - *low;
}

// At which speed half of the way was gone; 0: there was none.
double usual_speed(const Values& time, const Values& z, size_t first, double step) {
  Values speeds;
  size_t from = first;
  for (size_t i = first; i < z.size(); ++i) {
    if (std::abs(z[i] - z[from]) < step) continue;
    speeds.push_back(std::abs(z[i] - z[from]) / (time[i] - time[from]));
    from = i;
  }
  return median_of(std::move(speeds));
}

// Speed at each sample, over stretches long enough to tell it from noise: the mean of the positions
// after it minus the mean of those before, each over half of `span`. Where the foot turns it vanishes
// for a moment, no longer.
Values coarse_speed(const Values& time, const Values& z, size_t first, double span) {
  const size_t n = z.size();
  Values sum_z(n + 1, 0.0), sum_t(n + 1, 0.0), speed(n, 0.0);
  for (size_t i = first; i < n; ++i) {
    sum_z[i + 1] = sum_z[i] + (z[i] - z[first]);
    sum_t[i + 1] = sum_t[i] + (time[i] - time[first]);
  }
  const auto mean = [](const Values& sum, size_t from, size_t to) {  // of samples from … to
    return (sum[to + 1] - sum[from]) / static_cast<double>(to + 1 - from);
  };
  size_t from = first, to = first;
  for (size_t i = first; i < n; ++i) {
    while (time[from] < time[i] - 0.5 * span) ++from;
    while (to + 1 < n && time[to + 1] <= time[i] + 0.5 * span) ++to;
    const size_t low = std::min(from, i > first ? i - 1 : i);  // a neighbour at least
    const size_t high = std::max(to, std::min(i + 1, n - 1));
    speed[i] =
        (mean(sum_z, i, high) - mean(sum_z, low, i)) / (mean(sum_t, i, high) - mean(sum_t, low, i));
  }
  return speed;
}

// At rest: slower than a tenth of the usual speed, and for longer than a turn takes.
std::vector<bool> find_rest(const Values& time, const Values& z, size_t first) {
  const size_t n = z.size();
  const double depth = depth_of(z, first);
  const double step = std::min(std::max(kStep * noise_of(z), 0.01 * depth), depth / 3);
  const double usual = depth > 0 ? usual_speed(time, z, first, step) : 0;
  if (!(usual > 0) || n - first < 2) return std::vector<bool>(n, true);
  const double span = step / usual;
  const Values speed = coarse_speed(time, z, first, span);
  const double tolerance = std::max(kHoldNoise * noise_of(z), kWayRoundOff * depth);
  std::vector<bool> rest(n, false);
  for (size_t i = first; i < n; ++i) {
    if (std::abs(speed[i]) >= kSlow * usual) continue;
    size_t begin = i, end = i;
    while (end < n && std::abs(speed[end]) < kStillSlow * usual) ++end;
    i = end - 1;
    if (end - begin < kLeastHold || time[end - 1] - time[begin] < 0.5 * span) continue;
    // The speed is blurred: the rest began, and ended, where the foot first and last was there.
    const double from = z[begin], to = z[end - 1];
    while (begin > first && std::abs(z[begin - 1] - from) <= tolerance) --begin;
    while (end < n && std::abs(z[end] - to) <= tolerance) ++end;
    std::fill(rest.begin() + static_cast<std::ptrdiff_t>(begin),
              rest.begin() + static_cast<std::ptrdiff_t>(end), true);
    i = end - 1;
  }
  return rest;
}

}  // namespace

std::vector<int> find_ways(const Values& values, size_t first, double hysteresis) {
  std::vector<int> ways(values.size(), 1);
  int way = 1;
  size_t extreme = first, marked = first;
  for (size_t i = first; i < values.size(); ++i) {
    const double ahead = way * (values[i] - values[extreme]);
    if (ahead > 0) {
      extreme = i;
    } else if (-ahead > hysteresis) {
      for (; marked <= extreme; ++marked) ways[marked] = way;
      way = -way;
      extreme = i;
    }
  }
  for (; marked < values.size(); ++marked) ways[marked] = way;
  return ways;
}

std::vector<Phase> find_phases(const RigTest& test, const ForceFloor& floor) {
  const Values &z = test.sinkage, &F = test.recording.normal_force;
  const size_t n = z.size(), first = static_cast<size_t>(test.contact);
  std::vector<Phase> phase(n, Phase::air);
  const double depth = depth_of(z, first);
  const double hysteresis = std::max(kTurnNoises * noise_of(z), kWayRoundOff * depth);
  const std::vector<int> ways = find_ways(z, first, hysteresis);
  const std::vector<bool> rest = find_rest(test.recording.time, z, first);
  bool turned = false, deeper = true;
  double deepest = z[first], before = z[first];  // so far, and before this way down
  for (size_t i = first; i < n; ++i) {
    if (i > first && ways[i] != ways[i - 1]) {
      turned = true;
      if (ways[i] > 0) before = deepest;
      deeper = false;
    }
    deepest = std::max(deepest, z[i]);
    deeper = deeper || z[i] > before + kWayRoundOff * depth;  // from now on, on this way
    if (i > first && (z[i] < 0 || F[i] <= floor.level) && turned) {
      phase[i] = Phase::air;
    } else if (rest[i]) {
      phase[i] = Phase::holding;
    } else if (ways[i] < 0) {
      phase[i] = Phase::unloading;
    } else {
      phase[i] = deeper ? Phase::loading : Phase::reloading;
    }
  }
  return phase;
}

void mark_impact(RigTest& test) {
  const Values& z = test.sinkage;
  const size_t first = static_cast<size_t>(test.contact);
  const double hysteresis = std::max(kTurnNoises * noise_of(z), kWayRoundOff * depth_of(z, first));
  const std::vector<int> ways = find_ways(z, first, hysteresis);
  size_t turn = first;
  while (turn + 1 < z.size() && ways[turn + 1] > 0) ++turn;
  const double top = *std::max_element(z.begin() + static_cast<std::ptrdiff_t>(first),
                                       z.begin() + static_cast<std::ptrdiff_t>(turn) + 1);
  bool near_top = false;  // before, a rate that is not above zero is noise
  for (size_t i = first; i <= turn; ++i) {
    near_top = near_top || z[i] >= top - hysteresis;
    if (near_top && test.rate[i] <= 0) break;
    test.phase[i] = Phase::impact;
  }
}

void mark_sliding(RigTest& test) {
  const Recording& r = test.recording;
  const Values& x = r.shear_displacement;
  const double noise = noise_of(x), range = depth_of(x, 0);
  size_t moved = 0;
  while (moved + 1 < x.size() &&
         std::abs(x[moved] - x[0]) <= std::max(kTurnNoises * noise, 0.005 * range)) {
    ++moved;
  }
  size_t start = moved;
  while (start > 0 && std::abs(x[start] - x[0]) > std::max(3 * noise, kWayRoundOff * range))
    --start;
  test.slide_start = 0;
  if (!r.shear_zero_is_known) {
    test.slide_start = median_of({x.begin(), x.begin() + static_cast<std::ptrdiff_t>(start) + 1});
  }
  const std::vector<int> ways =
      find_ways(x, start, std::max(kTurnNoises * noise, kWayRoundOff * range));
  for (size_t i = start; i < x.size() && ways[i] > 0; ++i) {
    if (static_cast<int>(i) >= test.contact) test.phase[i] = Phase::sliding;
  }
}

}  // namespace footfall
