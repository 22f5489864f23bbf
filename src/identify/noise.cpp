#include "identify/noise.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {

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

}  // namespace footfall
