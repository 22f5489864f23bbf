// Shear on plastic soil: a foot dragged along, turned round, twisted, and a box on a slope.
#include <gtest/gtest.h>

#include "support/plastic_worlds.hpp"

namespace footfall {
namespace {

using testing::make_plastic_world;
using testing::plastic_soil;
using testing::sole_of;
using testing::Stand;

// A foot dragged at constant speed; its z motor adds nothing, so that its weight stays on it.
struct Drag {
  explicit Drag(const PlasticSoil& soil) : stand(make_plastic_world("single_foot", soil)) {
    stand.command.kp[0] = 1e7;  // so stiff that the foot is where it shall be
    stand.command.kd[0] = 1e5;
    stand.command.kp[2] = 1e7;
    stand.command.kd[2] = 1e5;
    stand.load(0, 1, 10);
  }
  // One step at this speed; returns the force on the foot along x, over the soil's strength.
  double pull(double speed) {
    const double h = stand.world.options.timestep;
    stand.command.position[0] += h * speed;
    stand.command.velocity[0] = speed;
    stand.step_once();
    const FootPatch& foot = stand.look()[0];
    const FootSole sole = sole_of(stand.world, 0);
    return foot.force.x / shear_strength(sole, soil(), foot.sinkage, foot.normal_force);
  }
  const PlasticSoil& soil() const { return *footfall::plastic_soil(stand.world.ground, 0); }
  Stand stand;
};

class DragTest : public ::testing::TestWithParam<ShearForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, DragTest,
                         ::testing::Values(ShearForm::exponential, ShearForm::tanh,
                                           ShearForm::piecewise_linear),
                         [](const auto& test) {
                           return std::string(test.param == ShearForm::exponential ? "exponential"
                                              : test.param == ShearForm::tanh      ? "tanh"
                                                                              : "piecewise_linear");
                         });

TEST_P(DragTest, FollowsTheLawOfShearAndUnloadsOnReversal) {
  for (const char* name : {"dry-sand", "lete-sand", "clayed-soil"}) {
    PlasticSoil soil = plastic_soil(name);
    soil.shear = GetParam();
    Drag drag(soil);
    const double K = soil.shear_modulus;
    const double speed = 0.15 * K;  // per second: slow, so that damping of sway counts below 0.008
    const double start = drag.stand.state.qpos[0];
    double use = 0;
    while (drag.stand.state.qpos[0] - start < 4 * K) {
      use = -drag.pull(speed);
      ASSERT_FALSE(HasFatalFailure());
      const double j = drag.stand.state.qpos[0] - start;
      EXPECT_NEAR(use, mobilized_shear(soil, j), 0.01) << name << " at j = " << j / K << " K";
    }
    // back: the force falls at once, vanishes, and points the other way
    const double turn = drag.stand.state.qpos[0];
    double back = 0, zero_at = -1;
    while (turn - drag.stand.state.qpos[0] < 4 * K) {
      const double before = use;
      use = -drag.pull(-speed);
      ASSERT_FALSE(HasFatalFailure());
      back = turn - drag.stand.state.qpos[0];
      EXPECT_LE(use, before + 1e-6) << name;
      if (zero_at < 0 && use < 0) zero_at = back;
      if (GetParam() == ShearForm::exponential) {
        // de = −(1 + e) ds/K from e = 1 − e^{−4}
        const double expected = -1 + (2 - std::exp(-4.0)) * std::exp(-back / K);
        EXPECT_NEAR(use, expected, 0.015) << name << " at " << back / K << " K after turning";
      }
    }
    EXPECT_LT(zero_at, 2.1 * K) << name;
    EXPECT_NEAR(use, -1, 0.05) << name;
  }
}

TEST(Drag, SinksNoFurtherAndLeavesARut) {
  Drag drag(plastic_soil("dry-sand"));
  const double depth = drag.stand.sunk();
  for (int k = 0; k < 4000; ++k) drag.pull(0.05);  // 0.2 m
  EXPECT_NEAR(drag.stand.sunk(), depth, 0.01 * depth);
  press_prints(drag.stand.world, drag.stand.state.memory);
  for (const double x : {0.0, 0.05, 0.1, 0.15, 0.2}) {
    const RutCell cell = drag.stand.state.memory.ruts[0].sample(x, 0);
    EXPECT_NEAR(cell.sinkage, depth, 0.02 * depth) << "at x = " << x;
  }
  EXPECT_EQ(drag.stand.state.memory.ruts[0].sample(0.3, 0).sinkage, 0);
}

// ---- twisting ----

TEST(Twist, AFlatFootResistsAsItsStressDoes) {
  for (const char* name : {"dry-sand", "lete-sand", "snow-sweden"}) {
    const PlasticSoil soil = plastic_soil(name);
    Stand stand(make_plastic_world("box", soil));
    stand.load(0, 1, 12);
    stand.run(0.5);
    constexpr double kA = 0.4, kB = 0.3;
    const double area = kA * kB;
    const double stress =
        soil.cohesion + stand.world.force_scale / area * std::tan(soil.friction_angle);
    const double second_moment = area * (kA * kA + kB * kB) / 12;  // ∫ r² dA
    const double expected = stress / shear_length(soil.shear, soil.shear_modulus) * second_moment;
    stand.state.qvel[5] = 2e-3;  // about the vertical
    for (int k = 0; k < 20; ++k) {
      stand.step_once();
      const double yaw = 2 * std::atan2(stand.state.qpos[6], stand.state.qpos[3]);
      ASSERT_GT(yaw, 0);
      // shear has hardly begun, so sway is damped whatever its direction
      const double moment = expected * (yaw + kShearRecovery * stand.state.qvel[5]);
      EXPECT_NEAR(-stand.look()[0].moment.z, moment, 0.02 * moment) << name;
    }
  }
}

TEST(Twist, ABallResistsSpinningUpToItsLimit) {
  const PlasticSoil soil = plastic_soil("dry-sand");
  Stand stand(make_plastic_world("ball", soil));
  stand.load(0, 1, 8);
  const double depth = stand.sunk();
  const double radius = std::sqrt((0.1 - depth) * depth);  // of the patch
  const double strength =
      shear_strength(sole_of(stand.world, 0), soil, depth, stand.world.force_scale);
  double most = 0;
  for (int k = 0; k < 4000; ++k) {
    stand.state.qvel[5] = 5;
    stand.step_once();
    most = std::fmax(most, std::abs(stand.look()[0].moment.z));
  }
  EXPECT_LE(most, 2.0 / 3 * radius * strength * 1.001);
  EXPECT_GE(most, 0.5 * radius * strength);
}

// ---- slopes ----

Stand make_slope_stand(const PlasticSoil& soil, double slope, double timestep) {
  Stand stand(
      make_plastic_world("box", soil, {.timestep = timestep, .terrain = make_slope(slope, 0)}));
  const Quatd q = integrate_quat(Quatd{1, 0, 0, 0}, Vec3d{0, -slope, 0});
  stand.state.qpos = {-0.1 * std::sin(slope), 0, 0.1 * std::cos(slope), q.w, q.x, q.y, q.z};
  return stand;
}

TEST(SlopeOfSoil, ABoxDoesNotCreep) {
  for (const char* name : {"dry-sand", "lete-sand", "sandy-loam", "upland-sandy-loam"}) {
    for (const double timestep : {5e-4, 1e-3, 2e-3}) {
      Stand stand = make_slope_stand(plastic_soil(name), 0.1745, timestep);  // 10°
      stand.load(0, 1, 10);
      stand.run(30);
      // it may sway about its place, so compare means over two seconds each
      Vec3d mean[2]{};
      for (Vec3d& m : mean) {
        const int steps = static_cast<int>(4 / timestep);
        for (int k = 0; k < steps; ++k) {
          stand.step_once();
          m += (1.0 / steps) * Vec3d{stand.state.qpos[0], stand.state.qpos[1], stand.state.qpos[2]};
        }
      }
      EXPECT_LT(norm(mean[1] - mean[0]) / 4, 1e-6) << name << " " << timestep << " creep [m/s]";
      EXPECT_LT(stand.speed(), 1e-4) << name;
    }
  }
}

TEST(SlopeOfSoil, BeyondTheFrictionAngleABoxSlides) {
  PlasticSoil soil = plastic_soil("dry-sand");
  soil.cohesion = 0;
  constexpr double kSlope = 0.6;  // 34°, the sand's angle is 28°
  Stand stand = make_slope_stand(soil, kSlope, 1e-3);
  stand.world.robot.gravity = stand.gravity;
  stand.run(1.5);  // once K is far behind, strength is mobilised
  const auto speed = [&] {
    return norm(Vec3d{stand.state.qvel[0], stand.state.qvel[1], stand.state.qvel[2]});
  };
  const double early = speed();
  stand.run(0.5);
  const double expected =
      9.81 * (std::sin(kSlope) - std::tan(soil.friction_angle) * std::cos(kSlope));
  EXPECT_NEAR((speed() - early) / 0.5, expected, 0.01 * expected);
}

}  // namespace
}  // namespace footfall
