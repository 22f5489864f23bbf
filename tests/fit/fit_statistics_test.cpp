// Standard errors, intervals, bands and criteria of a fit: against closed forms where there are any, else
// against how often intervals hold the truth.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fit/fit_problems.hpp"
#include "fit/student_t.hpp"
#include "footfall/error.hpp"

namespace footfall {
namespace {

using test::Chance;
using test::evenly;
using test::plain;

bool holds(const Estimate& estimate, double truth) {
  return estimate.lower <= truth && truth <= estimate.upper;
}

bool any_warning_has(const Fit& found, const std::string& words) {
  for (const std::string& warning : found.warnings) {
    if (warning.find(words) != std::string::npos) return true;
  }
  return false;
}

TEST(FitStatistics, OfALineAreThoseOfTheTextbook) {
  Chance chance(3);
  const int m = 25;
  const std::vector<double> x = evenly(2, 7, m);
  std::vector<double> y;
  for (const double at : x) y.push_back(3 - 2 * at + 0.5 * chance.normal());
  const Fit found =
      fit(test::make_curve_problem({plain("a", 0), plain("b", 1)}, x, y, test::line_law));

  double mean_x = 0, mean_y = 0, sxx = 0, sxy = 0, sum = 0;
  for (int i = 0; i < m; ++i) mean_x += x[i] / m, mean_y += y[i] / m;
  for (int i = 0; i < m; ++i) {
    sxx += std::pow(x[i] - mean_x, 2);
    sxy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  const double b = sxy / sxx, a = mean_y - b * mean_x;
  for (int i = 0; i < m; ++i) sum += std::pow(a + b * x[i] - y[i], 2);
  const double s = std::sqrt(sum / (m - 2)), t = student_t_quantile(0.975, m - 2);
  ASSERT_EQ(found.diagnostics.inflation, 1);
  EXPECT_NEAR(found.value("a"), a, 1e-8 * s);
  EXPECT_NEAR(found.value("b"), b, 1e-8 * s);
  EXPECT_NEAR(found.find("b").standard_error, s / std::sqrt(sxx), 1e-12);
  EXPECT_NEAR(found.find("a").standard_error, s * std::sqrt(1.0 / m + mean_x * mean_x / sxx),
              1e-12);
  EXPECT_NEAR(found.correlation(0, 1), -mean_x / std::sqrt(sxx / m + mean_x * mean_x), 1e-12);
  EXPECT_NEAR(found.find("b").upper, b + t * s / std::sqrt(sxx), 1e-8);
  EXPECT_NEAR(found.scatter[0], s, 1e-12);
  EXPECT_NEAR(found.rms_residual, std::sqrt(sum / m), 1e-12);
  EXPECT_EQ(found.degrees_of_freedom, m - 2);
  for (const double at : {0.0, 5.0, 20.0}) {
    const double width = t * s * std::sqrt(1.0 / m + std::pow(at - mean_x, 2) / sxx);
    EXPECT_NEAR(band_half_width(found, std::vector{1.0, at}), width, 1e-12 * width);
  }
  EXPECT_NEAR(found.aicc, m * std::log(sum / m) + 2 * 3 + 2 * 3 * 4.0 / (m - 4), 1e-9);
  EXPECT_THROW(found.value("c"), std::out_of_range);
}

TEST(FitStatistics, WithoutScatterTheParametersAreExact) {
  const std::vector<double> x = evenly(0.0005, 0.03, 60);
  std::vector<double> y;
  for (const double at : x) y.push_back(1e4 * std::pow(at, 1.3));
  const FitProblem problem =
      test::make_curve_problem(test::power_parameters(), x, y, test::power_law);
  for (const Loss loss : {Loss::square, Loss::huber, Loss::cauchy}) {
    const Fit found = fit(problem, {.loss = loss});
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.value("k"), 1e4, 1e-9 * 1e4);
    EXPECT_NEAR(found.value("n"), 1.3, 1e-9 * 1.3);
    EXPECT_TRUE(std::isfinite(found.aicc));
    EXPECT_LT(found.find("k").standard_error, 1e-8);
    EXPECT_TRUE(found.warnings.empty()) << found.warnings[0];
  }
}

TEST(FitStatistics, AFixedParameterHasNoError) {
  std::vector<FitParameter> parameters = test::power_parameters();
  parameters[1].fixed = true;
  const Fit found =
      fit(test::make_curve_problem(parameters, {1, 2, 3}, {2, 4.1, 5.9}, test::power_law));
  EXPECT_EQ(found.find("n").value, 1);
  EXPECT_EQ(found.find("n").standard_error, 0);
  EXPECT_NEAR(found.value("k"), (2 + 8.2 + 17.7) / 14, 1e-12);
  EXPECT_EQ(found.degrees_of_freedom, 2);
}

TEST(FitStatistics, IntervalsHoldTheTruthAsOftenAsTheySay) {
  constexpr int kSeeds = 1000;
  const std::vector<double> x = evenly(0.002, 0.03, 30);
  int k_held = 0, n_held = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    Chance chance(seed);
    std::vector<double> y;
    for (const double at : x) y.push_back(1e4 * std::pow(at, 1.3) + 8 * chance.normal());
    const Fit found =
        fit(test::make_curve_problem(test::power_parameters(), x, y, test::power_law));
    k_held += holds(found.find("k"), 1e4);
    n_held += holds(found.find("n"), 1.3);
  }
  EXPECT_NEAR(k_held / double(kSeeds), 0.95, 0.02);
  EXPECT_NEAR(n_held / double(kSeeds), 0.95, 0.02);
}

TEST(FitStatistics, NeighboursThatAgreeEnlargeTheErrors) {
  constexpr int kSeeds = 200, m = 400;
  constexpr double kRho = 0.8;
  const std::vector<double> x = evenly(0, 1, m);
  int held = 0, held_without = 0;
  double inflation = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    Chance chance(seed);
    std::vector<double> y;
    double noise = chance.normal();
    for (const double at : x) {
      y.push_back(1 + 2 * at + noise);
      noise = kRho * noise + std::sqrt(1 - kRho * kRho) * chance.normal();
    }
    const Fit found =
        fit(test::make_curve_problem({plain("a", 0), plain("b", 1)}, x, y, test::line_law));
    inflation += found.diagnostics.inflation / kSeeds;
    const Estimate& b = found.find("b");
    held += holds(b, 2);
    held_without += std::abs(b.value - 2) <= (b.upper - b.value) / found.diagnostics.inflation;
    EXPECT_TRUE(any_warning_has(found, "residuals follow each other"));
  }
  EXPECT_NEAR(inflation, 3, 0.3);  // √((1 + ρ)/(1 − ρ))
  EXPECT_GT(held / double(kSeeds), 0.90);
  EXPECT_LT(held_without / double(kSeeds), 0.6);
}

