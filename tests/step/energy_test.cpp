// Energy and momentum of passive runs.
#include <gtest/gtest.h>

#include "footfall/step/measure.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using testing::Random;
using testing::table_4;

struct Case {
  const char* robot;
  int soil;
  double timestep;
};

class Passive : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Drops, Passive,
                         ::testing::Values(Case{"ball", 0, 1e-3}, Case{"ball", 5, 1e-3},
                                           Case{"box", 0, 2e-3}, Case{"box", 2, 5e-4},
                                           Case{"box", 5, 1e-3}, Case{"quadruped", 0, 1e-3},
                                           Case{"quadruped", 5, 2e-3}, Case{"humanoid", 3, 1e-3},
                                           Case{"biped", 5, 1e-3}, Case{"robosimian", 4, 1e-3}),
                         [](const auto& test) {
                           return std::string(test.param.robot) + "_" +
                                  table_4()[test.param.soil].name;
                         });

// Thrown to the ground, limp, with a spin: total energy, that of ground and springs included, never
// rises above where it was by more than what explicit velocity products can add in a step.
TEST_P(Passive, NeverGainsEnergy) {
  StepOptions options;
  options.timestep = GetParam().timestep;
  options.joint_limits = false;  // their springs' energy is not counted
  World world =
      testing::make_test_world(GetParam().robot, table_4()[GetParam().soil].ground, options);
  for (auto& a : world.robot.actuators) a.gain = a.bias0 = a.bias1 = a.bias2 = 0;
  const std::vector<double> pose = standing_pose(world.robot);
  State<double> state = make_state<double>(world, pose);
  state.qpos[2] += 0.1;
  Random random(9);
  for (int d = 0; d < 6; ++d) state.qvel[d] = 0.5 * random();
  StepWorkspace<double> w(world);
  const Control<double> command = make_control<double>(world.robot);
  const double scale = world.force_scale * pose[2];  // weight × height
  double before = measure_energy(world, state, w).total();
  const double start = before;
  double worst = 0, largest = before;
  for (int k = 0; k < static_cast<int>(2.0 / options.timestep); ++k) {
    step(world, command, state, w);
    const double after = measure_energy(world, state, w).total();
    worst = std::fmax(worst, after - before);
    largest = std::fmax(largest, after);
    before = after;
  }
  EXPECT_LE(largest, start + 1e-9 * scale) << "above the start";
  EXPECT_LT(worst, 2e-3 * scale) << "largest gain in one step";
  EXPECT_LT(before, start - 0.05 * scale) << "the ground dissipates";
}

// A box thrown along the ground, and balls rolling over bumps and down stairs: friction and uneven
// ground take energy, they never give any.
TEST(Passive, SlidingAndUnevenGroundGiveNoEnergy) {
  CompliantGround<double> soft{1e4, 1.3, 0, 0.3, 1.1, 4e3, 60, 0.6};
  Heightfield bumps, stairs;
  for (Heightfield* field : {&bumps, &stairs}) {
    field->nx = field->ny = 121;
    field->spacing = 0.05;
    field->origin_x = field->origin_y = -3;
  }
  for (int i = 0; i < 121 * 121; ++i) {
    bumps.heights.push_back(0.03 * std::sin(0.7 * (i % 121)) * std::cos(0.5 * (i / 121)));
    stairs.heights.push_back(-0.05 * std::floor(std::fmax(0.0, (i % 121 - 62) / 6.0)));
  }
  struct Throw {
    const char* robot;
    CompliantGround<double> soil;
    Terrain terrain;
    double timestep;
  };
  const Throw throws[] = {{"box", soft, {}, 1e-3},
                          {"box", soft, {}, 1e-4},
                          {"box", table_4()[3].ground, {}, 1e-3},
                          {"ball", table_4()[0].ground, make_terrain(bumps), 1e-3},
                          {"ball", table_4()[3].ground, make_terrain(bumps), 1e-3},
                          {"ball", table_4()[0].ground, make_terrain(stairs), 1e-3},
                          {"ball", table_4()[5].ground, make_terrain(stairs), 2e-3}};
  for (const Throw& t : throws) {
    StepOptions options;
    options.timestep = t.timestep;
    const World world = testing::make_test_world(t.robot, t.soil, options, t.terrain);
    State<double> state = make_state<double>(world, standing_pose(world.robot));
    state.qpos[2] += 0.05;
    state.qvel[0] = 0.8;
    state.qvel[1] = 0.3;
    StepWorkspace<double> w(world);
    const Control<double> command = make_control<double>(world.robot);
    const double scale = world.force_scale * 0.1;
    double lowest = measure_energy(world, state, w).total(), gain = 0;
    for (int k = 0; k < static_cast<int>(2.0 / t.timestep); ++k) {
      step(world, command, state, w);
      const Energy energy = measure_energy(world, state, w);
      gain = std::fmax(gain, energy.kinetic + energy.gravity - lowest);
      lowest = std::fmin(lowest, energy.total());
    }
    EXPECT_LT(gain, 2e-3 * scale) << t.robot << ", step " << t.timestep << " s";
  }
}

// A ball on a spring without damping bounces, and loses only what implicit integration takes.
TEST(Passive, BallOnASpringBouncesLowerEachTime) {
  CompliantGround<double> spring = table_4()[5].ground;
  spring.damping = 0;
  StepOptions options;
  options.timestep = 1e-4;
  const World world = testing::make_test_world("ball", spring, options);
  State<double> state = make_state<double>(world, standing_pose(world.robot));
  state.qpos[2] += 0.1;
  StepWorkspace<double> w(world);
  const Control<double> command = make_control<double>(world.robot);
  double apex = 0.1, last = 0;
  int bounces = 0;
  for (int k = 0; k < 20000; ++k) {
    last = state.qvel[2];
    step(world, command, state, w);
    if (last > 0 && state.qvel[2] <= 0) {
      const double height = state.qpos[2] - 0.05;
      EXPECT_LT(height, apex);
      if (bounces == 0) {
        EXPECT_GT(height, 0.08);  // most of it comes back at this step size
      }
      apex = height;
      ++bounces;
    }
  }
  EXPECT_GT(bounces, 3);
}

// Momentum: in every step the ground's forces and gravity account for all of it.
TEST(Passive, ForcesOfAllPointsEqualTheChangeOfMomentum) {
  StepOptions options;
  const World world = testing::make_test_world("quadruped", table_4()[3].ground, options);
  State<double> state = make_state<double>(world, standing_pose(world.robot));
  state.qpos[2] += 0.05;
  StepWorkspace<double> w(world);
  const Control<double> command = testing::hold<double>(world, standing_pose(world.robot), 100, 2);
  for (int k = 0; k < 400; ++k) {
    const State<double> before = state;
    step(world, command, state, w);
    list_results(world, w);
    // momentum with the old pose and both velocities, which is what the step balances
    Vec3d change{0, 0, 0};
    compute_velocities(world.robot, state.qvel.data(), w.data);
    std::vector<Twist<double>> after = w.data.V;
    compute_velocities(world.robot, before.qvel.data(), w.data);
    Vec3d ground{0, 0, 0}, products{0, 0, 0};
    for (int b = 1; b < world.robot.body_count(); ++b) {
      change += (w.data.inertia[b] * (after[b] - w.data.V[b])).lin;
      products += options.timestep * body_bias(w.data, b).lin;
    }
    for (const ContactPoint<double>& p : w.points) ground -= p.gradient;
    EXPECT_LT(norm(change + products - ground), 2e-8 * (norm(ground) + 0.15)) << "step " << k;
  }
}

}  // namespace
}  // namespace footfall
