// Lanes<8> does in every lane what double does. Arithmetic, select and sqrt agree bit for bit;
// functions that chain products and sums agree to the few ulp that fused multiply-adds may shift.
#include "footfall/math/lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "footfall/math/scalar.hpp"
#include "footfall/math/spatial.hpp"
#include "math/samples.hpp"

namespace footfall {
namespace {

using test::Samples;

constexpr int kRepeats = 2000;
constexpr double kUlp = std::numeric_limits<double>::epsilon();

TEST(Lanes, ArithmeticIsBitForBit) {
  Samples random;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const Lane8 a = random.lanes(-1e3, 1e3), b = random.lanes(-1, 1);
    const Lane8 sum = a + b, difference = a - b, product = a * b, quotient = a / b;
    const Lane8 root = sqrt(a * a), negative = -a, size = abs(a);
    const Lane8 larger = max(a, b), smaller = min(a, b), whole = round_to_integer(a);
    for (int i = 0; i < kLaneCount; ++i) {
      EXPECT_EQ(sum[i], a[i] + b[i]);
      EXPECT_EQ(difference[i], a[i] - b[i]);
      EXPECT_EQ(product[i], a[i] * b[i]);
      EXPECT_EQ(quotient[i], a[i] / b[i]);
      EXPECT_EQ(root[i], std::sqrt(a[i] * a[i]));
      EXPECT_EQ(negative[i], -a[i]);
      EXPECT_EQ(size[i], std::abs(a[i]));
      EXPECT_EQ(larger[i], std::max(a[i], b[i]));
      EXPECT_EQ(smaller[i], std::min(a[i], b[i]));
      EXPECT_EQ(whole[i], std::nearbyint(a[i]));
    }
  }
}

TEST(Lanes, CompoundAssignmentAndBroadcast) {
  Lane8 a(2.5);
  a += 1.0;
  a -= 0.5;
  a *= Lane8(4);
  a = 1.0 + a / 2.0;
  for (int i = 0; i < kLaneCount; ++i) EXPECT_EQ(a[i], 7);
  EXPECT_TRUE(std::signbit(Lane8(-0.0)[3]));
}

TEST(Lanes, ComparisonsSelectPerLane) {
  Samples random;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    Lane8 a = random.lanes(-1, 1);
    const Lane8 b = random.lanes(-1, 1);
    a.set(repeat % kLaneCount, b[repeat % kLaneCount]);  // one lane is equal
    const Lane8 yes(1), no(0);
    const Lane8 less = select(a < b, yes, no), less_equal = select(a <= b, yes, no);
    const Lane8 more = select(a > b, yes, no), more_equal = select(a >= b, yes, no);
    const Lane8 both = select((a < b) & !(a == b), yes, no);
    const Lane8 either = select((a < b) | (a == b), yes, no);
    for (int i = 0; i < kLaneCount; ++i) {
      EXPECT_EQ(less[i] == 1, a[i] < b[i]);
      EXPECT_EQ(less_equal[i] == 1, a[i] <= b[i]);
      EXPECT_EQ(more[i] == 1, a[i] > b[i]);
      EXPECT_EQ(more_equal[i] == 1, a[i] >= b[i]);
      EXPECT_EQ(both[i], less[i]);
      EXPECT_EQ(either[i], less_equal[i]);
    }
  }
}

TEST(Lanes, AnyAndAll) {
  Lane8 a(0);
  EXPECT_FALSE(any(a > Lane8(0)));
  EXPECT_TRUE(all(a <= Lane8(0)));
  for (int i = 0; i < kLaneCount; ++i) {
    a = Lane8(0);
    a.set(i, 1);
    EXPECT_TRUE(any(a > Lane8(0)));
    EXPECT_FALSE(all(a > Lane8(0)));
    EXPECT_FALSE(all(a <= Lane8(0)));
  }
  EXPECT_TRUE(all(Lane8(1) > Lane8(0)));
}

