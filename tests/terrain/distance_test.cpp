// Distance to a heightfield by a second route: brute force over many points of the surface.
#include <gtest/gtest.h>

#include <cmath>

#include "footfall/terrain/terrain.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

Heightfield make_field() {
  Heightfield field;
  field.nx = 7;
  field.ny = 6;
  field.spacing = 0.1;
  field.origin_x = -0.3;
  field.origin_y = -0.25;
  testing::Random random(4);
  for (int i = 0; i < 42; ++i) field.heights.push_back(0.06 * random());
  return field;
}

// Height of the triangulated surface.
double height(const Heightfield& f, double x, double y) {
  const double u = (x - f.origin_x) / f.spacing, v = (y - f.origin_y) / f.spacing;
  const int i = std::min(static_cast<int>(u), f.nx - 2),
            k = std::min(static_cast<int>(v), f.ny - 2);
  const double s = u - i, t = v - k;
  const auto at = [&](int a, int b) { return f.heights[(k + b) * f.nx + i + a]; };
  return s >= t ? at(0, 0) + s * (at(1, 0) - at(0, 0)) + t * (at(1, 1) - at(1, 0))
                : at(0, 0) + t * (at(0, 1) - at(0, 0)) + s * (at(1, 1) - at(0, 1));
}

TEST(HeightfieldDistance, IsThatToTheNearestPointOfTheSurface) {
  const Heightfield field = make_field();
  testing::Random random(8);
  for (int trial = 0; trial < 40; ++trial) {
    const Vec3d p{0.12 * random(), 0.1 * random(), 0.08 * random()};
    double nearest = 1e300;
    constexpr int kSamples = 600;
    for (int i = 0; i <= kSamples; ++i) {
      for (int k = 0; k <= kSamples; ++k) {
        const double x = -0.3 + 0.6 * i / kSamples, y = -0.25 + 0.5 * k / kSamples;
        nearest = std::fmin(nearest, norm(Vec3d{x, y, height(field, x, y)} - p));
      }
    }
    const GroundDistance<double> g = heightfield_distance(field, p, 1.0);
    EXPECT_NEAR(std::abs(g.distance), nearest, 1e-3);  // the samples are 1 mm apart
    EXPECT_LE(std::abs(g.distance), nearest + 1e-12);
    EXPECT_EQ(g.distance > 0, p.z > height(field, p.x, p.y));
    EXPECT_NEAR(norm(g.normal), 1, 1e-12);
  }
}

// Continuous everywhere, and its gradient is the normal: no work is made by moving over borders.
TEST(HeightfieldDistance, ChangesByTheNormalTimesTheWay) {
  const Heightfield field = make_field();
  for (const double z : {-0.03, 0.02, 0.09}) {
    Vec3d p{-0.25, 0.03, z};
    const Vec3d way{1e-5, 3e-6, 0};
    GroundDistance<double> last = heightfield_distance(field, p, 1.0);
    double work = 0;
    const double start = last.distance;
    for (int k = 0; k < 45000; ++k) {
      p += way;
      const GroundDistance<double> next = heightfield_distance(field, p, 1.0);
      ASSERT_NEAR(next.distance, last.distance, norm(way) * (1 + 1e-9)) << "jumps at " << p.x;
      work += 0.5 * dot(next.normal + last.normal, way);
      last = next;
    }
    EXPECT_NEAR(work, last.distance - start, 1e-4);  // some normals jump, within one way of 1e-5
  }
}

TEST(HeightfieldDistance, OnAnInclineIsThatToAPlaneAndGoesOnBeyondTheBorder) {
  Heightfield field;
  field.nx = field.ny = 11;
  field.spacing = 0.1;
  for (int i = 0; i < 121; ++i) field.heights.push_back(0.02 * (i % 11));  // slope 0.2 along x
  const double n_z = 1 / std::sqrt(1.04);
  const GroundDistance<double> g = heightfield_distance(field, {0.5, 0.5, 0.13}, 1.0);
  EXPECT_NEAR(g.distance, 0.03 * n_z, 1e-14);
  EXPECT_NEAR(g.normal.x, -0.2 * n_z, 1e-14);
  EXPECT_NEAR(heightfield_distance(field, {3, 0.5, 0.25}, 1.0).distance, 0.05, 1e-14);
  EXPECT_TRUE(std::isnan(heightfield_distance(field, {NAN, 0, 0}, 1.0).distance));
  EXPECT_GE(heightfield_distance(field, {0.5, 0.5, 2}, 0.1).distance, 0.1);
}

// A foot that is metres below the ground searches no more cells than one that is 32 of them deep.
TEST(HeightfieldDistance, IsFoundFarBelowTheGroundToo) {
  Heightfield field;
  field.nx = field.ny = 1000;
  field.spacing = 0.005;
  field.heights.assign(1000 * 1000, 0.0);
  for (int i = 0; i < 1000 * 1000; ++i) field.heights[i] = 0.01 * std::sin(0.01 * (i % 1000));
  for (const double depth : {0.1, 1.0, 10.0, 1000.0}) {
    double sum = 0;
    for (int k = 0; k < 500; ++k) {  // of minutes, without a limit
      const GroundDistance<double> g =
          heightfield_distance(field, {2.5 + 4e-4 * k, 2.5, -depth}, 0.1);
      EXPECT_LE(g.distance, 0.02 - depth);
      EXPECT_GE(g.distance, -depth - 0.02);
      sum += g.normal.z;
    }
    EXPECT_GT(sum, 500 * 0.9);
  }
}

}  // namespace
}  // namespace footfall
