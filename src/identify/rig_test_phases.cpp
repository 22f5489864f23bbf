#include <algorithm>
#include <cmath>

#include "identify/noise.hpp"
#include "identify/rig_test_parts.hpp"

namespace footfall {
namespace {

using Values = std::vector<double>;
using std::size_t;

constexpr double kTurn = 8;         // noises of the position that a turn must exceed
constexpr double kRoundOff = 1e-6;  // of the depth, likewise
constexpr double kSlow = 0.1;       // of the usual speed: at rest
constexpr size_t kLeastHold = 5;    // samples

double depth_of(const Values& z, size_t first) {
  const auto [low, high] =
      std::minmax_element(z.begin() + static_cast<std::ptrdiff_t>(first), z.end());
  return *high - *low;
}

// The way that is looked at as one step.
double step_of(const Values& z, double depth) {
  return std::min(std::max(kTurn / (0.8 * kSlow) * noise_of(z), 0.01 * depth), depth / 3);
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
  return median(std::move(speeds));
}

// Samples within a stretch, as long as a step takes at the usual speed, in which the foot moves by
// less than a tenth of a step.
std::vector<bool> find_rest(const Values& time, const Values& z, size_t first) {
  const size_t n = z.size();
  const double depth = depth_of(z, first), step = step_of(z, depth);
  const double speed = depth > 0 ? usual_speed(time, z, first, step) : 0;
  if (!(speed > 0)) return std::vector<bool>(n, true);
  std::vector<bool> rest(n, false);
  const double half = 0.5 * step / speed;
  size_t begin = first, end = first;  // samples begin … end−1 are in the stretch around i
  for (size_t i = first; i < n; ++i) {
    while (time[begin] < time[i] - half) ++begin;
    while (end < n && time[end] <= time[i] + half) ++end;
    const size_t low = std::min(begin, i > first ? i - 1 : i),
                 high = std::max(end, std::min(i + 2, n));
    const auto [least, most] = std::minmax_element(z.begin() + static_cast<std::ptrdiff_t>(low),
                                                   z.begin() + static_cast<std::ptrdiff_t>(high));
    if (*most - *least >= kSlow * step) continue;
    for (size_t k = low; k < high; ++k) rest[k] = true;
  }
  return rest;
}

// Rest for a moment only is none.
void drop_short_rests(std::vector<bool>& rest, size_t first) {
  for (size_t i = first; i < rest.size();) {
    size_t end = i;
    while (end < rest.size() && rest[end] == rest[i]) ++end;
    if (rest[i] && end - i < kLeastHold)
      std::fill(rest.begin() + static_cast<std::ptrdiff_t>(i),
                rest.begin() + static_cast<std::ptrdiff_t>(end), false);
    i = end;
  }
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
  const double hysteresis = std::max(kTurn * noise_of(z), kRoundOff * depth);
  const std::vector<int> ways = find_ways(z, first, hysteresis);
  std::vector<bool> rest = find_rest(test.recording.time, z, first);
  drop_short_rests(rest, first);
  bool turned = false;
  double deepest = z[first], before = z[first];  // so far, and before this way down
  for (size_t i = first; i < n; ++i) {
    if (i > first && ways[i] != ways[i - 1]) {
      turned = true;
      if (ways[i] > 0) before = deepest;
    }
    deepest = std::max(deepest, z[i]);
    if (i > first && (z[i] < 0 || F[i] <= floor.level) && turned) {
      phase[i] = Phase::air;
    } else if (rest[i]) {
      phase[i] = Phase::holding;
    } else if (ways[i] < 0) {
      phase[i] = Phase::unloading;
    } else {
      phase[i] = !turned || z[i] > before + kRoundOff * depth ? Phase::loading : Phase::reloading;
    }
  }
  return phase;
}

void mark_impact(RigTest& test) {
  const Values& z = test.sinkage;
  const size_t first = static_cast<size_t>(test.contact);
  const double hysteresis = std::max(kTurn * noise_of(z), kRoundOff * depth_of(z, first));
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
         std::abs(x[moved] - x[0]) <= std::max(kTurn * noise, 0.005 * range)) {
    ++moved;
  }
  size_t start = moved;
  while (start > 0 && std::abs(x[start] - x[0]) > std::max(3 * noise, kRoundOff * range)) --start;
  test.slide_start = 0;
  if (!r.shear_zero_is_known) {
    test.slide_start = median({x.begin(), x.begin() + static_cast<std::ptrdiff_t>(start) + 1});
  }
  const std::vector<int> ways = find_ways(x, start, std::max(kTurn * noise, kRoundOff * range));
  for (size_t i = start; i < x.size() && ways[i] > 0; ++i) {
    if (static_cast<int>(i) >= test.contact) test.phase[i] = Phase::sliding;
  }
}

}  // namespace footfall
