// The tables of Ding 2013, section 5, that docs/theory/identification.md speaks of.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace footfall {
namespace {

template <std::size_t N>
struct Line {
  double slope, intercept, slope_error, intercept_error, correlation;
  std::array<double, N> residuals;
};

// y = slope x + intercept by least squares, with standard errors.
template <std::size_t N>
Line<N> regress(const std::array<double, N>& x, const std::array<double, N>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < N; ++i) {
    sx += x[i], sy += y[i], sxx += x[i] * x[i], sxy += x[i] * y[i];
  }
  const double determinant = N * sxx - sx * sx;
  Line<N> line{};
  line.slope = (N * sxy - sx * sy) / determinant;
  line.intercept = (sy - line.slope * sx) / N;
  double squares = 0;
  for (std::size_t i = 0; i < N; ++i) {
    line.residuals[i] = line.slope * x[i] + line.intercept - y[i];
    squares += line.residuals[i] * line.residuals[i];
  }
  const double variance = squares / (N - 2);
  line.slope_error = std::sqrt(variance * N / determinant);
  line.intercept_error = std::sqrt(variance * sxx / determinant);
  line.correlation = -sx / std::sqrt(N * sxx);
  return line;
}

TEST(IdentificationTables, Table9) {
  const auto line = regress<5>({4.86e-3, 10.55e-3, 16.60e-3, 20.79e-3, 23.75e-3},
                               {111.42, 178.82, 252.01, 298.09, 339.04});
  EXPECT_NEAR(line.slope, 1.194e4, 10);
  EXPECT_NEAR(line.intercept, 53.01, 0.02);
  EXPECT_NEAR(line.slope_error, 154, 0.5);
  EXPECT_NEAR(line.intercept_error, 2.6, 0.05);
  EXPECT_NEAR(line.correlation, -0.91, 0.005);
  EXPECT_NEAR(*std::max_element(line.residuals.begin(), line.residuals.end()), 3.2, 0.05);
}

// k δⁿ of the five pairs agree where δ is in millimetres, and only there.
TEST(IdentificationTables, Table12IsInMillimetres) {
  const std::array k{3.72, 5.45, 4.78, 6.15, 5.18}, n{1.232, 1.109, 1.151, 1.068, 1.099};
  const auto spread = [&](double depth) {  // of the five forces, in the unit of the fit
    std::array<double, 5> force{};
    for (std::size_t i = 0; i < 5; ++i) force[i] = k[i] * std::pow(depth, n[i]);
    const auto [least, most] = std::minmax_element(force.begin(), force.end());
    return *most / *least;
  };
  EXPECT_NEAR(spread(20), 1.084, 5e-4);    // 20 mm
  EXPECT_NEAR(spread(0.020), 3.14, 5e-3);  // 0.020 m
  std::array<double, 5> log_k{};
  for (std::size_t i = 0; i < 5; ++i) log_k[i] = std::log(k[i]);
  EXPECT_NEAR(std::exp(-regress<5>(n, log_k).slope), 18.4, 0.05);  // where all meet
  EXPECT_NEAR(5.06 * std::pow(1000, 1.132), 1.26e4, 50);
  EXPECT_NEAR(std::pow(263.7 / 5.06, 1 / 1.132), 33, 0.5);  // [mm]
  EXPECT_NEAR(1e3 * std::pow(263.7 / 5060.0, 1 / 1.132), 74, 0.5);
  EXPECT_NEAR(std::pow(250 / 5.06, 1 / 1.132), 31, 0.5);          // [mm]
  EXPECT_NEAR(1e3 * std::pow(250 / 5060.0, 1 / 1.132), 70, 0.5);  // as printed
}

TEST(IdentificationTables, ThreeLines) {
  const double bend = (38.9 + 14.9) / (1.227e4 - 5530);
  EXPECT_NEAR(bend, 7.98e-3, 5e-6);
  EXPECT_NEAR(5530 * bend + 38.9, 83.0, 0.05);
  const double turn = (38.9 - 51.0 + 1.172e4 * 0.0225) / (1.172e4 - 5530);
  EXPECT_NEAR(5530 * turn + 38.9, 263.7, 0.05);
  EXPECT_NEAR(1 / (1 / 5530.0 - 1 / 1.172e4), 1.05e4, 50);
}

}  // namespace
}  // namespace footfall
