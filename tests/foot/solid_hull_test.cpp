// Hulls in space: closed, convex, and around all points.
#include "foot/solid_hull.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace footfall {
namespace {

struct Measure {
  double area = 0, volume = 0;
  Vec3d closed{0, 0, 0};  // Σ of the faces' area vectors
};
Measure measure(const std::vector<Vec3d>& points, const std::vector<std::array<int, 3>>& faces) {
  Measure out;
  for (const auto& [a, b, c] : faces) {
    const Vec3d area = 0.5 * cross(points[b] - points[a], points[c] - points[a]);
    out.area += norm(area);
    out.volume += dot(area, points[a]) / 3;
    out.closed += area;
  }
  return out;
}

TEST(SolidHull, OfABoxWithPointsOnItsSides) {
  std::vector<Vec3d> points;
  for (const double x : {-1.0, 0.0, 1.0}) {
    for (const double y : {-0.5, 0.0, 0.5}) {
      for (const double z : {-0.1, 0.0, 0.1}) points.push_back({x, y, z});
    }
  }
  const Measure box = measure(points, solid_hull(points));
  EXPECT_NEAR(box.volume, 2 * 1 * 0.2, 1e-12);
  EXPECT_NEAR(box.area, 2 * (2 * 1 + 2 * 0.2 + 1 * 0.2), 1e-12);
  EXPECT_LT(norm(box.closed), 1e-12);
}

TEST(SolidHull, OfPointsOnASphere) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<Vec3d> points;
  for (int i = 0; i < 300; ++i) {
    const Vec3d p{normal(random), normal(random), normal(random)};
    points.push_back((0.02 / norm(p)) * p);
  }
  const std::vector<std::array<int, 3>> faces = solid_hull(points);
  EXPECT_EQ(faces.size(), 2 * points.size() - 4);  // Euler: every point is a corner
  const Measure ball = measure(points, faces);
  EXPECT_LT(norm(ball.closed), 1e-15);
  const double volume = 4.0 / 3 * std::numbers::pi * 8e-6;
  EXPECT_LT(ball.volume, volume);
  EXPECT_GT(ball.volume, 0.95 * volume);
  for (const auto& [a, b, c] : faces) {
    const Vec3d n = cross(points[b] - points[a], points[c] - points[a]);
    for (const Vec3d& p : points) EXPECT_LE(dot(n, p - points[a]), 1e-9 * norm(n));
  }
}

TEST(SolidHull, OfAPlateIsEmpty) {
  EXPECT_TRUE(solid_hull({}).empty());
  EXPECT_TRUE(solid_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.3, 0}}).empty());
}

}  // namespace
}  // namespace footfall
