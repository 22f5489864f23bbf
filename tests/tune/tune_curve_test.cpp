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

TEST(TuneToCurve, ARobotRestsOnThem) {
  for (const char* name : {"dry-sand", "snow-us", "sandy-loam", "lete-sand"}) {
    SCOPED_TRACE(name);
    const Soil soil = load_soil(std::string(FOOTFALL_SOURCE_DIR "/soils/") + name + ".toml");
    const TunedToCurve result = tune_to_curve(robot_file("ball"), press_table(soil, 50), {});
    const TunedFoot& foot = result.tuned.feet.at(0);
    // a soil that gets softer with depth is followed in the middle of its loads, and that is said
    const bool told = soil.plastic->pressure.exponent < 0.9;
    EXPECT_NEAR(foot.achieved_sinkage / foot.wanted_sinkage, 1, told ? 0.25 : 0.08);
  }
}

}  // namespace
}  // namespace footfall
