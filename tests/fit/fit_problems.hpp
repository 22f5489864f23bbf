// Small problems to fit: a curve through points, and numbers by chance that are the same everywhere.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "footfall/fit/fit.hpp"

namespace footfall::test {

// y(x) with slopes by its parameters.
using CurveLaw =
    std::function<double(std::span<const double> parameters, double x, double* slopes)>;

inline FitProblem make_curve_problem(std::vector<FitParameter> parameters, std::vector<double> x,
                                     std::vector<double> y, CurveLaw law) {
  FitProblem problem;
  problem.parameters = std::move(parameters);
  problem.residual_count = static_cast<int>(x.size());
  problem.groups = {"curve"};
  problem.group.assign(x.size(), 0);
  problem.evaluate = [x = std::move(x), y = std::move(y),
                      law = std::move(law)](std::span<const double> at, std::span<double> residuals,
                                            double* jacobian) {
    std::vector<double> slopes(at.size());
    for (size_t i = 0; i < x.size(); ++i) {
      residuals[i] = law(at, x[i], slopes.data()) - y[i];
      if (jacobian) jacobian = std::copy(slopes.begin(), slopes.end(), jacobian);
    }
    return true;
  };
  return problem;
}

inline FitParameter plain(const char* name, double start, double lower = -1e6, double upper = 1e6) {
  return {.name = name, .unit = "", .start = start, .lower = lower, .upper = upper};
}

// k xⁿ
inline double power_law(std::span<const double> p, double x, double* slopes) {
  slopes[0] = std::pow(x, p[1]);
  slopes[1] = p[0] * slopes[0] * std::log(x);
  return p[0] * slopes[0];
}
inline std::vector<FitParameter> power_parameters() {
  FitParameter k = plain("k", 1e3, 1, 1e9);
  k.unit = "N/m^n";
  k.logarithmic = true;
  return {k, plain("n", 1, 0.1, 5)};
}

// a + b x
inline double line_law(std::span<const double> p, double x, double* slopes) {
  slopes[0] = 1;
  slopes[1] = x;
  return p[0] + p[1] * x;
}

inline std::vector<double> evenly(double first, double last, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(first + (last - first) * i / (count - 1));
  return values;
}

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}
  double uniform() { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53; }  // in (0, 1)
  double normal() {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace footfall::test