// (a + 2 b) x + c: only a + 2 b shows.
FitProblem deficient_problem() {
  Chance chance(5);
  const std::vector<double> x = evenly(1, 3, 40);
  std::vector<double> y;
  for (const double at : x) y.push_back(7 * at + 1 + 0.1 * chance.normal());
  return test::make_curve_problem({plain("a", 1), plain("b", 1), plain("c", 0)}, x, y,
                                  [](std::span<const double> p, double at, double* slopes) {
                                    slopes[0] = at;
                                    slopes[1] = 2 * at;
                                    slopes[2] = 1;
                                    return (p[0] + 2 * p[1]) * at + p[2];
                                  });
}

TEST(FitStatistics, ParametersThatCannotBeToldApartAreNamed) {
  const Fit found = fit(deficient_problem());
  FitProblem smaller = deficient_problem();
  smaller.parameters[1].fixed = true;
  const Fit other = fit(smaller);
  EXPECT_TRUE(std::isinf(found.find("a").standard_error));
  EXPECT_TRUE(std::isinf(found.find("b").standard_error));
  EXPECT_EQ(found.find("a").lower, -std::numeric_limits<double>::infinity());
  EXPECT_NEAR(found.correlation(0, 1), -1, 1e-12);
  EXPECT_TRUE(any_warning_has(found, "a and b cannot be told apart"));
  // the rest is as sure as if b were known, but for a degree of freedom
  const double factor = std::sqrt(38.0 / 37);
  EXPECT_NEAR(found.find("c").standard_error / other.find("c").standard_error, factor, 1e-9);
  const double width = band_half_width(found, std::vector{2.0, 4.0, 1.0});
  EXPECT_NEAR(width / found.t_quantile,
              factor * band_half_width(other, std::vector{2.0, 0.0, 1.0}) / other.t_quantile, 1e-9);
  EXPECT_TRUE(std::isinf(band_half_width(found, std::vector{2.0, 0.0, 1.0})));
}

