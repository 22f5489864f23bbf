// float as a scalar of kernels: the same functions as double, to a float's precision.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "footfall/math/spatial.hpp"
#include "footfall/soil/plastic.hpp"

namespace footfall {
namespace {

constexpr double kFloatRoundOff = 1e-6;

void expect_near(float found, double expected) {
  EXPECT_NEAR(static_cast<double>(found), expected, kFloatRoundOff * (1 + std::abs(expected)));
}

TEST(Float, FunctionsAreThoseOfDouble) {
  for (double x = -9.7; x < 10; x += 0.37) {
    const float f = static_cast<float>(x);
    const double d = static_cast<double>(f);
    float s, c;
    double s_d, c_d;
    sincos(f, s, c);
    sincos(d, s_d, c_d);
    expect_near(s, s_d);
    expect_near(c, c_d);
    expect_near(exp(f), exp(d));
    expect_near(abs(f), abs(d));
    expect_near(log(abs(f)), log(abs(d)));
    expect_near(sqrt(abs(f)), sqrt(abs(d)));
    for (const double y : {0.0, 0.3, 0.5, 1.0, 1.5, 2.2}) {
      expect_near(pow(abs(f), static_cast<float>(y)), pow(abs(d), y));
    }
    EXPECT_EQ(max(f, 1.0F), std::max(f, 1.0F));
    EXPECT_EQ(min(f, 1.0F), std::min(f, 1.0F));
  }
  EXPECT_EQ(pow(0.0F, 1.1F), 0.0F);
  EXPECT_EQ(pow(0.0F, 0.0F), 1.0F);
}

TEST(Float, SolvesSixBySix) {
  Sym6<double> m =
      to_sym6(shift_inertia(2.0, Vec3d{0.1, -0.2, 0.3}, Sym3<double>{.1, .01, 0, .2, .02, .3}));
  Sym6<float> f = to_sym6(shift_inertia(2.0F, Vec3<float>{0.1F, -0.2F, 0.3F},
                                        Sym3<float>{.1F, .01F, 0, .2F, .02F, .3F}));
  const Spatial<double> x = solve(m, Spatial<double>{{1, 2, 3}, {4, 5, 6}});
  const Spatial<float> y = solve(f, Spatial<float>{{1, 2, 3}, {4, 5, 6}});
  EXPECT_NEAR(y.ang.x, x.ang.x, 1e-4);
  EXPECT_NEAR(y.ang.z, x.ang.z, 1e-4);
  EXPECT_NEAR(y.lin.y, x.lin.y, 1e-4);
  EXPECT_NEAR(y.lin.z, x.lin.z, 1e-4);
}

// Above the ground and at its surface nothing is divided by a zero that a float makes of 1e-300.
TEST(Float, BearingIsThatOfDoubleAndZeroAboveTheGround) {
  const RimSeries rim = make_rim_series(1.1);
  for (const double depth : {-0.01, 0.0, 1e-6, 0.003, 0.02, 0.05}) {
    const float d = static_cast<float>(depth);
    const Bearing<double> expected[] = {bear_flat(0.003, 1.1, depth), bear_ball(0.03, 1.1, depth),
                                        bear_rim(0.02, 0.03, 1.1, depth, rim)};
    const Bearing<float> found[] = {bear_flat(0.003F, 1.1F, d), bear_ball(0.03F, 1.1F, d),
                                    bear_rim(0.02F, 0.03F, 1.1F, d, rim)};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(found[i].force, expected[i].force, 1e-5 * expected[i].force + 1e-12) << depth;
      EXPECT_NEAR(found[i].slope, expected[i].slope, 1e-4 * expected[i].slope + 1e-9) << depth;
    }
  }
}

TEST(Float, ShearIsThatOfDouble) {
  for (const double way : {0.0, 1e-7, 1e-3, 0.05}) {
    const ShearStep<double> d = shear_step(0.01, 1.0, way);
    const ShearStep<float> f = shear_step(0.01F, 1.0F, static_cast<float>(way));
    expect_near(f.decay, d.decay);
    EXPECT_NEAR(f.gain, d.gain, 2e-3 * d.gain);
  }
}

}  // namespace
}  // namespace footfall
