#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/error.hpp"
#include "identify/noise.hpp"
#include "identify/rig_test_parts.hpp"

namespace footfall {
namespace {

constexpr double kNoises = 5;       // above the mean: no longer noise
constexpr double kRoundOff = 1e-9;  // of the largest force
constexpr int kLeastAir = 5;        // samples before the touch that tell the noise
constexpr double kRise = 0.3;       // of the force, through which the rise is drawn back
constexpr int kLeastRise = 6;       // samples of it

ForceFloor measure_floor(const std::vector<double>& force, int samples) {
  ForceFloor floor;
  const double most = *std::max_element(force.begin(), force.end());
  floor.noise = noise_of(force);
  if (samples >= kLeastAir) {
    const std::vector<double> air(force.begin(), force.begin() + samples);
    floor.mean = median(air);
    std::vector<double> away;
    away.reserve(air.size());
    for (const double F : air) away.push_back(std::abs(F - floor.mean));
    // Noise may be smaller in the air than under load; a trend among few samples looks larger.
    floor.noise = std::min(noise_of(air), 1.4826 * median(std::move(away)));
  }
  floor.level =
      floor.mean + std::max(kNoises * floor.noise, kRoundOff * std::abs(most - floor.mean));
  return floor;
}

double crossing_time(const Recording& r, int first, double sinkage) {
  if (r.time.empty()) return 0;
  if (first == 0) return r.time[0];
  const double before = r.sinkage[first - 1], after = r.sinkage[first];
  const double s = after > before ? (sinkage - before) / (after - before) : 1;
  return r.time[first - 1] + std::clamp(s, 0.0, 1.0) * (r.time[first] - r.time[first - 1]);
}

[[noreturn]] void refuse_no_contact(const Recording& r, const ForceFloor& floor, double most) {
  throw InputError(
      fmt::format("{}: no contact: the force stays between {:.4g} and {:.4g} N, within "
                  "its noise of {:.3g} N",
                  r.file.string(), floor.mean, most, floor.noise));
}

// k and n of F = k (z − z0)ⁿ by their logarithms, each weighted by F² as its error is that of F, and
// the sum of squares that is left.
struct Rise {
  double k = 0, n = 1, squares = 0;
};
Rise fit_rise(const std::vector<double>& z, const std::vector<double>& F, double z0) {
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (!(z[i] > z0 && F[i] > 0)) continue;
    const double weight = F[i] * F[i], u = std::log(z[i] - z0), v = std::log(F[i]);
    w += weight;
    x += weight * u;
    y += weight * v;
    xx += weight * u * u;
    xy += weight * u * v;
  }
  const double spread = w * xx - x * x;
  Rise rise;
  rise.n = spread > 0 ? std::clamp((w * xy - x * y) / spread, 0.2, 5.0) : 1;
  rise.k = w > 0 ? std::exp((y - rise.n * x) / w) : 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double model = z[i] > z0 ? rise.k * std::pow(z[i] - z0, rise.n) : 0;
    rise.squares += (F[i] - model) * (F[i] - model);
  }
  return rise;
}

// The least of the sum of squares over z0 between two places: a scan, as there may be several
// valleys, then thirds of the best interval. `error` is where the sum has grown by four variances.
double draw_back(const std::vector<double>& z, const std::vector<double>& F, double low,
                 double high, double& error) {
  constexpr int steps = 100;
  const auto at = [&](int i) { return low + (high - low) * i / steps; };
  const auto squares = [&](double z0) { return fit_rise(z, F, z0).squares; };
  std::vector<double> scan(steps + 1);
  for (int i = 0; i <= steps; ++i) scan[static_cast<std::size_t>(i)] = squares(at(i));
  const auto best = static_cast<int>(std::min_element(scan.begin(), scan.end()) - scan.begin());
  double a = at(std::max(best - 1, 0)), b = at(std::min(best + 1, steps));
  while (b - a > 1e-9 * (high - low)) {
    const double c = a + (b - a) / 3, d = b - (b - a) / 3;
    (squares(c) < squares(d) ? b : a) = squares(c) < squares(d) ? d : c;
  }
  const double z0 = 0.5 * (a + b), least = squares(z0);
  const double limit = least * (1 + 4 / std::max<double>(static_cast<double>(z.size()) - 3, 1));
  error = 0;
  for (int i = 0; i <= steps; ++i) {
    if (scan[static_cast<std::size_t>(i)] <= limit) error = std::max(error, std::abs(at(i) - z0));
  }
  return z0;
}

}  // namespace

