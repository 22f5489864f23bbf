#include "signal/noise.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {
namespace {

constexpr std::size_t kSpikeReach = 3;  // samples on either side of one that may be a spike
constexpr double kSpike = 8;            // noises that it is off

}  // namespace

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

double median_step(const std::vector<double>& time) {
  std::vector<double> steps;
  steps.reserve(time.size());
  for (std::size_t i = 1; i < time.size(); ++i) steps.push_back(time[i] - time[i - 1]);
  return median_of(std::move(steps));
}

double noise_of(const std::vector<double>& values) {
  if (values.size() < 5) return 0;
  std::vector<double> size;
  size.reserve(values.size());
  for (std::size_t i = 4; i < values.size(); ++i) {
    size.push_back(std::abs(values[i - 4] - 4 * values[i - 3] + 6 * values[i - 2] -
                            4 * values[i - 1] + values[i]));
  }
  // 1 + 16 + 36 + 16 + 1 = 70 variances; the median of a normal variable's size is 0.6745 of σ.
  return median_of(std::move(size)) / (0.67448975 * std::sqrt(70.0));
}

double clear_noise_of(const std::vector<double>& values) {
  if (values.size() < 7) return 0;
  std::vector<double> size;
  size.reserve(values.size());
  for (std::size_t i = 6; i < values.size(); ++i) {
    size.push_back(std::abs(values[i - 6] - 6 * values[i - 5] + 15 * values[i - 4] -
                            20 * values[i - 3] + 15 * values[i - 2] - 6 * values[i - 1] +
                            values[i]));
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double noise = median_of(std::move(size)) / (0.67448975 * std::sqrt(924.0));
  const bool is_noise = noise > 0.5 * noise_of(values) && noise > 1e-9 * (*high - *low);
  return is_noise ? noise : 0;
}

std::vector<double> remove_spikes(std::vector<double> values) {
  const double limit = kSpike * noise_of(values);
  const std::vector<double> raw = values;
  const std::size_t n = raw.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t from = i > kSpikeReach ? i - kSpikeReach : 0;
    const std::size_t to = std::min(i + kSpikeReach + 1, n);
    std::vector<double> about(raw.begin() + static_cast<std::ptrdiff_t>(from),
                              raw.begin() + static_cast<std::ptrdiff_t>(to));
    const double middle = median_of(about);
    double allowed = limit;
    if (about.size() < 2 * kSpikeReach + 1) {  // at an end, a rise is to one side of its median
      about.erase(about.begin() + static_cast<std::ptrdiff_t>(i - from));
      const auto [low, high] = std::minmax_element(about.begin(), about.end());
      if (low != about.end()) allowed += *high - *low;
    }
    if (std::abs(raw[i] - middle) > allowed) values[i] = middle;
  }
  return values;
}

}  // namespace footfall
