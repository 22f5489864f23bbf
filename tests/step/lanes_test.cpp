// One source for several machines: eight robots in lanes move as each does alone.
#include <gtest/gtest.h>

#include <limits>

#include "support/worlds.hpp"

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
                      LanesCase{"robosimian_planar", false}, LanesCase{"quadruped", true}),
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
  options.solver.tolerance = options.solver.friction_tolerance = 1e-12;
  const auto soils = testing::table_4();
  const Terrain terrain = GetParam().heightfield ? make_bumpy() : Terrain{};
  const World world = testing::make_test_world(GetParam().robot, soils[5].ground, options, terrain);
  const std::vector<double> pose = standing_pose(world.robot);
  const double kp = 100, kd = 5;
  StepWorkspace<Lane8> lanes(world);
  State<Lane8> lane_state = make_state<Lane8>(world, pose);
  Control<Lane8> lane_command = testing::hold<Lane8>(world, pose, kp, kd);
  std::vector<StepWorkspace<double>> alone(kLaneCount, StepWorkspace<double>(world));
  std::vector<State<double>> states(kLaneCount, make_state<double>(world, pose));
  std::vector<Control<double>> commands(kLaneCount, testing::hold<double>(world, pose, kp, kd));
  Random random(5);
  for (int i = 0; i < kLaneCount; ++i) {
    CompliantGround<double> soil = soils[i % soils.size()].ground;
    soil.exponent = i == 6 ? 1.4 : 1.0;
    std::get<SoilContact<double>>(alone[i].contact).law.compliant[0] = soil;
    CompliantGround<Lane8>& in_lanes = std::get<SoilContact<Lane8>>(lanes.contact).law.compliant[0];
    set_lane(in_lanes.stiffness, i, soil.stiffness);
    set_lane(in_lanes.exponent, i, soil.exponent);
    set_lane(in_lanes.damping, i, soil.damping);
    set_lane(in_lanes.shear_stiffness, i, soil.shear_stiffness);
    set_lane(in_lanes.shear_damping, i, soil.shear_damping);
    const int height = world.robot.joints[0].type == JointType::free ? 2 : 1;
    states[i].qpos[height] += 0.01 * (1 + random());
    states[i].qvel[0] = 0.3 * random();
    for (std::size_t k = 0; k < commands[i].position.size(); ++k) {
      commands[i].position[k] += 0.1 * random();
      set_lane(lane_command.position[k], i, commands[i].position[k]);
    }
    set_lane(lane_state.qpos[height], i, states[i].qpos[height]);
    set_lane(lane_state.qvel[0], i, states[i].qvel[0]);
  }
  // The same robots again, started a few units in the last place away: how far round-off grows.
  std::vector<State<double>> nudged = states;
  for (int i = 0; i < kLaneCount; ++i) {
    for (double& q : nudged[i].qpos) q *= 1 + 4 * std::numeric_limits<double>::epsilon();
  }
  for (int k = 0; k < 250; ++k) {
    const SolverReport<Lane8> report = step(world, lane_command, lane_state, lanes);
    ASSERT_TRUE(all(report.converged)) << "step " << k;
    for (int i = 0; i < kLaneCount; ++i) {
      step(world, commands[i], states[i], alone[i]);
      step(world, commands[i], nudged[i], alone[i]);
    }
  }
  for (int i = 0; i < kLaneCount; ++i) {
    double difference = 0, growth = 0;
    for (std::size_t k = 0; k < states[i].qpos.size(); ++k) {
      difference = std::fmax(difference, std::abs(lane(lane_state.qpos[k], i) - states[i].qpos[k]));
      growth = std::fmax(growth, std::abs(nudged[i].qpos[k] - states[i].qpos[k]));
    }
    EXPECT_LT(difference, 100 * growth + 1e-11) << "lane " << i << ", round-off grew to " << growth;
  }
}

}  // namespace
}  // namespace footfall
