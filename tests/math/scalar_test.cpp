// Our sincos, exp, log and pow against the C library's in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/math/scalar.hpp"
#include "math/samples.hpp"

namespace footfall {
namespace {

using test::Samples;

constexpr int kSampleCount = 200000;
constexpr double kUlpOfOne = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double relative_error(double value, long double truth) {
  return static_cast<double>(std::abs((static_cast<long double>(value) - truth) / truth));
}

// largest of |sin − truth| and |cos − truth| at x
double sincos_error(double x) {
  double s = 0, c = 0;
  sincos(x, s, c);
  const auto exact = static_cast<long double>(x);
  return static_cast<double>(std::max(std::abs(static_cast<long double>(s) - std::sin(exact)),
                                      std::abs(static_cast<long double>(c) - std::cos(exact))));
}

TEST(Scalar, SincosIsWithinOneUlpOfOne) {
  Samples random;
  double worst = 0;
  for (int i = 0; i < kSampleCount; ++i) {
    worst = std::max(worst, sincos_error(random.number(-1e5, 1e5)));
    worst = std::max(worst, sincos_error(random.number(-10, 10)));
  }
  for (int k = -60000; k < 60000; ++k) worst = std::max(worst, sincos_error(k * M_PI_4));
  EXPECT_LT(worst, kUlpOfOne);
  RecordProperty("worst_error", std::to_string(worst / kUlpOfOne));
}

TEST(Scalar, SincosIsExactAtZeroAndOddEven) {
  double s = 1, c = 0, s_negative = 0, c_negative = 0;
  sincos(0.0, s, c);
  EXPECT_EQ(s, 0);
  EXPECT_EQ(c, 1);
  sincos(0.7, s, c);
  sincos(-0.7, s_negative, c_negative);
  EXPECT_EQ(s_negative, -s);
  EXPECT_EQ(c_negative, c);
}

TEST(Scalar, ExpIsAccurate) {
  Samples random;
  double worst = 0;
  for (int i = 0; i < kSampleCount; ++i) {
    for (const double range : {1.0, 20.0, 700.0}) {
      const double x = random.number(-range, range);
      worst = std::max(worst, relative_error(exp(x), std::exp(static_cast<long double>(x))));
    }
  }
  EXPECT_LT(worst, 5e-16);
  RecordProperty("worst_error", std::to_string(worst / kUlpOfOne));
}

TEST(Scalar, ExpSaturates) {
  EXPECT_EQ(exp(0.0), 1);
  EXPECT_EQ(exp(1e6), exp(700.0));
  EXPECT_EQ(exp(-kInfinity), exp(-700.0));
  EXPECT_GT(exp(-1e6), 0);
  EXPECT_TRUE(std::isnan(exp(kNan)));
}

TEST(Scalar, LogIsAccurate) {
  Samples random;
  double worst = 0;
  for (int i = 0; i < kSampleCount; ++i) {
    const double wide = std::exp2(random.number(-1021, 1023));
    const double near_one = random.number(0.5, 2);
    for (const double x : {wide, near_one, 1 + 1e-6 * near_one, 1 - 1e-6 * near_one}) {
      worst = std::max(worst, relative_error(log(x), std::log(static_cast<long double>(x))));
    }
  }
  EXPECT_LT(worst, 5e-16);
  RecordProperty("worst_error", std::to_string(worst / kUlpOfOne));
}

TEST(Scalar, LogAtTheEnds) {
  EXPECT_EQ(log(1.0), 0);
  EXPECT_NEAR(log(std::numeric_limits<double>::min()), -708.3964185322641, 1e-12);
  EXPECT_NEAR(log(std::numeric_limits<double>::max()), 709.782712893384, 1e-12);
  EXPECT_EQ(log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(log(kNan)));
}

// The error of x^y = exp(y log x) grows with |y log x|, the exponent whose rounding it carries.
TEST(Scalar, PowIsAccurate) {
  Samples random;
  double worst = 0, worst_of_laws = 0;
  for (int i = 0; i < kSampleCount; ++i) {
    const double x = std::exp2(random.number(-60, 60)), y = random.number(-8, 8);
    const double exponent = std::abs(y * std::log(x));
    const double error = relative_error(pow(x, y), std::pow(static_cast<long double>(x), y));
    worst = std::max(worst, error / (1 + exponent));
    // sinkage exponents of soils on sinkages from a nanometre to ten metres
    const double sinkage = std::exp2(random.number(-30, 3)), n = random.number(0.1, 2);
    worst_of_laws =
        std::max(worst_of_laws,
                 relative_error(pow(sinkage, n), std::pow(static_cast<long double>(sinkage), n)));
  }
  EXPECT_LT(worst, 3e-16);
  EXPECT_LT(worst_of_laws, 8e-15);
  RecordProperty("worst_error", std::to_string(worst / kUlpOfOne));
  RecordProperty("worst_error_of_laws", std::to_string(worst_of_laws / kUlpOfOne));
}

TEST(Scalar, PowSpecialCases) {
  for (const double x : {0.0, 1e-9, 0.3, 1.0, 17.0}) {
    EXPECT_EQ(pow(x, 0.0), 1);
    EXPECT_EQ(pow(x, 1.0), x);
    EXPECT_EQ(pow(x, 0.5), std::sqrt(x));
    EXPECT_EQ(pow(x, 1.5), x * std::sqrt(x));
  }
  EXPECT_EQ(pow(0.0, 1.1), 0);
  EXPECT_EQ(pow(1.0, 3.7), 1);
  EXPECT_TRUE(std::isnan(pow(kNan, 1.1)));
  EXPECT_TRUE(std::isnan(pow(2.0, kNan)));
}

TEST(Scalar, AbsMinMax) {
  EXPECT_EQ(abs(-3.5), 3.5);
  EXPECT_EQ(abs(2.0), 2.0);
  EXPECT_FALSE(std::signbit(abs(-0.0)));
  EXPECT_EQ(max(1.0, 2.0), 2);
  EXPECT_EQ(min(1.0, 2.0), 1);
  EXPECT_TRUE(std::isnan(max(1.0, kNan)));
}

TEST(Scalar, RoundToInteger) {
  for (const double x : {-2.6, -0.4, 0.0, 0.4, 0.6, 1e9 + 0.3}) {
    EXPECT_EQ(round_to_integer(x), std::nearbyint(x));
  }
}

}  // namespace
}  // namespace footfall
