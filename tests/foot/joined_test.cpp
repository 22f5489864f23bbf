// Feet of several shapes: one sole, and what overlaps counts once. Areas by a second route: formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "footfall/foot/sole.hpp"
#include "footfall/foot/sole_summary.hpp"
#include "footfall/robot/feet.hpp"
#include "support/shapes.hpp"

namespace footfall {
namespace {

using testing::free_body;
using testing::leaning;
using testing::shape;

constexpr double kHalfTurn = std::numbers::pi;

std::vector<int> all_of(const RobotModel& robot) {
  std::vector<int> geoms;
  for (std::size_t i = 0; i < robot.geoms.size(); ++i) geoms.push_back(static_cast<int>(i));
  return geoms;
}

Soles join(const std::vector<Geom>& geoms, SolePoints points = SolePoints::shares) {
  const RobotModel robot = free_body(geoms);
  return make_joined_soles(robot, {all_of(robot)}, false, robot.qpos0, points);
}

struct Sum {
  double weight = 0, area = 0, x = 0, y = 0, xx = 0;  // of what looks down; x, y, xx by weight
};
Sum sum_of(const Soles& soles) {
  Sum sum;
  const PointRange range = points_of(soles, soles.feet[0]);
  for (int i = range.first; i < range.end; ++i) {
    const SolePoint& p = soles.points[i];
    if (p.bearing == BearingKind::flat && p.area.z >= 0) continue;
    sum.weight += p.weight;
    sum.area -= p.area.z;
    sum.x += p.weight * p.position.x;
    sum.y += p.weight * p.position.y;
    sum.xx += p.weight * p.position.x * p.position.x;
  }
  return sum;
}

TEST(JoinedSole, TheSameShapeTwiceIsThatShape) {
  Geom mesh = testing::chamfered_plate(0.2, 0.1, 0.02, 0.005);
  for (const Geom& one :
       {shape(GeomType::box, {0.1, 0.05, 0.02}), shape(GeomType::sphere, {0.03, 0, 0}),
        shape(GeomType::cylinder, {0.05, 0.02, 0}),
        leaning(shape(GeomType::capsule, {0.02, 0.05, 0}), kHalfTurn / 2), mesh}) {
    for (const SolePoints points :
         {SolePoints::shares, SolePoints::corners, SolePoints::elements}) {
      const Soles single = join({one}, points), twice = join({one, one}, points);
      ASSERT_EQ(twice.feet.size(), 1U);
      ASSERT_EQ(twice.groups.size(), 1U) << static_cast<int>(one.type);
      ASSERT_EQ(twice.points.size(), single.points.size()) << static_cast<int>(one.type);
      for (std::size_t i = 0; i < single.points.size(); ++i) {
        const SolePoint &a = single.points[i], &b = twice.points[i];
        EXPECT_EQ(a.position.x, b.position.x);
        EXPECT_EQ(a.area.z, b.area.z);
        EXPECT_EQ(a.size, b.size);
        EXPECT_EQ(a.contact_width, b.contact_width);
        EXPECT_NEAR(a.weight, b.weight, 2e-3 * a.weight);
      }
      EXPECT_EQ(twice.feet[0].shape, single.feet[0].shape);
    }
  }
}

TEST(JoinedSole, CrossedBoxesHaveTheAreaOfTheirUnion) {
  const Soles soles = join(
      {shape(GeomType::box, {0.0635, 0.028, 0.004}), shape(GeomType::box, {0.057, 0.039, 0.004})});
  const double area = 4 * (0.0635 * 0.028 + 0.057 * 0.039 - 0.057 * 0.028);
  const Sum sum = sum_of(soles);
  // cells are cut by counting places, and one on an edge may count or not by rounding
  EXPECT_NEAR(sum.area, area, 0.02 * area);
  EXPECT_NEAR(soles.feet[0].area, area, 0.02 * area);
  EXPECT_NEAR(sum.weight, 1, 1e-12);
  EXPECT_NEAR(sum.x, 0, 1e-4);
  EXPECT_EQ(soles.feet[0].sole_count, 2);
  // the hull's least width, less for its cut corners
  const double fill = 1 - 2 * (0.0635 - 0.057) * (0.039 - 0.028) / (4 * 0.0635 * 0.039);
  EXPECT_NEAR(soles.points[0].contact_width, 0.078 * (1 - 0.5 * (1 - fill) / (1 - kHalfTurn / 4)),
              1e-9);
}

TEST(JoinedSole, TwoDiscsHaveTheAreaOfTheirUnionWhateverIsBetweenTheirAxes) {
  constexpr double r = 0.03;
  for (double offset = 0; offset <= 0.06; offset += offset < 4e-3 ? 2.5e-4 : 3.1e-3) {
    for (const double direction : {0.0, 0.3, 1.1}) {
      const Vec3d apart{offset * std::cos(direction), offset * std::sin(direction), 0};
      const Soles soles = join({shape(GeomType::cylinder, {r, 0.01, 0}),
                                shape(GeomType::cylinder, {r, 0.01, 0}, apart)});
      const double lens = 2 * r * r * std::acos(offset / (2 * r)) -
                          0.5 * offset * std::sqrt(4 * r * r - offset * offset);
      const double area = 2 * kHalfTurn * r * r - lens;
      EXPECT_NEAR(sum_of(soles).area, area, 0.02 * area) << offset << " m to " << direction;
      EXPECT_NEAR(sum_of(soles).weight, 1, 0.02) << offset << " m to " << direction;
    }
  }
}

TEST(JoinedSole, TwoHalvesAreTheWhole) {
  const Sum whole = sum_of(join({shape(GeomType::box, {0.1, 0.05, 0.02})}));
  const Soles halves = join({shape(GeomType::box, {0.06, 0.05, 0.02}, {-0.04, 0, 0}),
                             shape(GeomType::box, {0.06, 0.05, 0.02}, {0.04, 0, 0})});
  const Sum sum = sum_of(halves);
  EXPECT_NEAR(sum.area, whole.area, 0.01 * whole.area);
  EXPECT_NEAR(sum.weight, 1, 1e-12);
  EXPECT_NEAR(sum.x, 0, 1e-3);
  EXPECT_NEAR(halves.points[0].contact_width, 0.1, 1e-9);
}

TEST(JoinedSole, WhatStandsOnAnotherShapeIsHidden) {
  const Geom sole = shape(GeomType::box, {0.1, 0.05, 0.01});
  for (const Soles& soles :
       {join({sole, shape(GeomType::box, {0.05, 0.03, 0.02}, {0, 0, 0.03})}),
        join({shape(GeomType::sphere, {0.02, 0, 0}, {0.02, 0, 0.03}), sole})}) {
    EXPECT_NEAR(sum_of(soles).area, 0.2 * 0.1, 1e-12);
    EXPECT_NEAR(sum_of(soles).weight, 1, 1e-12);
    EXPECT_EQ(soles.feet[0].sole_count, 1);
    EXPECT_EQ(soles.feet[0].shape, SoleShape::rectangle);
  }
  // a longer one counts with what sticks out
  const Soles longer = join({sole, shape(GeomType::box, {0.15, 0.05, 0.01}, {0, 0, 0.02})});
  const Sum sum = sum_of(longer);
  EXPECT_NEAR(sum.area, 0.3 * 0.1, 0.01 * 0.03);
}

TEST(JoinedSole, BallsApartShareTheFootAndKeepTheirWidth) {
  std::vector<Geom> balls;
  for (const double x : {-0.05, 0.12}) {
    for (const double y : {-0.03, 0.03})
      balls.push_back(shape(GeomType::sphere, {0.005, 0, 0}, {x, y, 0}));
  }
  const Soles soles = join(balls);
  ASSERT_EQ(soles.points.size(), 4U);
  for (const SolePoint& p : soles.points) {
    EXPECT_NEAR(p.weight, 0.25, 1e-12);
    EXPECT_EQ(p.size, 1);
    EXPECT_EQ(p.contact_width, 0.005);
    EXPECT_EQ(p.foot, 0);
  }
  EXPECT_EQ(soles.feet[0].group_count, 4);
  EXPECT_NEAR(soles.feet[0].area, 4 * kHalfTurn * 25e-6, 1e-9);
  EXPECT_EQ(soles.feet[0].name, "body");
}

// b of two discs that come apart goes from that of one, its radius, to nearly that of a strip, without a step.
TEST(JoinedSole, ContactWidthFollowsShapesThatMove) {
  double before = 0.03;
  for (int k = 0; k <= 58; ++k) {
    const Soles soles = join({shape(GeomType::cylinder, {0.03, 0.01, 0}),
                              shape(GeomType::cylinder, {0.03, 0.01, 0}, {0.001 * k, 0, 0})});
    const double width = soles.points[0].contact_width;
    EXPECT_GT(width, before - 2e-4) << k;
    EXPECT_LT(width, before + 1.2e-3) << k;
    before = width;
  }
  EXPECT_NEAR(before, 0.06 * 0.75, 1e-3);
}

TEST(JoinedSole, CapsulesSideBySideAreOnePlan) {
  const Geom capsule = leaning(shape(GeomType::capsule, {0.014, 0.03, 0}), kHalfTurn / 2);
  Geom right = capsule;
  right.position.y = 0.02;
  const Soles soles = join({capsule, right});
  EXPECT_NEAR(sum_of(soles).weight, 1, 1e-12);
  // 48 mm wide, corners round by 14 mm
  const double fill = 1 - (4 - kHalfTurn) * 0.014 * 0.014 / (0.048 * 0.088);
  const double part = (fill - kHalfTurn / 4) / (1 - kHalfTurn / 4);
  EXPECT_NEAR(soles.points[0].contact_width, 0.048 * (0.5 + 0.5 * part), 1e-3);
  double width = 0;
  for (const SolePoint& p : soles.points) width += p.size;
  EXPECT_LT(width, 2 * 0.06);  // the overlap counts once
  EXPECT_GT(width, 2 * 0.06 * 0.8);
}

TEST(JoinedSole, AFootStandsOnItsBallAndNotOnTheShankBesideIt) {
  const Geom ball = shape(GeomType::sphere, {0.02, 0, 0});
  Geom shank = leaning(shape(GeomType::capsule, {0.012, 0.09, 0}), kHalfTurn / 4);
  shank.position = {0.07, 0, 0.07};
  for (const auto& geoms : {std::vector{ball, shank}, std::vector{shank, ball}}) {
    const Soles soles = join(geoms);
    const Foot& foot = soles.feet[0];
    EXPECT_EQ(foot.shape, SoleShape::sphere);
    EXPECT_EQ(foot.radius, 0.02);
    EXPECT_EQ(foot.sole_count, 1);
    ASSERT_EQ(foot.group_count, 2);
    EXPECT_NEAR(soles.points[0].weight, 1, 1e-12);
    const PointRange sole = sole_points_of(soles, foot);
    EXPECT_EQ(sole.end - sole.first, 1);
    double exposed = 0;  // of the shank, which begins in the ball
    for (const SolePoint& p : soles.points) exposed += p.bearing == BearingKind::rim ? p.size : 0;
    EXPECT_LT(exposed, 0.98 * 0.18 * std::sqrt(0.5));
    EXPECT_GT(exposed, 0.85 * 0.18 * std::sqrt(0.5));
  }
}

TEST(JoinedSole, BodiesShapesInsideOthersDoNotTouch) {
  const Geom foot = shape(GeomType::sphere, {0.02, 0, 0}, {0, 0, -0.5});
  const Geom trunk = shape(GeomType::box, {0.2, 0.1, 0.05});
  RobotModel robot = free_body({foot, trunk, trunk, shape(GeomType::sphere, {0.02, 0, 0})});
  const Soles soles = make_joined_soles(robot, {{0}}, true, robot.qpos0);
  ASSERT_EQ(soles.groups.size(), 2U);
  EXPECT_EQ(soles.groups[1].geom, 1);
  EXPECT_EQ(soles.groups[1].foot, -1);
  EXPECT_EQ(soles.groups[1].point_count, 8);
  // laws that know each geom by itself keep them all
  EXPECT_EQ(make_joined_soles(robot, {{0}}, true, robot.qpos0, SolePoints::geoms).groups.size(),
            4U);
}

TEST(JoinedSole, WholeFeetHaveAllShapesOfTheirBodies) {
  RobotModel robot = free_body({shape(GeomType::sphere, {0.02, 0, 0}, {0, 0, -0.5}),
                                shape(GeomType::capsule, {0.01, 0.1, 0}, {0, 0, -0.35}),
                                shape(GeomType::sphere, {0.02, 0, 0}, {0.1, 0, -0.5})});
  EXPECT_EQ(join_feet(robot, find_feet(robot), false), (std::vector<std::vector<int>>{{0, 2}}));
  EXPECT_EQ(join_feet(robot, find_feet(robot), true), (std::vector<std::vector<int>>{{0, 2, 1}}));
  robot.geoms[1].collides = false;
  EXPECT_EQ(join_feet(robot, find_feet(robot), true), (std::vector<std::vector<int>>{{0, 2}}));
}

TEST(JoinedSole, SummaryNamesShapesAndSizes) {
  const RobotModel robot = free_body({shape(GeomType::box, {0.06, 0.03, 0.01}, {-0.05, 0, 0}),
                                      shape(GeomType::box, {0.06, 0.03, 0.01}, {0.05, 0, 0}),
                                      shape(GeomType::sphere, {0.04, 0, 0}, {0, 0, 0.05})});
  const Soles soles = make_joined_soles(robot, {{0, 1, 2}}, false, robot.qpos0);
  const SoleSummary s = summarize_sole(robot, soles, 0, robot.qpos0);
  EXPECT_EQ(s.shapes, "2 boxes");
  EXPECT_NEAR(s.length, 0.22, 1e-9);
  EXPECT_NEAR(s.width, 0.06, 1e-9);
  EXPECT_NEAR(s.area, 0.22 * 0.06, 0.01 * 0.0132);
  EXPECT_EQ(s.geoms, (std::vector<int>{0, 1}));
  EXPECT_EQ(s.others, (std::vector<int>{2}));
}

}  // namespace
}  // namespace footfall
