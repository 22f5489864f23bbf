// Closed forms of soft ground against MuJoCo's own forces: at rest by mj_inverse for every cone, in
// motion by mj_forward in all three ranges, and a bounce by mj_step.
#include "footfall/soft/soft_curve.hpp"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "footfall/mujoco/handle.hpp"
#include "mujoco/model_text.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using testing::Random;

constexpr SoftImpedance kShape{0.1, 0.9, 0.02, 0.4, 2.5};
constexpr SoftReference kReference{-2000, -60};

struct Ball {
  MjModelPtr model;
  MjDataPtr data;

  explicit Ball(double mass, const std::string& more = "", const std::string& option = "")
      : model(load_mujoco_model(
            test::TextFile(fmt::format(
                               R"(<mujoco><option {} timestep="0.0001"/><worldbody>
  <geom name="floor" type="plane" size="1 1 1"/>
  <body pos="0 0 0.05"><freejoint/><geom name="ball" size="0.05" mass="{}" priority="1" {}/></body>
  </worldbody></mujoco>)",
                               option, mass, more))
                .path())),
        data(make_mujoco_data(*model)) {
    set(kReference, kShape);
  }
  void set(const SoftReference& r, const SoftImpedance& i) {
    const std::array<double, 5> imp = {i.d0, i.d_width, i.width, i.midpoint, i.power};
    std::copy(imp.begin(), imp.end(), model->geom_solimp + 5);
    model->geom_solref[2] = r.first;
    model->geom_solref[3] = r.second;
  }
  double force() const {
    std::array<mjtNum, 6> f{};
    if (data->ncon > 0) mj_contactForce(model.get(), data.get(), 0, f.data());
    return f[0];
  }
};

TEST(SoftCurve, StaticForceOfEveryConeIsMujocos) {
  for (const char* cone : {"elliptic", "pyramidal"}) {
    for (const int condim : {1, 3, 4, 6}) {
      for (const double friction : {0.3, 0.8, 1.2}) {
        for (const double impratio : {1.0, 5.0}) {
          Ball ball(2.5, fmt::format(R"(condim="{}" friction="{} 0.01 0.002")", condim, friction),
                    fmt::format(R"(cone="{}" impratio="{}")", cone, impratio));
          const RestingContact contact{.inverse_inertia = 1 / 2.5,
                                       .condim = condim,
                                       .friction = friction,
                                       .impratio = impratio,
                                       .pyramidal = std::string(cone) == "pyramidal"};
          const SoftLaw<double> law = make_soft_law(kReference, kShape, {});
          for (const double sinkage : {1e-4, 0.005, 0.008, 0.015, 0.02, 0.04}) {
            ball.data->qpos[2] = 0.05 - sinkage;
            mj_inverse(ball.model.get(), ball.data.get());
            const double ours = static_force(law, soft_share(contact), sinkage);
            EXPECT_NEAR(ours, ball.force(), 1e-10 * ours) << cone << condim << " " << sinkage;
          }
        }
      }
    }
  }
}

TEST(SoftCurve, ForceInMotionIsMujocosInAllThreeRanges) {
  Ball ball(0.4, R"(condim="1")");
  const SoftLaw<double> law = make_soft_law(kReference, kShape, {});
  Random random(5);
  std::array<int, 3> met{};
  for (int trial = 0; trial < 500; ++trial) {
    const double sinkage = 0.015 * (1 + random());
    const double rate = 0.5 * random();
    ball.data->qpos[2] = 0.05 - sinkage;
    ball.data->qvel[2] = -rate;
    mj_forward(ball.model.get(), ball.data.get());
    ++met[static_cast<std::size_t>(find_range(law, sinkage))];
    const double ours = std::max(0.0, range_force(law, 1 / 0.4, sinkage, rate, -9.81));
    EXPECT_NEAR(ours, ball.force(), 1e-9 * (1 + ours)) << sinkage << " " << rate;
    // from what results, the other form gives the same
    if (ours > 0) {
      EXPECT_NEAR(moving_force(law, 0.4, sinkage, rate, ball.data->qacc[2]), ours,
                  1e-8 * (1 + ours));
    }
  }
  for (const int count : met) EXPECT_GT(count, 50);
}

TEST(SoftCurve, RangesAreTheLawForAnyPower) {
  for (const double power : {1.0, 2.0, 3.0, 4.5}) {
    const SoftLaw<double> law = make_soft_law(kReference, {0.2, 0.8, 0.01, 0.7, power}, {});
    for (int k = 1; k < 40; ++k) {
      const double sinkage = 0.0005 * k;
      const double d = evaluate_impedance(law, -sinkage).value;
      const double expected = d * (law.stiffness * d * sinkage + law.damping * 0.1 + 9.81) / 2;
      EXPECT_NEAR(range_force(law, 2, sinkage, 0.1, -9.81), expected, 1e-12 * expected);
    }
  }
}

