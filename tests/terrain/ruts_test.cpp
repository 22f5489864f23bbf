#include "footfall/terrain/ruts.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/error.hpp"
#include "terrain/ruts_prints.hpp"

namespace footfall {
namespace {

using namespace test;
using ::testing::HasSubstr;

// --- volumes --------------------------------------------------------------------------------

double segment_area(double R, double d) {
  if (d > R) return kPi * R * R / 2 + 2 * R * (d - R);
  return R * R * std::acos((R - d) / R) - (R - d) * std::sqrt(2 * R * d - d * d);
}
double cap_volume(double R, double d) {
  if (d > R) return 2 * kPi / 3 * R * R * R + kPi * R * R * (d - R);
  return kPi * d * d * (R - d / 3);
}

// Relative error of the stamped volume over many places and angles.
struct VolumeError {
  double rms = 0, mean = 0;
};
VolumeError volume_error(const Footprint& shape, double volume, double cell) {
  Random random(3);
  VolumeError error;
  constexpr int kTrials = 200;
  for (int i = 0; i < kTrials; ++i) {
    Footprint print = turned(shape, random(-kPi, kPi));
    const double x = random(-1, 1), y = random(-1, 1);
    print.x += x;
    print.y += y;
    for (int k = 0; k < print.point_count; ++k) {
      PrintPoint& p = print.points[k];
      p = {x + print.axis_x * p.x - print.axis_y * p.y,
           y + print.axis_y * p.x + print.axis_x * p.y,
           p.sinkage,
           p.sinkage_max,
           0,
           0};
    }
    RutGrid grid({.cell = cell});
    const double e = grid.stamp(print) / volume - 1;
    EXPECT_NEAR(grid.displaced_volume(), (1 + e) * volume, 1e-12 * volume);
    error.mean += e / kTrials;
    error.rms += e * e / kTrials;
  }
  error.rms = std::sqrt(error.rms);
  return error;
}

// Centres on a grid miss an outline's volume by an error of an order better than first in the cell's
// width, and without bias.
void expect_convergence(const Footprint& shape, double volume) {
  const VolumeError coarse = volume_error(shape, volume, 8e-3);
  const VolumeError fine = volume_error(shape, volume, 1e-3);
  EXPECT_LT(fine.rms, coarse.rms / 12);
  EXPECT_LT(fine.rms, 3e-3);
  EXPECT_LT(std::abs(fine.mean), 4 * fine.rms / std::sqrt(200.0));
}

TEST(RutVolume, ConvergesToTheAnalyticOne) {
  const double d = 0.012;
  {
    SCOPED_TRACE("disc");
    expect_convergence(disc(0, 0, 0.04, d), kPi * 0.04 * 0.04 * d);
  }
  {
    SCOPED_TRACE("rectangle");
    expect_convergence(rectangle(0, 0, 0.11, 0.06, d), 0.11 * 0.06 * d);
  }
  {
    SCOPED_TRACE("hull");  // a right triangle widened by r: area + perimeter r + πr²
    const double r = 0.01, area = 0.06 * 0.08 / 2 + 0.24 * r + kPi * r * r;
    expect_convergence(hull({{0, 0}, {0.06, 0}, {0, 0.08}, {0.02, 0.02}}, r, d), area * d);
  }
  for (const double depth : {0.012, 0.03, 0.05}) {
    SCOPED_TRACE(depth);
    expect_convergence(ball(0, 0, 0.03, depth), cap_volume(0.03, depth));
    expect_convergence(roller(0, 0, 0.03, 0.1, depth), 0.1 * segment_area(0.03, depth));
  }
}

TEST(RutVolume, IsExactForCellsThatFit) {
  RutGrid grid({.cell = 5e-3});
  const double volume = grid.stamp(rectangle(0.05, -0.10, 0.1, 0.06, 0.02));
  EXPECT_NEAR(volume, 0.1 * 0.06 * 0.02, 1e-17);
  const RutBounds b = grid.bounds();
  EXPECT_NEAR(b.x_min, 0, 1e-15);
  EXPECT_NEAR(b.x_max, 0.1, 1e-15);
  EXPECT_NEAR(b.y_min, -0.13, 1e-15);
  EXPECT_NEAR(b.y_max, -0.07, 1e-15);
}

TEST(RutVolume, SecondStampInTheSamePlaceDisplacesNothing) {
  for (const double share : {0.0, 0.5}) {
    RutGrid grid({.cell = 5e-3, .rim_share = share});
    Random random(4);
    for (int i = 0; i < 50; ++i) {
      const Footprint print = random_print(random, 0.5);
      grid.stamp(print);
      const RutGrid once = grid;
      EXPECT_EQ(grid.stamp(print), 0);
      EXPECT_TRUE(grid == once) << i;
    }
  }
}

TEST(RutVolume, OverlapCountsOnce) {
  RutGrid grid({.cell = 5e-3});
  EXPECT_NEAR(grid.stamp(rectangle(0, 0, 0.1, 0.1, 0.01)), 1e-4, 1e-16);
  EXPECT_NEAR(grid.stamp(rectangle(0.05, 0, 0.1, 0.1, 0.01)), 0.5e-4, 1e-16);
  EXPECT_NEAR(grid.stamp(rectangle(0, 0, 0.1, 0.1, 0.015)), 0.5e-4, 1e-16);
  EXPECT_EQ(grid.stamp(rectangle(0, 0, 0.1, 0.1, 0.002)), 0);
  EXPECT_NEAR(grid.displaced_volume(), 2e-4, 1e-16);
}

// --- single cells ---------------------------------------------------------------------------

TEST(RutCells, TakeTheNearestPoint) {
  RutGrid grid({.cell = 5e-3});
  Footprint print = rectangle(0, 0, 0.1, 0.04, 0);
  print.point_count = 3;
  print.points[0] = {-0.05, 0, 0.01, 0.012, 1e-3, -2e-3};
  print.points[1] = {0, 0, 0.02, 0.015, 0, 0};  // sinkage_max below sinkage counts as sinkage
  print.points[2] = {0.05, 0, -0.01, 0.01, 0, 0};
  grid.stamp(print);
  const RutCell left = grid.sample(-0.0475, 0.0025), middle = grid.sample(0.0025, 0.0025);
  EXPECT_EQ(left.sinkage, 0.01);
  EXPECT_EQ(left.sinkage_max, 0.012);
  EXPECT_EQ(left.shear_x, 1e-3);
  EXPECT_EQ(left.shear_y, -2e-3);
  EXPECT_EQ(middle.sinkage, 0.02);
  EXPECT_EQ(middle.sinkage_max, 0.02);
  EXPECT_EQ(grid.sample(0.0475, 0.0025).sinkage_max, 0);  // this end of the sole did not press
}

TEST(RutCells, ShearIsTheLastPrints) {
  RutGrid grid;
  Footprint print = disc(0, 0, 0.03, 0.01);
  print.points[0].shear_x = 0.004;
  grid.stamp(print);
  print.points[0].shear_x = -0.001;
  print.points[0].sinkage = 0.005;
  grid.stamp(print);
  EXPECT_DOUBLE_EQ(grid.sample(0, 0).shear_x, -0.001);
  EXPECT_DOUBLE_EQ(grid.sample(0, 0).sinkage, 0.01);
}

TEST(RutCells, SmallCratersAreRemembered) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    RutGrid grid({.cell = 5e-3});
    const double x = random(-1, 1), y = random(-1, 1);
    grid.stamp(ball(x, y, 0.02, 1e-5));
    EXPECT_EQ(grid.deepest_near(x, y).sinkage, 1e-5);
    RutGrid track({.cell = 5e-3});
    const double angle = random(-kPi, kPi);
    track.stamp(turned(roller(x, y, 0.02, 0.1, 1e-5), angle));
    for (const double s : {-0.03, 0.0, 0.03}) {
      EXPECT_EQ(track.deepest_near(x + s * std::cos(angle), y + s * std::sin(angle)).sinkage, 1e-5);
    }
  }
}

