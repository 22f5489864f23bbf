// One source for several machines: eight robots in lanes move as each does alone.
#include <gtest/gtest.h>

#include "support/eight_robots.hpp"

namespace footfall {
namespace {

using testing::Random;

struct LanesCase {
  const char* robot;
  bool heightfield;
};

class Lanes8 : public ::testing::TestWithParam<LanesCase> {};
INSTANTIATE_TEST_SUITE_P(
    Robots, Lanes8,
    ::testing::Values(LanesCase{"quadruped", false}, LanesCase{"humanoid", false},
                      LanesCase{"biped", false}, LanesCase{"box", false},
                      LanesCase{"robosimian_planar", false}, LanesCase{"quadruped", true},
                      LanesCase{"humanoid", true}),
    [](const auto& test) {
      return std::string(test.param.robot) + (test.param.heightfield ? "_on_bumps" : "");
    });

Terrain make_bumpy() {
  Heightfield field;
  field.nx = field.ny = 81;
  field.spacing = 0.05;
  field.origin_x = field.origin_y = -2;
  for (int i = 0; i < field.nx * field.ny; ++i) {
    field.heights.push_back(0.01 * std::sin(0.9 * (i % field.nx)) * std::cos(0.7 * (i / field.nx)));
  }
  return make_terrain(std::move(field));
}

// Each lane has its own start, soil and command.
TEST_P(Lanes8, EqualEightScalarRobots) {
  StepOptions options;
  options.timestep = 1e-3;
  // looser, and lanes and scalar may stop an iteration or a friction update apart
  options.solver.tolerance = options.solver.friction_tolerance = 1e-10;
  const auto soils = testing::table_4();
  const Terrain terrain = GetParam().heightfield ? make_bumpy() : Terrain{};
  const World world = testing::make_test_world(GetParam().robot, soils[5].ground, options, terrain);
  const std::vector<double> pose = standing_pose(world.robot);
  testing::EightRobots robots(world, pose, 100, 5);
  Random random(5);
  for (int i = 0; i < kLaneCount; ++i) {
    CompliantGround<double> soil = soils[i % soils.size()].ground;
    soil.exponent = i == 6 ? 1.4 : 1.0;
    std::get<SoilContact<double>>(robots.alone[i].contact).law.compliant[0] = soil;
    CompliantGround<Lane8>& in_lanes =
        std::get<SoilContact<Lane8>>(robots.lanes.contact).law.compliant[0];
    set_lane(in_lanes.stiffness, i, soil.stiffness);
    set_lane(in_lanes.exponent, i, soil.exponent);
    set_lane(in_lanes.damping, i, soil.damping);
    set_lane(in_lanes.shear_stiffness, i, soil.shear_stiffness);
    set_lane(in_lanes.shear_damping, i, soil.shear_damping);
    const double lift = 0.01 * (1 + random());
    robots.start(i, lift, 0.3 * random());
    for (std::size_t k = 0; k < robots.commands[i].position.size(); ++k) {
      robots.aim(i, k, robots.commands[i].position[k] + 0.1 * random());
    }
  }
  for (int k = 0; k < 250; ++k) {
    robots.step_all();
    ASSERT_FALSE(HasFatalFailure()) << "step " << k;
  }
  // what cells on uneven ground do not count is found to 1e-9
  robots.expect_same_positions(GetParam().heightfield ? 1e-10 : 1e-11);
}

}  // namespace
}  // namespace footfall
