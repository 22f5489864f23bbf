// Ramps, stairs and bumps at points where the answer is known; noise by its statistics and seed.
#include "footfall/terrain/procedural.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "footfall/error.hpp"

namespace footfall {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr GridExtent kExtent{.x_min = -2, .x_max = 2, .y_min = -1, .y_max = 1, .spacing = 0.05};

double height_at(const Heightfield& field, double x, double y) {
  return sample_heightfield(field, x, y).height;
}

template <class Make>
std::string terrain_error_of(const Make& make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Extent, CoversItsRectangle) {
  const Heightfield field = make_ramp({}, kExtent);
  EXPECT_EQ(field.nx, 81);
  EXPECT_EQ(field.ny, 41);
  EXPECT_EQ(field.origin_x, -2);
  EXPECT_EQ(field.origin_y, -1);
  const Heightfield uneven =
      make_ramp({}, {.x_min = 0, .x_max = 1, .y_min = 0, .y_max = 0.01, .spacing = 0.3});
  EXPECT_EQ(uneven.nx, 5);  // to 1.2
  EXPECT_EQ(uneven.ny, 2);
}

TEST(Extent, RefusesNonsense) {
  EXPECT_THROW(make_ramp({}, {.spacing = 0}), InputError);
  EXPECT_THROW(make_ramp({}, {.spacing = kNoNumber}), InputError);
  EXPECT_THROW(make_ramp({}, {.x_min = 1, .x_max = 1}), InputError);
  EXPECT_THROW(make_ramp({}, {.x_max = kNoNumber}), InputError);
  EXPECT_THROW(make_ramp({}, {.x_max = 1e30}), InputError);
  EXPECT_EQ(
      terrain_error_of([] { return make_ramp({}, {.x_max = 1e6, .y_max = 1e6}); }),
      "extent: the grid has 20000101 × 20000101 points (x × y), expected at most 67108864 in all");
}

TEST(Ramp, IsFlatThenEvenThenFlat) {
  const Heightfield field = make_ramp({.start = -0.5, .length = 1, .rise = 0.4}, kExtent);
  for (const double y : {-1.0, 0.3, 1.0}) {
    EXPECT_EQ(height_at(field, -2, y), 0);
    EXPECT_EQ(height_at(field, -0.61, y), 0);
    EXPECT_NEAR(height_at(field, -0.5, y), 0, 1e-15);
    EXPECT_NEAR(height_at(field, 0, y), 0.2, 1e-15);
    EXPECT_NEAR(height_at(field, 0.123, y), 0.4 * 0.623, 1e-15);
    EXPECT_NEAR(height_at(field, 0.5, y), 0.4, 1e-15);
    EXPECT_NEAR(height_at(field, 2, y), 0.4, 1e-15);
  }
  const Vec3d n = sample_heightfield(field, 0.1, 0).normal;
  EXPECT_NEAR(-n.x / n.z, 0.4, 1e-13);
}

TEST(Ramp, TurnsWithItsDirectionAndLeadsDown) {
  const Heightfield along_y =
      make_ramp({.start = 0, .length = 0.5, .rise = -0.1, .direction = M_PI_2}, kExtent);
  EXPECT_NEAR(height_at(along_y, 1.3, -0.2), 0, 1e-15);
  EXPECT_NEAR(height_at(along_y, -1.3, 0.25), -0.05, 1e-15);
  EXPECT_NEAR(height_at(along_y, 0, 0.8), -0.1, 1e-15);
}

TEST(Stairs, TreadsAreExact) {
  const StairsParameters stairs{
      .start = 0.1, .step_height = 0.12, .step_depth = 0.3, .step_count = 4};
  const Heightfield field = make_stairs(stairs, kExtent);
  EXPECT_EQ(height_at(field, -2, 0), 0);
  EXPECT_EQ(height_at(field, 0.04, 0.5), 0);
  for (int step = 1; step <= 4; ++step) {
    const double riser = 0.1 + 0.3 * (step - 1);
    for (const double into_tread : {1e-9, 0.1, 0.24}) {
      EXPECT_NEAR(height_at(field, riser + into_tread, -0.33), 0.12 * step, 1e-8)
          << step << ' ' << into_tread;
    }
    // the riser is spread over the spacing before it
    EXPECT_NEAR(height_at(field, riser - 0.025, 0), 0.12 * (step - 0.5), 1e-12);
    EXPECT_NEAR(height_at(field, riser - 0.051, 0), 0.12 * (step - 1), 1e-12);
  }
  EXPECT_NEAR(height_at(field, 1.9, 0), 0.48, 1e-15);
}

TEST(Stairs, LeadDownAgainstX) {
  const Heightfield field = make_stairs(
      {.step_height = -0.1, .step_depth = 0.5, .step_count = 2, .direction = M_PI}, kExtent);
  EXPECT_NEAR(height_at(field, 0.3, 0), 0, 1e-15);
  EXPECT_NEAR(height_at(field, -0.25, 0), -0.1, 1e-15);
  EXPECT_NEAR(height_at(field, -1.9, 0), -0.2, 1e-15);
}

// Upper treads end where the risers are, whichever way the stairs lead.
TEST(Stairs, HaveTheirEdgesAtTheRisers) {
  for (const double direction : {0.0, M_PI}) {
    const double way = direction == 0 ? 1 : -1;
    const Heightfield down = make_stairs(
        {.start = 0.2, .step_height = -0.1, .step_depth = 0.3, .direction = direction}, kExtent);
    const Heightfield up = make_stairs(
        {.start = 0.2, .step_height = 0.1, .step_depth = 0.3, .direction = direction}, kExtent);
    for (int step = 0; step < 3; ++step) {
      const double riser = 0.2 + 0.3 * step;
      EXPECT_NEAR(height_at(down, way * (riser - 1e-9), 0.1), -0.1 * step, 1e-8);
      EXPECT_NEAR(height_at(down, way * (riser + 0.025), 0.1), -0.1 * (step + 0.5), 1e-12);
      EXPECT_NEAR(height_at(down, way * (riser + 0.051), 0.1), -0.1 * (step + 1), 1e-12);
      EXPECT_NEAR(height_at(up, way * (riser + 1e-9), 0.1), 0.1 * (step + 1), 1e-8);
      EXPECT_NEAR(height_at(up, way * (riser - 0.051), 0.1), 0.1 * step, 1e-12);
    }
  }
}

TEST(Bumps, AreWavesInBothDirections) {
  const Heightfield field =
      make_bumps({.amplitude = 0.03, .wavelength_x = 1, .wavelength_y = 0.5}, kExtent);
  EXPECT_NEAR(height_at(field, 0, 0), 0.03, 1e-15);
  EXPECT_NEAR(height_at(field, 1, -0.5), 0.03, 1e-15);
  EXPECT_NEAR(height_at(field, 0.5, 0), -0.03, 1e-15);
  EXPECT_NEAR(height_at(field, 0.5, 0.25), 0.03, 1e-15);
  EXPECT_NEAR(height_at(field, 0.25, 0.1), 0, 1e-15);
  EXPECT_NEAR(height_at(field, 0.1, 0.05), 0.03 * std::cos(0.2 * M_PI) * std::cos(0.2 * M_PI),
              1e-15);
}

TEST(Bumps, WithoutAWavelengthAreCorrugations) {
  const Heightfield field =
      make_bumps({.amplitude = 0.03, .wavelength_x = 1, .wavelength_y = 0}, kExtent);
  for (const double y : {-1.0, 0.0, 0.77}) EXPECT_NEAR(height_at(field, 0.5, y), -0.03, 1e-15);
}

constexpr NoiseParameters kNoise{
    .amplitude = 0.1, .wavelength = 1, .octaves = 4, .persistence = 0.5, .seed = 7};
constexpr GridExtent kWide{.x_min = -20, .x_max = 20, .y_min = -20, .y_max = 20, .spacing = 0.1};

struct Statistics {
  double mean = 0, rms = 0, largest = 0, steepest_step = 0;
};
Statistics measure(const Heightfield& field) {
  Statistics result;
  const double count = static_cast<double>(field.heights.size());
  double previous = field.heights[0];
  for (std::size_t i = 0; i < field.heights.size(); ++i) {
    const double h = field.heights[i];
    result.mean += h / count;
    result.rms += h * h / count;
    result.largest = std::max(result.largest, std::abs(h));
    if (i % static_cast<std::size_t>(field.nx) != 0) {
      result.steepest_step = std::max(result.steepest_step, std::abs(h - previous));
    }
    previous = h;
  }
  result.rms = std::sqrt(result.rms);
  return result;
}

TEST(Noise, HasTheStatedSize) {
  for (const std::uint64_t seed : {0u, 1u, 99u}) {
    NoiseParameters noise = kNoise;
    noise.seed = seed;
    const Statistics s = measure(make_noise(noise, kWide));
    EXPECT_LE(s.largest, 0.1);
    EXPECT_GT(s.largest, 0.05);
    EXPECT_NEAR(s.mean, 0, 0.002);
    EXPECT_NEAR(s.rms, 0.019, 0.001);
  }
}

TEST(Noise, OfOneOctaveIsSmooth) {
  NoiseParameters noise = kNoise;
  noise.octaves = 1;
  GridExtent fine = kWide;
  fine.x_max = fine.y_max = -18;
  fine.spacing = 0.002;
  const Statistics s = measure(make_noise(noise, fine));
  EXPECT_LT(s.steepest_step, 4 * noise.amplitude / noise.wavelength * fine.spacing);
  EXPECT_LE(s.largest, noise.amplitude);
}

TEST(Noise, DoesNotDependOnTheGrid) {
  const Heightfield a = make_noise(kNoise, kWide);
  const Heightfield b =
      make_noise(kNoise, {.x_min = 0, .x_max = 1, .y_min = -1, .y_max = 0, .spacing = 0.25});
  EXPECT_NEAR(height_at(b, 0.5, -0.5), height_at(a, 0.5, -0.5), 1e-14);
}

TEST(Noise, SeedsDiffer) {
  NoiseParameters other = kNoise;
  other.seed = 8;
  const Heightfield a = make_noise(kNoise, kWide), b = make_noise(other, kWide);
  double correlation = 0, power = 0;
  for (std::size_t i = 0; i < a.heights.size(); ++i) {
    correlation += a.heights[i] * b.heights[i];
    power += a.heights[i] * a.heights[i];
  }
  EXPECT_LT(std::abs(correlation / power), 0.1);
}

// Bit for bit, whatever the compiler and its fusing of multiply-adds.
TEST(Noise, GoldenHeights) {
  const Heightfield field =
      make_noise(kNoise, {.x_min = -0.3, .x_max = 0.6, .y_min = 0, .y_max = 0.3, .spacing = 0.3});
  const double golden[] = {0x1.30765f41c8bbbp-6,  0x1.c0a34b84d88efp-7,  0x1.151616cb807e8p-7,
                           -0x1.4d7752a9cc474p-6, 0x1.ab40d61089fc5p-8,  -0x1.c75c4caf2019bp-8,
                           -0x1.0b3ce72e6cc2dp-5, -0x1.62653cfc9250ep-12};
  ASSERT_EQ(field.heights.size(), std::size(golden));
  for (std::size_t i = 0; i < std::size(golden); ++i) EXPECT_EQ(field.heights[i], golden[i]) << i;
}

TEST(Procedural, RefusesBadParametersWithTheirValue) {
  EXPECT_EQ(terrain_error_of([] { return make_ramp({.length = 0}, kExtent); }),
            "ramp length = 0 m, expected > 0");
  EXPECT_EQ(terrain_error_of([] { return make_ramp({.rise = kNoNumber}, kExtent); }),
            "ramp rise = nan m, expected [-1e5, 1e5]");
  EXPECT_EQ(terrain_error_of([] { return make_ramp({.direction = 45}, kExtent); }),
            "ramp direction = 45 rad, expected [-2π, 2π]");
  EXPECT_EQ(terrain_error_of([] { return make_stairs({.step_depth = 0.01}, kExtent); }),
            "stairs step_depth = 0.01 m, expected at least the grid's spacing, 0.05 m");
  EXPECT_EQ(terrain_error_of([] { return make_stairs({.step_count = 0}, kExtent); }),
            "stairs step_count = 0, expected [1, 100000]");
  EXPECT_EQ(terrain_error_of([] { return make_bumps({.amplitude = -1}, kExtent); }),
            "bumps amplitude = -1 m, expected [0, 1e5]");
  EXPECT_EQ(terrain_error_of([] { return make_bumps({.wavelength_y = 0.06}, kExtent); }),
            "bumps wavelength_y = 0.06 m, expected 0 or at least two spacings, 0.1 m");
  EXPECT_EQ(terrain_error_of([] { return make_noise({.octaves = 17}, kExtent); }),
            "noise octaves = 17, expected [1, 16]");
  EXPECT_EQ(terrain_error_of([] { return make_noise({.wavelength = 0}, kExtent); }),
            "noise wavelength = 0 m, expected at least two spacings, 0.1 m");
  EXPECT_EQ(terrain_error_of([] { return make_noise({.persistence = 1.5}, kExtent); }),
            "noise persistence = 1.5, expected [0, 1]");
}

}  // namespace
}  // namespace footfall
