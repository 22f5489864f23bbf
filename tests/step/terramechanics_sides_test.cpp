// Soil seen from the side: borders between soils, sides that do not face the ground, swaying.
#include <gtest/gtest.h>

#include "support/plastic_worlds.hpp"

namespace footfall {
namespace {

using testing::make_plastic_world;
using testing::plastic_soil;
using testing::rest_sinkage;
using testing::sole_of;
using testing::Stand;

double energy_of(Stand& stand) {
  const Energy e = measure_energy(stand.world, stand.state, stand.workspace);
  return e.kinetic + e.gravity;
}

// A ball deep in sand rolls below a slab of concrete: no work was done on the slab, it gives none.
TEST(Border, HardGroundDoesNotThrowOutWhatComesFromTheSide) {
  for (const bool plastic_first : {true, false}) {
    RobotModel ball = load_robot(testing::robot_file("ball"));
    Soles soles = make_soles(ball, find_feet(ball), true, standing_pose(ball));
    Terrain terrain;
    Region slab;
    slab.name = "slab";
    slab.soil = 1;
    slab.shape = RegionShape::half_plane;
    slab.a = 1;
    slab.c = 0.3;
    terrain.regions.push_back(slab);
    const CompliantGround<double> soft{2e2, 1, 20, 0, 1, 1e3, 10, 0.6};
    const CompliantGround<double> concrete{3.4e9, 1, 1.8e5, 0, 1, 2.6e9, 1.5e5, 0.8};
    SoilGround ground{{{"first", soft}, {"slab", concrete}}};
    if (plastic_first) ground.soils[0].law = plastic_soil("dry-sand");
    Stand stand(make_world(std::move(ball), terrain, std::move(ground), std::move(soles), {}));
    stand.height() += 0.1;
    stand.state.qvel[0] = 1;
    const double start = energy_of(stand);
    for (int k = 0; k < 1500; ++k) {
      stand.step_once();
      ASSERT_FALSE(HasFatalFailure());
      ASSERT_LT(energy_of(stand), start + 1e-9) << "at " << stand.state.time << " s";
    }
    EXPECT_GT(stand.state.qpos[0], 0.5) << "it has crossed the border";
    EXPECT_GT(stand.sunk(), 0.01) << "and is as deep as it was";
  }
}

// In deep snow the upper side of a foot is below the surface too, and carries nothing.
TEST(Sides, OnlyWhatFacesTheGroundBears) {
  for (const char* name : {"snow-us", "snow-sweden"}) {
    const PlasticSoil soil = plastic_soil(name);
    Stand stand(make_plastic_world("box", soil, {.body_contacts = true}));
    stand.load(0, 2, 12);
    stand.run(1);
    const double load = 2 * stand.world.force_scale;
    const double expected = rest_sinkage(sole_of(stand.world, 0), soil, load);
    ASSERT_GT(expected, 0.2) << "the box is 0.2 m high";
    EXPECT_NEAR(stand.look()[0].sinkage, expected, 2e-3 * expected) << name;
    EXPECT_NEAR(stand.feet[0].normal_force, load, 1e-3 * load);
  }
}

TEST(Sides, SharesOfAHullAddUp) {
  RobotModel ball = load_robot(testing::robot_file("ball"));
  Geom& geom = ball.geoms[find_feet(ball)[0]];
  geom.type = GeomType::ellipsoid;
  geom.size = {0.05, 0.04, 0.03};
  const Soles soles = make_soles(ball, {find_feet(ball)[0]}, false, standing_pose(ball));
  double below = 0, above = 0;
  Vec3d area{0, 0, 0};
  for (const SolePoint& p : soles.points) {
    (p.area.z < 0 ? below : above) += p.weight * std::abs(p.area.z) / norm(p.area);
    if (p.area.z < 0) area += p.area;
  }
  const double plan = std::numbers::pi * 0.05 * 0.04;
  EXPECT_NEAR(below, 1, 1e-12);
  EXPECT_NEAR(above, 1, 1e-12);
  EXPECT_NEAR(area.z, -soles.feet[0].area, 1e-12);
  EXPECT_NEAR(soles.feet[0].area, plan, 0.05 * plan);  // of a hull of 66 points
}

// Pushed along flat sand a box comes to rest within seconds, and then stands as still as numbers do.
TEST(Sway, DiesAway) {
  for (const char* name : {"dry-sand", "lete-sand"}) {
    Stand stand(make_plastic_world("box", plastic_soil(name)));
    stand.load(0, 1, 6);
    stand.state.qvel[0] = 0.2;
    stand.run(5);
    EXPECT_LT(stand.speed(), 1e-5) << name;
    stand.run(5);
    const double x = stand.state.qpos[0];
    stand.run(5);
    EXPECT_NEAR(stand.state.qpos[0], x, 1e-12) << name;
  }
}

}  // namespace
}  // namespace footfall
