// What a run says by itself: how the robot starts, how it ends, what carries it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "footfall/error.hpp"
#include "footfall/run/run.hpp"
#include "run/run_results.hpp"

namespace footfall {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Scenario warned_scenario(const std::vector<std::string>& settings,
                         const std::string& name = "quadruped_drop") {
  return load_scenario(std::filesystem::path(FOOTFALL_SOURCE_DIR) / "scenarios" / (name + ".toml"),
                       settings);
}

// Its warnings must come to whoever listens and stand in the summary.
RunSummary listened_run(const Scenario& scenario, const RunSetup& setup) {
  RunOptions options;
  options.record = false;
  std::vector<std::string> heard = setup.world.robot.warnings;
  options.warn = [&](const std::string& text) { heard.push_back(text); };
  RunSummary summary = run(scenario, setup, options);
  EXPECT_EQ(summary.warnings, heard);
  const nlohmann::json json = nlohmann::json::parse(summary_json(summary));
  EXPECT_EQ(json["warnings"].get<std::vector<std::string>>(), heard);
  return summary;
}
RunSummary listened_run(const Scenario& scenario) {
  return listened_run(scenario, prepare_run(scenario));
}

// The setup with the base turned about x and at this height.
RunSetup turned_setup(const Scenario& scenario, double angle, double height) {
  RunSetup setup = prepare_run(scenario);
  setup.state.qpos[2] = height;
  setup.state.qpos[3] = std::cos(angle / 2);
  setup.state.qpos[4] = std::sin(angle / 2);
  setup.state.qpos[5] = setup.state.qpos[6] = 0;
  return setup;
}

TEST(RunWarnings, ARobotThatStandsIsNotWarnedOf) {
  const RunSummary s = listened_run(warned_scenario({"step.duration_s=3"}));
  EXPECT_TRUE(s.warnings.empty()) << s.warnings[0];
  EXPECT_FALSE(s.fallen);
  EXPECT_LT(s.base_tilt.value(), 0.05);
  EXPECT_EQ(s.body_share, 0);
}

TEST(RunWarnings, AStartUndergroundIsNamedWithItsDepth) {
  const Scenario scenario = warned_scenario({"step.duration_s=0.01"});
  RunSetup setup = prepare_run(scenario);
  setup.state.qpos[2] -= 0.1 + 0.012;  // drop_height_m = 0.1
  EXPECT_THAT(listened_run(scenario, setup).warnings,
              Contains(testing::AllOf(HasSubstr("starts underground"),
                                      HasSubstr("foot 'front_left_foot' 12 mm"))));
  // asked for
  const Scenario deep = warned_scenario({"step.duration_s=0.01", "robot.drop_height_m=-0.012"});
  EXPECT_THAT(listened_run(deep).warnings, Not(Contains(HasSubstr("underground"))));
}

TEST(RunWarnings, AStartFarUndergroundIsRefused) {
  const Scenario scenario = warned_scenario({"step.duration_s=0.01"});
  RunSetup setup = prepare_run(scenario);
  setup.state.qpos[2] -= 3;
  EXPECT_THROW(listened_run(scenario, setup), InputError);
  EXPECT_THROW(listened_run(warned_scenario({"step.duration_s=0.01", "robot.drop_height_m=-3"})),
               InputError);
}

TEST(RunWarnings, ARobotOnItsBackHasFallen) {
  const Scenario scenario = warned_scenario({"step.duration_s=3"});
  const RunSummary s = listened_run(scenario, turned_setup(scenario, std::numbers::pi, 0.15));
  ASSERT_TRUE(s.fallen);
  EXPECT_THAT(*s.fallen, HasSubstr("on its back"));
  EXPECT_NEAR(s.base_tilt.value(), std::numbers::pi, 0.3);
  EXPECT_THAT(s.warnings, Contains(HasSubstr("the robot has fallen: it lies on its back")));
  EXPECT_TRUE(nlohmann::json::parse(summary_json(s))["fallen"].get<bool>());
}

TEST(RunWarnings, OtherPartsThatCarryAreNamedWithTheirShare) {
  const Scenario scenario = warned_scenario({"step.duration_s=3"});
  const RunSummary s = listened_run(scenario, turned_setup(scenario, std::numbers::pi, 0.15));
  EXPECT_GT(s.body_share, 0.9);
  EXPECT_LT(s.body_share, 1.1);
  EXPECT_GE(s.largest_body_share, s.body_share);
  double sum = 0;
  for (const BodyContactSummary& b : s.body_contacts) {
    sum += b.mean_force;
    EXPECT_GE(b.largest_force, b.mean_force) << b.body;
  }
  EXPECT_NEAR(sum, s.body_share * 15 * 9.81,
              0.02 * 15 * 9.81);  // flat ground: normals are vertical
  EXPECT_THAT(s.warnings, Contains(HasSubstr("parts other than the feet carry")));
  EXPECT_THAT(result_lines(s), Contains(testing::StartsWith("Other parts carry ")));
  EXPECT_THAT(result_lines(s), Contains(testing::StartsWith("Fallen  it lies on its back")));
  const nlohmann::json json = nlohmann::json::parse(summary_json(s))["body_contacts"];
  EXPECT_EQ(json["weight_share"].get<double>(), s.body_share);
  EXPECT_EQ(json["bodies"].size(), s.body_contacts.size());
  EXPECT_EQ(json["bodies"][0]["name"].get<std::string>(), s.body_contacts[0].body);
}

TEST(RunWarnings, StraightLegsOfAGaitAreNamed) {
  const std::vector<std::string> brief = {"step.duration_s=0.01"};
  const Scenario bent = warned_scenario(brief, "biped_walk");
  EXPECT_THAT(listened_run(bent).warnings, Not(Contains(HasSubstr("straight"))));
  // the same robot, knees stretched
  std::ifstream in(bent.robot.file);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::string pose = "0 0 -0.25 0.5 -0.25 0 0";
  for (std::size_t at = text.find(pose); at != std::string::npos; at = text.find(pose)) {
    text.replace(at, pose.size(), "0 0 0 0 0 0 0");
  }
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "straight.xml";
  std::ofstream(file) << text;
  Scenario straight = bent;
  straight.robot.file = file;
  straight.controller.walk.base_height.reset();
  EXPECT_THAT(listened_run(straight).warnings, Contains(HasSubstr("straight legs")));
}

TEST(RunWarnings, TheTimestepOfTheFileIsNamedWhereItIsNotUsed) {
  EXPECT_THAT(
      listened_run(warned_scenario({"step.duration_s=0.01", "step.timestep_s=0.0005"})).warnings,
      Contains("timestep of the robot's file not used: 1 ms; the scenario's "
               "step.timestep_s is 0.5 ms"));
}

// A release is deeper than the load at rest would press, which the summary has beside it.
TEST(RunWarnings, AReleaseSinksDeeperThanTheRestingLoad) {
  const RunSummary s =
      listened_run(warned_scenario({"step.duration_s=3", "robot.drop_height_m=0",
                                    "soil.name=dry-sand", "contact.model=terramechanics"}));
  for (const FootSummary& foot : s.feet) {
    ASSERT_TRUE(foot.resting_sinkage) << foot.name;
    EXPECT_GT(foot.patch.sinkage, 1.05 * *foot.resting_sinkage) << foot.name;
    EXPECT_LT(foot.patch.sinkage, 2.5 * *foot.resting_sinkage) << foot.name;
  }
  EXPECT_THAT(result_lines(s), Contains(HasSubstr("times as deep as their load would press")));
  const RunSummary elastic = listened_run(warned_scenario({"step.duration_s=8"}));
  for (const FootSummary& foot : elastic.feet) {
    EXPECT_NEAR(foot.patch.sinkage, *foot.resting_sinkage, 1e-3 * foot.patch.sinkage) << foot.name;
  }
}

// The feet of the README's first run, balls of 20 mm, go 66 mm deep: they go on as their shanks.
TEST(RunWarnings, FeetWithShanksMayBeDeeperThanTheirBalls) {
  const RunSummary s = listened_run(warned_scenario({"step.duration_s=3"}, "quadruped_trot_sand"));
  EXPECT_THAT(s.warnings, Not(Contains(HasSubstr("beyond where the soil's laws hold"))));
}

TEST(RunWarnings, AFootDeeperThanItselfIsNamedOnce) {
  const RunSummary s = listened_run(
      warned_scenario({"step.duration_s=1", "robot.file=ball", "controller={kind='none'}",
                       "contact='terramechanics'", "soil.name=dry-sand", "robot.drop_height_m=3"}));
  EXPECT_GT(s.feet.at(0).patch.sinkage, 0.05);
  EXPECT_EQ(std::count_if(s.warnings.begin(), s.warnings.end(),
                          [](const std::string& text) {
                            return text.find("the laws hold to 50 mm (its radius)") !=
                                   std::string::npos;
                          }),
            1);
}

// Hard ground has no sinkage to expect, though the soil whose friction it has would.
TEST(RunWarnings, HardGroundIsNotExpectedToSink) {
  const RunSummary s = listened_run(warned_scenario(
      {"step.duration_s=1.5", "contact=feedback_linearized", "controller.expected_sinkage_m=soil"},
      "quadruped_trot_sand"));
  ASSERT_TRUE(s.gait);
  EXPECT_EQ(s.gait->goal.expected_sinkage, 0);
  EXPECT_FALSE(s.gait->fall);
  EXPECT_FALSE(s.fallen);
}

}  // namespace
}  // namespace footfall
