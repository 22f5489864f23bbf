// Slots of points of several robots in one pack, against sums one by one.
#include "footfall/ground/repacked_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace footfall {
namespace {

TEST(PointSlots, SpreadAndSumAsOneByOne) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    LaneMap<Lane8> map;
    const int used = 1 + static_cast<int>(random() % 8),
              robots = 1 + static_cast<int>(random() % 8);
    std::array<int, 8> robot{};
    Lane8 values(0), of_robots(0);
    std::array<double, 8> sum{}, largest{};
    map.clear();
    for (int s = 0; s < used; ++s) robot[s] = static_cast<int>(random() % robots);
    std::sort(robot.begin(), robot.begin() + used);
    for (int s = 0; s < 8; ++s) {
      if (s >= used) robot[s] = robot[s - 1];
      map.add(s, robot[s], s < used ? 3 : -1);
      values.set(s, static_cast<double>(random() % 1000));
      of_robots.set(s, static_cast<double>(s + 1));
      if (s >= used) continue;
      sum[robot[s]] += values[s];
      largest[robot[s]] = std::max(largest[robot[s]], values[s]);
    }
    const Lane8 spread = map.spread(of_robots);
    Lane8 raised(0);
    map.raise(raised, values);
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(spread[i], robot[i] + 1);
      EXPECT_EQ(map.sum(values)[i], sum[i]);  // of whole numbers, in any order
      EXPECT_EQ(raised[i], largest[i]);
    }
  }
}

// A robot whose numbers have gone astray does not reach the others.
TEST(PointSlots, NotANumberStaysWithItsRobot) {
  LaneMap<Lane8> map;
  Lane8 values(1);
  map.clear();
  for (int s = 0; s < 8; ++s) map.add(s, std::max(0, s - 2) / 2, 0);
  for (const int s : {0, 1, 2, 3}) values.set(s, std::numeric_limits<double>::quiet_NaN());
  const Lane8 sum = map.sum(values);
  Lane8 largest(0);
  map.raise(largest, values);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(std::isnan(sum[i]), i == 0) << i;
    EXPECT_EQ(std::isnan(largest[i]), i == 0) << i;
  }
}

}  // namespace
}  // namespace footfall
