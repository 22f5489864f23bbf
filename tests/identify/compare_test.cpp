#include <gtest/gtest.h>

#include <cmath>

#include "footfall/identify/normal.hpp"
#include "footfall/rig/foot.hpp"
#include "identify/normal_rig.hpp"
#include "identify/trajectory.hpp"
#include "rig/grounds.hpp"

namespace footfall {
namespace {

using namespace identify_test;

const ModelScore& find_score(const std::vector<ModelScore>& scores, const std::string& model) {
  for (const ModelScore& s : scores) {
    if (s.model == model) return s;
  }
  throw std::out_of_range(model);
}

// Soil under two plates: one spring for both feet cannot be right, Bernstein's law neither.
TEST(CompareModels, PlatesAskForBekker) {
  PlasticSoil soil = rig_test::dry_sand();
  soil.pressure.cohesive_modulus = 3e4;
  std::vector<RigTest> tests;
  for (const double radius : {0.02, 0.05}) {
    tests.push_back(pressed(rig_test::on(soil, make_disc(radius)), 0.02, 100, true));
    add_uniform_noise(2, 7, tests.back().recording.normal_force);
  }
  const std::vector<ModelScore> scores = compare_models(tests, {});
  ASSERT_EQ(scores.size(), 5u);
  // two widths carry Bekker's pair and Reece's alike: a third would tell them apart
  EXPECT_NEAR(find_score(scores, "bekker").aicc, find_score(scores, "reece").aicc, 1e-3);
  EXPECT_LT(find_score(scores, "bekker").delta_aicc, 1e-3);
  EXPECT_GT(find_score(scores, "bernstein").delta_aicc, 100);
  EXPECT_GT(find_score(scores, "hertz").delta_aicc, 100);
  EXPECT_NEAR(scores.front().cross_validation_rms_N, 2 / std::sqrt(3), 0.2);
  double sum = 0;
  for (const ModelScore& s : scores) sum += s.weight;
  EXPECT_NEAR(sum, 1, 1e-12);
}

// An impact of a damped foot: of five laws that which made the data, with force noise.
TEST(CompareModels, AnImpactAsksForItsDamping) {
  const std::vector<double> x{1e4, 1.3, 500, 0.3, 1.1};
  std::vector<double> times(400);
  for (int i = 0; i < 400; ++i) times[i] = 1e-3 * i;
  const DropSetup setup{.mass = 30, .pull = 30 * kRigGravity, .impact_speed = 0.5};
  const DropCurve c = simulate_drop(NormalModel::hunt_crossley, {}, x, setup, times);
  RigTest test;
  test.name = "drop.csv";
  test.kind = TestKind::drop;
  test.mass = 30;
  test.recording.time = times;
  test.recording.sinkage = test.sinkage = c.sinkage;
  test.recording.normal_force = c.force;
  test.rate = c.rate;
  test.phase.assign(times.size(), Phase::impact);
  add_uniform_noise(10, 3, test.recording.normal_force);
  DynamicOptions options;
  options.trajectory = false;
  const std::vector<ModelScore> scores = compare_models({test}, options);
  ASSERT_EQ(scores.size(), 5u);
  EXPECT_EQ(scores.front().model, "hunt_crossley");
  EXPECT_GT(find_score(scores, "spring").delta_aicc, 100);
  EXPECT_GT(find_score(scores, "spring_damper").delta_aicc, 10);
}

TEST(CompareModels, SaysWhyALawWasNotFitted) {
  RigTest test = pressed(rig_test::spring_ground(1e4), 0.02, 50);
  test.kind = TestKind::drop;  // without mass
  test.phase.assign(test.phase.size(), Phase::impact);
  const std::vector<ModelScore> scores = compare_models({test}, {});
  EXPECT_FALSE(scores.front().note.empty());
  EXPECT_EQ(scores.front().weight, 0);
}

}  // namespace
}  // namespace footfall
