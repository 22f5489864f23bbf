#include <algorithm>
#include <cmath>

#include "identify/rig_test_parts.hpp"
#include "input_error.hpp"
#include "signal/noise.hpp"

namespace footfall {
namespace {

constexpr double kNoises = 5;            // above the mean: no longer noise
constexpr double kForceRoundOff = 1e-9;  // of the largest force
constexpr int kLeastAir = 5;             // samples before the touch that tell the noise
constexpr double kRise = 0.3;            // of the force, through which the rise is drawn back
constexpr int kBins = 200;
constexpr int kIndependent = 8;       // means of the air, at most, whose noise is not the same
constexpr double kTareErrors = 4;     // standard errors that the air's mean must be off zero
constexpr double kTareShare = 5e-4;   // and of the largest force
constexpr double kTareLargest = 0.3;  // of it: more is no air
constexpr int kLeastRise = 6;         // samples of it

// Standard deviation about the line of least squares: a trend is no noise, but what comes and goes
// more slowly than from sample to sample is.
double scatter_about_line(const std::vector<double>& values, int samples) {
  const double middle = 0.5 * (samples - 1);
  double mean = 0, ii = 0, iv = 0, squares = 0;
  for (int i = 0; i < samples; ++i) mean += values[i] / samples;
  for (int i = 0; i < samples; ++i) {
    ii += (i - middle) * (i - middle);
    iv += (i - middle) * (values[i] - mean);
  }
  for (int i = 0; i < samples; ++i) {
    const double off = values[i] - mean - iv / ii * (i - middle);
    squares += off * off;
  }
  return std::sqrt(squares / (samples - 2));
}

// Of a force without spikes.
ForceFloor measure_floor(const std::vector<double>& force, int samples) {
  ForceFloor floor;
  const double most = *std::max_element(force.begin(), force.end());
  floor.noise = noise_of(force);
  if (samples >= kLeastAir) {
    floor.mean = median_of({force.begin(), force.begin() + samples});
    floor.noise = scatter_about_line(force, samples);
  }
  floor.level =
      floor.mean + std::max(kNoises * floor.noise, kForceRoundOff * std::abs(most - floor.mean));
  return floor;
}

double crossing_time(const Recording& r, int first, double sinkage) {
  if (r.time.empty()) return 0;
  if (first == 0) return r.time[0];
  const double before = r.sinkage[first - 1], after = r.sinkage[first];
  const double s = after > before ? (sinkage - before) / (after - before) : 1;
  return r.time[first - 1] + std::clamp(s, 0.0, 1.0) * (r.time[first] - r.time[first - 1]);
}

[[noreturn]] void refuse_no_contact(const Recording& r, double noise) {
  const auto [least, most] = std::minmax_element(r.normal_force.begin(), r.normal_force.end());
  throw input_error(
      "{}: no contact: the force stays between {:.4g} and {:.4g} N, with a noise of {:.3g} N "
      "(standard deviation), expected a rise to more than {:g} times the noise that lasts",
      r.file.string(), *least, *most, noise, 2 * kNoises);
}

[[noreturn]] void refuse_touching(const Recording& r) {
  throw input_error(
      "{}:{}: the foot touches from the first rows on ({:.4g} N, rising), so its surface cannot be "
      "found: expected {} rows in the air or more, or a column of the sinkage from the surface",
      r.file.string(), r.rows.front(), r.normal_force.front(), kLeastAir);
}

// Does the force rise in the first half of what should be air?
bool rises(const std::vector<double>& F, int air, double noise, double rise) {
  const int quarter = air / 4;
  if (quarter < 2) return false;
  double first = 0, second = 0;
  for (int i = 0; i < quarter; ++i) {
    first += F[i] / quarter;
    second += F[quarter + i] / quarter;
  }
  // Noise that is slow does not average out: more samples than a few do not make it smaller.
  const double independent = std::min(quarter, kIndependent);
  return second - first > std::max(0.01 * rise, kNoises * noise * std::sqrt(2 / independent));
}

// What a load cell that was not set to zero shows in the air: its mean, if that is off zero by more
// than the means of up to eight stretches of the air scatter. 0: it is zero, or there is too little
// air.
double find_tare(const std::vector<double>& F, int air, const ForceFloor& floor) {
  if (air < kLeastAir) return 0;
  const double most = *std::max_element(F.begin(), F.end());
  const int stretches = std::min(air, kIndependent), width = air / stretches;
  std::vector<double> means(stretches, 0.0);
  double mean = 0, squares = 0;
  for (int s = 0; s < stretches; ++s) {
    for (int i = 0; i < width; ++i) means[s] += F[s * width + i] / width;
    mean += means[s] / stretches;
  }
  for (const double m : means) squares += (m - mean) * (m - mean);
  const double error = std::sqrt(squares / (stretches * (stretches - 1)));
  const double rise = most - mean;
  if (std::abs(mean) <= std::max(kTareErrors * error, kTareShare * rise)) return 0;
  // a force that grows, or much of it all, is not air: the surface is elsewhere
  if (std::abs(mean) > kTareLargest * rise || rises(F, air, floor.noise, rise)) return 0;
  return mean;
}

// The beginning of the rise, in at most kBins means of neighbours, and the force there above that in
// the air.
struct RiseSamples {
  std::vector<double> z, F;
};
RiseSamples bin_rise(const Recording& r, const std::vector<double>& force, int from, int to,
                     double air) {
  RiseSamples data;
  const int width = (to - from) / kBins + 1;
  for (int i = from; i + width <= to; i += width) {
    double z = 0, F = 0;
    for (int k = i; k < i + width; ++k) {
      z += r.sinkage[k] / width;
      F += (force[k] - air) / width;
    }
    data.z.push_back(z);
    data.F.push_back(F);
  }
  return data;
}

// What F = k (z − z0)ⁿ, zero above z0, leaves of the squares with the best k.
double squares_left(const RiseSamples& data, double z0, double n) {
  double FF = 0, Fs = 0, ss = 0;
  for (std::size_t i = 0; i < data.z.size(); ++i) {
    const double s = data.z[i] > z0 ? std::pow(data.z[i] - z0, n) : 0;
    FF += data.F[i] * data.F[i];
    Fs += data.F[i] * s;
    ss += s * s;
  }
  return ss > 0 && Fs > 0 ? FF - Fs * Fs / ss : FF;
}

// The least of a function of one valley, by thirds.
template <class Function>
double least_between(double low, double high, int rounds, const Function& f) {
  for (int i = 0; i < rounds; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (f(a) < f(b)) {
      high = b;
    } else {
      low = a;
    }
  }
  return 0.5 * (low + high);
}

double best_exponent(const RiseSamples& data, double z0) {
  return least_between(0.4, 3.5, 16, [&](double n) { return squares_left(data, z0, n); });
}

// z0 by least squares between two places: a scan, then thirds of the best interval. `error`: how far
// the sum of squares stays within four variances of its least.
double draw_back(const RiseSamples& data, double low, double high, double& error) {
  constexpr int steps = 40;
  const auto at = [&](int i) { return low + (high - low) * i / steps; };
  const auto squares = [&](double z0) { return squares_left(data, z0, best_exponent(data, z0)); };
  std::vector<double> scan;
  for (int i = 0; i <= steps; ++i) scan.push_back(squares(at(i)));
  const auto best = static_cast<int>(std::min_element(scan.begin(), scan.end()) - scan.begin());
  const double z0 =
      least_between(at(std::max(best - 1, 0)), at(std::min(best + 1, steps)), 20, squares);
  const double free = std::max(static_cast<double>(data.z.size()) - 3, 1.0);
  const double limit = squares(z0) * (1 + 4 / free);
  error = 0;
  for (const double way : {-1.0, 1.0}) {
    double d = 1e-4 * (high - low);
    while (d < high - low && squares(z0 + way * d) <= limit) d *= 1.5;
    error = std::max(error, d / 1.5);
  }
  return z0;
}

}  // namespace

Contact contact_at_zero(const Recording& r) {
  const double deepest = *std::max_element(r.sinkage.begin(), r.sinkage.end());
  if (!(deepest > 0)) {
    throw input_error(
        "{}: no contact: the largest sinkage is {:.4g} mm, expected above 0 in the ground",
        r.file.string(), 1e3 * deepest);
  }
  const double sure = std::min(deepest, std::max(0.05 * deepest, kNoises * noise_of(r.sinkage)));
  Contact c;
  int inside = 0;
  while (r.sinkage[inside] < sure) ++inside;
  c.first = inside;
  while (c.first > 0 && r.sinkage[c.first - 1] >= 0) --c.first;
  c.time = crossing_time(r, c.first, 0);
  c.position_noise = clear_noise_of(r.sinkage);
  const std::vector<double> force = remove_spikes(r.normal_force);
  const double most = *std::max_element(r.normal_force.begin(), r.normal_force.end());
  c.floor = measure_floor(force, c.first);
  if (!(most > c.floor.level)) refuse_no_contact(r, c.floor.noise);
  c.tare = find_tare(force, c.first, c.floor);
  return c;
}

Contact find_contact(const Recording& r) {
  const std::vector<double> F = remove_spikes(r.normal_force);
  const auto n = static_cast<int>(F.size());
  const double most = *std::max_element(F.begin(), F.end());
  Contact c;
  // Where a tenth of the force is reached, or what noise cannot be, is beyond the touch; from there
  // back to the noise, whose samples say better what noise is, and again.
  c.floor = measure_floor(F, std::min(n, std::max(kLeastAir, n / 50)));
  const double rise = most - c.floor.mean, noise = noise_of(F);
  if (!(rise > 2 * kNoises * noise && rise > 0)) refuse_no_contact(r, noise);
  int high = 0;
  while (F[high] < c.floor.mean + std::max(0.1 * rise, 1.6 * kNoises * noise)) ++high;
  int last = -1, before = -1;
  do {
    before = last;
    last = high - 1;
    while (last >= 0 && F[last] > c.floor.level) --last;
    if (last + 1 < kLeastAir) refuse_touching(r);
    c.floor = measure_floor(F, last + 1);
  } while (before < 0 || last < before);
  if (rises(F, last + 1, c.floor.noise, rise)) refuse_touching(r);
  // The rise up to a third of the force, and as much of the way in the air.
  int end = last + 1;
  while (end < n && F[end] - c.floor.mean < kRise * (most - c.floor.mean)) ++end;
  const double step = std::abs(r.sinkage[last + 1] - r.sinkage[last]);
  const double way = std::max(r.sinkage[end - 1] - r.sinkage[last], step);
  int from = last;
  while (from > 0 && r.sinkage[from - 1] > r.sinkage[last] - 1.5 * way) --from;
  c.sinkage = 0.5 * (r.sinkage[last] + r.sinkage[last + 1]);
  c.error = std::max(0.5 * step, noise_of(r.sinkage));
  if (end - last >= kLeastRise) {
    double error = 0;
    c.sinkage = draw_back(bin_rise(r, F, from, end, c.floor.mean), r.sinkage[last] - way,
                          r.sinkage[last + 1], error);
    c.error = std::max({error, 0.1 * step, noise_of(r.sinkage) / std::sqrt(end - last)});
  }
  c.first = last + 1;
  while (c.first > 1 && r.sinkage[c.first - 1] > c.sinkage) --c.first;
  c.time = crossing_time(r, c.first, c.sinkage);
  c.position_noise = c.error;
  c.tare = find_tare(F, std::min(c.first, last + 1), c.floor);
  return c;
}

}  // namespace footfall
