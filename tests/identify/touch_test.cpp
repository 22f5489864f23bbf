// The surface is an unknown of the fit: what one choice of it gives lies in the interval of the other.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "footfall/identify/normal.hpp"

namespace footfall {
namespace {

constexpr double kExponent = 1.4, kDepth = 0.02, kToe = 2e-4;

// A disc pressed into sand whose first grains give way easily: 200 Hz, 5 mm/s, from 5 mm above.
Recording press_on_grains(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Recording r;
  r.file = "press.csv";
  r.zero_is_known = true;
  const double deepest = 1e5 * std::pow(kDepth, kExponent);
  double process = normal(random);
  for (int i = 0; i <= 1000; ++i) {
    const double z = -0.005 + 2.5e-5 * i;
    const double s = z > 0 ? z - kToe * (1 - std::exp(-z / kToe)) : 0;
    process = 0.98 * process + std::sqrt(1 - 0.98 * 0.98) * normal(random);
    r.rows.push_back(i + 2);
    r.time.push_back(0.005 * i);
    r.sinkage.push_back(z);
    r.normal_force.push_back(1e5 * std::pow(s, kExponent) * (1 + 0.02 * process) +
                             1e-3 * deepest * normal(random));
  }
  return r;
}

Estimate exponent_of(const Recording& recording, ContactRule rule, double& touch_error) {
  std::vector<std::string> warnings;
  RigTest test = prepare_test(recording, {.contact = rule}, warnings);
  test.sole = make_disc(0.05);
  const FittedLaw part = fit_static({test}, {});
  touch_error = part.fit.find("contact_offset_1").standard_error;
  return part.fit.find("n");
}

TEST(Touch, TheIntervalHoldsWhatTheOtherSurfaceGives) {
  constexpr int kTests = 25;
  int held = 0;
  double error = 0;
  for (int seed = 0; seed < kTests; ++seed) {
    const Recording recording = press_on_grains(static_cast<unsigned>(seed));
    const Estimate given = exponent_of(recording, ContactRule::given, error);
    EXPECT_EQ(error, 0);
    const Estimate found = exponent_of(recording, ContactRule::find, error);
    EXPECT_GT(error, 0);
    EXPECT_LT(error, 0.1 * kDepth);
    EXPECT_GT(found.standard_error, given.standard_error);
    held += found.lower <= given.value && given.value <= found.upper;
  }
  EXPECT_GE(held, kTests - 2);
}

}  // namespace
}  // namespace footfall