Contact contact_at_zero(const Recording& r) {
  const auto n = static_cast<int>(r.sinkage.size());
  const double deepest = *std::max_element(r.sinkage.begin(), r.sinkage.end());
  if (!(deepest > 0)) {
    throw InputError(
        fmt::format("{}: no contact: the largest sinkage is {:.4g} mm, expected above 0 "
                    "in the ground",
                    r.file.string(), 1e3 * deepest));
  }
  const double sure = std::min(deepest, std::max(0.05 * deepest, kNoises * noise_of(r.sinkage)));
  Contact c;
  int inside = 0;
  while (r.sinkage[inside] < sure) ++inside;
  c.first = inside;
  while (c.first > 0 && r.sinkage[c.first - 1] >= 0) --c.first;
  c.time = crossing_time(r, c.first, 0);
  const double most = *std::max_element(r.normal_force.begin(), r.normal_force.end());
  c.floor = measure_floor(r.normal_force, std::min(c.first, n));
  if (!(most > c.floor.level)) refuse_no_contact(r, c.floor, most);
  return c;
}

Contact find_contact(const Recording& r) {
  const std::vector<double>& F = r.normal_force;
  const auto n = static_cast<int>(F.size());
  const double most = *std::max_element(F.begin(), F.end());
  Contact c;
  // Where a tenth of the force is reached is beyond the touch; from there back to the noise, whose
  // samples say better what noise is, and again.
  c.floor = measure_floor(F, std::max(kLeastAir, n / 50));
  double start = *std::min_element(F.begin(), F.begin() + std::min(n, kLeastAir));
  if (!(most > std::max(c.floor.level, start + 2 * kNoises * c.floor.noise))) {
    refuse_no_contact(r, c.floor, most);
  }
  int high = 0;
  while (F[high] < start + 0.1 * (most - start)) ++high;
  int last = high - 1;
  for (int round = 0; round < 4; ++round) {
    last = high - 1;
    while (last >= 0 && F[last] > c.floor.level) --last;
    if (last + 1 < kLeastAir) {
      throw InputError(fmt::format(
          "{}:{}: the foot touches from the first rows on ({:.4g} N), so its surface cannot be "
          "found: "
          "expected {} rows in the air or more, or a column of the sinkage from the surface",
          r.file.string(), r.rows.front(), F.front(), kLeastAir));
    }
    c.floor = measure_floor(F, last + 1);
  }
  int end = last + 1;
  std::vector<double> z, rise;
  for (; end < n && F[end] - c.floor.mean < kRise * (most - c.floor.mean); ++end) {
    z.push_back(r.sinkage[end]);
    rise.push_back(F[end] - c.floor.mean);
  }
  const double step = std::abs(r.sinkage[last + 1] - r.sinkage[last]);
  c.sinkage = 0.5 * (r.sinkage[last] + r.sinkage[last + 1]);
  c.error = std::max(0.5 * step, noise_of(r.sinkage));
  if (static_cast<int>(z.size()) >= kLeastRise) {
    const double way = std::max(r.sinkage[end - 1] - r.sinkage[last], step);
    double error = 0;
    c.sinkage = draw_back(z, rise, r.sinkage[last] - way, r.sinkage[last + 1], error);
    c.error = std::max({error, 0.1 * step, noise_of(r.sinkage) / std::sqrt(z.size())});
  }
  c.first = last + 1;
  while (c.first > 1 && r.sinkage[c.first - 1] > c.sinkage) --c.first;
  c.time = crossing_time(r, c.first, c.sinkage);
  return c;
}

}  // namespace footfall
