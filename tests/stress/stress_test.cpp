// Random scenes: the same in every run, all of them pass; a fault would be seen.
#include "footfall/stress/stress.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "footfall/robot/robot_file.hpp"
#include "stress/check_scene.hpp"

namespace footfall {
namespace {

StressOptions short_series() {
  setenv("FOOTFALL_DATA", FOOTFALL_SOURCE_DIR, 1);  // soils and media
  StressOptions options;
  options.scenes = 60;
  options.duration = 0.2;
  options.threads = 2;
  options.output = std::filesystem::path(testing::TempDir()) / "stress";
  return options;
}

TEST(Stress, ASeriesPasses) {
  const StressSummary s = stress(short_series());
  EXPECT_EQ(s.scenes, 60);
  EXPECT_EQ(s.refused, 0);
  for (const StressFault& f : s.faults)
    ADD_FAILURE() << f.scene << " " << f.check << ": " << f.what;
  EXPECT_GT(s.passive, 10);
  EXPECT_GE(s.grounds.size(), 4U);
}

TEST(Stress, ScenesAreTheSameInEveryRun) {
  const std::vector<std::string> soils = {"dry-sand", "concrete"};
  for (int k = 0; k < 20; ++k) {
    const auto a = stress_scenes::make_scene(7, k, 1, soils),
               b = stress_scenes::make_scene(7, k, 1, soils);
    EXPECT_EQ(a.scenario, b.scenario);
    EXPECT_EQ(write_robot(a.robot), write_robot(b.robot));
  }
}

// What the checks are for: hard ground by feedback linearisation throws a robot that starts in it, and has no springs that
// this would come from.
TEST(Stress, EnergyFromNowhereIsSeen) {
  const StressOptions options = short_series();
  std::filesystem::create_directories(options.output);
  int thrown = 0, seen = 0;
  for (int k = 0; k < 100 && thrown < 3; ++k) {
    auto scene = stress_scenes::make_scene(1, k, 0.05, {"concrete"});
    if (scene.ground != "feedback_linearized" || !scene.is_passive) continue;
    ++thrown;
    scene.gives_no_energy = true;
    write_robot_file(scene.robot, options.output / "robot.json");
    const Scenario scenario = parse_scenario(scene.scenario, "scenario.toml", options.output,
                                             {"robot.drop_height_m=-0.03"});
    const auto result = stress_scenes::check_scene(scene, scenario, 1);
    if (result.fault && result.fault->check == "energy") ++seen;
  }
  EXPECT_EQ(thrown, 3);
  EXPECT_EQ(seen, thrown);
}

}  // namespace
}  // namespace footfall
