// Values and standard errors against those that NIST certifies (Statistical Reference Datasets,
// nonlinear regression, www.itl.nist.gov/div898/strd). A sum of squares is flat where it is least: values
// that differ by the root of the arithmetic's precision have the same one, so seven digits must agree.
#include <gtest/gtest.h>

#include <cmath>

#include "fit/fit_problems.hpp"

namespace footfall {
namespace {

using test::plain;

struct Certified {
  std::vector<double> values, standard_errors;
  double sum_of_squares;
};

void expect_certified(const FitProblem& problem, const Certified& certified) {
  const Fit found = fit(problem);
  EXPECT_TRUE(found.converged);
  double sum = 0;
  for (const double r : found.residuals) sum += r * r;
  EXPECT_NEAR(sum / certified.sum_of_squares, 1, 1e-10);
  for (size_t i = 0; i < certified.values.size(); ++i) {
    const Estimate& estimate = found.parameters[i];
    EXPECT_NEAR(estimate.value / certified.values[i], 1, 1e-7) << estimate.name;
    const double error = estimate.standard_error / found.diagnostics.inflation;
    EXPECT_NEAR(error / certified.standard_errors[i], 1, 1e-7) << estimate.name;
  }
}

TEST(FitNist, Misra1a) {
  const Certified certified{
      {2.3894212918e+02, 5.5015643181e-04}, {2.7070075241e+00, 7.2668688436e-06}, 1.2455138894e-01};
  for (const auto& [b1, b2] : {std::pair(500.0, 1e-4), std::pair(250.0, 5e-4)}) {
    expect_certified(
        test::make_curve_problem({plain("b1", b1), plain("b2", b2)},
                                 {77.6, 114.9, 141.1, 190.8, 239.9, 289, 332.8, 378.4, 434.8, 477.3,
                                  536.8, 593.1, 689.1, 760},
                                 {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76,
                                  55.05, 61.01, 66.40, 75.47, 81.78},
                                 [](std::span<const double> b, double x, double* slopes) {
                                   const double e = std::exp(-b[1] * x);
                                   slopes[0] = 1 - e;
                                   slopes[1] = b[0] * x * e;
                                   return b[0] * (1 - e);
                                 }),
        certified);
  }
}

TEST(FitNist, DanWoodIsAPowerLaw) {
  const Certified certified{
      {7.6886226176e-01, 3.8604055871e+00}, {1.8281973860e-02, 5.1726610913e-02}, 4.3173084083e-03};
  FitParameter k = plain("b1", 1, 1e-6, 1e6);
  k.logarithmic = true;  // its standard error is that of b1 itself all the same
  expect_certified(
      test::make_curve_problem({k, plain("b2", 5)}, {1.309, 1.471, 1.490, 1.565, 1.611, 1.680},
                               {2.138, 3.421, 3.597, 4.340, 4.882, 5.660}, test::power_law),
      certified);
}

TEST(FitNist, BoxBod) {
  const Certified certified{
      {2.1380940889e+02, 5.4723748542e-01}, {1.2354515176e+01, 1.0455993237e-01}, 1.1680088766e+03};
  expect_certified(
      test::make_curve_problem({plain("b1", 100), plain("b2", 0.75)}, {1, 2, 3, 5, 7, 10},
                               {109, 149, 149, 191, 213, 224},
                               [](std::span<const double> b, double x, double* slopes) {
                                 const double e = std::exp(-b[1] * x);
                                 slopes[0] = 1 - e;
                                 slopes[1] = b[0] * x * e;
                                 return b[0] * (1 - e);
                               }),
      certified);
}

TEST(FitNist, Eckerle4) {
  const Certified certified{{1.5543827178e+00, 4.0888321754e+00, 4.5154121844e+02},
                            {1.5408051163e-02, 4.6803020753e-02, 4.6800518816e-02},
                            1.4635887487e-03};
  std::vector<double> x;
  for (int i = 0; i < 7; ++i) x.push_back(400 + 5 * i);
  for (int i = 0; i < 21; ++i) x.push_back(435 + 1.5 * i);
  for (int i = 0; i < 7; ++i) x.push_back(470 + 5 * i);
  expect_certified(
      test::make_curve_problem(
          {plain("b1", 1.5), plain("b2", 5), plain("b3", 450)}, x,
          {0.0001575, 0.0001699, 0.0002350, 0.0003102, 0.0004917, 0.0008710, 0.0017418,
           0.0046400, 0.0065895, 0.0097302, 0.0149002, 0.0237310, 0.0401683, 0.0712559,
           0.1264458, 0.2073413, 0.2902366, 0.3445623, 0.3698049, 0.3668534, 0.3106727,
           0.2078154, 0.1164354, 0.0616764, 0.0337200, 0.0194023, 0.0117831, 0.0074357,
           0.0022732, 0.0008800, 0.0004579, 0.0002345, 0.0001586, 0.0001143, 0.0000710},
          [](std::span<const double> b, double at, double* slopes) {
            const double d = (at - b[2]) / b[1], e = std::exp(-d * d / 2) / b[1];
            slopes[0] = e;
            slopes[1] = b[0] * e / b[1] * (d * d - 1);
            slopes[2] = b[0] * e * d / b[1];
            return b[0] * e;
          }),
      certified);
}

TEST(FitNist, Mgh09) {
  const Certified certified{
      {1.9280693458e-01, 1.9128232873e-01, 1.2305650693e-01, 1.3606233068e-01},
      {1.1435312227e-02, 1.9633220911e-01, 8.0842031232e-02, 9.0025542308e-02},
      3.0750560385e-04};
  expect_certified(
      test::make_curve_problem(
          {plain("b1", 0.25), plain("b2", 0.39), plain("b3", 0.415), plain("b4", 0.39)},
          {4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625},
          {0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246},
          [](std::span<const double> b, double x, double* slopes) {
            const double above = x * x + x * b[1], below = x * x + x * b[2] + b[3];
            slopes[0] = above / below;
            slopes[1] = b[0] * x / below;
            slopes[3] = -b[0] * above / (below * below);
            slopes[2] = slopes[3] * x;
            return b[0] * above / below;
          }),
      certified);
}

TEST(FitNist, Rat43) {
  const Certified certified{
      {6.9964151270e+02, 5.2771253025e+00, 7.5962938329e-01, 1.2792483859e+00},
      {1.6302297817e+01, 2.0828735829e+00, 1.9566123451e-01, 6.8761936385e-01},
      8.7864049080e+03};
  expect_certified(
      test::make_curve_problem(
          {plain("b1", 100), plain("b2", 10), plain("b3", 1), plain("b4", 1, 0.01, 100)},
          test::evenly(1, 15, 15),
          {16.08, 33.83, 65.80, 97.20, 191.55, 326.20, 386.87, 520.53, 590.03, 651.92, 724.93,
           699.56, 689.96, 637.56, 717.41},
          [](std::span<const double> b, double x, double* slopes) {
            const double e = std::exp(b[1] - b[2] * x);
            const double power = std::pow(1 + e, -1 / b[3]);
            slopes[0] = power;
            slopes[1] = -b[0] / b[3] * power * e / (1 + e);
            slopes[2] = -slopes[1] * x;
            slopes[3] = b[0] * power * std::log1p(e) / (b[3] * b[3]);
            return b[0] * power;
          }),
      certified);
}

}  // namespace
}  // namespace footfall
