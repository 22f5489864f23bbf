// How the solver gets there: robust losses, bounds, starts, laws without a value, parts of the data.
#include "fit/fit_solve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "fit/fit_problems.hpp"
#include "footfall/error.hpp"

namespace footfall {
namespace {

using test::Chance;
using test::evenly;
using test::plain;

double constant_law(std::span<const double> p, double, double* slopes) {
  slopes[0] = 1;
  return p[0];
}

TEST(FitLoss, SlopesAreThoseOfTheValue) {
  for (const Loss loss : {Loss::square, Loss::huber, Loss::cauchy}) {
    for (const double u : {-4.0, -1.0, -0.1, 0.0, 0.3, 1.2, 2.0, 30.0}) {
      constexpr double h = 1e-5;
      const LossValue at = evaluate_loss(loss, 1.5, u);
      const LossValue before = evaluate_loss(loss, 1.5, u - h);
      const LossValue after = evaluate_loss(loss, 1.5, u + h);
      EXPECT_NEAR(at.slope, (after.value - before.value) / (4 * h), 1e-7);
      EXPECT_NEAR(at.curvature, (after.slope - before.slope) / (2 * h), 1e-7);
    }
  }
}

TEST(FitLoss, RobustMeanSolvesItsEquation) {
  Chance chance(2);
  std::vector<double> y;
  for (int i = 0; i < 101; ++i) y.push_back(3 + chance.normal() + (i % 10 == 0 ? 40 : 0));
  const FitProblem problem = test::make_curve_problem({plain("a", 1)}, y, y, constant_law);
  for (const Loss loss : {Loss::huber, Loss::cauchy}) {
    const Fit found = fit(problem, {.loss = loss});
    // Σ ψ((a − y)/s) = 0 by halving, with the scatter that was found
    double lower = 2, upper = 4;
    for (int i = 0; i < 60; ++i) {
      const double a = (lower + upper) / 2;
      double sum = 0;
      for (const double value : y) {
        sum += evaluate_loss(loss, 1.5, (a - value) / found.scatter[0]).slope;
      }
      (sum < 0 ? lower : upper) = a;
    }
    EXPECT_NEAR(found.value("a"), lower, 1e-3 * found.find("a").standard_error);
    EXPECT_NEAR(found.value("a"), 3, 0.4);
  }
  EXPECT_GT(fit(problem).value("a"), 6);
  EXPECT_NE(fit(problem).warnings[0].find("11 of 101 residuals are outliers"), std::string::npos);
}

TEST(FitLoss, RobustIntervalsHoldTheTruthDespiteOutliers) {
  constexpr int kSeeds = 200;
  const std::vector<double> x = evenly(0.002, 0.03, 60);
  int held[2] = {};
  for (int seed = 0; seed < kSeeds; ++seed) {
    Chance chance(seed);
    std::vector<double> y;
    for (const double at : x) {
      const double wild = chance.uniform() < 0.05 ? 100 * chance.normal() : 0;
      y.push_back(1e4 * std::pow(at, 1.3) + 4 * chance.normal() + wild);
    }
    const FitProblem problem =
        test::make_curve_problem(test::power_parameters(), x, y, test::power_law);
    for (const Loss loss : {Loss::huber, Loss::cauchy}) {
      const Estimate n = fit(problem, {.loss = loss}).find("n");
      held[loss == Loss::cauchy] += n.lower <= 1.3 && 1.3 <= n.upper;
    }
  }
  EXPECT_NEAR(held[0] / double(kSeeds), 0.95, 0.03);
  EXPECT_NEAR(held[1] / double(kSeeds), 0.95, 0.03);
}

TEST(FitBounds, TheRestIsTheBestOnTheBound) {
  const std::vector<double> x = {1, 2, 3, 4}, y = {2.1, 4.9, 8.2, 10.9};  // slope about 3
  const Fit found =
      fit(test::make_curve_problem({plain("a", 0), plain("b", 1, 0, 2)}, x, y, test::line_law));
  EXPECT_NEAR(found.value("b"), 2, 1e-12);
  EXPECT_TRUE(found.find("b").at_bound);
  EXPECT_NEAR(found.value("a"), (2.1 + 4.9 + 8.2 + 10.9) / 4 - 2 * 2.5, 1e-9);
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_EQ(found.warnings[0].find("b ended at its upper bound, 2:"), 0U);
}

TEST(FitBounds, AParameterComesOffItsBoundAgain) {
  // from b = 2, where the first steps go beyond, to a minimum inside
  const std::vector<double> x = evenly(0.5, 3, 20);
  std::vector<double> y;
  for (const double at : x) y.push_back(4 * std::exp(-1.9 * at));
  const Fit found =
      fit(test::make_curve_problem({plain("a", 50, 0, 60), plain("b", 2, 0, 2)}, x, y,
                                   [](std::span<const double> p, double at, double* slopes) {
                                     slopes[0] = std::exp(-p[1] * at);
                                     slopes[1] = -p[0] * at * slopes[0];
                                     return p[0] * slopes[0];
                                   }));
  EXPECT_NEAR(found.value("a"), 4, 1e-9);
  EXPECT_NEAR(found.value("b"), 1.9, 1e-9);
}

FitProblem sine_problem(std::vector<double> starts) {
  const std::vector<double> x = evenly(0, 10, 100);
  Chance chance(4);
  std::vector<double> y;
  for (const double at : x) y.push_back(std::sin(3 * at) + 0.01 * chance.normal());
  FitParameter omega = plain("omega", 1, 0.1, 10);
  omega.starts = std::move(starts);
  return test::make_curve_problem({omega}, x, y,
                                  [](std::span<const double> p, double at, double* slopes) {
                                    slopes[0] = at * std::cos(p[0] * at);
                                    return std::sin(p[0] * at);
                                  });
}

TEST(FitStarts, TheBestValleyOfAllStartsIsFound) {
  const FitProblem problem = sine_problem({2, 2.95, 5, 8});
  EXPECT_GT(fit(problem).rms_residual, 0.5);
  const Fit found = fit(problem, {.starts = 10});
  EXPECT_EQ(found.starts, 5);
  EXPECT_EQ(found.starts_that_agree, 1);
  EXPECT_NEAR(found.value("omega"), 3, 5e-4);
  EXPECT_NE(found.warnings[0].find("only 1 of 5 starts ended here"), std::string::npos);
  EXPECT_GT(fit(problem, {.starts = 2}).rms_residual, 0.5);
}

TEST(FitStarts, ALawMayHaveNoValueInPlaces) {
  // √(x − a): no value for a > 0.5, the smallest x
  const std::vector<double> x = evenly(0.5, 3, 30);
  std::vector<double> y;
  for (const double at : x) y.push_back(std::sqrt(at - 0.499));
  FitProblem problem = test::make_curve_problem(
      {plain("a", -5, -10, 2)}, x, y, [](std::span<const double> p, double at, double* slopes) {
        slopes[0] = -0.5 / std::sqrt(at - p[0]);
        return std::sqrt(at - p[0]);
      });
  EXPECT_NEAR(fit(problem).value("a"), 0.499, 1e-9);
  problem.parameters[0].start = 1;
  EXPECT_THROW(fit(problem), InputError);
  problem.parameters[0].starts = {-5};
  EXPECT_NEAR(fit(problem, {.starts = 2}).value("a"), 0.499, 1e-9);
}

// Three files with slopes 1, 2 and 4 and an offset each.
FitProblem three_files() {
  const int m = 30;
  FitProblem problem;
  problem.parameters = {plain("slope", 1), plain("offset_1", 0), plain("offset_2", 0),
                        plain("offset_3", 0)};
  for (int g = 0; g < 3; ++g) problem.parameters[1 + g].nuisance = true;
  problem.groups = {"one", "two", "three"};
  problem.residual_count = m;
  for (int i = 0; i < m; ++i) problem.group.push_back(i / 10);
  problem.evaluate = [](std::span<const double> p, std::span<double> residuals, double* jacobian) {
    constexpr double kSlopes[] = {1, 2, 4};
    for (size_t i = 0; i < residuals.size(); ++i) {
      const size_t group = i / 10;
      const double x = 0.1 * static_cast<double>(i % 10), noise = i % 2 == 0 ? 0.01 : -0.01;
      residuals[i] = p[0] * x + p[1 + group] - (kSlopes[group] * x + 10.0 * double(group) + noise);
      if (!jacobian) continue;
      jacobian[4 * i] = x;
      for (size_t g = 0; g < 3; ++g) jacobian[4 * i + 1 + g] = g == group ? 1 : 0;
    }
    return true;
  };
  return problem;
}

TEST(FitGroups, EachFileAloneAndTheSpread) {
  const Fit found = fit(three_files());
  ASSERT_EQ(found.groups.size(), 3U);
  double slopes[3];
  for (int g = 0; g < 3; ++g) {
    ASSERT_EQ(found.groups[g].alone.size(), 4U);
    slopes[g] = found.groups[g].alone[0].value;
    EXPECT_EQ(found.groups[g].residual_count, 10);
    EXPECT_NEAR(found.groups[g].alone[1 + g].value, 10 * g, 0.02);
    EXPECT_TRUE(found.groups[g].alone[1 + (g + 1) % 3].fixed);
  }
  EXPECT_NEAR(slopes[1] - slopes[0], 1, 1e-9);  // the same noise in all
  EXPECT_NEAR(slopes[2] - slopes[0], 3, 1e-9);
  EXPECT_NEAR(found.value("slope"), (slopes[0] + slopes[1] + slopes[2]) / 3, 1e-9);
  EXPECT_NEAR(found.spread[0], std::sqrt(7.0 / 3), 1e-9);  // of 1, 2, 4
  EXPECT_TRUE(fit(three_files(), {.per_group = false}).spread.empty());
}

TEST(FitGroups, CrossValidationLeavesOutFiles) {
  // the mean of the other two files predicts the third
  std::vector<double> y = {1, 1.2, 2, 2.4, 4, 4.4};
  FitProblem problem = test::make_curve_problem({plain("a", 0)}, y, y, constant_law);
  problem.groups = {"one", "two", "three"};
  problem.group = {0, 0, 1, 1, 2, 2};
  double squares = 0;
  const double sum = std::accumulate(y.begin(), y.end(), 0.0);
  for (int i = 0; i < 6; ++i) {
    const double others = (sum - y[i / 2 * 2] - y[i / 2 * 2 + 1]) / 4;
    squares += std::pow(others - y[i], 2);
  }
  EXPECT_NEAR(cross_validate(problem), std::sqrt(squares / 6), 1e-8);
}

TEST(FitGroups, CrossValidationLeavesOutStretches) {
  Chance chance(9);
  std::vector<double> y;
  for (int i = 0; i < 40; ++i) y.push_back(chance.normal());
  const FitProblem problem = test::make_curve_problem({plain("a", 0)}, y, y, constant_law);
  double squares = 0;  // 20 stretches of two samples, every fifth is left out
  for (int fold = 0; fold < 5; ++fold) {
    double sum = 0;
    for (int i = 0; i < 40; ++i) sum += i / 2 % 5 == fold ? 0 : y[i] / 32;
    for (int i = 0; i < 40; ++i) squares += i / 2 % 5 == fold ? std::pow(y[i] - sum, 2) : 0;
  }
  EXPECT_NEAR(cross_validate(problem), std::sqrt(squares / 40), 1e-8);
}

}  // namespace
}  // namespace footfall
