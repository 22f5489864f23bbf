// The wet part of a cell against the polygon that a level surface cuts out of it.
#include <gtest/gtest.h>

#include <random>

#include "footfall/math/lanes.hpp"
#include "footfall/soil/cell.hpp"

namespace footfall {
namespace {

struct Moments {
  double share = 0, m[3][3] = {};
};

// Corners as shares (λ₀, λ₁, λ₂) of the cell's; the polygon's triangles one by one.
Moments integrate_below(const Vec3d& z) {
  const double depth[3] = {z.x, z.y, z.z};
  std::vector<Vec3d> wet;
  for (int i = 0; i < 3; ++i) {
    const int k = (i + 1) % 3;
    const auto at = [&](double t) {
      double shares[3] = {0, 0, 0};
      shares[i] = 1 - t;
      shares[k] = t;
      return Vec3d{shares[0], shares[1], shares[2]};
    };
    if (depth[i] > 0) wet.push_back(at(0));
    if ((depth[i] > 0) != (depth[k] > 0)) wet.push_back(at(depth[i] / (depth[i] - depth[k])));
  }
  Moments out;
  for (std::size_t i = 1; i + 1 < wet.size(); ++i) {
    const Vec3d p[3] = {wet[0], wet[i], wet[i + 1]};
    const double area = dot(p[0], cross(p[1], p[2]));  // of the cell's
    out.share += area;
    const Vec3d middles[3] = {0.5 * (p[0] + p[1]), 0.5 * (p[1] + p[2]), 0.5 * (p[2] + p[0])};
    for (const Vec3d& q : middles) {  // exact to the second degree
      const double shares[3] = {q.x, q.y, q.z};
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) out.m[a][b] += area / 3 * shares[a] * shares[b];
      }
    }
  }
  return out;
}

std::vector<Vec3d> many_depths() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-0.01, 0.01);
  std::vector<Vec3d> out{{0, 0, 0},        {1e-3, 1e-3, 1e-3}, {-1e-3, -1e-3, -1e-3},
                         {0, 0, 1e-3},     {0, 1e-3, 1e-3},    {0, 0, -1e-3},
                         {0, -1e-3, 2e-3}, {1e-3, -1e-3, 1e-3}};
  for (int i = 0; i < 2000; ++i) {
    Vec3d z{any(random), any(random), any(random)};
    if (i % 3 == 1) z.y = z.x;  // an edge that is level
    if (i % 5 == 1) z.z = z.y + 1e-9 * any(random);
    out.push_back(z);
  }
  return out;
}

TEST(WetPart, MomentsAreThoseOfThePolygon) {
  for (const Vec3d& z : many_depths()) {
    const Sym3<double> m = wet_moments(z);
    const Moments exact = integrate_below(z);
    const double found[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        ASSERT_NEAR(found[a][b], exact.m[a][b], 1e-15) << z.x << " " << z.y << " " << z.z;
      }
    }
  }
}

TEST(WetPart, MeansFollowFromTheMoments) {
  for (const Vec3d& z : many_depths()) {
    const Moments exact = integrate_below(z);
    const double depth[3] = {z.x, z.y, z.z};
    double first = 0, second = 0;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        first += exact.m[a][b] * depth[b];
        second += exact.m[a][b] * depth[a] * depth[b];
      }
    }
    const Cell<double> cell = make_cell(z.x, z.y, z.z, 0.0);
    const Bearing<double> linear = mean_power(cell, 1.0, 0.0), squared = mean_power(cell, 2.0, 0.0);
    ASSERT_NEAR(linear.force, first, 1e-17);
    ASSERT_NEAR(linear.slope, exact.share, 1e-15);
    ASSERT_NEAR(squared.force, second, 1e-19);
    ASSERT_NEAR(squared.slope, 2 * first, 1e-17);
    if (cell.low < 0 || cell.high > 0) {
      ASSERT_NEAR(wet_share(cell, 0.0), exact.share, 1e-15);
    }
  }
}

