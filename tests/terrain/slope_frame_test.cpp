#include "footfall/terrain/slope_frame.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "footfall/error.hpp"

namespace footfall {
namespace {

constexpr double kPi = std::numbers::pi;

// Ding 2013 (3), as printed.
Mat3d matrix_3(const Vec3d& n, double heading) {
  const double A = n.x, B = n.y, C = n.z, t = std::tan(heading);
  const double X1 = std::sqrt(C * C * (1 + t * t) + (A + B * t) * (A + B * t));
  const double X3 = std::sqrt(A * A + B * B + C * C);
  const double X2 = std::sqrt(X3 * X3 * (A * A + C * C + 2 * A * B * t + (B * B + C * C) * t * t));
  return {{C / X1, C * t / X1, (-A - B * t) / X1},
          {(-A * B - (B * B + C * C) * t) / X2, (C * C + A * A + A * B * t) / X2,
           (A * C * t - B * C) / X2},
          {A / X3, B / X3, C / X3}};
}

void expect_same(const Vec3d& a, const Vec3d& b, double tolerance) {
  EXPECT_NEAR(norm(a - b), 0, tolerance);
}

void expect_rotation(const Mat3d& m) {
  EXPECT_NEAR(dot(m.x, m.x), 1, 1e-14);
  EXPECT_NEAR(dot(m.y, m.y), 1, 1e-14);
  EXPECT_NEAR(dot(m.z, m.z), 1, 1e-14);
  EXPECT_NEAR(dot(m.x, m.y), 0, 1e-14);
  EXPECT_NEAR(dot(m.y, m.z), 0, 1e-14);
  EXPECT_NEAR(dot(m.z, m.x), 0, 1e-14);
  EXPECT_NEAR(dot(cross(m.x, m.y), m.z), 1, 1e-14);
}

TEST(SlopeFrame, IsARotationWithTheNormalAsThirdAxisAndTheHeadingAsFirst) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> side(-2, 2), up(0.05, 3), angle(-kPi, kPi);
  for (int i = 0; i < 1000; ++i) {
    const Vec3d n{side(random), side(random), up(random)};
    const double heading = angle(random);
    const Mat3d R = slope_frame(n, heading);
    expect_rotation(R);
    expect_same(R.z, (1 / norm(n)) * n, 1e-15);
    // seen from above, x points along the heading
    const double length = std::hypot(R.x.x, R.x.y);
    EXPECT_NEAR(R.x.x / length, std::cos(heading), 1e-13);
    EXPECT_NEAR(R.x.y / length, std::sin(heading), 1e-13);
  }
}

TEST(SlopeFrame, IsThePapersMatrixWhileTheFootHeadsForwards) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> side(-2, 2), up(0.05, 3), angle(-1.5, 1.5);
  for (int i = 0; i < 1000; ++i) {
    const Vec3d n{side(random), side(random), up(random)};
    const double heading = angle(random);
    const Mat3d R = slope_frame(n, heading), printed = matrix_3(n, heading);
    expect_rotation(printed);
    expect_same(R.x, printed.x, 1e-13);
    expect_same(R.y, printed.y, 1e-13);
    expect_same(R.z, printed.z, 1e-13);
  }
}

TEST(SlopeFrame, ThePapersMatrixTurnsAFootThatHeadsBackwards) {
  const Vec3d n{0.1, -0.2, 1};
  for (const double heading : {0.8 * kPi, -0.6 * kPi, kPi}) {
    const Mat3d R = slope_frame(n, heading), printed = matrix_3(n, heading);
    expect_same(R.x, -printed.x, 1e-13);
    expect_same(R.y, -printed.y, 1e-13);
  }
  const Mat3d sideways = slope_frame({0, 0, 1}, 0.5 * kPi);  // where tan is no number
  expect_same(sideways.x, {0, 1, 0}, 1e-15);
  expect_same(sideways.y, {-1, 0, 0}, 1e-15);
}

TEST(SlopeFrame, RefusesWhatIsNoGround) {
  EXPECT_THROW(slope_frame({0, 0, 0}, 0), InputError);
  EXPECT_THROW(slope_frame({1, 0, 0}, 0), InputError);
  EXPECT_THROW(slope_frame({0, 0, -1}, 0), InputError);
  EXPECT_THROW(slope_frame({NAN, 0, 1}, 0), InputError);
  EXPECT_THROW(slope_frame({0, 0, 1}, INFINITY), InputError);
}

}  // namespace
}  // namespace footfall
