// Bodies on feet of several shapes: as deep as the exact laws say for all of them together.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/plastic_worlds.hpp"
#include "support/shapes.hpp"

namespace footfall {
namespace {

using testing::free_body;
using testing::leaning;
using testing::plastic_soil;
using testing::shape;
using testing::Stand;

// All shapes are one foot.
template <class Law>
World make_foot_world(const std::vector<Geom>& geoms, double mass, double height, const Law& law) {
  RobotModel robot = free_body(geoms, mass, height);
  std::vector<int> foot;
  for (std::size_t i = 0; i < geoms.size(); ++i) foot.push_back(static_cast<int>(i));
  Soles soles = make_joined_soles(robot, {foot}, true, robot.qpos0);
  return make_world(std::move(robot), Terrain{}, SoilGround{{{"soil", law}}}, std::move(soles),
                    StepOptions{});
}

struct Rest {
  double sunk = 0;
  FootPatch foot;
};
template <class Law>
Rest rest(const std::vector<Geom>& geoms, double mass, double height, const Law& law,
          double seconds = 4) {
  Stand stand(make_foot_world(geoms, mass, height, law));
  EXPECT_EQ(stand.world.soles.feet.size(), 1U);
  stand.load(0, 1, seconds);
  stand.run(1);
  const Rest out{stand.sunk(), stand.look()[0]};
  EXPECT_NEAR(out.foot.force.z, mass * 9.81, 1e-3 * mass * 9.81);
  return out;
}

const CompliantGround<double> kClay = testing::table_4()[5].ground;

TEST(JoinedFoot, TheSameBoxTwiceSinksAsOne) {
  const Geom box = shape(GeomType::box, {0.1, 0.05, 0.02});
  for (const char* name : {"dry-sand", "heavy-clay", "sandy-loam"}) {
    const PlasticSoil soil = plastic_soil(name);
    const double one = rest({box}, 30, 0.02, soil).sunk;
    const double two = rest({box, box}, 30, 0.02, soil).sunk;
    EXPECT_GT(one, 1e-6) << name;
    EXPECT_NEAR(two, one, 1e-9) << name;
  }
  const double one = rest({box}, 30, 0.02, kClay).sunk;
  EXPECT_NEAR(one, 30 * 9.81 / kClay.stiffness, 1e-3 * one);
  EXPECT_NEAR(rest({box, box}, 30, 0.02, kClay).sunk, one, 1e-9);
}

TEST(JoinedFoot, ABoxInPartsSinksAsTheWhole) {
  const Geom whole = shape(GeomType::box, {0.1, 0.05, 0.02});
  std::vector<Geom> parts;
  for (const double x : {-0.05, 0.05}) {
    for (const double y : {-0.025, 0.025}) {
      parts.push_back(shape(GeomType::box, {0.05, 0.025, 0.02}, {x, y, 0}));
    }
  }
  const PlasticSoil sand = plastic_soil("dry-sand");
  const double expected = find_sinkage(make_rectangle(0.2, 0.1), sand, 30 * 9.81);
  EXPECT_NEAR(rest({whole}, 30, 0.02, sand).sunk, expected, 2e-3 * expected);
  EXPECT_NEAR(rest(parts, 30, 0.02, sand).sunk, expected, 2e-3 * expected);
  const double on_clay = 30 * 9.81 / kClay.stiffness;
  EXPECT_NEAR(rest(parts, 30, 0.02, kClay).sunk, on_clay, 2e-3 * on_clay);
}

TEST(JoinedFoot, BallsShareTheLoad) {
  std::vector<Geom> balls;
  for (const double x : {-0.06, 0.06}) {
    for (const double y : {-0.03, 0.03}) {
      balls.push_back(shape(GeomType::sphere, {0.02, 0, 0}, {x, y, 0}));
    }
  }
  const PlasticSoil sand = plastic_soil("dry-sand");
  const double expected = find_sinkage(make_sphere(0.02), sand, 4 * 9.81 / 4);
  const Rest sunk = rest(balls, 4, 0.02, sand);
  EXPECT_NEAR(sunk.sunk, expected, 2e-3 * expected);
  EXPECT_NEAR(sunk.foot.center.x, 0, 1e-6);
  EXPECT_NEAR(sunk.foot.sinkage, expected, 2e-3 * expected);
  const double area = 4 * 2 * std::numbers::pi * 0.02 * expected;
  EXPECT_NEAR(sunk.foot.contact_area, area, 2e-3 * area);
  const double on_clay = 4 * 9.81 / kClay.stiffness;  // the foot's stiffness, not that of four feet
  EXPECT_NEAR(rest(balls, 4, 0.02, kClay).sunk, on_clay, 1e-3 * on_clay);
}

TEST(JoinedFoot, CapsulesOfAFootShareItsStiffness) {
  std::vector<Geom> capsules;
  for (const double y : {-0.03, 0.0, 0.03}) {
    capsules.push_back(
        leaning(shape(GeomType::capsule, {0.012, 0.08, 0}, {0, y, 0}), std::numbers::pi / 2));
  }
  const double on_clay = 40 * 9.81 / kClay.stiffness;
  EXPECT_NEAR(rest(capsules, 40, 0.012, kClay).sunk, on_clay, 1e-3 * on_clay);
  const PlasticSoil sand = plastic_soil("dry-sand");
  // apart from each other: three rollers
  const double expected = find_sinkage(make_cylinder(0.012, 0.16), sand, 40 * 9.81 / 3);
  EXPECT_NEAR(rest(capsules, 40, 0.012, sand).sunk, expected, 5e-3 * expected);
}

// A shank that leans out of a ball carries with what of it is in the sand, and the foot has all of it.
TEST(JoinedFoot, AShankCarriesAsAPartOfItsFoot) {
  const PlasticSoil sand = plastic_soil("dry-sand");
  const Geom ball = shape(GeomType::sphere, {0.02, 0, 0});
  std::vector<Geom> leg{ball};
  for (const double side : {-1.0, 1.0}) {  // two, so that it stays upright
    Geom shank = leaning(shape(GeomType::capsule, {0.012, 0.09, 0}), side * std::numbers::pi / 4);
    shank.position = {side * 0.07, 0, 0.07};
    leg.push_back(shank);
  }
  const double ball_alone = find_sinkage(make_sphere(0.02), sand, 0.5 * 9.81);
  ASSERT_LT(ball_alone, 0.02);  // the shanks are above the sand: nothing changes
  EXPECT_NEAR(rest(leg, 0.5, 0.02, sand).sunk, ball_alone, 0.03 * ball_alone);
  const double deep = find_sinkage(make_sphere(0.02), sand, 10 * 9.81);
  const Rest sunk = rest(leg, 10, 0.02, sand);
  EXPECT_LT(sunk.sunk, 0.9 * deep);
  EXPECT_GT(sunk.sunk, 0.3 * deep);
}

// Second route for round shapes that are one solid: what soil of one K_σ and n carries at a depth, over a fine grid of the
// plan, each place as deep as the lowest of all balls that fill the shapes there.
struct FilledBall {
  Vec3d center;
  double radius;
};
double carried_by_plan(const std::vector<FilledBall>& balls, double depth, double modulus,
                       double n) {
  constexpr double kCell = 5e-4;  // [m]
  double lowest = 1e300, force = 0;
  for (const FilledBall& b : balls) lowest = std::fmin(lowest, b.center.z - b.radius);
  for (double x = -0.15; x < 0.15; x += kCell) {
    for (double y = -0.025; y < 0.025; y += kCell) {
      double under = 1e300;
      for (const FilledBall& b : balls) {
        const double r2 = (x - b.center.x) * (x - b.center.x) + (y - b.center.y) * (y - b.center.y);
        if (r2 >= b.radius * b.radius) continue;
        under = std::fmin(under, b.center.z - std::sqrt(b.radius * b.radius - r2));
      }
      const double deep = depth - (under - lowest);
      if (deep > 0) force += modulus * kCell * kCell * std::pow(deep, n);
    }
  }
  return force;
}

// Feet of 20 mm that sink 66 mm: the ball presses with its greatest section, and the shank with what leans out of it.
TEST(JoinedFoot, ABallDeeperThanItsRadiusGoesOnAsItsShank) {
  constexpr double kDepth = 0.066, kModulus = 1.5e6;
  PlasticSoil soil = plastic_soil("dry-sand");
  soil.pressure = {.law = PressureLaw::bernstein,
                   .exponent = 1.1};  // of one modulus, whatever the width
  soil.pressure.sinkage_modulus = kModulus;
  const Geom ball = shape(GeomType::sphere, {0.02, 0, 0});
  for (const double lean : {0.0, 0.35, 0.7}) {
    std::vector<Geom> leg{ball};
    std::vector<FilledBall> balls{{{0, 0, 0}, 0.02}};
    for (const double side : {-1.0, 1.0}) {  // two, so that it stays upright
      const Vec3d up{side * std::sin(lean), 0, std::cos(lean)};
      Geom shank = leaning(shape(GeomType::capsule, {0.014, 0.09, 0}), side * lean);
      shank.position = 0.09 * up;
      leg.push_back(shank);
      for (int i = 0; i <= 180; ++i) balls.push_back({(1e-3 * i) * up, 0.014});
    }
    const double load = carried_by_plan(balls, kDepth, kModulus, 1.1);
    // a shank that leans out of the ball has few points: 8 % too deep at 20 degrees, 5 % too shallow at 40
    const double tolerance = lean == 0 ? 0.01 : 0.1;
    EXPECT_NEAR(rest(leg, load / 9.81, 0.02, soil).sunk, kDepth, tolerance * kDepth) << lean;
  }
}

// The hull of a plate with edges cut by a millimetre has slivers.
TEST(MeshSole, AChamferedPlateStandsOnEverySoil) {
  const Geom plate = testing::chamfered_plate(0.2, 0.1, 0.02, 0.001);
  for (const Soil& soil : load_soil_library(std::string(FOOTFALL_SOURCE_DIR) + "/soils")) {
    SCOPED_TRACE(soil.name);
    if (soil.compliant) {
      const double expected =
          std::pow(20 * 9.81 / soil.compliant->stiffness, 1 / soil.compliant->exponent);
      const Rest sunk = rest({plate}, 20, 0, *soil.compliant, 1);
      EXPECT_NEAR(sunk.sunk, expected, 0.05 * expected);
    }
    if (soil.plastic) {
      const Rest sunk = rest({plate}, 20, 0, *soil.plastic);
      EXPECT_TRUE(std::isfinite(sunk.sunk));
      EXPECT_GT(sunk.sunk, 0);
    }
  }
}

}  // namespace
}  // namespace footfall