// A sole's outer points lie on its outline. What it printed is found on edges by deepest_near, and
// everywhere by points drawn in by 1.5 cells.
TEST(RutCells, DepthIsFoundAtTheOutline) {
  Random random(6);
  const double cell = 5e-3, a = 0.05, b = 0.025;
  for (int i = 0; i < 500; ++i) {
    RutGrid grid({.cell = cell});
    const double x = random(-1, 1), y = random(-1, 1), angle = random(-kPi, kPi);
    const double c = std::cos(angle), s = std::sin(angle);
    grid.stamp(turned(rectangle(x, y, 2 * a, 2 * b, 0.01), angle));
    for (const int p : {-1, 0, 1}) {
      for (const int q : {-1, 0, 1}) {
        const double u = p * (a - 1.5 * cell), v = q * (b - 1.5 * cell);
        EXPECT_NEAR(grid.sample(x + c * u - s * v, y + s * u + c * v).sinkage, 0.01, 1e-16);
        if (p * q != 0) continue;
        const double e = x + c * p * a - s * q * b, f = y + s * p * a + c * q * b;
        EXPECT_EQ(grid.deepest_near(e, f).sinkage, 0.01);
      }
    }
  }
}

TEST(RutCells, HullsAreFoundAtTheirPoints) {
  Random random(10);
  for (int i = 0; i < 500; ++i) {
    RutGrid grid({.cell = 5e-3});
    std::vector<std::array<double, 2>> points;  // also one and two: hulls without area
    for (int k = 0; k < 1 + i % 6; ++k)
      points.push_back({random(-0.05, 0.05), random(-0.05, 0.05)});
    if (i % 2 == 0) points[0] = {0.005 * random.integer(-9, 9), 0.005 * random.integer(-9, 9)};
    EXPECT_GT(grid.stamp(hull(points, 0, 0.01)), 0);
    for (const auto& [x, y] : points) EXPECT_EQ(grid.deepest_near(x, y).sinkage, 0.01);
  }
}

