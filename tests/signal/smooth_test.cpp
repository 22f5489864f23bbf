#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "footfall/identify/rig_test.hpp"

namespace footfall {
namespace {

constexpr double kRate = 1000, kCutoff = 50;  // [Hz]

std::vector<double> even_time(int n) {
  std::vector<double> t(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) t[static_cast<std::size_t>(i)] = i / kRate;
  return t;
}

template <class F>
std::vector<double> sample(const std::vector<double>& t, const F& f) {
  std::vector<double> v;
  for (const double s : t) v.push_back(f(s));
  return v;
}

// A sine keeps its phase, and gets |H|² of the filter, once forward and once backward: with the
// frequency scale of the bilinear transform 1/(1 + (tan(πf/f_s)/tan(πf_c/f_s))⁴).
TEST(Smooth, GainIsThatOfButterworthTwiceWithoutShift) {
  const std::vector<double> t = even_time(4000);
  for (const double f : {2.0, 10.0, 25.0, 40.0, 50.0, 80.0, 200.0}) {
    const double w = 2 * std::numbers::pi * f;
    const std::vector<double> v =
        smooth(t, sample(t, [&](double s) { return std::sin(w * s); }), kCutoff);
    double in_phase = 0, quadrature = 0;  // over whole periods of 0.1 s, far from the ends
    const int first = 1000, count = 2000;
    for (int i = first; i < first + count; ++i) {
      const double s = t[static_cast<std::size_t>(i)];
      in_phase += 2 * v[static_cast<std::size_t>(i)] * std::sin(w * s) / count;
      quadrature += 2 * v[static_cast<std::size_t>(i)] * std::cos(w * s) / count;
    }
    const double ratio =
        std::tan(std::numbers::pi * f / kRate) / std::tan(std::numbers::pi * kCutoff / kRate);
    const double gain = 1 / (1 + std::pow(ratio, 4));
    EXPECT_NEAR(in_phase, gain, 1e-9) << f;
    EXPECT_NEAR(quadrature, 0, 1e-9) << f;
  }
}

// As the header says: half of the power (a gain of √½) at 0.802 of the cut-off.
TEST(Smooth, HalfPowerFrequency) {
  const double f = 0.802 * kCutoff;
  const double ratio =
      std::tan(std::numbers::pi * f / kRate) / std::tan(std::numbers::pi * kCutoff / kRate);
  EXPECT_NEAR(1 / (1 + std::pow(ratio, 4)), std::sqrt(0.5), 5e-3);
}

TEST(Smooth, ConstantsAndRampsStay) {
  const std::vector<double> t = even_time(700);
  const std::vector<double> c = smooth(t, std::vector<double>(700, 3.7), kCutoff);
  const std::vector<double> ramp = sample(t, [](double s) { return 2 + 5 * s; });
  const std::vector<double> r = smooth(t, ramp, kCutoff), rate = differentiate(t, r);
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_NEAR(c[i], 3.7, 1e-12);
    EXPECT_NEAR(r[i], ramp[i], 1e-6) << i;  // ends: the mirrored ramp starts the filter at rest
    EXPECT_NEAR(rate[i], 5, 1e-4) << i;
  }
}

// Reversed time gives reversed results, away from the ends' start of the filter.
TEST(Smooth, LooksTheSameBackward) {
  const std::vector<double> t = even_time(2000);
  std::mt19937 random(3);
  std::normal_distribution<double> noise;
  const std::vector<double> v = sample(t, [&](double) { return noise(random); });
  const std::vector<double> a = smooth(t, v, kCutoff);
  const std::vector<double> b = smooth(t, {v.rbegin(), v.rend()}, kCutoff);
  for (std::size_t i = 200; i < 1800; ++i) EXPECT_NEAR(a[i], b[1999 - i], 1e-12);
}

TEST(Smooth, UnevenSamples) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> jitter(-0.3, 0.3);
  std::vector<double> t = even_time(3000);
  for (double& s : t) s += jitter(random) / kRate;
  const double w = 2 * std::numbers::pi * 3;
  const std::vector<double> v = sample(t, [&](double s) { return std::sin(w * s); });
  const std::vector<double> smoothed = smooth(t, v, kCutoff), rate = differentiate(t, smoothed);
  for (std::size_t i = 100; i < 2900; ++i) {
    EXPECT_NEAR(smoothed[i], v[i], 2e-4);
    EXPECT_NEAR(rate[i], w * std::cos(w * t[i]), 0.01 * w);
  }
}

TEST(Smooth, NothingToTakeAway) {
  const std::vector<double> t{0, 1, 2, 3}, v{1, 5, 2, 8};
  EXPECT_EQ(smooth(t, v, 0.6), v);  // beyond half of the sample rate
  EXPECT_EQ(smooth({0, 1}, {3, 4}, 0.1), (std::vector<double>{3, 4}));
}

TEST(Smooth, DerivativeOfAParabolaIsExactOnUnevenSamples) {
  const std::vector<double> t{0, 0.5, 0.6, 1.7, 2}, v = sample(t, [](double s) { return s * s; });
  const std::vector<double> d = differentiate(t, v);
  for (std::size_t i = 1; i + 1 < t.size(); ++i) EXPECT_NEAR(d[i], 2 * t[i], 1e-12);
  EXPECT_NEAR(d.front(), 0.5, 1e-12);  // one-sided
}

}  // namespace
}  // namespace footfall
