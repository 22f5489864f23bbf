// Soles at an angle against the exact integral, in force, moment and centre of pressure; continuous in
// depth, and at borders between soils.
#include "footfall/rig/tilted_sole.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "footfall/io/soil_library.hpp"

namespace footfall {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

const std::vector<Soil>& library() {
  static const std::vector<Soil> soils =
      load_soil_library(std::string(FOOTFALL_SOURCE_DIR) + "/soils");
  return soils;
}

class TiltedSole : public ::testing::TestWithParam<TiltedShape> {};

TEST_P(TiltedSole, ForceMomentAndCentreAreThoseOfTheIntegral) {
  // A polygon of 24 sides stands for a disc.
  const double bound = GetParam() == TiltedShape::disc ? 0.01 : 3e-4;
  for (const Soil& soil : library()) {
    for (const double tilt : {0.0, 1.0, 5.0, 10.0, 20.0, 30.0}) {
      for (const double direction : {0.0, 33.0}) {
        TiltedPress press{.shape = GetParam(),
                          .tilt = tilt * kDegree,
                          .direction = direction * kDegree,
                          .depths = {2e-3, 0.01}};
        if (press.shape != TiltedShape::disc) press.depths[0] = 1e-3;
        for (const TiltedSample& s : press_tilted(press, soil, soil)) {
          SCOPED_TRACE(soil.name + " " + std::to_string(tilt) + "° to " +
                       std::to_string(direction) + "°, " + std::to_string(s.depth) + " m");
          EXPECT_NEAR(s.force, s.exact_force, bound * s.exact_force);
          EXPECT_LT(s.center_error, 2e-4);  // of 200 mm
          EXPECT_LT(s.moment_error, bound * s.exact_force * 0.1);
        }
      }
    }
  }
}

TEST_P(TiltedSole, GrainsResistAsTheIntegralOfTheirTheory) {
  // flat sides are exact; a prism of 24 sides stands for a cylinder
  const double bound = GetParam() == TiltedShape::disc ? 0.02 : 1e-3;
  for (const double tilt : {0.0, 1.0, 5.0, 10.0, 20.0, 30.0}) {
    for (const double direction : {0.0, 33.0}) {
      TiltedPress press{.shape = GetParam(),
                        .tilt = tilt * kDegree,
                        .direction = direction * kDegree,
                        .depths = {2e-3, 0.01}};
      for (const TiltedSample& s : press_tilted_in_grains(press, 0.5)) {
        SCOPED_TRACE(std::to_string(tilt) + "° to " + std::to_string(direction) + "°, " +
                     std::to_string(s.depth) + " m");
        EXPECT_NEAR(s.force, s.exact_force, bound * s.exact_force);
        EXPECT_LT(s.center_error, 1e-3);
        EXPECT_LT(s.moment_error, bound * s.exact_force * 0.1);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, TiltedSole, ::testing::Values(TiltedShape::plate, TiltedShape::disc, TiltedShape::mesh),
    [](const auto& shape) {
      return std::string(kTiltedShapeNames[static_cast<std::size_t>(shape.param)]);
    });

TEST(TiltedSole, ErrorDoesNotJumpWithDepth) {
  for (const char* name : {"heavy-clay", "dry-sand", "concrete"}) {
    const Soil& soil = find_soil(library(), name);
    for (const TiltedShape shape : {TiltedShape::plate, TiltedShape::disc, TiltedShape::mesh}) {
      TiltedPress press{.shape = shape, .tilt = 10 * kDegree, .direction = 0.4, .depths = {}};
      for (int i = 1; i <= 300; ++i) press.depths.push_back(1e-4 * i);
      const std::vector<TiltedSample> samples = press_tilted(press, soil, soil);
      const double at_10_mm = samples[99].exact_force;
      for (std::size_t i = 1; i < samples.size(); ++i) {
        const double before = samples[i - 1].force - samples[i - 1].exact_force;
        EXPECT_NEAR(samples[i].force - samples[i].exact_force, before, 1e-3 * at_10_mm)
            << name << " at " << samples[i].depth;
      }
    }
  }
}

TEST(TiltedSole, BordersShareASoleByArea) {
  const Soil &clay = find_soil(library(), "heavy-clay"), &sand = find_soil(library(), "dry-sand");
  for (const double tilt : {0.0, 6.0}) {
    double before = 0, exact_before = 0;
    for (int i = -1040; i <= 1040; ++i) {
      TiltedPress press{.tilt = tilt * kDegree, .direction = 0.3, .depths = {0.01}};
      press.border_x = 1e-4 * i;
      if (i % 40 != 0 && std::abs(i) > 20) continue;  // steps of 0.1 mm near the middle
      const TiltedSample s = press_tilted(press, clay, sand).back();
      const double bound = tilt == 0 ? 1e-3 * s.exact_force : 0.02 * 1466;
      EXPECT_NEAR(s.force, s.exact_force, bound) << press.border_x;
      if (std::abs(i) <= 20 && i > -20) {
        EXPECT_NEAR(s.force - before, s.exact_force - exact_before, 0.02 * s.exact_force);
      }
      before = s.force;
      exact_before = s.exact_force;
    }
  }
}

// Force and centre of pressure over a border: to 1.3 % of the force and 1 % of the sole's length. Of a disc that
// only just reaches over, with its side, the side is a polygon: to 2e-5 of what the whole sole would carry there.
TEST(TiltedSole, EachSideOfABorderCarriesAtItsOwnCentre) {
  for (const auto& [here, there] :
       {std::pair{"heavy-clay", "dry-sand"}, {"loose-clay", "concrete"}}) {
    for (const TiltedShape shape : {TiltedShape::plate, TiltedShape::disc, TiltedShape::mesh}) {
      const double half = shape == TiltedShape::disc ? 0.05 : 0.1;
      for (const double tilt : {0.0, 2.0, 6.0, 15.0}) {
        for (int i = -9; i <= 9; i += 2) {
          TiltedPress press{.shape = shape,
                            .tilt = tilt * kDegree,
                            .direction = 0.3,
                            .depths = {5e-3, 0.01},
                            .border_x = 0.0973 * i * half};
          const Soil &soil = find_soil(library(), here), &beyond = find_soil(library(), there);
          TiltedPress level = press;
          level.tilt = 0;
          level.border_x = 1e3;
          const double whole = shape == TiltedShape::disc && std::abs(i) == 9
                                   ? press_tilted(level, beyond, beyond).back().exact_force
                                   : 0;
          for (const TiltedSample& s : press_tilted(press, soil, beyond)) {
            SCOPED_TRACE(std::string(here) + ", " + kTiltedShapeNames[static_cast<int>(shape)] +
                         " at " + std::to_string(tilt) + "°, border at " +
                         std::to_string(press.border_x));
            EXPECT_NEAR(s.force, s.exact_force, 0.013 * s.exact_force + 2e-5 * whole);
            EXPECT_LT(s.center_error, 0.01 * 2 * half);
          }
        }
      }
    }
  }
}

// Nearer to its rim than 4 % of its radius too, and without jumps.
TEST(TiltedSole, ADiscIsRoundAtABorder) {
  const Soil &clay = find_soil(library(), "loose-clay"),
             &concrete = find_soil(library(), "concrete");
  for (const double tilt : {0.0, 2.0}) {
    double before = 0;
    for (int i = 440; i <= 480; ++i) {
      const TiltedPress press{.shape = TiltedShape::disc,
                              .tilt = tilt * kDegree,
                              .direction = 0.3,
                              .depths = {0.01},
                              .border_x = 1e-4 * i};
      const TiltedSample s = press_tilted(press, clay, concrete).back();
      const double error = s.force - s.exact_force;
      EXPECT_NEAR(error, 0, 0.02 * s.exact_force) << press.border_x;
      if (i > 440) {
        EXPECT_NEAR(error, before, 0.002 * s.exact_force) << press.border_x;
      }
      before = error;
    }
  }
}

}  // namespace
}  // namespace footfall
