// A foot that a PID leads through a learned medium.
#include "footfall/run/led_foot.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "footfall/error.hpp"
#include "footfall/granular/learning.hpp"
#include "footfall/granular/wrench_database.hpp"
#include "mujoco/model_text.hpp"

namespace footfall {
namespace {

using ::testing::HasSubstr;

constexpr const char* kRoot = FOOTFALL_SOURCE_DIR;

LedPose straight_down(double t) { return {{0, 0.02 * t, 0}, {0, 0.02, 0}}; }

// Slow and level: what leads the foot and what it meets balance its weight at every moment, and the wrench is the
// point of W that is farthest against the motion.
TEST(LedFoot, MeetsWhatIsLearnedAndWhatLeadsIt) {
  LedFootOptions options;
  options.timestep = 5e-4;
  const std::vector<LedSample> met = lead_foot("play-sand", kRoot, straight_down, 4, options);
  ASSERT_GT(met.size(), 100u);
  const WrenchModel model(
      learn_wrenches(read_wrench_database(std::string(kRoot) + "/media/play-sand.csv")));
  WrenchVertices w = model.make_vertices();
  double error_sum = 0, before = 0;
  for (const LedSample& s : met) {
    EXPECT_FALSE(s.clamped);
    EXPECT_NEAR(s.x, 0, 1e-9);
    EXPECT_NEAR(s.wrench.force_x, 0, 1e-6);
    const double wanted = 0.02 * s.time, error = wanted - s.at.depth;  // deeper than it is
    error_sum += (s.time - before) * error;
    before = s.time;
    if (s.time < 1) continue;
    model.predict(s.at, w);
    double most = 0;
    for (const double force : w.force_z) most = std::max(most, force);
    EXPECT_NEAR(s.wrench.force_z, most, 0.02 * most) << s.time;
    EXPECT_NEAR(options.kp[1] * error + options.ki[1] * error_sum, s.wrench.force_z, 0.05 * most)
        << s.time;
  }
}

// An integral takes away what a proportional controller leaves.
TEST(LedFoot, TheIntegralBringsItToItsPlace) {
  const auto hold = [](double t) {
    const double depth = std::min(0.05 * t, 0.05);
    return LedPose{{0, depth, 0}, {0, t < 1 ? 0.05 : 0, 0}};
  };
  LedFootOptions options;
  options.ki[1] = 40000;
  const double with = lead_foot("play-sand", kRoot, hold, 8, options).back().at.depth;
  options.ki[1] = 0;
  const double without = lead_foot("play-sand", kRoot, hold, 8, options).back().at.depth;
  EXPECT_LT(without, 0.049);
  EXPECT_GT(with, 0.0499);
}

TEST(LedFoot, GainsComeFromAFile) {
  const test::TextFile file(
      "kp = [1, 2, 3]\nki = [0, 0, 4]\ngrain_inertia_kg_kg_kgm2 = [5, 6, 7]\n", ".toml");
  const LedFootOptions options = read_led_foot(file.path());
  EXPECT_EQ(options.kp, (std::array<double, 3>{1, 2, 3}));
  EXPECT_EQ(options.ki[2], 4);
  EXPECT_EQ(options.kd, LedFootOptions{}.kd);
  EXPECT_EQ(options.grains[2], 7);
  const LedFootOptions papers = read_led_foot(std::string(kRoot) + "/media/paths/pid.toml");
  EXPECT_EQ(papers.kp, LedFootOptions{}.kp);
  EXPECT_EQ(papers.ki, LedFootOptions{}.ki);
  EXPECT_EQ(papers.grains, LedFootOptions{}.grains);
  const test::TextFile bad("kq = [1, 2, 3]\n", ".toml");
  try {
    read_led_foot(bad.path());
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr(":1:1: unknown key 'kq'"));
  }
}

}  // namespace
}  // namespace footfall
