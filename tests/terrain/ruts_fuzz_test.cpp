// Ruts after random prints against a dense grid that looks at every cell, with formulas of its own.
#include <gtest/gtest.h>

#include <algorithm>

#include "terrain/ruts_prints.hpp"

namespace footfall {
namespace {

using namespace test;

bool in_triangle(const PrintPoint& a, const PrintPoint& b, const PrintPoint& c, double x,
                 double y) {
  const auto side = [&](const PrintPoint& p, const PrintPoint& q) {
    return (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
  };
  const double s[] = {side(a, b), side(b, c), side(c, a)};
  return *std::ranges::min_element(s) >= 0 || *std::ranges::max_element(s) <= 0;
}

// In the hull if in a triangle of three of its points; in the widened one if near two of them.
bool in_hull(const Footprint& print, double x, double y) {
  for (int i = 0; i < print.point_count; ++i) {
    for (int j = 0; j < i; ++j) {
      const PrintPoint &a = print.points[i], &b = print.points[j];
      const double dx = b.x - a.x, dy = b.y - a.y;
      const double t = ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy);
      const double s = std::min(std::max(t, 0.0), 1.0);
      if (std::hypot(x - a.x - s * dx, y - a.y - s * dy) <= print.radius) return true;
      for (int k = 0; k < j; ++k) {
        if (in_triangle(a, b, print.points[k], x, y)) return true;
      }
    }
  }
  return false;
}

// Depth below the lowest point's level that the sole takes away at (x, y); negative: outside.
double height_of(const Footprint& print, double x, double y, double cell) {
  const double angle = std::atan2(print.axis_y, print.axis_x);
  const double dx = x - print.x, dy = y - print.y;
  const double u = std::hypot(dx, dy) * std::cos(std::atan2(dy, dx) - angle);
  const double v = std::hypot(dx, dy) * std::sin(std::atan2(dy, dx) - angle);
  const double R = print.radius;
  const bool holds = std::abs(dx) <= cell / 2 && std::abs(dy) <= cell / 2;
  const double steep = std::max(std::abs(print.axis_x), std::abs(print.axis_y));
  const auto arc = [R](double rho) {
    return rho > R ? -1 : R * (1 - std::cos(std::asin(rho / R)));
  };
  switch (print.shape) {
  case PrintShape::disc:
    return u * u + v * v <= R * R ? 0 : -1;
  case PrintShape::rectangle:
    return std::abs(u) <= print.half_length && std::abs(v) <= print.half_width ? 0 : -1;
  case PrintShape::hull:
    for (int i = 0; i < print.point_count; ++i) {  // the cells of its points belong to it
      const PrintPoint& p = print.points[i];
      if (std::abs(p.x - x) <= cell / 2 && std::abs(p.y - y) <= cell / 2) return 0;
    }
    return in_hull(print, x, y) ? 0 : -1;
  case PrintShape::ball:
    return holds ? 0 : arc(std::hypot(dx, dy));
  case PrintShape::roller:
    if (std::abs(u) > print.half_length) return -1;
    return std::abs(v) <= cell / 2 * steep ? 0 : arc(std::abs(v));
  }
  return -1;
}

struct DenseGrid {
  static constexpr int kHalf = 100;  // cells −100 … 99
  double cell = 5e-3;
  std::vector<RutCell> cells = std::vector<RutCell>(4 * kHalf * kHalf);

  RutCell& at(int ix, int iy) { return cells[(iy + kHalf) * 2 * kHalf + ix + kHalf]; }

  void stamp(const Footprint& print) {
    for (int iy = -kHalf; iy < kHalf; ++iy) {
      for (int ix = -kHalf; ix < kHalf; ++ix) press(print, ix, iy);
    }
  }
  void press(const Footprint& print, int ix, int iy) {
    const double x = ix * cell + cell / 2, y = iy * cell + cell / 2;
    const double height = height_of(print, x, y, cell);
    if (height < 0) return;
    const auto* point =
        std::min_element(print.points.begin(), print.points.begin() + print.point_count,
                         [&](const PrintPoint& a, const PrintPoint& b) {
                           return std::hypot(a.x - x, a.y - y) < std::hypot(b.x - x, b.y - y);
                         });
    if (point->sinkage - height <= 0) return;
    RutCell& c = at(ix, iy);
    c.sinkage = std::max(c.sinkage, point->sinkage - height);
    c.sinkage_max = std::max({c.sinkage_max, point->sinkage_max - height, c.sinkage});
    c.shear_x = point->shear_x;
    c.shear_y = point->shear_y;
  }
};

TEST(RutFuzz, AgreesWithADenseGrid) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    RutGrid grid({.cell = 5e-3});
    DenseGrid dense;
    for (int i = 0; i < 60; ++i) {
      const Footprint print = random_print(random, 0.35);
      grid.stamp(print);
      dense.stamp(print);
    }
    int touched = 0;
    for (int iy = -DenseGrid::kHalf; iy < DenseGrid::kHalf; ++iy) {
      for (int ix = -DenseGrid::kHalf; ix < DenseGrid::kHalf; ++ix) {
        const RutCell a = grid.sample((ix + 0.5) * 5e-3, (iy + 0.5) * 5e-3), &b = dense.at(ix, iy);
        touched += b.sinkage > 0 ? 1 : 0;
        EXPECT_NEAR(a.sinkage, b.sinkage, 1e-14) << ix << " " << iy << " seed " << seed;
        EXPECT_NEAR(a.sinkage_max, b.sinkage_max, 1e-14) << ix << " " << iy;
        EXPECT_NEAR(a.shear_x, b.shear_x, 1e-14) << ix << " " << iy;
        EXPECT_NEAR(a.shear_y, b.shear_y, 1e-14) << ix << " " << iy;
      }
    }
    EXPECT_GT(touched, 2000);
  }
}

}  // namespace
}  // namespace footfall
