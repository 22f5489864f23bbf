// Curves that our own rig pressed, for MuJoCo: every soil of the library.
#include <gmock/gmock.h>

#include <cmath>

#include "footfall/io/soil_library.hpp"
#include "footfall/rig/press.hpp"
#include "footfall/soft/soft_curve.hpp"
#include "footfall/tune/tune.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::robot_file;

constexpr double kLoad = 300;  // [N]

// What `rig press --csv` writes, read again: one speed all the way.
Recording press_table(const Soil& soil, double load) {
  const std::optional<FootSole> sole = soil.plastic ? std::optional(make_disc(0.03)) : std::nullopt;
  Recording recording;
  recording.file = soil.name + ".csv";
  recording.zero_is_known = true;
  for (const RigSample& s :
       press(make_rig_ground(sole, soil), {}, {.load = load, .samples = 50}).series) {
    recording.rows.push_back(static_cast<long>(recording.rows.size()) + 2);
    recording.time.push_back(s.time);
    recording.sinkage.push_back(s.sinkage);
    recording.sinkage_rate.push_back(s.sinkage_rate);
    recording.normal_force.push_back(s.normal_force);
  }
  return recording;
}

// The sinkage of the table where the force first reaches this.
double sinkage_at(const Recording& recording, double force) {
  std::size_t i = 0;
  while (recording.normal_force[i] < force) ++i;
  const double before = recording.normal_force[i - 1], after = recording.normal_force[i];
  const double share = (force - before) / (after - before);
  return recording.sinkage[i - 1] + share * (recording.sinkage[i] - recording.sinkage[i - 1]);
}

TEST(TuneToCurve, EverySoilOfTheLibraryIsFollowed) {
  const std::vector<Soil> soils = load_soil_library(FOOTFALL_SOURCE_DIR "/soils");
  EXPECT_GE(soils.size(), 20U);
  int followed = 0;
  for (const Soil& soil : soils) {
    SCOPED_TRACE(soil.name);
    const Recording recording = press_table(soil, kLoad);
    const SoftFit found = fit_soft_ground(recording, 1, 1);
    EXPECT_THAT(found.fit.warnings, Contains(HasSubstr("cannot tell damping from stiffness")));
    EXPECT_TRUE(found.fit.find("damping").fixed);
    const SoftLaw<double> law = make_soft_law(found.solref, found.solimp, {});
    bool follows = true;
    for (const double share : {0.3, 0.6, 0.9}) {
      const double rest = find_rest_sinkage(law, 1, share * kLoad);
      follows &= std::abs(rest / sinkage_at(recording, share * kLoad) - 1) < 0.081;
    }
    followed += follows;
    const auto other_shape = Contains(HasSubstr("MuJoCo's law cannot follow this curve"));
    if (!follows) {
      EXPECT_THAT(found.fit.warnings, other_shape);
      EXPECT_LT(soil.plastic->pressure.exponent, 0.9);  // softer, the deeper
    }
    for (const Estimate& e : found.fit.parameters) {
      if (e.fixed) continue;
      EXPECT_LT(e.standard_error, e.value) << e.name;
    }
  }
  EXPECT_GE(followed, 14);
}

// Presses of a disc, to ten and thirty times the load of a foot.
void expect_rest_on_every_soil(const char* robot, std::size_t feet, double most_too_soft) {
  for (const Soil& soil : load_soil_library(FOOTFALL_SOURCE_DIR "/soils")) {
    SCOPED_TRACE(soil.name);
    const TunedToCurve result = tune_to_curve(robot_file(robot), press_table(soil, kLoad), {});
    EXPECT_GE(result.tuned.feet.size(), feet);
    EXPECT_TRUE(result.tuned.settled);
    double wanted = 0, achieved = 0;
    for (const TunedFoot& foot : result.tuned.feet) {
      wanted += foot.wanted_sinkage / static_cast<double>(result.tuned.feet.size());
      achieved += foot.achieved_sinkage / static_cast<double>(result.tuned.feet.size());
    }
    const auto too_stiff = Contains(HasSubstr("less than MuJoCo holds at a timestep of 1 ms"));
    if (std::abs(achieved / wanted - 1) > 0.08) {
      EXPECT_THAT(result.tuned.warnings, too_stiff);
      EXPECT_LT(achieved, most_too_soft);
    }
  }
}

// Four feet of 20 mm.
TEST(TuneToCurve, AQuadrupedRestsOnEverySoil) { expect_rest_on_every_soil("quadruped", 4, 5e-6); }

// Two flat feet with four contacts each, which bounce on ground on which a ball does not.
TEST(TuneToCurve, AHumanoidRestsOnEverySoil) { expect_rest_on_every_soil("humanoid", 2, 1e-6); }

// The law that made a curve follows all of it: the robot's own loads, a twentieth of it, do not tell that much.
TEST(TuneToCurve, ALawThatFollowsTheWholeCurveIsFittedToAllOfIt) {
  const SoftReference made{-3000, -2 * std::sqrt(3000.0)};
  const SoftLaw<double> law = make_soft_law(made, {0.2, 0.9, 0.012, 0.5, 2}, {});
  Recording recording;
  recording.file = "press.csv";
  recording.zero_is_known = true;
  for (int i = 1; i <= 100; ++i) {
    recording.rows.push_back(i + 1);
    recording.sinkage.push_back(2e-4 * i);
    recording.normal_force.push_back(moving_force(law, 1, 2e-4 * i, 0, 0) + 0.2 * (i % 3 - 1));
  }
  const SoftFit whole = fit_soft_ground(recording, 1, 1, 9.81);
  EXPECT_TRUE(whole.notes.empty());
  EXPECT_EQ(whole.fit.residual_count, 100);
  EXPECT_NEAR(-whole.solref.first, 3000, 4 * whole.fit.find("stiffness").standard_error);
  // a kink beyond, which no such law has: now the beginning counts
  for (std::size_t i = 50; i < 100; ++i) recording.normal_force[i] = 4 * recording.normal_force[i];
  const SoftFit beginning = fit_soft_ground(recording, 1, 1, 9.81);
  EXPECT_THAT(beginning.notes, Contains(HasSubstr("twice what a foot carries")));
  EXPECT_LT(beginning.fit.residual_count, 50);
}

TEST(TuneToCurve, SaysWhatTheCurveLacks) {
  const Soil clay = load_soil(std::string(FOOTFALL_SOURCE_DIR "/soils/heavy-clay.toml"));
  const TunedToCurve result = tune_to_curve(robot_file("quadruped"), press_table(clay, kLoad), {});
  EXPECT_THAT(
      result.tuned.warnings,
      Contains(HasSubstr("samples below 73.7 N, twice what a foot carries, expected at least 8")));
  // points between two samples are no measurements
  EXPECT_TRUE(std::isinf(result.fit.fit.find("stiffness").standard_error));
}

TEST(TuneToCurve, ABallRestsOnThem) {
  for (const char* name : {"dry-sand", "snow-us", "sandy-loam", "lete-sand"}) {
    SCOPED_TRACE(name);
    const Soil soil = load_soil(std::string(FOOTFALL_SOURCE_DIR "/soils/") + name + ".toml");
    const TunedToCurve result = tune_to_curve(robot_file("ball"), press_table(soil, 50), {});
    const TunedFoot& foot = result.tuned.feet.at(0);
    EXPECT_NEAR(foot.achieved_sinkage / foot.wanted_sinkage, 1, 0.08);
  }
}

}  // namespace
}  // namespace footfall
