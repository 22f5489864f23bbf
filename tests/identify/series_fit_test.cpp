#include "footfall/identify/series_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "footfall/error.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/rig/press.hpp"
#include "identify/series_law.hpp"
#include "rig/grounds.hpp"

namespace footfall {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using namespace rig_test;

constexpr double kPadStiff = 11940;  // of the paper's foot, section 5.2 [N/m]

// What a rig recorded: down until the deepest sample, then up (again and again, if so).
RigTest as_test(const std::vector<RigSample>& series, const FootSole& sole) {
  RigTest test;
  test.name = "press.csv";
  test.sole = sole;
  Recording& r = test.recording;
  r.zero_is_known = true;
  double deepest = 0, before = 0;
  for (const RigSample& s : series) {
    r.time.push_back(s.time);
    r.sinkage.push_back(s.sinkage);
    r.body_sinkage.push_back(s.body_sinkage);
    r.normal_force.push_back(s.normal_force);
    const bool deeper = s.sinkage > deepest;
    test.phase.push_back(deeper               ? Phase::loading
                         : s.sinkage < before ? Phase::unloading
                         : s.sinkage > before ? Phase::reloading
                         : s.normal_force > 0 ? Phase::holding
                                              : Phase::air);
    deepest = std::fmax(deepest, s.sinkage);
    before = s.sinkage;
  }
  test.sinkage = r.sinkage;
  return test;
}

struct PadTest {
  FootPad pad = {.stiffness = kPadStiff};
  double foot_mass = 0;
  std::optional<double> load = 250;
  std::optional<double> sinkage = {};
  bool unload = true;
  int cycles = 1;
};
RigTest pressed_pad(const PlasticSoil& soil, const FootSole& sole, const PadTest& t = {}) {
  const RigFoot foot{.pad = t.pad, .foot_mass = t.foot_mass};
  const PressSettings settings{.sinkage = t.sinkage,
                               .load = t.load,
                               .cycles = t.cycles,
                               .staged = t.cycles > 1,
                               .unload = t.unload,
                               .samples = 60};
  return as_test(press(on(soil, sole), foot, settings).series, sole);
}

// K_σ is what any pressure law is under one sole.
void expect_soil(const Fit& fit, const PlasticSoil& soil, const FootSole& sole, double tolerance) {
  const double modulus = sinkage_modulus(soil, contact_width(sole));
  EXPECT_NEAR(fit.value("k"), modulus, tolerance * modulus);
  EXPECT_NEAR(fit.value("n"), soil.pressure.exponent, tolerance);
}

TEST(SeriesLaw, DerivativesAgreeWithDifferences) {
  const double step = 1e-6;
  for (const FootSole& sole : {make_disc(0.05), make_cylinder(0.05, 0.08), make_sphere(0.05)}) {
    const SeriesParameters p{.pad_stiffness = 4e4,
                             .pad_exponent = 1.2,
                             .modulus = 3e5,
                             .exponent = 0.7,
                             .foot_weight = 20};
    const auto forces = [&](const SeriesGradient& x) {
      SoleBearing bearing(sole, {});
      bearing.set(x[3]);
      const SeriesLaw law(bearing, {x[0], x[1], x[2], x[3], x[4]});
      const SeriesTurn deep = law.turn(0.03 + x[5]), flat = law.turn(2e-3 + x[5]);
      return std::array{law.load(0.01 + x[5], 0).force, law.load(1e-4 + x[5], 0).force,
                        law.unload(deep, 0.02 + x[5]), law.unload(deep, 0.0295 + x[5]),
                        law.unload(flat, 1.9995e-3 + x[5])};
    };
    SeriesGradient x;
    x << p.pad_stiffness, p.pad_exponent, p.modulus, p.exponent, p.foot_weight, 0;
    const auto at = forces(x);
    for (int j = 0; j < 6; ++j) {
      SeriesGradient low = x, high = x;
      const double h = step * (j == kOffset ? 0.01 : x[j]);
      low[j] -= h, high[j] += h;
      const auto below = forces(low), above = forces(high);
      for (std::size_t i = 0; i < at.size(); ++i) {
        const double slope = (above[i].value - below[i].value) / (2 * h);
        EXPECT_NEAR(at[i].gradient[j], slope, 2e-5 * std::abs(slope) + 1e-6 * at[i].value)
            << "sample " << i << ", parameter " << j;
      }
    }
  }
}

TEST(Series, APressGivesPadAndSoilBackUnderEverySole) {
  const std::vector<FootSole> soles{make_disc(0.05), make_rectangle(0.12, 0.08),
                                    make_cylinder(0.05, 0.08), make_sphere(0.05)};
  int soils = 0;
  for (const Soil& soil : load_soil_library(FOOTFALL_SOURCE_DIR "/soils")) {
    if (!soil.plastic) continue;
    ++soils;
    for (const FootSole& sole : soles) {
      const PadTest deep{.load = {}, .sinkage = 0.02};
      SCOPED_TRACE(soil.name + ", sole " + std::to_string(static_cast<int>(sole.shape)));
      const Fit fit = fit_series({pressed_pad(*soil.plastic, sole, deep)}, {}).fit;
      EXPECT_NEAR(fit.value("k_F"), kPadStiff, 1e-6 * kPadStiff);
      expect_soil(fit, *soil.plastic, sole, 1e-6);
    }
  }
  EXPECT_GE(soils, 10);
}

// Pad of section 5.2 with the weight of its foot, which the pad does not see.
TEST(Series, FootWeightAndPadExponent) {
  const FootSole sole = make_cylinder(0.05, 0.08);
  const PadTest curved{.pad = {.stiffness = 1e5, .exponent = 1.5}, .foot_mass = 51.27 / 9.81};
  const RigTest test = pressed_pad(dry_sand(), sole, curved);
  SeriesOptions options;
  options.free = {"n_F"};
  options.fix["foot_weight"] = 51.27;
  const Fit fit = fit_series({test}, options).fit;
  EXPECT_NEAR(fit.value("k_F"), 1e5, 0.1);
  EXPECT_NEAR(fit.value("n_F"), 1.5, 1e-6);
  expect_soil(fit, dry_sand(), sole, 1e-6);
}

// Written by the rig and read back, at a speed of the foot at which the pad is lifted in an instant.
TEST(Series, AFileOfTheRigGivesPadAndSoilBack) {
  const FootSole sole = make_cylinder(0.05, 0.08);
  const RigFoot foot{.pad = FootPad{.stiffness = kPadStiff}, .foot_mass = 2};
  const auto file = std::filesystem::path(testing::TempDir()) / "series_fit_press.csv";
  write_series(press(on(dry_sand(), sole), foot, {.load = 250, .unload = true}).series, file);
  std::vector<std::string> warnings;
  RigTest test = prepare_test(read_recording(file, {}, warnings), {}, warnings);
  test.sole = sole;
  SeriesOptions options;
  options.free = {"foot_weight"};
  const Fit fit = fit_series({test}, options).fit;
  EXPECT_NEAR(fit.value("k_F"), kPadStiff, 1e-6 * kPadStiff);
  EXPECT_NEAR(fit.value("foot_weight"), 2 * kRigGravity, 1e-4);
  expect_soil(fit, dry_sand(), sole, 1e-6);
}

// Soil stays down, so the foot is at rest while its pad is relieved: that is no holding.
TEST(Series, AFootThatSeemsHeldIsLifted) {
  const FootSole sole = make_disc(0.05);
  RigTest test = pressed_pad(dry_sand(), sole);
  for (Phase& phase : test.phase) {
    if (phase == Phase::unloading) phase = Phase::holding;
  }
  const Fit fit = fit_series({test}, {}).fit;
  EXPECT_NEAR(fit.value("k_F"), kPadStiff, 1e-6 * kPadStiff);
  expect_soil(fit, dry_sand(), sole, 1e-6);
}

TEST(Series, CyclesAndSeveralFiles) {
  const FootSole sole = make_disc(0.05);
  const RigTest cycles = pressed_pad(dry_sand(), sole, {.load = 300, .cycles = 3});
  const RigTest light = pressed_pad(dry_sand(), sole, {.load = 80});
  const FittedLaw part = fit_series({cycles, light}, {});
  EXPECT_NEAR(part.fit.value("k_F"), kPadStiff, 1e-6 * kPadStiff);
  expect_soil(part.fit, dry_sand(), sole, 1e-6);
  ASSERT_EQ(part.curves.size(), 2U);
  EXPECT_EQ(part.curves[1].x.size(), 120U);
  EXPECT_LT(part.fit.rms_residual, 1e-5);
}

// Where the touch was found 0.3 mm late.
TEST(Series, AnUnknownTouchIsFound) {
  const FootSole sole = make_disc(0.05);
  RigTest test = pressed_pad(dry_sand(), sole);
  test.contact_error = 1e-4;
  for (double& z : test.recording.body_sinkage) z += 0.1 - 3e-4;
  test.recording.body_sinkage[0] = 0.1;
  const Fit fit = fit_series({test}, {}).fit;
  EXPECT_NEAR(fit.value("contact_offset"), 3e-4, 1e-8);
  expect_soil(fit, dry_sand(), sole, 1e-5);
}

// Loading alone: two linear springs are one. With the pad known from hard ground the soil is found.
TEST(Series, LoadingAloneIsWarnedOfUnlessThePadIsKnown) {
  const FootSole sole = make_disc(0.05);
  PlasticSoil soil = dry_sand();
  soil.pressure.exponent = 1;
  RigTest test = pressed_pad(soil, sole, {.unload = false});
  std::mt19937 random(5);
  std::uniform_real_distribution<double> scatter(-1, 1);
  for (double& force : test.recording.normal_force) force += scatter(random);
  const auto warning = HasSubstr("pad and soil cannot be told apart from loading alone");
  EXPECT_THAT(fit_series({test}, {}).fit.warnings, Contains(warning));

  SeriesOptions options;
  options.fix["k_F"] = kPadStiff;
  const Fit known = fit_series({test}, options).fit;
  EXPECT_THAT(known.warnings, Not(Contains(warning)));
  const double modulus = sinkage_modulus(soil, 0.05);
  EXPECT_NEAR(known.value("k"), modulus, 5 * known.find("k").standard_error);
  EXPECT_NEAR(known.value("n"), 1, 5 * known.find("n").standard_error);
}

// The three lines (68) of the paper: touch, spring and soil together, lift. The way down knows nothing
// of the pad; with the way up it is nearly that of line 3, 1.172e4 N/m.
RigTest three_lines(bool lifted) {
  RigTest test;
  test.name = "group-5";
  test.sole = make_cylinder(0.05, 0.08);
  const auto add = [&](double z, double force, Phase phase) {
    test.recording.body_sinkage.push_back(z);
    test.recording.normal_force.push_back(force);
    test.phase.push_back(phase);
  };
  for (int i = 3; i <= 81; ++i) {
    const double z = 5e-4 * i;
    add(z, std::fmin(1.227e4 * z - 14.9, 5530 * z + 38.9), Phase::loading);
  }
  for (int i = 81; lifted && i > 45; --i) {
    add(5e-4 * i, 1.172e4 * (5e-4 * i - 0.0225) + 51.0, Phase::unloading);
  }
  test.sinkage = test.recording.body_sinkage;
  return test;
}

TEST(Series, TheThreeLinesOfThePaper) {
  SeriesOptions options;
  options.fix["foot_weight"] = 51.27;
  const Fit down = fit_series({three_lines(false)}, options).fit;
  EXPECT_LT(down.find("k_F").lower, 500);
  EXPECT_GT(down.find("k_F").upper, 1e6);
  EXPECT_THAT(down.warnings, Contains(HasSubstr("cannot be told apart from loading alone")));
  const Fit fit = fit_series({three_lines(true)}, options).fit;
  EXPECT_NEAR(fit.value("k_F"), 1.21e4, 50);
  EXPECT_LT(fit.find("k_F").upper, 1.6e4);
  EXPECT_LT(fit.rms_residual, 6);
}

TEST(Series, IntervalsHoldTheTruthUnderScatter) {
  const FootSole sole = make_disc(0.05);
  const RigTest clean = pressed_pad(dry_sand(), sole);
  const double modulus = sinkage_modulus(dry_sand(), 0.05);
  int inside = 0, all = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    RigTest test = clean;
    std::mt19937 random(seed);
    std::normal_distribution<double> scatter(0, 2);
    for (double& force : test.recording.normal_force) force += scatter(random);
    SeriesOptions options;
    options.fit.per_group = false;
    const Fit fit = fit_series({test}, options).fit;
    const auto count = [&](const char* name, double truth) {
      const Estimate& e = fit.find(name);
      inside += static_cast<int>(e.lower <= truth && truth <= e.upper);
      ++all;
    };
    count("k_F", kPadStiff);
    count("k", modulus);
    count("n", 1.1);
  }
  EXPECT_NEAR(static_cast<double>(inside) / all, 0.95, 0.07);
}

TEST(Series, PadShareOfTheDeflection) {
  const FootSole sole = make_disc(0.05);
  const FittedLaw part = fit_series({pressed_pad(dry_sand(), sole)}, {});
  const double pad = 250 / kPadStiff, soil = find_sinkage(sole, dry_sand(), 250);
  ASSERT_EQ(part.derived.size(), 1U);
  EXPECT_NEAR(part.derived[0].value, pad / (pad + soil), 1e-7);
}

TEST(Series, SaysWhatIsMissing) {
  const RigTest good = pressed_pad(dry_sand(), make_disc(0.05));
  RigTest bad = good;
  bad.sole.reset();
  EXPECT_THROW(fit_series({bad}, {}), InputError);
  bad = good;
  bad.recording.normal_force.clear();
  EXPECT_THROW(fit_series({bad}, {}), InputError);
  bad = good;
  bad.phase.assign(bad.phase.size(), Phase::air);
  EXPECT_THROW(fit_series({bad}, {}), InputError);
  bad = good;
  for (double& z : bad.recording.body_sinkage) z = -z;
  EXPECT_THROW(fit_series({bad}, {}), InputError);
}

}  // namespace
}  // namespace footfall