TEST(Lanes, LaneAccessIsTheSameForDouble) {
  double x = 1;
  set_lane(x, 0, 3);
  EXPECT_EQ(lane(x, 0), 3);
  Lane8 y(1);
  set_lane(y, 5, 3);
  EXPECT_EQ(lane(y, 5), 3);
  EXPECT_EQ(lane(y, 4), 1);
  EXPECT_EQ(lane_count<double>, 1);
  EXPECT_EQ(lane_count<Lane8>, kLaneCount);
}

TEST(Lanes, SincosAgreesToOneUlpOfOne) {
  Samples random;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const Lane8 x = random.lanes(-100, 100);
    Lane8 s, c;
    sincos(x, s, c);
    for (int i = 0; i < kLaneCount; ++i) {
      double s_i = 0, c_i = 0;
      sincos(x[i], s_i, c_i);
      EXPECT_NEAR(s[i], s_i, kUlp);
      EXPECT_NEAR(c[i], c_i, kUlp);
    }
  }
}

TEST(Lanes, ExpLogPowAgreeToAFewUlp) {
  Samples random;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const Lane8 x = random.lanes(1e-6, 10), y = random.lanes(-3, 3);
    const Lane8 exp_y = exp(y), log_x = log(x), x_to_y = pow(x, y);
    for (int i = 0; i < kLaneCount; ++i) {
      EXPECT_NEAR(exp_y[i], exp(y[i]), 2 * kUlp * exp_y[i]);
      EXPECT_NEAR(log_x[i], log(x[i]), 2 * kUlp * std::abs(log_x[i]));
      const double exponent = std::abs(y[i] * log_x[i]);
      EXPECT_NEAR(x_to_y[i], pow(x[i], y[i]), 2 * kUlp * (1 + exponent) * x_to_y[i]);
    }
  }
}

TEST(Lanes, PowWithMixedExponents) {
  Lane8 x(0.25), y(1.5);
  y.set(0, 0);
  y.set(1, 1);
  y.set(2, 0.5);
  x.set(3, 0);
  x.set(4, 0);
  y.set(4, 0);
  const Lane8 power = pow(x, y);
  const double expected[] = {1, 0.25, 0.5, 0, 1, 0.125, 0.125, 0.125};
  for (int i = 0; i < kLaneCount; ++i) EXPECT_NEAR(power[i], expected[i], 4 * kUlp);
}

TEST(Lanes, NotANumberStaysInItsLane) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Lane8 x(0.5);
  x.set(2, nan);
  Lane8 s, c;
  sincos(x, s, c);
  for (const Lane8& y : {s, c, exp(x), log(x), pow(x, Lane8(1.1))}) {
    for (int i = 0; i < kLaneCount; ++i) EXPECT_EQ(std::isnan(y[i]), i == 2);
  }
}

TEST(Lanes, SolveAgreesWithDouble) {
  Samples random;
  Sym6<Lane8> m = to_sym6(RigidInertia<Lane8>{1, zero3<Lane8>(), diagonal3(Lane8(1))});
  Sym6<double> m_3 = to_sym6(RigidInertia<double>{1, zero3<double>(), diagonal3(1.0)});
  for (int k = 0; k < 6; ++k) {
    const Spatial<double> u = random.spatial();
    const Lane8 weight = random.lanes(0, 2);
    m.add_outer(weight, {broadcast<Lane8>(u.ang), broadcast<Lane8>(u.lin)});
    m_3.add_outer(weight[3], u);
  }
  const Spatial<double> b = random.spatial();
  const Spatial<Lane8> x = solve(m, {broadcast<Lane8>(b.ang), broadcast<Lane8>(b.lin)});
  const Spatial<double> x_3 = solve(m_3, b);
  EXPECT_NEAR(x.ang.x[3], x_3.ang.x, 1e-14);
  EXPECT_NEAR(x.ang.z[3], x_3.ang.z, 1e-14);
  EXPECT_NEAR(x.lin.y[3], x_3.lin.y, 1e-14);
  EXPECT_NEAR(x.lin.z[3], x_3.lin.z, 1e-14);
}

}  // namespace
}  // namespace footfall