// Soils of other exponents take divided differences, which move corners apart by 1e-2 where depths are equal.
TEST(WetPart, OtherExponentsComeToTheSame) {
  for (const Vec3d& z : many_depths()) {
    const CornerResponse<double> linear = corner_response(z, 1.0),
                                 near = corner_response(z, 1 + 1e-9);
    const double all = linear.force.x + linear.force.y + linear.force.z;
    ASSERT_NEAR(near.force.x, linear.force.x, 3e-4 * all + 1e-15);
    ASSERT_NEAR(near.force.y, linear.force.y, 3e-4 * all + 1e-15);
    ASSERT_NEAR(near.force.z, linear.force.z, 3e-4 * all + 1e-15);
  }
}

// What only just touches is not lost in what is far above: against the whole less what is above, with more digits.
TEST(WetPart, SliversAreAsExactAsTheRest) {
  using Long = long double;
  for (const double depth : {1e-5, 1e-4}) {
    for (const double slope : {0.0, 0.3, 0.9}) {
      const double low = -0.01, mid = (1 - slope) * depth;
      const Long a = low, b = mid, c = depth, cut = a * a / ((a - b) * (a - c));
      const Long sum = a + b + c, squares = a * a + b * b + c * c;
      const Long first = (sum - cut * a) / 3, second = (squares + sum * sum) / 12 - cut * a * a / 6;
      const Cell<double> cell = make_cell(low, mid, depth, 0.0);
      EXPECT_NEAR(mean_power(cell, 1.0, 0.0).force / static_cast<double>(first), 1, 1e-12);
      EXPECT_NEAR(mean_power(cell, 2.0, 0.0).force / static_cast<double>(second), 1, 1e-9);
      const CornerResponse<double> response = corner_response(Vec3d{low, mid, depth}, 1.0);
      EXPECT_NEAR((response.force.x + response.force.y + response.force.z) /
                      static_cast<double>(first),
                  1, 1e-12);
      EXPECT_GT(response.force.x, 0);
    }
  }
}

TEST(WetPart, LanesAreRobotsAlone) {
  const std::vector<Vec3d> depths = many_depths();
  for (std::size_t i = 0; i + 8 <= depths.size(); i += 8) {
    Vec3<Lane8> z{};
    for (int l = 0; l < 8; ++l) {
      set_lane(z.x, l, depths[i + l].x);
      set_lane(z.y, l, depths[i + l].y);
      set_lane(z.z, l, depths[i + l].z);
    }
    Lane8 n(1);
    set_lane(n, 3, 1.4);  // one robot on another soil
    const CornerResponse<Lane8> response = corner_response(z, n);
    const Lane8 mean = mean_power(make_cell(z.x, z.y, z.z, Lane8(0)), n, Lane8(0)).force;
    const CornerShares<Lane8> center = pressure_center(z.x, z.y, z.z, n);
    const Sym3<Lane8> m = wet_moments(z);
    for (int l = 0; l < 8; ++l) {
      const Vec3d& own = depths[i + l];
      const CornerResponse<double> one = corner_response(own, lane(n, l));
      ASSERT_NEAR(lane(response.force.x, l), one.force.x, 1e-16);
      ASSERT_NEAR(lane(response.slope.xy, l), one.slope.xy, 1e-12);
      ASSERT_NEAR(lane(mean, l),
                  mean_power(make_cell(own.x, own.y, own.z, 0.0), lane(n, l), 0.0).force, 1e-16);
      ASSERT_NEAR(lane(center.b, l), pressure_center(own.x, own.y, own.z, lane(n, l)).b, 1e-9);
      const Sym3<double> alone = wet_moments(depths[i + l]);
      ASSERT_NEAR(lane(m.xx, l), alone.xx, 1e-16);
      ASSERT_NEAR(lane(m.xy, l), alone.xy, 1e-16);
      ASSERT_NEAR(lane(m.zz, l), alone.zz, 1e-16);
    }
  }
}

}  // namespace
}  // namespace footfall