TEST(RutCells, NegativeCoordinatesAreNotMirrored) {
  RutGrid grid({.cell = 10e-3});
  grid.stamp(rectangle(-0.005, -0.325, 0.01, 0.01, 0.01));  // exactly one cell
  ASSERT_EQ(grid.block_count(), 1);
  EXPECT_EQ(grid.block(0).x, -1);
  EXPECT_EQ(grid.block(0).y, -2);
  EXPECT_EQ(grid.block(0).cells[31 * 32 + 31].sinkage, 0.01);
  EXPECT_EQ(grid.sample(0.005, 0.325).sinkage, 0);
  const RutPoint deepest = grid.deepest();
  EXPECT_NEAR(deepest.x, -0.005, 1e-15);
  EXPECT_NEAR(deepest.y, -0.325, 1e-15);
  EXPECT_EQ(deepest.cell.sinkage, 0.01);
}

TEST(RutCells, BlockBordersAreNoBorders) {
  const double cell = 5e-3, block = 32 * cell;
  RutGrid inside({.cell = cell}), across({.cell = cell});
  const double a = inside.stamp(disc(block / 2, block / 2, 0.03, 0.01));
  const double b = across.stamp(disc(0, 0, 0.03, 0.01));
  EXPECT_EQ(inside.block_count(), 1);
  EXPECT_EQ(across.block_count(), 4);
  EXPECT_NEAR(a, b, 1e-18);
  for (double x = -0.04; x < 0.04; x += 1.7e-3) {
    for (double y = -0.04; y < 0.04; y += 1.3e-3) {
      EXPECT_NEAR(across.sample(x, y).sinkage, inside.sample(x + block / 2, y + block / 2).sinkage,
                  1e-15);
    }
  }
}

// --- sampling -------------------------------------------------------------------------------

TEST(RutSample, IsContinuous) {
  RutGrid grid({.cell = 5e-3, .rim_share = 0.5});
  Random random(7);
  double deepest = 0;
  for (int i = 0; i < 40; ++i) grid.stamp(random_print(random, 0.3));
  deepest = grid.deepest().cell.sinkage;
  for (int i = 0; i < 20000; ++i) {
    const double x = random(-0.4, 0.4), y = random(-0.4, 0.4), step = 1e-7;
    const RutCell a = grid.sample(x, y), b = grid.sample(x + step, y - step);
    // between neighbours the slope is at most their difference over the cell's width
    EXPECT_LE(std::abs(a.sinkage - b.sinkage), 2 * step * deepest / 5e-3 * (1 + 1e-6));
  }
  for (int k = -64; k <= 64; ++k) {  // across the lines where cells and blocks change
    const double x = (k + 0.5) * 5e-3, y = random(-0.3, 0.3);
    EXPECT_NEAR(grid.sample(std::nextafter(x, -1), y).rim, grid.sample(x, y).rim, 1e-14);
  }
}

