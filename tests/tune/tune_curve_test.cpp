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

// Four feet of 20 mm, on presses of a disc to ten times their load.
TEST(TuneToCurve, AQuadrupedRestsOnEverySoil) {
  for (const Soil& soil : load_soil_library(FOOTFALL_SOURCE_DIR "/soils")) {
    SCOPED_TRACE(soil.name);
    const TunedToCurve result =
        tune_to_curve(robot_file("quadruped"), press_table(soil, kLoad), {});
    EXPECT_EQ(result.tuned.feet.size(), 4U);
    EXPECT_TRUE(result.tuned.settled);
    double wanted = 0, achieved = 0;
    for (const TunedFoot& foot : result.tuned.feet) {
      wanted += foot.wanted_sinkage, achieved += foot.achieved_sinkage;
    }
    const auto too_stiff = Contains(HasSubstr("less than MuJoCo holds at a timestep of 1 ms"));
    if (wanted < 4 * 3e-6) {
      EXPECT_THAT(result.tuned.warnings, too_stiff);
      EXPECT_LT(achieved, 4 * 5e-6);
    } else {
      EXPECT_NEAR(achieved / wanted, 1, 0.08);
    }
  }
}

TEST(TuneToCurve, SaysWhatTheCurveLacks) {
  const Soil clay = load_soil(std::string(FOOTFALL_SOURCE_DIR "/soils/heavy-clay.toml"));
  EXPECT_THAT(
      tune_to_curve(robot_file("quadruped"), press_table(clay, kLoad), {}).tuned.warnings,
      Contains(HasSubstr("samples below 73.7 N, twice what a foot carries, expected at least 8")));
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
