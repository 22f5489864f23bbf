// How deep the laws of a foot hold, and what is said beyond.
#include "footfall/foot/validity.hpp"

#include <gtest/gtest.h>

#include "support/shapes.hpp"

namespace footfall {
namespace {

using testing::free_body;
using testing::leaning;
using testing::shape;

TEST(Validity, OfFeetOnARig) {
  EXPECT_DOUBLE_EQ(valid_depth(make_disc(0.05)).depth, 0.3);
  EXPECT_DOUBLE_EQ(valid_depth(make_rectangle(0.2, 0.04)).depth, 0.12);
  EXPECT_EQ(valid_depth(make_rectangle(0.2, 0.04)).what, "three widths");
  EXPECT_DOUBLE_EQ(valid_depth(make_sphere(0.02)).depth, 0.02);
  EXPECT_DOUBLE_EQ(valid_depth(make_cylinder(0.05, 0.08)).depth, 0.05);
  EXPECT_EQ(valid_depth(make_cylinder(0.05, 0.08)).what, "its radius");
}

ValidDepth depth_of(const std::vector<Geom>& geoms) {
  const RobotModel robot = free_body(geoms, 1, 0.02);
  std::vector<int> foot;
  for (std::size_t i = 0; i < geoms.size(); ++i) foot.push_back(static_cast<int>(i));
  return valid_depth(robot, make_joined_soles(robot, {foot}, true, robot.qpos0), 0, robot.qpos0);
}

TEST(Validity, ABallAloneHoldsToItsRadiusAndWithAShankToItsTop) {
  const Geom ball = shape(GeomType::sphere, {0.02, 0, 0});
  EXPECT_DOUBLE_EQ(depth_of({ball}).depth, 0.02);
  Geom shank = shape(GeomType::capsule, {0.012, 0.09, 0});
  shank.position = {0, 0, 0.09};
  EXPECT_NEAR(depth_of({ball, shank}).depth, 0.02 + 0.18 + 0.012, 1e-12);
  EXPECT_EQ(depth_of({ball, shank}).what, "the height of its link");
  Geom lean = leaning(shape(GeomType::capsule, {0.012, 0.09, 0}), 0.5);
  lean.position = {0.09 * std::sin(0.5), 0, 0.09 * std::cos(0.5)};
  EXPECT_NEAR(depth_of({ball, lean}).depth, 0.02 + 0.18 * std::cos(0.5) + 0.012, 1e-12);
}

TEST(Validity, AFlatFootHoldsToItsOwnHeightOrThreeWidths) {
  EXPECT_NEAR(depth_of({shape(GeomType::box, {0.1, 0.05, 0.02})}).depth, 0.04, 1e-12);
  EXPECT_NEAR(depth_of({shape(GeomType::box, {0.1, 0.01, 0.2})}).depth, 0.06, 1e-12);
  EXPECT_EQ(depth_of({shape(GeomType::box, {0.1, 0.01, 0.2})}).what, "three widths");
}

TEST(Validity, SaysDepthAndRange) {
  const ValidDepth valid{0.02, "its radius"};
  EXPECT_EQ(outside_validity({.width = 0.02, .sinkage = 0.02, .rate = 0}, valid, nullptr), "");
  EXPECT_EQ(outside_validity({.width = 0.02, .sinkage = 0.066, .rate = 0}, valid, nullptr),
            "66 mm deep, the laws hold to 20 mm (its radius)");
  PlasticSoil soil;
  soil.measured = {.least_width = 0.05, .largest_width = 0.1, .largest_sinkage = 0.03};
  EXPECT_EQ(outside_validity({.width = 0.02, .sinkage = 0.066, .rate = 0}, valid, &soil),
            "66 mm deep, the laws hold to 20 mm (its radius); contact width 20 mm, measured 50 to "
            "100 mm; sinkage 66 mm, measured to 30 mm");
  EXPECT_EQ(outside_validity({.width = 0.06, .sinkage = 0.01, .rate = 0}, valid, &soil), "");
}

}  // namespace
}  // namespace footfall