TEST(SoftCurve, StiffnessForASinkageCarriesTheLoadThere) {
  for (const double sinkage : {1e-4, 0.003, 0.008, 0.016, 0.05}) {
    const double stiffness = rest_stiffness(kShape, 1.7, 30, sinkage);
    const SoftLaw<double> law = make_soft_law({-stiffness, -1}, kShape, {});
    EXPECT_NEAR(static_force(law, 1.7, sinkage), 30, 1e-11);
    EXPECT_NEAR(find_rest_sinkage(law, 1.7, 30), sinkage, 1e-13);
  }
  // Gora 2025: ball and box, with d₀ = 0 raised to 1e-4
  EXPECT_NEAR(rest_stiffness({0, 0.95, 0.02, 0.5, 2}, 1, 9.81, 0.01), 2060.1, 0.7);
  EXPECT_NEAR(rest_stiffness({0, 0.95, 0.012, 0.5, 2}, 4, 9.81, 0.006), 858.4, 0.3);
  EXPECT_TRUE(std::isinf(find_rest_sinkage(make_soft_law({0, 0}, kShape, {}), 1, 1)));
}

TEST(SoftCurve, HeavyAndLightBallsSinkAlike) {
  const SoftLaw<double> law = make_soft_law(kReference, kShape, {});
  double first = 0;
  for (const double mass : {1.0, 100.0}) {
    Ball ball(mass);
    ball.data->qpos[2] = 0.045;
    for (int i = 0; i < 20000; ++i) mj_step(ball.model.get(), ball.data.get());
    const double sinkage = 0.05 - ball.data->qpos[2];
    EXPECT_NEAR(sinkage, find_rest_sinkage(law, mass, 9.81 * mass), 1e-9);
    if (mass == 1.0) first = sinkage;
    EXPECT_NEAR(sinkage, first, 1e-9);
  }
}

TEST(SoftCurve, DampingRatioAtRestIsThatOfABounce) {
  Ball ball(1, R"(condim="1")");
  const SoftReference weak{-2000, -8};
  ball.set(weak, kShape);
  const SoftLaw<double> law = make_soft_law(weak, kShape, {});
  const double rest = find_rest_sinkage(law, 1, 9.81);
  ball.data->qpos[2] = 0.05 - rest + 1e-5;
  // two highest points: their ratio is e^{−2πζ/√(1−ζ²)}
  std::vector<double> peaks;
  double before = 1, now = 1;
  for (int i = 0; i < 20000 && peaks.size() < 3; ++i) {
    mj_step(ball.model.get(), ball.data.get());
    const double next = ball.data->qpos[2] - (0.05 - rest);
    if (now > before && now >= next && now > 0) peaks.push_back(now);
    before = now;
    now = next;
  }
  ASSERT_EQ(peaks.size(), 3U);
  const double decrement = std::log(peaks[1] / peaks[2]) / (2 * std::numbers::pi);
  const double measured = decrement / std::sqrt(1 + decrement * decrement);
  EXPECT_NEAR(measured, rest_damping_ratio(law, rest, 9.81), 0.01 * measured);
}

// Of real MuJoCo, about a rest where the impedance is d_width.
TEST(SoftCurve, BeyondTheLongestStepMujocoTurnsAroundOrBouncesHigher) {
  Ball ball(1, R"(condim="1")");
  const SoftImpedance flat{0.9, 0.9, 0.001, 0.5, 2};
  const auto velocity_left = [&](const SoftReference& solref, double timestep, int steps) {
    ball.set(solref, flat);
    mj_resetData(ball.model.get(), ball.data.get());
    ball.model->opt.timestep = timestep;
    ball.data->qpos[2] = 0.05 - find_rest_sinkage(make_soft_law(solref, flat, {}), 1, 9.81);
    ball.data->qvel[2] = -1e-8;
    for (int k = 0; k < steps; ++k) mj_step(ball.model.get(), ball.data.get());
    return ball.data->qvel[2] / -1e-8;
  };
  const SoftReference damped{-1000, -200}, springy{-4e4, -10};
  EXPECT_DOUBLE_EQ(longest_soft_step(damped), 1.0 / 200);
  EXPECT_DOUBLE_EQ(longest_soft_step({0.01, 1}), 0.005);  // two steps per time constant
  for (const double share : {0.5, 1.0, 1.5}) {
    EXPECT_NEAR(velocity_left(damped, share * longest_soft_step(damped), 1), 1 - share, 1e-4);
  }
  EXPECT_LT(std::abs(velocity_left(springy, 0.99 * longest_soft_step(springy), 100)), 0.1);
  EXPECT_GT(std::abs(velocity_left(springy, 1.01 * longest_soft_step(springy), 30)), 100);
}

TEST(SoftCurve, LongStepsAreDescribed) {
  const double h = 0.002;
  EXPECT_EQ(describe_long_step({0.001, 1}, {h, true}), "");  // refsafe makes it 4 ms
  EXPECT_EQ(describe_long_step({0.001, 1}, {h, false}),
            "time constant 1 ms, damping ratio 1: damping times step is 4, expected at most 1; "
            "impacts may ring or "
            "blow up; a step of 0.5 ms would do");
  EXPECT_EQ(describe_long_step({-4e6, -10}, {h, true}),
            "stiffness 4e+06 1/s², damping 10 1/s: 2 h damping + h² stiffness is 16, expected "
            "below 4; impacts may "
            "ring or blow up, and MuJoCo's refsafe guards positive solref only; a step of 0.998 ms "
            "would do");
  EXPECT_EQ(describe_long_step({-1000, -500}, {h, true}), "");
  EXPECT_EQ(describe_long_step({0, 0}, {h, true}), "");
}

}  // namespace
}  // namespace footfall