TEST(RutSample, IsExactAtCentresAndLinearBetween) {
  RutGrid grid({.cell = 5e-3});
  grid.stamp(rectangle(0.0025, 0.0025, 0.005, 0.005, 0.01));
  EXPECT_NEAR(grid.sample(0.0025, 0.0025).sinkage, 0.01, 1e-17);
  EXPECT_NEAR(grid.sample(0.005, 0.0025).sinkage, 0.005, 1e-17);
  EXPECT_NEAR(grid.sample(0, 0).sinkage, 0.0025, 1e-17);
  EXPECT_EQ(grid.sample(0.0076, 0.0025).sinkage, 0);
}

// --- rims -----------------------------------------------------------------------------------

TEST(RutRims, KeepTheirShareOfTheVolume) {
  for (const double share : {0.0, 0.3, 1.0}) {
    RutGrid grid({.cell = 5e-3, .rim_share = share});
    Random random(8);
    double displaced = 0;
    for (int i = 0; i < 5000; ++i) {
      displaced += grid.stamp(random_print(random, 0.5));
      if (i % 100 == 0) {
        EXPECT_NEAR(grid.rim_volume(), share * displaced, 1e-12 * displaced);
      }
    }
    EXPECT_GT(displaced, 1e-3);
    EXPECT_NEAR(grid.displaced_volume(), displaced, 1e-12 * displaced);
    EXPECT_NEAR(grid.rim_volume(), share * displaced, 1e-12 * displaced);
    for (int b = 0; b < grid.block_count(); ++b) {
      for (const RutCell& c : grid.block(b).cells) EXPECT_GE(c.rim, 0);
    }
  }
}

TEST(RutRims, StandAroundThePrintOnly) {
  const double cell = 2e-3, d = 0.02, width = d * std::sqrt(3.0);
  RutGrid grid({.cell = cell, .rim_share = 0.6});
  grid.stamp(disc(0, 0, 0.05, d));
  double last = 1;
  for (double x = cell / 2; x < 0.12; x += cell) {
    const RutCell c = grid.sample(x, cell / 2);
    const double r = std::hypot(x, cell / 2);
    if (r < 0.05 || r > 0.05 + width) {
      EXPECT_NEAR(c.rim, 0, 1e-15) << x;  // centres of cells are met to round-off
    } else {
      EXPECT_GT(c.rim, 0) << x;
      EXPECT_LT(c.rim, last) << x;
      last = c.rim;
    }
  }
  // a cone's mantle outside a cylinder: V = 2π h ∫ (1 − t/w)(R + t) dt = π h w (R + w/3)
  const double h = 0.6 * kPi * 0.05 * 0.05 * d / (kPi * width * (0.05 + width / 3));
  EXPECT_NEAR(grid.sample(0.06, 0).rim, h * (1 - 0.01 / width), 0.01 * h);
}

TEST(RutRims, ArePressedAwayAndMoveOutward) {
  RutGrid grid({.cell = 5e-3, .rim_share = 0.5});
  grid.stamp(disc(0, 0, 0.03, 0.01));
  EXPECT_GT(grid.sample(0.035, 0).rim, 0);
  EXPECT_GT(grid.deepest_near(0.04, 0).rim, 0);
  grid.stamp(disc(0, 0, 0.06, 0.01));
  for (double x = 0; x < 0.05; x += 1e-3) EXPECT_EQ(grid.sample(x, 0).rim, 0);
  EXPECT_GT(grid.sample(0.068, 0).rim, 0);
  EXPECT_NEAR(grid.rim_volume(), 0.5 * grid.displaced_volume(), 1e-18);
}

// --- the grid -------------------------------------------------------------------------------

TEST(RutGrid, StartsEmptyAndClears) {
  RutGrid grid;
  EXPECT_TRUE(grid.empty());
  EXPECT_EQ(grid.sample(0, 0).sinkage, 0);
  EXPECT_EQ(grid.deepest().cell.sinkage, 0);
  EXPECT_EQ(grid.bounds().x_max, 0);
  grid.stamp(disc(1, 1, 0.03, 0.01));
  EXPECT_FALSE(grid.empty());
  grid.clear();
  EXPECT_TRUE(grid.empty());
  EXPECT_TRUE(grid == RutGrid());
  EXPECT_EQ(grid.sample(1, 1).sinkage, 0);
  grid.stamp(disc(2, 2, 0.03, 0.01));  // memory is used again, without what was in it
  RutGrid fresh;
  fresh.stamp(disc(2, 2, 0.03, 0.01));
  EXPECT_TRUE(grid == fresh);
}

