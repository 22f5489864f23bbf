// Nelder and Mead's simplex, alone and as the method of a fit.
#include <gtest/gtest.h>

#include <cmath>

#include "fit/fit_problems.hpp"
#include "fit/nelder_mead.hpp"

namespace footfall {
namespace {

double rosenbrock(std::span<const double> x) {
  return 100 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1 - x[0], 2);
}

TEST(Simplex, FindsTheEndOfRosenbrocksValley) {
  const SimplexResult found = minimize_by_simplex(rosenbrock, {-1.2, 1}, {-10, -10}, {10, 10},
                                                  {.tolerance = 1e-8, .most_evaluations = 1000});
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.x[0], 1, 1e-6);
  EXPECT_NEAR(found.x[1], 1, 1e-6);
  EXPECT_LT(found.evaluations, 300);
}

TEST(Simplex, StaysWithinBounds) {
  const auto far_away = [](std::span<const double> x) {
    EXPECT_LE(x[0], 1.5);
    return std::pow(x[0] - 3, 2) + std::pow(x[1] + 1, 2);
  };
  const SimplexResult found =
      minimize_by_simplex(far_away, {0.5, 0.5}, {0, -5}, {1.5, 5},
                          {.tolerance = 1e-10, .most_evaluations = 2000, .restarts = 2});
  EXPECT_NEAR(found.x[0], 1.5, 1e-9);
  EXPECT_NEAR(found.x[1], -1, 1e-5);
}

TEST(Simplex, SaysWhenItRanOut) {
  EXPECT_FALSE(minimize_by_simplex(rosenbrock, {-1.2, 1}, {-10, -10}, {10, 10},
                                   {.tolerance = 1e-8, .most_evaluations = 30})
                   .converged);
}

TEST(Simplex, FitsAsLeastSquaresDo) {
  test::Chance chance(1);
  const std::vector<double> x = test::evenly(0.001, 0.03, 200);
  std::vector<double> y;
  for (const double at : x) y.push_back(1e4 * std::pow(at, 1.3) + 2 * chance.normal());
  const FitProblem problem =
      test::make_curve_problem(test::power_parameters(), x, y, test::power_law);
  const Fit squares = fit(problem);
  const Fit simplex = fit(problem, {.method = FitMethod::nelder_mead});
  EXPECT_TRUE(simplex.converged);
  for (size_t i = 0; i < 2; ++i) {
    const Estimate &one = squares.parameters[i], &other = simplex.parameters[i];
    EXPECT_NEAR(other.value, one.value, 1e-4 * one.standard_error);
    EXPECT_NEAR(other.standard_error / one.standard_error, 1, 1e-5);
  }
}

}  // namespace
}  // namespace footfall
