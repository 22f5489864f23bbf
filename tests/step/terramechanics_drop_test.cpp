// Falling into plastic soil: nothing explodes, nothing comes back up, and the depth is that of an
// independent integration of m z̈ = F(δ) − m g.
#include <gtest/gtest.h>

#include <tuple>

#include "support/eight_robots.hpp"
#include "support/plastic_worlds.hpp"

namespace footfall {
namespace {

using testing::make_plastic_world;
using testing::plastic_soil;
using testing::Random;
using testing::sole_of;
using testing::Stand;

class Drop : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(EveryRobot, Drop,
                         ::testing::Combine(::testing::Values("ball", "box", "single_foot",
                                                              "quadruped", "humanoid", "biped",
                                                              "robosimian_planar", "robosimian"),
                                            ::testing::ValuesIn(testing::kPlasticSoils)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" +
                                  testing::test_name(std::get<1>(test.param));
                         });

// Limp, from 0.3 m, with some speed and spin: energy, that in the ground included, only falls.
TEST_P(Drop, NeverGainsEnergy) {
  const auto& [robot, soil_name] = GetParam();
  World world = make_plastic_world(robot, plastic_soil(soil_name), {.body_contacts = true});
  world.options.joint_limits = false;  // their springs' energy is not counted
  for (Actuator& a : world.robot.actuators) a.gain = a.bias0 = a.bias1 = a.bias2 = 0;
  Stand stand(std::move(world));
  stand.command = make_control<double>(stand.world.robot);
  stand.height() += 0.3;
  Random random(9);
  for (int d = 0; d < 3; ++d) stand.state.qvel[d] = 0.5 * random();
  const double scale = stand.world.force_scale * stand.height();
  const double start = measure_energy(stand.world, stand.state, stand.workspace).total();
  double before = start, worst = 0, largest = start;
  for (int k = 0; k < 1200; ++k) {
    stand.step_once();
    ASSERT_FALSE(HasFatalFailure()) << "step " << k;
    const double after = measure_energy(stand.world, stand.state, stand.workspace).total();
    ASSERT_TRUE(std::isfinite(after)) << "step " << k;
    worst = std::fmax(worst, after - before);
    largest = std::fmax(largest, after);
    before = after;
  }
  EXPECT_LE(largest, start + 1e-9 * scale) << "above the start";
  EXPECT_LT(worst, 5e-3 * scale) << "largest gain in one step";
  EXPECT_LT(before, start - 0.1 * scale) << "the ground dissipates";
}

class Impact : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(OneFoot, Impact,
                         ::testing::Combine(::testing::Values("ball", "single_foot", "box"),
                                            ::testing::ValuesIn(testing::kPlasticSoils)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" +
                                  testing::test_name(std::get<1>(test.param));
                         });

Stand make_drop(const char* robot, const PlasticSoil& soil, double timestep, double fall) {
  Stand stand(make_plastic_world(robot, soil, {.timestep = timestep}));
  stand.height() += fall;
  return stand;
}

TEST_P(Impact, ComesBackByTheElasticPartOnly) {
  const auto& [robot, soil_name] = GetParam();
  const PlasticSoil soil = plastic_soil(soil_name);
  for (const double timestep : {5e-4, 1e-3, 2e-3}) {
    Stand stand = make_drop(robot, soil, timestep, 0.3);
    double deepest = 0, highest_after = -1, most_force = 0;
    for (int k = 0; k < 2 / timestep; ++k) {
      stand.step_once();
      ASSERT_FALSE(HasFatalFailure());
      most_force = std::fmax(most_force, stand.look()[0].normal_force);
      if (stand.sunk() > deepest) highest_after = deepest = stand.sunk();
      highest_after = std::fmin(highest_after, stand.sunk());
    }
    // what the line gives back from the largest force, damping included, to a step's accuracy
    const double d = std::fmax(deepest, kLeastDepth);
    const double k_u = normal_force(sole_of(stand.world, 0), soil, d).force / (kNoRebound * d);
    EXPECT_GE(highest_after, deepest - 1.25 * most_force / k_u) << timestep;
  }
}

// The deepest point of a body that falls from `height` on the virgin curve, damped while it sinks:
// classical Runge–Kutta with steps of 2 µs.
double integrate_fall(const FootSole& sole, const PlasticSoil& soil, double mass, double height) {
  const SoleLaw law = make_sole_law(sole, soil);
  const auto slow_down = [&](double depth, double rate) {
    const double damping = soil.damping * std::pow(std::fmax(depth, 0.0), soil.damping_exponent) *
                           rate * std::pow(std::hypot(rate, kSlowSinking), soil.rate_exponent - 1);
    return 9.81 - (normal_force(law, depth).force + (depth > 0 ? damping : 0)) / mass;
  };
  constexpr double kDt = 2e-6;
  double z = 0, v = std::sqrt(2 * 9.81 * height);
  while (v > 0) {
    const double a1 = slow_down(z, v);
    const double a2 = slow_down(z + 0.5 * kDt * v, v + 0.5 * kDt * a1);
    const double a3 = slow_down(z + 0.5 * kDt * (v + 0.5 * kDt * a1), v + 0.5 * kDt * a2);
    const double a4 = slow_down(z + kDt * (v + 0.5 * kDt * a2), v + kDt * a3);
    z += kDt * (v + kDt / 6 * (a1 + a2 + a3));
    v += kDt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return z;
}

TEST_P(Impact, GoesAsDeepAsAFineIntegrationSays) {
  const auto& [robot, soil_name] = GetParam();
  const PlasticSoil soil = plastic_soil(soil_name);
  constexpr double kFall = 0.1;
  const double speed = std::sqrt(2 * 9.81 * kFall);
  double exact = 0, error[3];
  const double steps[3] = {5e-4, 2.5e-4, 6.25e-5};
  for (int i = 0; i < 3; ++i) {
    Stand stand = make_drop(robot, soil, steps[i], kFall);
    if (i == 0) {
      exact = integrate_fall(sole_of(stand.world, 0), soil, stand.world.force_scale / 9.81, kFall);
    }
    double deepest = 0;
    for (int k = 0; k < 0.6 / steps[i]; ++k) {
      stand.step_once();
      deepest = std::fmax(deepest, stand.sunk());
    }
    error[i] = std::abs(deepest - exact);
    // first order: no more than the way of two steps at the speed of the impact
    EXPECT_LT(error[i], 2 * steps[i] * speed) << steps[i];
  }
  EXPECT_LT(error[1], 0.75 * error[0] + 2e-3 * exact);
  EXPECT_LT(error[2], 0.25 * error[0] + 1e-3 * exact);
  EXPECT_LT(error[2], 0.01 * exact);
}

// ---- lanes ----

class PlasticLanes : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Robots, PlasticLanes,
                         ::testing::Values("ball", "box", "quadruped", "humanoid", "biped",
                                           "robosimian_planar"),
                         [](const auto& test) { return std::string(test.param); });

// Eight robots in lanes, each with its own start and targets that move, against each alone. Their
// ruts are the same too.
TEST_P(PlasticLanes, EqualEightScalarRobots) {
  World world = make_plastic_world(GetParam(), plastic_soil("dry-sand"), {.body_contacts = true});
  world.options.solver.tolerance = world.options.solver.friction_tolerance = 1e-12;
  const std::vector<double> pose = standing_pose(world.robot);
  testing::EightRobots robots(world, pose, 300, 15);
  const std::vector<double> home = robots.commands[0].position;
  Random random(5);
  for (int i = 0; i < kLaneCount; ++i) {
    const double lift = 0.01 * (1 + random());
    robots.start(i, lift, 0.5 * random());
  }
  for (int k = 0; k < 250; ++k) {
    for (int i = 0; i < kLaneCount; ++i) {
      for (std::size_t a = 0; a < home.size(); ++a) {
        const double turn = 0.02 * k * (1 + 0.1 * i) + static_cast<double>(a);
        robots.aim(i, a, home[a] + 0.15 * std::sin(turn));
      }
    }
    robots.step_all();
    ASSERT_FALSE(HasFatalFailure()) << "step " << k;
  }
  // Cells at the edge of a footprint carry next to nothing; whether they do at all may hang on rounding.
  robots.expect_same_positions(1e-6);
  for (int i = 0; i < kLaneCount; ++i) {
    const double volume = robots.states[i].memory.ruts[0].displaced_volume();
    const double spread = std::abs(robots.nudged[i].memory.ruts[0].displaced_volume() - volume);
    EXPECT_NEAR(robots.lane_state.memory.ruts[i].displaced_volume(), volume,
                1e-4 * volume + 100 * spread)
        << "lane " << i;
  }
}

}  // namespace
}  // namespace footfall
