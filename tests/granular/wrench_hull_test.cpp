#include "footfall/granular/wrench_hull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "granular/media.hpp"

namespace footfall {
namespace {

double dot(const std::array<double, 3>& u, const PlanarWrench& w) {
  return u[0] * w.force_x + u[1] * w.force_z + u[2] * w.torque_y;
}

TEST(WrenchHull, OfABoxIsTheBox) {
  std::vector<PlanarWrench> points;
  for (int k = 0; k < 8; ++k) {
    points.push_back({k & 1 ? 3.0 : -1.0, k & 2 ? 500.0 : 0.0, k & 4 ? 0.02 : 0.01});
  }
  points.push_back({0.5, 100, 0.015});  // inside
  const WrenchHull hull = find_hull(points);
  EXPECT_NEAR(hull.volume, 4 * 500 * 0.01, 1e-10);
  EXPECT_EQ(hull.corners, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(hull.facets.size(), 12U);
}

TEST(WrenchHull, HasTheSupportFunctionOfItsPoints) {
  testing::Uniform uniform(5);
  std::vector<PlanarWrench> points;
  for (int i = 0; i < 59; ++i) {
    points.push_back({40 * uniform(), 150 + 150 * uniform(), 8 * uniform()});
  }
  const WrenchHull hull = find_hull(points);
  for (const WrenchHull::Facet& f : hull.facets) {
    EXPECT_NEAR(std::hypot(f.normal[0], f.normal[1], f.normal[2]), 1, 1e-14);
    for (const PlanarWrench& w : points) EXPECT_LE(dot(f.normal, w), f.offset + 1e-10);
    for (const int corner : f.corners) {
      EXPECT_NEAR(dot(f.normal, points[static_cast<std::size_t>(corner)]), f.offset, 1e-10);
    }
  }
  for (int k = 0; k < 200; ++k) {
    const std::array<double, 3> u{uniform(), uniform(), 20 * uniform()};
    double all = -1e300, corners = -1e300;
    for (const PlanarWrench& w : points) all = std::max(all, dot(u, w));
    for (const int i : hull.corners) {
      corners = std::max(corners, dot(u, points[static_cast<std::size_t>(i)]));
    }
    EXPECT_EQ(all, corners);
  }
}

TEST(WrenchHull, OfFlatPointsHasNoVolume) {
  EXPECT_EQ(find_hull(std::vector<PlanarWrench>(5)).volume, 0);
  std::vector<PlanarWrench> flat;
  for (int i = 0; i < 6; ++i)
    flat.push_back({std::sin(i), std::cos(2 * i), std::sin(i) + std::cos(2 * i)});
  const WrenchHull hull = find_hull(flat);
  EXPECT_TRUE(hull.facets.empty());
  EXPECT_EQ(hull.volume, 0);
}

// Corners of a cube about the origin, and two points inside.
TEST(Concavity, IsTheDepthUnderTheHullOverTheLength) {
  WrenchDatabase database;
  database.directions.resize(10);
  database.configurations = {{0.1, 0}, {0.2, 0}};
  for (const double size : {10.0, 2.0}) {
    for (int k = 0; k < 8; ++k) {
      database.wrenches.push_back(
          {k & 1 ? size : -size, k & 2 ? size : -size, k & 4 ? size : -size});
    }
    database.wrenches.push_back({0, 0.8 * size, 0});
    database.wrenches.push_back({0, 0, 0.25 * size});
  }
  const Concavity measured = measure_concavity(database);
  // (10 − 2.5)/2.5 counts; of the small one 0.5 is too short, and (2 − 1.6)/1.6 is left
  EXPECT_NEAR(measured.each[0], 3, 1e-12);
  EXPECT_NEAR(measured.each[1], 0.25, 1e-12);
  EXPECT_NEAR(measured.average, 1.625, 1e-12);
  EXPECT_NEAR(measured.worst, 3, 1e-12);
}

// Table II of Zhu 2019 has 0 for sand; its published wrenches have not. Those that are inside are about 1 N
// long, noise of feet that are lifted; of wrenches above 5 N the paper's finding holds.
TEST(Concavity, OfTheSandIsSmall) {
  const std::optional<WrenchDatabase> sand = testing::measured_sand();
  if (!sand) GTEST_SKIP() << testing::kNoSand;
  const Concavity paper = measure_concavity(*sand);
  EXPECT_NEAR(paper.average, 0.0257, 5e-5);
  EXPECT_NEAR(paper.worst, 0.0745, 5e-5);
  const Concavity long_ones = measure_concavity(*sand, {.least_length = 5});
  EXPECT_NEAR(long_ones.average, 0.0014, 5e-5);
  EXPECT_NEAR(long_ones.worst, 0.0045, 5e-5);
}

}  // namespace
}  // namespace footfall
