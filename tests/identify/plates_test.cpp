// Presses with plates of several widths: pairs of moduli that stay positive, and campaigns of few files.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "footfall/identify/identify.hpp"
#include "footfall/identify/normal.hpp"
#include "identify/normal_problem.hpp"
#include "identify/normal_rig.hpp"
#include "rig/grounds.hpp"

namespace footfall {
namespace {

using namespace identify_test;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr double kDeepest = 0.02, kWidths[] = {0.02, 0.04, 0.08};

// A press of a disc with this mean pressure at the deepest point, p ∝ δⁿ.
RigTest plate(double width, double pressure, double n = 1, int samples = 60) {
  RigTest test;
  test.name = fmt::format("{:.0f}mm.csv", 1e3 * width);
  test.sole = make_disc(0.5 * width);
  test.recording.zero_is_known = true;
  test.recording.rows.resize(static_cast<std::size_t>(samples));
  for (int i = 1; i <= samples; ++i) {
    const double share = i / double(samples);
    test.recording.time.push_back(i);
    test.recording.sinkage.push_back(kDeepest * share);
    test.recording.normal_force.push_back(pressure * plan_area(*test.sole, 0) * std::pow(share, n));
  }
  test.sinkage = test.recording.sinkage;
  test.rate.assign(test.sinkage.size(), kDeepest / samples);
  test.phase.assign(test.sinkage.size(), Phase::loading);
  return test;
}

std::vector<RigTest> plates(double p20, double p40, double p80) {
  return {plate(0.02, p20), plate(0.04, p40), plate(0.08, p80)};
}

IdentifyRequest request_of(NormalModel model) {
  IdentifyRequest request;
  request.model = model;
  request.soil_name = "plates";
  return request;
}

// Pressure that grows or falls with the width in any way gives a soil, positive inside, that
// carries each plate's deepest force at a depth of the same order.
TEST(Plates, GiveASoilWhateverTheirPressures) {
  for (const auto& [p20, p40, p80] :
       {std::array{375e3, 750e3, 1500e3}, std::array{60e3, 900e3, 1700e3},
        std::array{10e3, 900e3, 1700e3}, std::array{1500e3, 750e3, 30e3},
        std::array{900e3, 60e3, 1700e3}, std::array{50e3, 55e3, 60e3}}) {
    for (const NormalModel model : {NormalModel::bekker, NormalModel::reece}) {
      SCOPED_TRACE(fmt::format("{} {} {} kPa, model {}", p20, p40, p80, int(model)));
      const Identification found = identify(plates(p20, p40, p80), request_of(model));
      ASSERT_TRUE(found.soil) << found.soil_problem;
      const PlasticSoil& soil = *found.soil->plastic;
      EXPECT_NEAR(soil.measured.least_width, 0.01, 1e-12);  // of a disc b is its radius
      EXPECT_NEAR(soil.measured.largest_width, 0.04, 1e-12);
      if (p40 < p20 && p40 < p80) {  // no law in 1/b falls and rises: a warning names the widths
        EXPECT_THAT(found.warnings, Contains(HasSubstr("times what was measured under 20 mm")));
        continue;
      }
      const double pressures[] = {p20, p40, p80};
      for (int i = 0; i < 3; ++i) {
        const double pressure =
            sinkage_modulus(soil, 0.5 * kWidths[i]) * std::pow(kDeepest, soil.pressure.exponent);
        EXPECT_GT(pressure / pressures[i], 0.05) << kWidths[i];
        EXPECT_LT(pressure / pressures[i], 20) << kWidths[i];
      }
    }
  }
}

// What Bekker's law cannot follow is said: pressure proportional to the width.
TEST(Plates, AMisfitOfWidthsIsSaid) {
  const Identification found =
      identify(plates(375e3, 750e3, 1500e3), request_of(NormalModel::bekker));
  EXPECT_LT(found.parts[0].fit.value("k_c"), 0);
  EXPECT_THAT(found.warnings, Contains(HasSubstr("the law does not follow these widths")));
}

// Plain least squares, where the largest plate is all that counts, would end below zero under the smallest.
TEST(Plates, APairThatWouldBeNegativeIsHeld) {
  for (const auto& [p20, p40, p80] :
       {std::array{375e3, 750e3, 1500e3}, std::array{60e3, 900e3, 1700e3}}) {
    const std::vector<RigTest> tests = plates(p20, p40, p80);
    NormalOptions options;
    options.model = NormalModel::bekker;
    std::vector<ForceSamples> samples = find_static_samples(tests, true);
    const std::vector<double> widths = widths_of(samples);
    FitProblem problem = make_force_problem(samples, options, false);
    problem.weight.clear();
    const Fit plain = fit(problem, {.per_group = false});
    EXPECT_LT(plain.value("k_c") / 0.01 + plain.value("k_phi"), 0);
    const Fit held = fit_positive(problem, widths, options.model, {.per_group = false});
    const auto K = [&](double w) { return held.value("k_c") / w + held.value("k_phi"); };
    EXPECT_NEAR(K(0.01) / K(0.04), 0.25 * p20 / p80, 1e-3 * p20 / p80);
    EXPECT_TRUE(held.find("k_c").at_bound);
    EXPECT_NEAR(held.find("k_c").standard_error / held.find("k_phi").standard_error,
                -held.value("k_c") / held.value("k_phi"), 1e-9);
    EXPECT_THAT(held.warnings, Contains(HasSubstr("is held at a quarter")));
  }
}

// The intervals of the deepest forces, of new runs under every plate: 200 campaigns of one run, and of two, per plate.
TEST(Plates, IntervalsHoldNewRuns) {
  constexpr double kScatter = 0.08, kExponentScatter = 0.02;
  const double pressures[] = {60e3, 55e3, 52e3};
  for (const int runs : {1, 2}) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    const auto press_again = [&](int i) {
      const double n = 1.1 + kExponentScatter * normal(random);
      RigTest test = plate(kWidths[i], pressures[i] * std::exp(kScatter * normal(random)), n, 40);
      const double noise = 0.003 * test.recording.normal_force.back();
      for (double& f : test.recording.normal_force) f += noise * normal(random);
      return test;
    };
    int held = 0, tried = 0;
    for (int c = 0; c < 200; ++c) {
      std::vector<RigTest> tests;
      for (int k = 0; k < 3 * runs; ++k) tests.push_back(press_again(k % 3));
      NormalOptions options;
      options.model = NormalModel::bekker;
      options.fit.per_group = false;
      const FittedLaw part = fit_static(tests, options);
      for (int i = 0; i < 3; ++i) {
        const FitCurve& curve = part.curves[static_cast<std::size_t>(i)];
        ASSERT_FALSE(curve.prediction.empty());
        for (int again = 0; again < 3; ++again, ++tried) {
          const double force = press_again(i).recording.normal_force.back();
          held += std::abs(force - curve.model.back()) <= curve.prediction.back();
        }
      }
    }
    EXPECT_NEAR(held / double(tried), 0.95, 0.02) << runs;
  }
}

}  // namespace
}  // namespace footfall
