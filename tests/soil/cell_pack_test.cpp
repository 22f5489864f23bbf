// A cell is the same whatever cells it shares a pack with.
#include <gtest/gtest.h>

#include "footfall/math/lanes.hpp"
#include "footfall/soil/cell.hpp"

namespace footfall {
namespace {

TEST(CellPack, ALevelCellBesideATiltedOneKeepsItsMiddle) {
  for (const double n : {0.5, 1.0, 1.6}) {
    for (const double depth : {1e-13, 1e-7, 1e-5, 1e-3, 0.05}) {
      for (const double slope : {0.0, 1e-12, 1e-9, 1e-6, 1e-4}) {
        Lane8 a(depth), b(depth + slope), c(depth - slope);
        set_lane(a, 1, depth - 0.001);  // its neighbour is partly above the ground
        set_lane(c, 1, depth);
        const CornerShares<Lane8> packed = pressure_center(a, b, c, Lane8(n));
        const CornerShares<double> alone = pressure_center(depth, depth + slope, depth - slope, n);
        EXPECT_NEAR(packed.a[0], alone.a, 2e-3) << n << " " << depth << " " << slope;
        EXPECT_NEAR(packed.b[0], alone.b, 2e-3) << n << " " << depth << " " << slope;
        EXPECT_NEAR(packed.a[0] + packed.b[0] + packed.c[0], 1, 1e-12);
        const double force = mean_power(make_cell(a, b, c, Lane8(0)), Lane8(n), Lane8(0)).force[0];
        const double exact =
            mean_power(make_cell(depth, depth + slope, depth - slope, 0.0), n, 0.0).force;
        EXPECT_NEAR(force, exact, 1e-3 * exact + 1e-18) << n << " " << depth << " " << slope;
      }
    }
  }
}

}  // namespace
}  // namespace footfall
