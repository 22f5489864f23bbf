// The kernels of yielding soil: mobilised shear against its curves, damping and unloading stiffness.
#include "footfall/soil/plastic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace footfall {
namespace {

constexpr double kK = 0.02;  // shear modulus [m]

// r(|e|) of a form.
double relaxation(ShearForm form, double e) {
  switch (form) {
  case ShearForm::exponential:
    return 1;
  case ShearForm::piecewise_linear:
    return 0;
  case ShearForm::tanh:
    break;
  }
  return std::abs(e);
}

// e after a straight way, in steps.
double drag(ShearForm form, double e, double way, int steps) {
  const double dj = way / steps;
  for (int i = 0; i < steps; ++i) {
    const ShearStep<double> s =
        shear_step(shear_length(form, kK), relaxation(form, e), std::abs(dj));
    e = std::clamp(s.decay * e + s.gain * dj, -1.0, 1.0);
  }
  return e;
}

TEST(MobilizedShear, ExponentialIsJanosiHanamotoWhateverTheSteps) {
  for (const double way : {1e-7, 1e-4, 0.004, 0.02, 0.1, 0.5}) {
    for (const int steps : {1, 2, 7, 100, 10000}) {
      const double expected = -std::expm1(-way / kK);
      EXPECT_NEAR(drag(ShearForm::exponential, 0, way, steps), expected, 1e-12 * expected)
          << way << " in " << steps;
    }
  }
}

TEST(MobilizedShear, UnloadsAtOnceOnReversal) {
  for (const double back : {1e-5, 0.001, 0.01, 0.02, 0.1}) {
    for (const int steps : {1, 10, 1000}) {
      EXPECT_NEAR(drag(ShearForm::exponential, 1, -back, steps), -1 + 2 * std::exp(-back / kK),
                  1e-12);
    }
  }
  // nothing is left after K ln 2, and there it is as soft as a fresh start is stiff
  EXPECT_NEAR(drag(ShearForm::exponential, 1, -kK * std::log(2.0), 1), 0, 1e-15);
}

TEST(MobilizedShear, PartlyMobilizedReversesAlongTheCurveFromThere) {
  const double e0 = drag(ShearForm::exponential, 0, 0.5 * kK, 3);
  EXPECT_NEAR(drag(ShearForm::exponential, e0, -0.3 * kK, 5), -1 + (1 + e0) * std::exp(-0.3),
              1e-13);
}

TEST(MobilizedShear, TanhConvergesToItsCurve) {
  for (const double way : {0.005, 0.02, 0.06}) {
    const double expected = std::tanh(way / (1.5 * kK));
    const double coarse = std::abs(drag(ShearForm::tanh, 0, way, 500) - expected);
    const double fine = std::abs(drag(ShearForm::tanh, 0, way, 1000) - expected);
    EXPECT_LT(fine, 1e-3);
    EXPECT_NEAR(coarse / fine, 2, 0.05);  // first order: |e| is that of the step's start
  }
}

// Turned round it is de/ds = −(1 + e²)/1.5K down to zero: steeper than it came.
TEST(MobilizedShear, TanhUnloadsAlongATangent) {
  for (const double back : {0.005, 0.01, 0.02}) {
    const double expected = std::tan(std::numbers::pi / 4 - back / (1.5 * kK));
    const double coarse = std::abs(drag(ShearForm::tanh, 1, -back, 500) - expected);
    const double fine = std::abs(drag(ShearForm::tanh, 1, -back, 1000) - expected);
    EXPECT_LT(fine, 2e-3);
    EXPECT_NEAR(coarse / fine, 2, 0.1);
  }
}

// Ding 2013, Figs. 14 and 15, in numbers; and j measured from the first touch, turned round.
TEST(MobilizedShear, FormsAreCloseToTheExponential) {
  double line = 0, tanh = 0;
  for (int i = 0; i <= 100000; ++i) {
    const double x = 1e-4 * i, exponential = -std::expm1(-x);
    line = std::max(line, std::abs(std::min(0.5 * x, 1.0) - exponential));
    tanh = std::max(tanh, std::abs(std::tanh(x / 1.5) - exponential));
  }
  EXPECT_NEAR(line, 0.153, 5e-4);
  EXPECT_NEAR(tanh, 0.072, 5e-4);
  EXPECT_NEAR(-std::expm1(-4.0), 0.98, 5e-3);                          // 5K forward, K back
  EXPECT_NEAR(drag(ShearForm::exponential, 1, -kK, 10), -0.26, 5e-3);  // ours
}

TEST(MobilizedShear, PiecewiseIsALineWithALid) {
  for (const int steps : {1, 3, 100}) {
    EXPECT_NEAR(drag(ShearForm::piecewise_linear, 0, kK, steps), 0.5, 1e-13);
    EXPECT_NEAR(drag(ShearForm::piecewise_linear, 0, 3 * kK, steps), 1, 1e-13);
    EXPECT_NEAR(drag(ShearForm::piecewise_linear, 1, -kK, steps), 0.5, 1e-13);
  }
}

// In two directions: e turns with the motion, and never leaves the unit disc.
TEST(MobilizedShear, AVectorTurnsTowardsTheMotion) {
  double ex = 1, ey = 0;
  const ShearStep<double> s = shear_step(kK, 1.0, 10 * kK);
  ex = s.decay * ex;
  ey = s.decay * ey + s.gain * 10 * kK;
  EXPECT_LT(ex, 1e-4);
  EXPECT_NEAR(ey, 1, 1e-4);

  std::mt19937 random(7);
  std::normal_distribution<double> step(0, kK);
  ex = ey = 0;
  for (int i = 0; i < 10000; ++i) {
    const double dx = step(random), dy = step(random), way = std::hypot(dx, dy);
    const ShearStep<double> r = shear_step(kK, 1.0, way);
    const double x = r.decay * ex + r.gain * dx, y = r.decay * ey + r.gain * dy;
    EXPECT_LE(std::hypot(x, y), 1 + 1e-14);
    // work ∫e·dj along the way is never below the change of the stored K|e|²/2: shear dissipates
    const double work = kK * (1 - r.decay) * (ex * dx + ey * dy) / way + way - kK * (1 - r.decay);
    EXPECT_GE(work, 0.5 * kK * (x * x + y * y - ex * ex - ey * ey) - 1e-15);
    ex = x;
    ey = y;
  }
}

TEST(MobilizedShear, RestChangesNothing) {
  for (const double r : {0.0, 0.5, 1.0}) {
    EXPECT_EQ(shear_step(kK, r, 0.0).decay, 1);
  }
}

TEST(MobilizedShear, SeriesMeetsTheQuotient) {
  const auto gain = [](double x) { return shear_step(kK, 1.0, x * kK).gain * kK; };
  EXPECT_NEAR(gain(1e-4 * (1 - 1e-12)), gain(1e-4 * (1 + 1e-12)), 3e-12);
  EXPECT_NEAR(gain(1e-4), -std::expm1(-1e-4) / 1e-4, 3e-12);
}

TEST(Unloading, SofterOfTheTwoNeverWins) {
  // no modulus: 1 % of the sinkage comes back under the load that pressed it in
  const double V = 200, d = 0.02;
  EXPECT_NEAR(V / unload_stiffness(kNoRebound, 0.0, 0.0, d, V, 0.01), kNoRebound * d, 1e-15);
  // a measured slope of pressure, times the area
  EXPECT_NEAR(unload_stiffness(kMostRebound, 5e7, 1e9, d, V, 0.01), (5e7 + 1e9 * d) * 0.01, 1e-6);
  // one too soft to trust: no more than a fifth comes back
  EXPECT_NEAR(unload_stiffness(kMostRebound, 1.0, 0.0, d, V, 0.01), V / (kMostRebound * d), 1e-9);
}

TEST(SinkingDamping, IsTheHuntCrossleyTermWithItsSlope) {
  for (const double q : {0.5, 1.0, 1.1, 2.0}) {
    EXPECT_EQ(sinking_damping(300.0, q, -0.1).force, 0);
    EXPECT_EQ(sinking_damping(300.0, q, -0.1).slope, 0);
    double last = 0;
    for (const double rate : {1e-6, 1e-5, 1e-4, 1e-3, 0.02, 0.5, 2.0}) {
      const RateForce<double> r = sinking_damping(300.0, q, rate);
      const double h = 1e-4 * rate;
      const double slope =
          (sinking_damping(300.0, q, rate + h).force - sinking_damping(300.0, q, rate - h).force) /
          (2 * h);
      EXPECT_NEAR(r.slope, slope, 2e-8 * r.slope) << q << " at " << rate;
      EXPECT_GT(r.force, last);
      last = r.force;
    }
    // away from rest the smoothing is hardly felt: D δ̇^q
    const double smoothing = 0.5 * std::abs(q - 1) * square(kSlowSinking);
    EXPECT_NEAR(sinking_damping(300.0, q, 1.0).force, 300, 300 * (1.1 * smoothing + 1e-15));
  }
}

}  // namespace
}  // namespace footfall
