// Student's t against closed forms, and tables for the normal limit.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fit/student_t.hpp"

namespace footfall {
namespace {

TEST(StudentT, QuantilesInClosedForm) {
  for (const double p : {0.6, 0.9, 0.95, 0.975, 0.995, 0.9999}) {
    const double one = std::tan(std::numbers::pi * (p - 0.5));
    EXPECT_NEAR(student_t_quantile(p, 1) / one, 1, 1e-11);
    const double alpha = 4 * p * (1 - p);
    const double two = 2 * (p - 0.5) * std::sqrt(2 / alpha);
    EXPECT_NEAR(student_t_quantile(p, 2) / two, 1, 1e-11);
    const double q = std::cos(std::acos(std::sqrt(alpha)) / 3) / std::sqrt(alpha);
    EXPECT_NEAR(student_t_quantile(p, 4) / (2 * std::sqrt(q - 1)), 1, 1e-11);
  }
}

TEST(StudentT, QuantilesOfTheTable) {
  EXPECT_NEAR(student_t_quantile(0.975, 10), 2.228138851986275, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.975, 30), 2.042272456301238, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.995, 10), 3.169272672616951, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.975, 1e9), 1.959963984540054, 1e-6);
  EXPECT_NEAR(student_t_quantile(0.025, 10), -2.228138851986275, 1e-12);
  EXPECT_EQ(student_t_quantile(0.5, 7), 0);
}

TEST(StudentT, ProbabilityIsTheInverse) {
  for (const double freedom : {1.0, 3.0, 17.0, 250.0, 1e5}) {
    for (const double p : {0.001, 0.025, 0.3, 0.6, 0.99}) {
      EXPECT_NEAR(student_t_probability(student_t_quantile(p, freedom), freedom), p, 1e-11);
    }
  }
}

}  // namespace
}  // namespace footfall
