#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "footfall/error.hpp"
#include "footfall/identify/normal.hpp"
#include "footfall/rig/foot.hpp"
#include "identify/normal_rig.hpp"
#include "identify/trajectory.hpp"
#include "rig/grounds.hpp"

namespace footfall {
namespace {

using namespace identify_test;

// Ding 2013, section 4: M = 30 kg, 294 N in all, dropped from 5 mm.
const std::vector<double> kFoot{1e4, 1.3, 500, 0.3, 1.1};
const char* const kFootNames[] = {"k", "n", "b", "p", "q"};
DropSetup paper_setup() {
  return {.mass = 30, .pull = 294, .impact_speed = std::sqrt(2 * 294.0 / 30 * 0.005)};
}

std::vector<double> even_times(double step, int count) {
  std::vector<double> times(count);
  for (int i = 0; i < count; ++i) times[i] = step * i;
  return times;
}

// A second route through the equation of motion: Runge and Kutta's classical rule in small steps that
// grow from the touch on like s³, so that δᵖ is smooth in s.
RigTest classical_drop(const std::vector<double>& x, const DropSetup& setup, double end,
                       int samples) {
  const HuntCrossley law{x[0], x[1], x[2], x[3], x[4]};
  const auto slope = [&](double z, double v) {
    return std::pair{v, (setup.pull - evaluate_hunt_crossley(law, z, v).force) / setup.mass};
  };
  RigTest test;
  test.name = "drop.csv";
  test.kind = TestKind::drop;
  test.mass = setup.mass;
  test.load = setup.pull - setup.mass * kRigGravity;
  test.sample_rate = samples / end;
  double z = 0, v = setup.impact_speed, t = 0;
  constexpr int kFine = 60;
  for (int i = 0; i <= samples; ++i) {
    test.recording.time.push_back(end * i / samples);
    test.recording.sinkage.push_back(z);
    test.recording.normal_force.push_back(evaluate_hunt_crossley(law, z, v).force);
    test.sinkage.push_back(z);
    test.rate.push_back(v);
    test.phase.push_back(Phase::impact);
    const double period = end / samples;
    for (int k = 0; k < kFine; ++k) {
      const double share = (k + 1.0) / kFine;
      const double to = period * (i + (i == 0 ? std::pow(share, 8) : share));
      const double h = to - t;
      const auto [z1, v1] = slope(z, v);
      const auto [z2, v2] = slope(z + 0.5 * h * z1, v + 0.5 * h * v1);
      const auto [z3, v3] = slope(z + 0.5 * h * z2, v + 0.5 * h * v2);
      const auto [z4, v4] = slope(z + h * z3, v + h * v3);
      z += h / 6 * (z1 + 2 * z2 + 2 * z3 + z4);
      v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      t = to;
    }
  }
  return test;
}

TEST(Trajectory, IsThatOfAnotherIntegrator) {
  const RigTest expected = classical_drop(kFoot, paper_setup(), 0.5, 500);
  const DropCurve curve =
      simulate_drop(NormalModel::hunt_crossley, {}, kFoot, paper_setup(), expected.recording.time);
  for (std::size_t i = 0; i < curve.sinkage.size(); ++i) {
    EXPECT_NEAR(curve.sinkage[i], expected.sinkage[i], 2e-11);
    EXPECT_NEAR(curve.rate[i], expected.rate[i], 1e-9);
  }
}

// Ballistic flight between bounces, and energy: nothing is lost without damping.
TEST(Trajectory, KeepsEnergyOverBounces) {
  const DropSetup setup{.mass = 2, .pull = 2 * kRigGravity, .impact_speed = 1};
  const std::vector<double> times = even_times(1e-3, 1500);
  const std::vector<double> law{1e4, 1.5};
  const DropCurve curve = simulate_drop(NormalModel::hertz, {}, law, setup, times);
  EXPECT_GE(curve.bounces, 4);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double z = curve.sinkage[i], v = curve.rate[i];
    const double stored = z > 0 ? 1e4 * std::pow(z, 2.5) / 2.5 : 0;
    EXPECT_NEAR(0.5 * 2 * v * v - setup.pull * z + stored, 1, 2e-9) << times[i];
  }
}

// Work of weight and force against motion and dissipation, with damping.
TEST(Trajectory, LosesWhatDampingTakes) {
  const std::vector<double> times = even_times(1e-4, 3001);
  const DropSetup setup = paper_setup();
  const DropCurve c = simulate_drop(NormalModel::hunt_crossley, {}, kFoot, setup, times);
  double work = 0;  // by Simpson's rule
  for (std::size_t i = 0; i + 2 < times.size(); i += 2) {
    const auto power = [&](std::size_t k) { return (setup.pull - c.force[k]) * c.rate[k]; };
    work += 1e-4 / 3 * (power(i) + 4 * power(i + 1) + power(i + 2));
  }
  const double gained = 0.5 * 30 * (c.rate.back() * c.rate.back() - c.rate[0] * c.rate[0]);
  EXPECT_NEAR(work, gained, 1e-6 * 30);
}

struct MotionCase {
  NormalModel model;
  std::vector<double> x;
  DropSetup setup;
  double end;
};

// s_z, s_v and the force's slopes against central differences of whole runs.
void expect_sensitivities(const MotionCase& c, double tolerance) {
  const auto law = make_normal_law(c.model, make_cylinder(0.05, 0.08));
  const int count = static_cast<int>(c.x.size());
  std::vector<double> times = even_times(c.end / 23, 24);
  times[0] = -0.01;
  DropCurve curve;
  law->set(c.x);
  ASSERT_TRUE(integrate_drop(*law, count, c.setup, times, true, curve));
  for (int k = 0; k < count + 2; ++k) {
    const double size = k < count ? c.x[k] : k == count ? c.setup.impact_speed : 0.1;
    const auto moved = [&](double by) {
      std::vector<double> x = c.x, shifted = times;
      DropSetup setup = c.setup;
      if (k < count) x[k] += by;
      if (k == count) setup.impact_speed += by;
      if (k > count) {
        for (double& t : shifted) t -= by;
      }
      law->set(x);
      DropCurve other;
      EXPECT_TRUE(integrate_drop(*law, count, setup, shifted, false, other));
      return other;
    };
    const double h = 1e-5 * size;
    const DropCurve a = moved(-h), b = moved(h), aa = moved(-2 * h), bb = moved(2 * h);
    const auto slope = [&](const std::vector<double> DropCurve::* of, std::size_t i) {
      return (8 * ((b.*of)[i] - (a.*of)[i]) - ((bb.*of)[i] - (aa.*of)[i])) / (12 * h);
    };
    for (std::size_t i = 0; i < times.size(); ++i) {
      const std::size_t at = i * curve.columns + k;
      EXPECT_NEAR(size * curve.sinkage_by[at], size * slope(&DropCurve::sinkage, i), tolerance);
      EXPECT_NEAR(size * curve.rate_by[at], size * slope(&DropCurve::rate, i), 20 * tolerance);
      EXPECT_NEAR(size * curve.force_by[at], size * slope(&DropCurve::force, i), 1e4 * tolerance)
          << normal_model_names()[static_cast<std::size_t>(c.model)] << " column " << k << " time "
          << times[i];
    }
  }
}

TEST(Trajectory, SensitivitiesAreThoseOfDifferences) {
  expect_sensitivities({NormalModel::hunt_crossley, kFoot, paper_setup(), 0.5}, 1e-7);
  const PlasticSoil sand = rig_test::standard_sand();
  const std::vector<double> soil{sand.pressure.sinkage_modulus, 0.632, 205.07, 0.096, 0.075};
  expect_sensitivities({NormalModel::bernstein,
                        soil,
                        {.mass = 30, .pull = 294, .impact_speed = 0.5, .yields = true},
                        0.12},
                       1e-7);
}

// With bounces: the touch that comes depends on everything before. Steps do not end where the force of
// a rising foot reaches zero, which costs the derivatives some digits.
TEST(Trajectory, SensitivitiesGoThroughBounces) {
  const DropSetup light{.mass = 2, .pull = 2 * kRigGravity, .impact_speed = 1};
  expect_sensitivities({NormalModel::hunt_crossley, {1e4, 1.3, 100, 0.3, 1.1}, light, 0.73}, 5e-5);
  expect_sensitivities({NormalModel::spring_damper, {1e4, 20}, light, 0.73}, 5e-5);
}

// Noise-free data of section 4 give the five parameters back, from the other integrator.
TEST(DynamicFit, TheFootOfSection4IsFoundAgain) {
  RigTest test = classical_drop(kFoot, paper_setup(), 1, 1000);
  DynamicOptions options;
  options.model = NormalModel::hunt_crossley;
  const Fit fit = fit_dynamic({test}, options).fit;
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(fit.value(kFootNames[i]) / kFoot[i], 1, 1e-6);
  EXPECT_NEAR(fit.value("impact_speed_1"), paper_setup().impact_speed, 1e-7);
  options.trajectory = false;
  const Fit direct = fit_dynamic({test}, options).fit;
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(direct.value(kFootNames[i]) / kFoot[i], 1, 1e-9);
}

TEST(DynamicFit, ALateTouchIsFound) {
  RigTest test = classical_drop(kFoot, paper_setup(), 0.4, 400);
  const double late = 0.0007, deep = 1.5e-4;
  for (double& t : test.recording.time) t += late;
  for (double& z : test.sinkage) z += deep;
  test.contact_error = 1e-4;
  DynamicOptions options;
  options.model = NormalModel::hunt_crossley;
  options.fix = {{"k", 1e4}, {"n", 1.3}};
  const Fit fit = fit_dynamic({test}, options).fit;
  EXPECT_NEAR(fit.value("contact_time_1"), late, 1e-7);
  EXPECT_NEAR(fit.value("contact_offset_1"), deep, 1e-8);
  EXPECT_NEAR(fit.value("p"), 0.3, 1e-4);
}

// The rig's own integrator is of second order: that is how near it comes.
TEST(DynamicFit, TheDroppedSoilIsFoundAgain) {
  const PlasticSoil sand = rig_test::standard_sand();
  const RigGround ground = rig_test::on(sand, make_cylinder(0.05, 0.08));
  const RigTest test = dropped(ground, {.mass = 20, .load = 50, .height = 0.05, .duration = 0.2});
  DynamicOptions options;
  options.model = NormalModel::bernstein;
  options.fix = {{"k", sand.pressure.sinkage_modulus}, {"n", 0.632}};
  const Fit fit = fit_dynamic({test}, options).fit;
  EXPECT_NEAR(fit.value("b") / sand.damping, 1, 1e-6);
  EXPECT_NEAR(fit.value("p") / sand.damping_exponent, 1, 1e-6);
  EXPECT_NEAR(fit.value("q") / sand.rate_exponent, 1, 2e-6);
}

TEST(DynamicFit, SaysWhatIsMissing) {
  RigTest test = classical_drop(kFoot, paper_setup(), 0.1, 100);
  DynamicOptions options;
  options.model = NormalModel::hunt_crossley;
  test.mass.reset();
  EXPECT_THROW(fit_dynamic({test}, options), InputError);
  test.mass = 30;
  test.recording.time.clear();
  EXPECT_THROW(fit_dynamic({test}, options), InputError);
  options.trajectory = false;
  test.recording.normal_force.clear();
  EXPECT_THROW(fit_dynamic({test}, options), InputError);
}

}  // namespace
}  // namespace footfall