TEST(FitStatistics, AParameterWithoutEffectIsNamed) {
  const Fit found =
      fit(test::make_curve_problem({plain("a", 1), plain("b", 1)}, {1, 2, 3}, {1, 2.1, 2.9},
                                   [](std::span<const double> p, double x, double* slopes) {
                                     slopes[0] = x;
                                     slopes[1] = 0;
                                     return p[0] * x;
                                   }));
  EXPECT_TRUE(any_warning_has(found, "b has no effect on these data"));
  EXPECT_TRUE(std::isinf(found.find("b").standard_error));
  EXPECT_TRUE(std::isfinite(found.find("a").standard_error));
}

TEST(FitStatistics, TradeOffsAreNamed) {
  Chance chance(1);
  const std::vector<double> x = evenly(0.025, 0.03, 50);
  std::vector<double> y;
  for (const double at : x) y.push_back(1e4 * std::pow(at, 1.3) + chance.normal());
  const Fit found = fit(test::make_curve_problem(test::power_parameters(), x, y, test::power_law));
  EXPECT_GT(found.correlation(0, 1), 0.999);
  EXPECT_TRUE(any_warning_has(found, "k and n trade off, correlation 0.999"));
}

TEST(FitStatistics, TwoChannelsCountByTheirScatters) {
  // y = a x measured in N and in mm, at very different scatters, one parameter
  Chance chance(11);
  const int m = 200;
  std::vector<double> x, y;
  FitProblem problem;
  for (int i = 0; i < m; ++i) {
    const bool first = i % 2 == 0;
    x.push_back((first ? 1 : 1e-3) * (1 + 0.01 * i));
    y.push_back(5 * x.back() + (first ? 0.3 : 1e-5) * chance.normal());
  }
  problem = test::make_curve_problem({plain("a", 1)}, x, y,
                                     [](std::span<const double> p, double at, double* slopes) {
                                       slopes[0] = at;
                                       return p[0] * at;
                                     });
  problem.channels = {"N", "m"};
  for (int i = 0; i < m; ++i) problem.channel.push_back(i % 2);
  const Fit found = fit(problem);
  EXPECT_NEAR(found.scatter[0], 0.3, 0.05);
  EXPECT_NEAR(found.scatter[1], 1e-5, 2e-6);
  double above = 0, below = 0;
  for (int i = 0; i < m; ++i) {
    above += x[i] * y[i] / std::pow(found.scatter[i % 2], 2);
    below += x[i] * x[i] / std::pow(found.scatter[i % 2], 2);
  }
  EXPECT_NEAR(found.value("a"), above / below, 1e-4 * found.find("a").standard_error);
  EXPECT_NEAR(found.find("a").standard_error, 1 / std::sqrt(below), 1e-9);
}

TEST(FitStatistics, TooFewDataAreRefused) {
  const auto problem =
      test::make_curve_problem(test::power_parameters(), {1}, {1}, test::power_law);
  EXPECT_THROW(fit(problem), InputError);
  const Fit exact =
      fit(test::make_curve_problem(test::power_parameters(), {1, 2}, {1.5, 4}, test::power_law));
  EXPECT_NEAR(exact.value("k"), 1.5, 1e-9);
  EXPECT_TRUE(std::isinf(exact.find("k").standard_error));
  EXPECT_TRUE(any_warning_has(exact, "as many data points as unknowns"));
}

TEST(FitStatistics, ALongRecordingTakesFewIterations) {
  Chance chance(1);
  const std::vector<double> x = evenly(0.001, 0.03, 100000);
  std::vector<double> y;
  for (const double at : x) y.push_back(1e4 * std::pow(at, 1.3) + 5 + 3 * chance.normal());
  std::vector<FitParameter> parameters = test::power_parameters();
  parameters.push_back(plain("weight", 0));
  const Fit found = fit(test::make_curve_problem(
      parameters, x, y, [](std::span<const double> p, double at, double* slopes) {
        slopes[2] = 1;
        return test::power_law(p, at, slopes) + p[2];
      }));
  EXPECT_TRUE(found.converged);
  EXPECT_LT(found.iterations, 30);  // round-off of the sum must not keep it going
}

}  // namespace
}  // namespace footfall
