// Robots standing on plastic soil: every foot as deep as the exact laws say for the load on it.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "support/plastic_worlds.hpp"

namespace footfall {
namespace {

using testing::make_plastic_world;
using testing::plastic_library;
using testing::plastic_soil;
using testing::rest_sinkage;
using testing::sole_of;
using testing::Stand;

void stand_slowly(const PlasticSoil& soil, Stand& stand) {
  // Damping of standard sand is linear at low speed and takes half a minute; no longer, since a biped
  // tips over slowly even with a flywheel. In snow of n = 1.6 robots sink so deep that they must be
  // loaded more slowly.
  stand.load(0, 1, soil.pressure.exponent > 1.5 ? 25 : 12);
  stand.run(soil.damping > 0 ? 40 : 4);
}

// What a flat sole's points carry on the virgin curve, at depths found by kinematics alone. Their
// spread goes to `span` [m].
double tilted_force(const PlasticSoil& soil, const Stand& stand, int foot, double& span) {
  const Soles& soles = stand.world.soles;
  const SoleGroup& group = soles.groups[soles.feet[foot].group];
  RobotData<double> data(stand.world.robot);
  compute_positions(stand.world.robot, stand.state.qpos.data(), data);
  double force = 0, deepest = -1, highest = 1;
  for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
    const SolePoint& p = soles.points[i];
    for (const Vec3d& corner : p.corners) {  // Gauss's three points of a triangle
      const Vec3d at = 0.5 * (p.position + corner);
      const double depth = -(data.p_WB[group.body] + data.R_WB[group.body] * at).z;
      deepest = std::fmax(deepest, depth);
      highest = std::fmin(highest, depth);
      const double K = sinkage_modulus(soil, p.contact_width);
      const double n = soil.pressure.exponent;
      const double line = std::pow(kLeastDepth, n) * depth / (kNoRebound * kLeastDepth);
      const double area = -(data.R_WB[group.body] * p.area).z / 3;
      force += K * area * std::fmin(std::pow(std::fmax(depth, 0.0), n), line);
    }
  }
  span = deepest - highest;
  return force;
}

void check_feet(const PlasticSoil& soil, Stand& stand) {
  double carried = 0;
  for (std::size_t f = 0; f < stand.look().size(); ++f) {
    const FootPatch& foot = stand.feet[f];
    carried += foot.force.z;
    ASSERT_GT(foot.normal_force, 0);
    const FootSole sole = sole_of(stand.world, static_cast<int>(f));
    double span = 0, tilted = 0;
    if (sole.shape != SoleShape::sphere) {
      tilted = tilted_force(soil, stand, static_cast<int>(f), span);
    }
    const double expected = rest_sinkage(sole, soil, foot.normal_force);
    if (span > 2e-3 * expected) {  // micrometres, where legs give a little
      EXPECT_NEAR(foot.normal_force, tilted, 1e-3 * tilted) << stand.world.soles.feet[f].name;
    } else {
      EXPECT_NEAR(foot.sinkage, expected, 1e-3 * expected)
          << stand.world.soles.feet[f].name << " under " << foot.normal_force << " N";
    }
  }
  EXPECT_NEAR(carried, stand.world.force_scale, 1e-6 * stand.world.force_scale);
  // Shear has no damping of its own: a light sway decays slowly.
  EXPECT_LT(stand.speed(), 5e-5);
}

class Standing : public ::testing::TestWithParam<std::tuple<const char*, const char*, double>> {};
const auto name_standing = [](const auto& test) {
  return std::string(std::get<0>(test.param)) + "_" + testing::test_name(std::get<1>(test.param)) +
         "_" + std::to_string(static_cast<int>(std::get<2>(test.param) * 1e6)) + "us";
};
INSTANTIATE_TEST_SUITE_P(EveryStep, Standing,
                         ::testing::Combine(::testing::Values("box", "quadruped", "humanoid"),
                                            ::testing::ValuesIn(testing::kPlasticSoils),
                                            ::testing::Values(5e-4, 1e-3, 2e-3)),
                         name_standing);
INSTANTIATE_TEST_SUITE_P(OneStep, Standing,
                         ::testing::Combine(::testing::Values("ball", "single_foot", "biped",
                                                              "robosimian_planar", "robosimian"),
                                            ::testing::ValuesIn(testing::kPlasticSoils),
                                            ::testing::Values(1e-3)),
                         name_standing);

TEST(Standing, EverySoilOfTheLibraryIsTested) {
  std::set<std::string> names,
      listed(std::begin(testing::kPlasticSoils), std::end(testing::kPlasticSoils));
  for (const Soil& soil : plastic_library()) names.insert(soil.name);
  EXPECT_EQ(names, listed);
}

TEST_P(Standing, EveryFootIsAsDeepAsItsLoadAsks) {
  const auto& [robot, soil_name, timestep] = GetParam();
  const PlasticSoil soil = plastic_soil(soil_name);
  const std::string name(robot);
  // of a quadruped that takes minutes to settle, load would move from foot to foot
  const bool tips_over =
      name == "humanoid" || name == "biped" || (name == "quadruped" && soil.damping > 0);
  Stand stand(
      make_plastic_world(robot, soil, {.timestep = timestep, .flywheel = tips_over ? 1e8 : 0}));
  stand_slowly(soil, stand);
  if (!HasFatalFailure()) check_feet(soil, stand);
}

// Four times the load sinks a flat sole 4^(1/n) as deep; each further load goes on from the last.
TEST(Loading, SinkageFollowsTheLoad) {
  for (const char* name : {"dry-sand", "lete-sand", "sandy-loam", "snow-sweden", "snow-us"}) {
    const PlasticSoil soil = plastic_soil(name);
    Stand stand(make_plastic_world("box", soil));
    double sinkage[3];
    for (int k = 0; k < 3; ++k) {
      stand.load(k == 0 ? 0 : 1 << (k - 1), 1 << k, 12);
      stand.run(1);
      sinkage[k] = stand.sunk();
    }
    const double growth = std::pow(2, 1 / soil.pressure.exponent);
    EXPECT_NEAR(sinkage[1] / sinkage[0], growth, 1e-3 * growth) << name;
    EXPECT_NEAR(sinkage[2] / sinkage[1], growth, 1e-3 * growth) << name;
  }
}

// ---- two soils ----

Region right_half(double from) {
  Region region;
  region.name = "right";
  region.soil = 1;
  region.shape = RegionShape::half_plane;
  region.a = 1;
  region.c = from;
  return region;
}

World make_two_soils(const char* robot_name, const std::vector<std::optional<PlasticSoil>>& plastic,
                     double border) {
  RobotModel robot = load_robot(testing::robot_file(robot_name));
  Soles soles = make_soles(robot, find_feet(robot), false, standing_pose(robot));
  Terrain terrain;
  terrain.regions = {right_half(border)};
  const CompliantGround<double> concrete = testing::table_4()[0].ground;
  SoilGround ground{{{"left", concrete}, {"right", concrete}}};
  for (std::size_t i = 0; i < plastic.size(); ++i) {
    if (plastic[i]) ground.soils[i].law = *plastic[i];
  }
  return make_world(std::move(robot), terrain, std::move(ground), std::move(soles), StepOptions{});
}

TEST(TwoSoils, EachFootStandsAsOnItsOwnSoil) {
  const PlasticSoil sand = plastic_soil("dry-sand");
  const double k = testing::table_4()[0].ground.stiffness;
  for (const bool reversed : {false, true}) {
    const std::optional<PlasticSoil> left = reversed ? std::optional(sand) : std::nullopt;
    const std::optional<PlasticSoil> right = reversed ? std::nullopt : std::optional(sand);
    Stand stand(make_two_soils("quadruped", {left, right}, 0));
    stand.load(0, 1, 12);
    stand.run(4);
    int on_sand = 0;
    double carried = 0;
    for (const FootPatch& foot : stand.look()) {
      carried += foot.force.z;
      const bool is_sand = (foot.center.x >= 0) != reversed;
      on_sand += is_sand;
      const double expected = is_sand ? find_sinkage(make_sphere(stand.world.soles.feet[0].radius),
                                                     sand, foot.normal_force)
                                      : foot.normal_force / k;
      EXPECT_NEAR(foot.sinkage, expected, 1e-3 * expected);
    }
    EXPECT_NEAR(carried, stand.world.force_scale, 1e-5 * stand.world.force_scale);
    EXPECT_EQ(on_sand, 2);
  }
}

// A foot pushed over the border sinks on in the softer soil: what the firm one could bear is no
// measure there.
TEST(TwoSoils, AFootThatLeavesFirmSoilSinksInSoftSoil) {
  const PlasticSoil firm = plastic_soil("lete-sand"), soft = plastic_soil("dry-sand");
  World world = make_two_soils("single_foot", {firm, soft}, 0.2);
  Stand stand(std::move(world));
  stand.load(0, 1, 4);
  const double load = stand.world.force_scale;
  const FootSole disc = sole_of(stand.world, 0);
  EXPECT_NEAR(stand.sunk(), find_sinkage(disc, firm, load), 1e-3 * stand.sunk());
  for (int k = 0; k < 8000; ++k) {  // 0.4 m in 8 s
    stand.command.position[0] = 5e-5 * (k + 1);
    stand.command.velocity[0] = 0.05;
    stand.step_once();
  }
  stand.command.velocity[0] = 0;
  stand.run(1);
  const double expected = find_sinkage(disc, soft, load);
  EXPECT_GE(stand.sunk(), 0.999 * expected);
  // it falls off the firm soil: at most as deep as under a load that comes at once, F δ = ∫V
  const double n = soft.pressure.exponent;
  EXPECT_LE(stand.sunk(), std::pow(n + 1, 1 / n) * expected);
}

}  // namespace
}  // namespace footfall
