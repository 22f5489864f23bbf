// contact.model = "wrench_space" in a scenario: keys, errors, a run with its columns and its warning, a replay.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "footfall/error.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/run/replay.hpp"
#include "support/grains.hpp"

namespace footfall {
namespace {

using ::testing::HasSubstr;

std::string wrench_text(const std::string& contact, const std::string& more = "",
                        const std::string& robot = "single_foot") {
  return "[robot]\nfile = \"" + testing::robot_file(robot) +
         "\"\n[contact]\nmodel = \"wrench_space\"\n" + contact + "\n[step]\nduration_s = 0.3\n" +
         more;
}

std::string wrench_error(const std::string& text) {
  try {
    build_world(parse_scenario(text, "t.toml", FOOTFALL_SOURCE_DIR "/scenarios"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ScenarioWrench, ReadsTheMediumAndItsKeys) {
  const Scenario scenario =
      parse_scenario(wrench_text("database = \"play-sand\"\ndimensions = 2\n"
                                 "grain_inertia_kg_kg_kgm2 = [14.714, 14.714, 0.122]"),
                     "t.toml", FOOTFALL_SOURCE_DIR "/scenarios");
  const World world = build_world(scenario);
  const WrenchSpace* space = wrench_space(world.ground);
  ASSERT_NE(space, nullptr);
  EXPECT_TRUE(space->is_planar());
  EXPECT_EQ(soil_names(world.ground), std::vector<std::string>{"play-sand"});
  const WrenchSole& sole = space->soles()[0];
  EXPECT_NEAR(sole.center.z, -0.154, 1e-15);
  EXPECT_NEAR(sole.axis.z, 1, 1e-15);
  EXPECT_EQ(sole.grains.horizontal, 14.714);
  EXPECT_EQ(sole.grains.tilting, 0.122);
  const World plain = build_world(parse_scenario(wrench_text("database = \"play-sand\""), "t.toml",
                                                 FOOTFALL_SOURCE_DIR "/scenarios"));
  EXPECT_FALSE(wrench_space(plain.ground)->is_planar());
  EXPECT_NEAR(wrench_space(plain.ground)->soles()[0].grains.vertical, 2 * 7.357, 1e-12);
  EXPECT_NEAR(wrench_space(plain.ground)->soles()[0].grains.tilting, 2 * 0.061, 1e-12);
  EXPECT_NEAR(wrench_space(plain.ground)->soles()[0].spin_radius, 0.04 * 2 / 3, 1e-12);
}

TEST(ScenarioWrench, SaysWhatIsWrong) {
  const std::string sand = "database = \"play-sand\"\n";
  EXPECT_THAT(wrench_error(wrench_text("")), HasSubstr("'contact.database' is missing"));
  EXPECT_THAT(wrench_error(wrench_text("database = \"play-sandd\"")),
              HasSubstr("did you mean 'play-sand'?"));
  EXPECT_THAT(wrench_error(wrench_text(sand + "dimensions = 4")), HasSubstr("expected 2 or 3"));
  EXPECT_THAT(wrench_error(wrench_text(sand + "dimensions = 2", "", "quadruped")),
              HasSubstr("moves in the x-z plane"));
  EXPECT_THAT(wrench_error(wrench_text(sand + "grain_inertia_kg_kg_kgm2 = [1, -1, 0]")),
              HasSubstr("three numbers"));
  EXPECT_THAT(wrench_error(wrench_text(sand + "dimensions = 2\nspin_radius_m = 0.1")),
              HasSubstr("contact.dimensions = 2"));
  EXPECT_THAT(wrench_error(wrench_text(sand, "[soil]\nname = \"dry-sand\"\n")),
              HasSubstr("whose medium is contact.database"));
  EXPECT_THAT(wrench_error(wrench_text(sand, "[robot.pad]\nstiffness_N_per_m = 1e5\n")),
              HasSubstr("robot"));
  EXPECT_THAT(wrench_error("[robot]\nfile = \"" + testing::robot_file("box") +
                           "\"\n[contact]\nmodel = \"compliant\"\ndimensions = 2\n[step]\n"
                           "duration_s = 1\n[soil]\nname = \"concrete\"\n"),
              HasSubstr("none unless contact.model = \"wrench_space\""));
}

TEST(ScenarioWrench, RunsAndSaysWhatWasOutsideTheData) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "footfall_wrench_run";
  Scenario scenario =
      parse_scenario(wrench_text("database = \"play-sand\"\ndimensions = 2",
                                 "[output]\nfolder = \"" + folder.string() + "\"\n"),
                     "t.toml", FOOTFALL_SOURCE_DIR "/scenarios");
  RunSetup setup = prepare_run(scenario);
  setup.state.qpos = {0, 0.154 - 0.3, 0.1};  // deeper than the data
  setup.state.qvel = {0, 6, 0};              // and on its way out
  std::string warned;
  RunOptions options;
  options.warn = [&](const std::string& text) { warned += text; };
  const RunSummary summary = run(scenario, setup, options);
  EXPECT_GT(summary.clamped_steps, 0);
  EXPECT_LT(summary.clamped_steps, summary.steps);
  ASSERT_EQ(summary.clamped.size(), 1u);
  EXPECT_NEAR(summary.clamped[0].deepest, 0.3, 0.01);
  EXPECT_THAT(warned, HasSubstr("theta outside the data in"));
  EXPECT_THAT(warned, HasSubstr(fmt::format("% of the steps ({} of 300)", summary.clamped_steps)));
  EXPECT_FALSE(summary.ended_early);
  const RunContents data = read_run(summary.result_file);
  const auto& clamped = data.foot_column(0, "clamped");
  EXPECT_EQ(clamped.at(0), 1);
  EXPECT_EQ(clamped.at(static_cast<int>(summary.steps) - 1), 0);
  EXPECT_GT(data.foot_column(0, "depth").at(0), 0.29);

  StepRecord record{1, setup.state, make_control<double>(setup.world.robot), "test"};
  write_bundle(folder / "bundle", scenario, record);
  const ReplayResult again = replay(load_bundle(folder / "bundle"));
  EXPECT_TRUE(again.finite);
  EXPECT_GT(again.feet[0].grains.depth, 0.29);
}

// The run's end is that of a foot whose highest point, found among those of its two rims, is at the surface.
TEST(ScenarioWrench, EndsWhereAFootIsBuried) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "footfall_buried_run";
  Scenario scenario =
      parse_scenario(wrench_text("database = \"play-sand\"\ndimensions = 2",
                                 "[output]\nfolder = \"" + folder.string() + "\"\n"),
                     "t.toml", FOOTFALL_SOURCE_DIR "/scenarios");
  RunSetup setup = prepare_run(scenario);
  const double tilt = 0.3;
  setup.state.qpos = {0, 0.154 - 0.25, tilt};
  setup.state.qvel = {0, -20, 0};  // far into the ground
  const RunSummary summary = run(scenario, setup, {});
  ASSERT_TRUE(summary.ended_early);
  EXPECT_THAT(*summary.ended_early, HasSubstr("foot 'single_foot' was wholly buried"));
  EXPECT_FALSE(summary.interrupted);
  EXPECT_LT(summary.steps, 300);
  EXPECT_THAT(summary.warnings, ::testing::Contains(HasSubstr("the run ended early: at")));
  const RunContents data = read_run(summary.result_file);
  EXPECT_TRUE(data.complete);
  ASSERT_EQ(data.row_count, summary.steps);
  const auto is_buried = [&](int row) {
    const double lean = data.foot_column(0, "tilt").at(row);
    double top = -1;
    for (const double side : {-0.04, 0.04}) {
      for (const double height : {0.0, 0.308}) {
        top = std::max(top, height * std::cos(lean) + side * std::sin(lean));
      }
    }
    return data.foot_column(0, "depth").at(row) > top;
  };
  for (int row = 0; row + 1 < data.row_count; ++row) EXPECT_FALSE(is_buried(row)) << row;
  EXPECT_TRUE(is_buried(data.row_count - 1));
}

}  // namespace
}  // namespace footfall
