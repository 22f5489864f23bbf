#include "footfall/signal/smooth.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "signal/noise.hpp"

namespace footfall {
namespace {

using Values = std::vector<double>;

// y_i = b0 x_i + b1 x_{i−1} + b2 x_{i−2} − a1 y_{i−1} − a2 y_{i−2}
struct Filter {
  double b0, b1, b2, a1, a2;
};

// Second order, by the bilinear transform with its frequency put right: |H|² = 1/(1 + (Ω/Ω_c)⁴) with
// Ω = tan(π f/f_s).
Filter butterworth(double cutoff, double sample_rate) {
  const double w = std::tan(std::numbers::pi * cutoff / sample_rate);
  const double norm = 1 / (1 + std::numbers::sqrt2 * w + w * w);
  return {w * w * norm, 2 * w * w * norm, w * w * norm, 2 * (w * w - 1) * norm,
          (1 - std::numbers::sqrt2 * w + w * w) * norm};
}

// In place, from a state at rest on the first value.
void run(const Filter& f, Values& values) {
  double x1 = values.front(), x2 = x1, y1 = x1, y2 = x1;
  for (double& v : values) {
    const double y = f.b0 * v + f.b1 * x1 + f.b2 * x2 - f.a1 * y1 - f.a2 * y2;
    x2 = x1;
    x1 = v;
    y2 = y1;
    y1 = y;
    v = y;
  }
}

// Forward and backward, over ends that are continued as the mirror image about their last value, for
// long enough that the start of the filter is forgotten.
Values smooth_even(const Values& values, double cutoff, double sample_rate) {
  const auto n = static_cast<std::ptrdiff_t>(values.size());
  const auto reach = static_cast<std::ptrdiff_t>(std::ceil(6 * sample_rate / cutoff));
  const std::ptrdiff_t ends = std::clamp<std::ptrdiff_t>(reach, 0, n - 1);
  Values v;
  v.reserve(static_cast<std::size_t>(n + 2 * ends));
  for (std::ptrdiff_t i = ends; i >= 1; --i) v.push_back(2 * values.front() - values[i]);
  v.insert(v.end(), values.begin(), values.end());
  for (std::ptrdiff_t i = 1; i <= ends; ++i) v.push_back(2 * values.back() - values[n - 1 - i]);
  const Filter filter = butterworth(cutoff, sample_rate);
  run(filter, v);
  std::reverse(v.begin(), v.end());
  run(filter, v);
  std::reverse(v.begin(), v.end());
  return {v.begin() + ends, v.begin() + ends + n};
}

// Linear, at places that rise, within from.front() … from.back().
Values interpolate(const Values& from, const Values& values, const Values& to) {
  Values out;
  out.reserve(to.size());
  std::size_t k = 1;
  for (const double t : to) {
    while (k + 1 < from.size() && from[k] < t) ++k;
    const double s = (t - from[k - 1]) / (from[k] - from[k - 1]);
    out.push_back(values[k - 1] + std::clamp(s, 0.0, 1.0) * (values[k] - values[k - 1]));
  }
  return out;
}

bool is_even(const Values& time, double step) {
  for (std::size_t i = 1; i < time.size(); ++i) {
    if (std::abs(time[i] - time[i - 1] - step) > 1e-3 * step) return false;
  }
  return true;
}

}  // namespace

Values smooth(const Values& time, const Values& values, double cutoff) {
  if (values.size() < 3) return values;
  const double step = median_step(time);
  if (!(cutoff > 0) || cutoff * step >= 0.5) return values;  // nothing to take away
  if (is_even(time, step)) return smooth_even(values, cutoff, 1 / step);
  // A gap among dense samples must not ask for more memory than a file could.
  const double span = time.back() - time.front();
  const double most = 20.0 * static_cast<double>(time.size());
  const auto count = static_cast<std::size_t>(std::clamp(std::ceil(span / step), 2.0, most));
  const double even = span / static_cast<double>(count);
  if (cutoff * even >= 0.5) return values;
  Values grid(count + 1);
  for (std::size_t i = 0; i <= count; ++i) grid[i] = time.front() + static_cast<double>(i) * even;
  return interpolate(grid, smooth_even(interpolate(time, values, grid), cutoff, 1 / even), time);
}

Values differentiate(const Values& time, const Values& values) {
  const std::size_t n = values.size();
  Values rate(n, 0.0);
  if (n < 2) return rate;
  const auto slope = [&](std::size_t a, std::size_t b) {
    return (values[b] - values[a]) / (time[b] - time[a]);
  };
  rate[0] = slope(0, 1);
  rate[n - 1] = slope(n - 2, n - 1);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    // of the parabola through three points, which need not be evenly spaced
    const double before = time[i] - time[i - 1], after = time[i + 1] - time[i];
    rate[i] = (slope(i - 1, i) * after + slope(i, i + 1) * before) / (before + after);
  }
  return rate;
}

}  // namespace footfall