TEST(RutGrid, GrowsOverManyBlocks) {
  RutGrid grid({.cell = 1e-3});
  Random random(9);
  std::vector<std::array<double, 3>> prints;
  for (int i = 0; i < 1500; ++i) {
    const int column = i % 50, row = i / 50;
    prints.push_back({0.1 * column - 2, 0.1 * row - 1, random(0.001, 0.02)});
    grid.stamp(disc(prints.back()[0], prints.back()[1], 0.01, prints.back()[2]));
  }
  EXPECT_GT(grid.block_count(), 1500);
  for (const auto& [x, y, depth] : prints) EXPECT_NEAR(grid.sample(x, y).sinkage, depth, 1e-15);
  RutGrid again({.cell = 1e-3});
  std::ranges::reverse(prints);  // blocks come in another order
  for (const auto& [x, y, depth] : prints) again.stamp(disc(x, y, 0.01, depth));
  EXPECT_TRUE(grid == again);
  // a copy shares blocks until one of the two is printed on
  const RutGrid before = grid;
  grid.stamp(disc(prints[0][0], prints[0][1], 0.02, 1.0));
  EXPECT_TRUE(before == again);
  EXPECT_FALSE(before == grid);
}

TEST(RutGrid, EqualityIsBitByBit) {
  RutGrid a, b;
  a.stamp(disc(0, 0, 0.03, 0.01));
  b = a;
  EXPECT_TRUE(a == b);
  b.make_block(0, 0).cells[700].shear_x = -0.0;
  EXPECT_FALSE(a == b);
  b = a;
  b.stamp(disc(1, 0, 0.03, 0.01));
  EXPECT_FALSE(a == b);
  EXPECT_FALSE(RutGrid({.cell = 4e-3}) == RutGrid());
  EXPECT_FALSE(RutGrid({.rim_share = 0.1}) == RutGrid());
}

TEST(RutGrid, IgnoresWhatItCannotHold) {
  RutGrid grid({.cell = 1e-3});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, inf, -inf, 1e6, -1e6, 1e300}) {
    EXPECT_EQ(grid.stamp(disc(bad, 0, 0.03, 0.01)), 0);
    EXPECT_EQ(grid.stamp(disc(0, bad, 0.03, 0.01)), 0);
  }
  for (const double bad : {nan, inf, -inf, -0.01, 0.0}) {
    EXPECT_EQ(grid.stamp(disc(0, 0, 0.03, bad)), 0);
    EXPECT_EQ(grid.stamp(disc(0, 0, bad, 0.01)), 0) << bad;
  }
  Footprint none = disc(0, 0, 0.03, 0.01);
  for (const int count : {-1, 0, Footprint::kMaxPoints + 1}) {
    none.point_count = count;
    EXPECT_EQ(grid.stamp(none), 0);
  }
  EXPECT_TRUE(grid.empty());
  EXPECT_GT(grid.stamp(disc(-999999.9, 999999.9, 0.03, 0.01)), 0);
  EXPECT_NEAR(grid.sample(-999999.9, 999999.9).sinkage, 0.01, 1e-10);
  for (const double bad : {nan, inf, -inf, 1.1e6, 1e300}) {
    EXPECT_EQ(grid.sample(bad, 0).sinkage, 0);
    EXPECT_EQ(grid.deepest_near(0, bad).sinkage, 0);
  }
  // a foot that falls for ever
  RutGrid deep({.cell = 5e-3, .rim_share = 0.5});
  EXPECT_GT(deep.stamp(disc(0, 0, 0.03, 1e4)), 0);
  EXPECT_LT(deep.block_count(), 100);
}

TEST(RutGrid, RefusesOptionsByValue) {
  const auto message = [](const RutOptions& options) -> std::string {
    try {
      const RutGrid grid(options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({.cell = 0.06}), "rut cell = 60 mm, expected [1, 50]");
  EXPECT_THAT(message({.cell = std::nan("")}), HasSubstr("nan"));
  EXPECT_EQ(message({.rim_share = 1.5}), "rim_share = 1.5, expected [0, 1]");
}

}  // namespace
}  // namespace footfall
