// Sampling: planes, heightfields, regions, lanes.
#include "footfall/terrain/terrain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "footfall/error.hpp"
#include "footfall/terrain/plane.hpp"
#include "footfall/terrain/procedural.hpp"

namespace footfall {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// 7 × 5 points, 0.25 m apart, from (−0.5, 1)
Heightfield make_field(const std::function<double(double, double)>& height_at) {
  Heightfield field{
      .nx = 7, .ny = 5, .origin_x = -0.5, .origin_y = 1, .spacing = 0.25, .heights = {}};
  for (int iy = 0; iy < field.ny; ++iy) {
    for (int ix = 0; ix < field.nx; ++ix) {
      field.heights.push_back(
          height_at(field.origin_x + ix * field.spacing, field.origin_y + iy * field.spacing));
    }
  }
  return field;
}
Heightfield make_rough_field() {
  return make_field(
      [](double x, double y) { return 0.3 * std::sin(5 * x) * std::cos(3 * y) + 0.1 * x * y; });
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(Plane, FlatGround) {
  const GroundPoint<double> ground = sample_ground(make_flat(0.3), 12.0, -7.0);
  EXPECT_EQ(ground.height, 0.3);
  expect_near(ground.normal, {0, 0, 1}, 0);
}

TEST(Plane, SlopeRisesInItsDirection) {
  for (const double direction : {0.0, 0.4, M_PI_2, 2.5, -1.0}) {
    const double slope = 0.3;
    const Terrain terrain = make_slope(slope, direction);
    const auto height = [&](double along, double across) {
      const double x = along * std::cos(direction) - across * std::sin(direction);
      const double y = along * std::sin(direction) + across * std::cos(direction);
      return sample_ground(terrain, x, y).height;
    };
    EXPECT_NEAR(height(0, 0), 0, 1e-15);
    EXPECT_NEAR(height(2, 0), 2 * std::tan(slope), 1e-14);
    EXPECT_NEAR(height(0, 2), 0, 1e-14);
    EXPECT_NEAR(norm(terrain.plane_normal), 1, 1e-15);
    EXPECT_NEAR(terrain.plane_normal.z, std::cos(slope), 1e-15);
    EXPECT_NO_THROW(check_terrain(terrain));
  }
}

TEST(Plane, RefusesDegreesAndNonsense) {
  EXPECT_THROW(make_slope(30, 0), InputError);
  EXPECT_THROW(make_slope(-0.1, 0), InputError);
  EXPECT_THROW(make_slope(0.1, 90), InputError);
  EXPECT_THROW(make_slope(kNan, 0), InputError);
  EXPECT_THROW(make_slope(0, kNan), InputError);
  EXPECT_THROW(make_flat(kNan), InputError);
  try {
    make_slope(30, 0);
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "slope = 30 rad, expected [0, 1.55]");
  }
}

TEST(Heightfield, OfAPlaneIsThatPlane) {
  const double a = 0.3, b = -0.7, c = 0.2;
  const Heightfield field = make_field([&](double x, double y) { return a * x + b * y + c; });
  const double n_z = 1 / std::sqrt(1 + a * a + b * b);
  for (double x = -0.5; x <= 1; x += 0.0371) {
    for (double y = 1; y <= 2; y += 0.0293) {
      const GroundPoint<double> ground = sample_heightfield(field, x, y);
      EXPECT_NEAR(ground.height, a * x + b * y + c, 1e-15);
      expect_near(ground.normal, {-a * n_z, -b * n_z, n_z}, 1e-14);
    }
  }
}

TEST(Heightfield, GridPointsAreExact) {
  const Heightfield field = make_rough_field();
  for (int iy = 0; iy < field.ny; ++iy) {
    for (int ix = 0; ix < field.nx; ++ix) {
      const double x = field.origin_x + ix * field.spacing, y = field.origin_y + iy * field.spacing;
      EXPECT_NEAR(sample_heightfield(field, x, y).height, field.heights[iy * field.nx + ix], 1e-16);
    }
  }
}

// Bilinear height is linear along each axis, so central differences inside a cell are exact.
TEST(Heightfield, NormalIsThatOfTheSurface) {
  const Heightfield field = make_rough_field();
  const double h = 1e-4;
  for (double x = -0.9; x < 1.4; x += 0.0611) {
    for (double y = 0.7; y < 2.3; y += 0.0533) {
      const auto height = [&](double dx, double dy) {
        return sample_heightfield(field, x + dx, y + dy).height;
      };
      const double slope_x = (height(h, 0) - height(-h, 0)) / (2 * h);
      const double slope_y = (height(0, h) - height(0, -h)) / (2 * h);
      const Vec3d n = sample_heightfield(field, x, y).normal;
      EXPECT_NEAR(-n.x / n.z, slope_x, 1e-11) << x << ' ' << y;
      EXPECT_NEAR(-n.y / n.z, slope_y, 1e-11) << x << ' ' << y;
      EXPECT_NEAR(norm(n), 1, 1e-15);
    }
  }
}

TEST(Heightfield, HeightIsContinuousOverCellBordersAndTheEdge) {
  const Heightfield field = make_rough_field();
  const double step = 1e-9, steepest = 4;
  for (int i = -1; i <= field.nx; ++i) {
    const double border_x = field.origin_x + i * field.spacing;
    const double border_y = field.origin_y + i * field.spacing;
    for (double along = -0.7; along < 2.5; along += 0.0917) {
      EXPECT_NEAR(sample_heightfield(field, border_x - step, along).height,
                  sample_heightfield(field, border_x + step, along).height, 2 * step * steepest);
      EXPECT_NEAR(sample_heightfield(field, along, border_y - step).height,
                  sample_heightfield(field, along, border_y + step).height, 2 * step * steepest);
    }
  }
}

TEST(Heightfield, ContinuesLevelBeyondItsEdge) {
  const Heightfield field = make_rough_field();
  const GroundPoint<double> edge = sample_heightfield(field, 1.0, 1.6);
  for (const double x : {1.0001, 3.0, 1e12}) {
    const GroundPoint<double> beyond = sample_heightfield(field, x, 1.6);
    EXPECT_EQ(beyond.height, edge.height);
    EXPECT_EQ(beyond.normal.x, 0);
    EXPECT_NE(beyond.normal.y, 0);
  }
  const GroundPoint<double> corner = sample_heightfield(field, -1e300, -1e300);
  EXPECT_EQ(corner.height, field.heights[0]);
  expect_near(corner.normal, {0, 0, 1}, 0);
}

TEST(Heightfield, NotANumberIsNotHidden) {
  const Heightfield field = make_rough_field();
  EXPECT_TRUE(std::isnan(sample_heightfield(field, kNan, 1.5).height));
  EXPECT_TRUE(std::isnan(sample_heightfield(field, 0, kNan).height));
}

TEST(Heightfield, ChecksItself) {
  const Heightfield good = make_rough_field();
  EXPECT_NO_THROW(check_heightfield(good));
  const auto expect_refused = [&](auto change) {
    Heightfield field = good;
    change(field);
    EXPECT_THROW(make_terrain(field), InputError);
  };
  expect_refused([](Heightfield& f) { f.heights[5] = kNan; });
  expect_refused([](Heightfield& f) { f.heights[5] = 1e300; });
  expect_refused([](Heightfield& f) { f.heights.pop_back(); });
  expect_refused([](Heightfield& f) { f.spacing = 0; });
  expect_refused([](Heightfield& f) { f.spacing = -1; });
  expect_refused([](Heightfield& f) { f.origin_x = kNan; });
  expect_refused([](Heightfield& f) { f.nx = 1; });
  expect_refused([](Heightfield& f) { f.nx = f.ny = 1 << 30; });
}

void expect_lanes_equal_scalar(const Terrain& terrain) {
  Lane8 x(0), y(0);
  for (int i = 0; i < kLaneCount; ++i) {
    x.set(i, -0.8 + 0.31 * i);
    y.set(i, 2.3 - 0.22 * i);
  }
  const GroundPoint<Lane8> lanes = sample_ground(terrain, x, y);
  for (int i = 0; i < kLaneCount; ++i) {
    const GroundPoint<double> scalar = sample_ground(terrain, x[i], y[i]);
    EXPECT_NEAR(lanes.height[i], scalar.height, 1e-15);
    expect_near({lanes.normal.x[i], lanes.normal.y[i], lanes.normal.z[i]}, scalar.normal, 0);
  }
}

TEST(Ground, LanesEqualScalar) {
  expect_lanes_equal_scalar(make_flat(0.1));
  expect_lanes_equal_scalar(make_slope(0.4, 1.1));
  expect_lanes_equal_scalar(make_terrain(make_rough_field()));
}

Region rectangle(int soil, double x_min, double x_max, double y_min, double y_max) {
  Region region{.name = "rectangle", .soil = soil};
  region.x_min = x_min;
  region.x_max = x_max;
  region.y_min = y_min;
  region.y_max = y_max;
  return region;
}
Region circle(int soil, double center_x, double center_y, double radius) {
  Region region{.name = "circle", .soil = soil, .shape = RegionShape::circle};
  region.center_x = center_x;
  region.center_y = center_y;
  region.radius = radius;
  return region;
}
Region half_plane(int soil, double a, double b, double c) {
  Region region{.name = "half plane", .soil = soil, .shape = RegionShape::half_plane};
  region.a = a;
  region.b = b;
  region.c = c;
  return region;
}

TEST(Regions, LastOneWins) {
  Terrain terrain = make_flat();
  EXPECT_EQ(soil_at(terrain, 0, 0), 0);
  terrain.regions = {half_plane(1, 1, 1, 0), rectangle(2, -1, 1, -1, 1), circle(3, 0.5, 0, 0.25)};
  EXPECT_NO_THROW(check_terrain(terrain));
  EXPECT_EQ(soil_at(terrain, -5, 0), 0);
  EXPECT_EQ(soil_at(terrain, 5, 0), 1);
  EXPECT_EQ(soil_at(terrain, -0.5, 0.2), 2);
  EXPECT_EQ(soil_at(terrain, 0.5, 0.2), 3);
  std::swap(terrain.regions[1], terrain.regions[2]);  // now the rectangle covers the circle
  EXPECT_EQ(soil_at(terrain, 0.5, 0.2), 2);
}

TEST(Regions, EdgesBelongToThem) {
  Terrain terrain = make_flat();
  terrain.regions = {rectangle(1, 0, 1, 0, 1)};
  EXPECT_EQ(soil_at(terrain, 0, 1), 1);
  EXPECT_EQ(soil_at(terrain, 1 + 1e-12, 1), 0);
  terrain.regions = {circle(1, 0, 0, 2)};
  EXPECT_EQ(soil_at(terrain, 2, 0), 1);
  terrain.regions = {half_plane(1, 0, 1, 3)};
  EXPECT_EQ(soil_at(terrain, -9, 3), 1);
  EXPECT_EQ(soil_at(terrain, kNan, kNan), 0);
}

TEST(Regions, CheckThemselves) {
  EXPECT_THROW(check_region(rectangle(-1, 0, 1, 0, 1)), InputError);
  EXPECT_THROW(check_region(rectangle(1, 1, 0, 0, 1)), InputError);
  EXPECT_THROW(check_region(rectangle(1, 0, 1, kNan, 1)), InputError);
  EXPECT_THROW(check_region(circle(1, 0, 0, 0)), InputError);
  EXPECT_THROW(check_region(circle(1, kNan, 0, 1)), InputError);
  EXPECT_THROW(check_region(half_plane(1, 0, 0, 1)), InputError);
  Terrain terrain = make_flat();
  terrain.plane_normal = {0, 1, 1};
  EXPECT_THROW(check_terrain(terrain), InputError);
}

}  // namespace
}  // namespace footfall
