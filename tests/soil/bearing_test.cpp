// The exact bearing integrals against adaptive quadrature in another variable.
#include "footfall/soil/bearing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/quadrature.hpp"

namespace footfall {
namespace {

using testing::integrate;

constexpr double kExponents[] = {0.05, 0.11, 0.4, 0.5, 0.7, 0.79, 1.0, 1.1, 1.44, 1.6, 2.0, 3.0};
constexpr double kRatios[] = {1e-6, 1e-3,  0.01, 0.1, 0.2, 0.37, 0.5, 0.77, 0.9,  0.999,
                              1.0,  1.001, 1.01, 1.1, 1.3, 1.7,  2.5, 4.0,  10.0, 100.0};

// φ(ε) = ∫₀ᵁ (ε−u)ⁿ (1−u)/√(2u−u²) du with u = w²: no root at the lower end.
double rim_by_depth(double n, double e) {
  const double top = std::sqrt(std::min(e, 1.0));
  const auto f = [&](double w) {
    const double s = e > 1 ? e - w * w : (top - w) * (top + w);
    return 2 * std::pow(std::max(s, 0.0), n) * (1 - w * w) / std::sqrt(2 - w * w);
  };
  return integrate(f, 0, top, std::pow(e, n) * top);
}

// ∫₀ᵁ (δ−u)ⁿ 2π(R−u) du
double ball_by_depth(double n, double R, double d) {
  constexpr double kTwoPi = 2 * std::numbers::pi;
  return integrate([&](double u) { return kTwoPi * std::pow(d - u, n) * (R - u); }, 0,
                   std::min(d, R), kTwoPi * R * d * std::pow(d, n));
}

TEST(Bearing, RimIntegralAgreesWithAdaptiveQuadrature) {
  for (const double n : kExponents) {
    for (const double e : kRatios) {
      const double exact = rim_by_depth(n, e);
      EXPECT_NEAR(rim_integral(n, e), exact, 2e-12 * exact) << "n " << n << " ratio " << e;
    }
  }
}

TEST(Bearing, RimIntegralHasClosedFormsForWholeExponents) {
  // n = 1: ∫(cosθ − cosθ₁)cosθ = θ₁/2 − sinθ₁cosθ₁/2
  for (const double e : {0.1, 0.5, 0.9, 1.0}) {
    const double t = std::acos(1 - e);
    EXPECT_NEAR(rim_integral(1, e), 0.5 * (t - std::sin(t) * std::cos(t)), 2e-15);
  }
  // beyond δ = R, n = 1: (ε − 1) + π/4
  EXPECT_NEAR(rim_integral(1, 2.5), 1.5 + 0.25 * std::numbers::pi, 1e-14);
}

TEST(Bearing, RimSeriesIsRightTo1e10UpToTheRadiusAnd5e6Beyond) {
  for (const double n : kExponents) {
    const RimSeries rim = make_rim_series(n);
    for (const double e : kRatios) {
      const double exact = 2 * rim_by_depth(n, e);  // width 1, R 1
      const Bearing<double> b = bear_rim(1.0, 1.0, n, e, rim);
      EXPECT_NEAR(b.force, exact, (e <= 1 ? 1e-10 : 5e-6) * exact) << "n " << n << " ratio " << e;
    }
  }
}

TEST(Bearing, RimSeriesIsContinuousAtTheRadius) {
  for (const double n : kExponents) {
    const RimSeries rim = make_rim_series(n);
    const double tiny = 1e-15;
    const Bearing<double> below = bear_rim(1.0, 1.0, n, 1.0, rim);
    const Bearing<double> above = bear_rim(1.0, 1.0, n, 1 + tiny, rim);
    EXPECT_NEAR(above.force, below.force, 1e-12 * below.force)
        << n;  // both fits pass through ε = 1
    // the outer fit is coarser in slope: for n < 1 the truth has a power (δ − R)^{n+1} there
    EXPECT_NEAR(above.slope, below.slope, 5e-3 * below.slope) << n;
  }
}

TEST(Bearing, RimScalesWithItsSize) {
  const double n = 0.79, R = 0.04, w = 0.07;
  const RimSeries rim = make_rim_series(n);
  for (const double e : {0.01, 0.4, 1.0, 1.5}) {
    const double expected = w * std::pow(R, n + 1) * bear_rim(1.0, 1.0, n, e, rim).force;
    EXPECT_NEAR(bear_rim(w, R, n, e * R, rim).force, expected, 1e-14 * expected);
  }
}

TEST(Bearing, BallAgreesWithAdaptiveQuadrature) {
  const double R = 0.05;
  for (const double n : kExponents) {
    for (const double e : kRatios) {
      const double exact = ball_by_depth(n, R, e * R);
      // deep down the closed form subtracts powers of δ: it loses digits like δ/R
      EXPECT_NEAR(bear_ball(R, n, e * R).force, exact, 4e-14 * exact * std::max(1.0, e))
          << "n " << n << " ratio " << e;
    }
  }
}

TEST(Bearing, FlatIsAreaTimesPower) {
  for (const double n : kExponents) {
    for (const double d : {1e-6, 1e-3, 0.02, 0.3}) {
      const Bearing<double> b = bear_flat(0.004, n, d);
      EXPECT_NEAR(b.force, 0.004 * std::pow(d, n), 2e-14 * b.force);
      EXPECT_NEAR(b.slope, n * b.force / d, 1e-15 * b.slope);
    }
  }
}

TEST(Bearing, SlopesAreThoseOfTheForces) {
  const double R = 0.05, w = 0.08;
  for (const double n : kExponents) {
    const RimSeries rim = make_rim_series(n);
    for (const double e : {1e-3, 0.05, 0.3, 0.8, 0.98, 1.04, 1.5, 4.0}) {
      const double d = e * R, h = 1e-3 * d;
      // the slope by five points: error h⁴F⁗/30
      const auto slope = [&](const auto& f) {
        return (8 * (f(d + h).force - f(d - h).force) - (f(d + 2 * h).force - f(d - 2 * h).force)) /
               (12 * h);
      };
      const auto ball = [&](double x) { return bear_ball(R, n, x); };
      const auto round = [&](double x) { return bear_rim(w, R, n, x, rim); };
      EXPECT_NEAR(ball(d).slope, slope(ball), 2e-9 * ball(d).slope) << "n " << n << " ratio " << e;
      EXPECT_NEAR(round(d).slope, slope(round), 2e-9 * round(d).slope)
          << "n " << n << " ratio " << e;
    }
  }
}

TEST(Bearing, NothingBearsAboveGround) {
  const RimSeries rim = make_rim_series(0.5);
  for (const double d : {0.0, -1e-9, -1.0}) {
    EXPECT_EQ(bear_flat(1.0, 0.5, d).force, 0);
    EXPECT_EQ(bear_ball(1.0, 0.5, d).force, 0);
    EXPECT_EQ(bear_rim(1.0, 1.0, 0.5, d, rim).force, 0);
  }
}

}  // namespace
}  // namespace footfall
