// Runs: summaries, determinism, stopping, failing with a bundle that replays.
#include "footfall/run/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "footfall/error.hpp"
#include "footfall/io/progress.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/run/replay.hpp"

namespace footfall {
namespace {

using testing::HasSubstr;

const std::filesystem::path kScenarios = std::filesystem::path(FOOTFALL_SOURCE_DIR) / "scenarios";

// A folder of the test's own.
std::filesystem::path fresh_folder(const std::string& name) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("run_test_" + name);
  std::filesystem::remove_all(folder);
  return folder;
}

Scenario short_drop(double duration = 0.3) {
  return load_scenario(kScenarios / "quadruped_drop.toml",
                       {"step.duration_s=" + std::to_string(duration), "step.record_every=1"});
}

TEST(Run, TheDropComesToStand) {
  RunOptions options;
  options.record = false;
  const RunSummary s =
      run(load_scenario(kScenarios / "quadruped_drop.toml", {"step.duration_s=8"}), options);
  EXPECT_EQ(s.steps, 8000);
  EXPECT_DOUBLE_EQ(s.time, 8);
  EXPECT_TRUE(s.settled);
  EXPECT_LT(s.settle_time, 4);
  EXPECT_NEAR(s.base_height, 0.28, 0.01);
  EXPECT_EQ(s.not_converged, 0);
  ASSERT_EQ(s.feet.size(), 4U);
  double weight = 0;
  for (const FootSummary& foot : s.feet) {
    EXPECT_TRUE(foot.patch.touching);
    EXPECT_NEAR(foot.patch.sinkage, std::pow(foot.patch.normal_force / 1e4, 1 / 1.3),
                1e-3 * foot.patch.sinkage);
    weight += foot.patch.force.z;
  }
  EXPECT_NEAR(weight, 15 * 9.81, 1e-3 * 15 * 9.81);
  EXPECT_LT(s.end_energy.total(), s.start_energy.total());
}

TEST(Run, SameScenarioSameBits) {
  const std::filesystem::path a = fresh_folder("a"), b = fresh_folder("b");
  RunOptions options;
  options.output = a;
  run(short_drop(), options);
  options.output = b;
  run(short_drop(), options);
  const RunContents first = read_run(a / "run.h5"), second = read_run(b / "run.h5");
  ASSERT_EQ(first.columns.size(), second.columns.size());
  EXPECT_EQ(first.row_count, 300);
  for (std::size_t i = 0; i < first.columns.size(); ++i) {
    const RunColumn &x = first.columns[i], &y = second.columns[i];
    if (x.name.starts_with("stages")) continue;
    ASSERT_EQ(x.values.size(), y.values.size()) << x.name;
    EXPECT_EQ(std::memcmp(x.values.data(), y.values.data(), x.values.size() * sizeof(double)), 0)
        << x.name;
  }
}

TEST(Run, SameBitsOnAllThreads) {
  const Scenario scenario = short_drop();
  RunOptions options;
  options.record = false;
  const RunSummary alone = run(scenario, options);
  std::vector<RunSummary> together(4);
  std::vector<std::thread> threads;
  threads.reserve(together.size());
  const RunSetup setup = prepare_run(scenario);
  for (RunSummary& s : together) {
    threads.emplace_back([&s, &scenario, &setup, &options] { s = run(scenario, setup, options); });
  }
  for (std::thread& t : threads) t.join();
  for (const RunSummary& s : together) {
    EXPECT_EQ(s.base_height, alone.base_height);
    EXPECT_EQ(s.end_energy.total(), alone.end_energy.total());
    EXPECT_EQ(s.base_heights, alone.base_heights);
  }
}

TEST(Run, RecordsEveryNthStepAndTheLast) {
  const std::filesystem::path folder = fresh_folder("rows");
  RunOptions options;
  options.output = folder;
  run(load_scenario(kScenarios / "quadruped_drop.toml",
                    {"step.duration_s=0.025", "step.record_every=10"}),
      options);
  const RunContents data = read_run(folder / "run.h5");
  ASSERT_EQ(data.row_count, 3);
  EXPECT_DOUBLE_EQ(data.column("time").at(0), 0.010);
  EXPECT_DOUBLE_EQ(data.column("time").at(1), 0.020);
  EXPECT_DOUBLE_EQ(data.column("time").at(2), 0.025);
  EXPECT_TRUE(data.complete);
}

TEST(Run, StopsWhenAskedAndKeepsWhatItHas) {
  const std::filesystem::path folder = fresh_folder("stop");
  const std::atomic<bool> stop{true};
  RunOptions options;
  options.output = folder;
  options.stop = &stop;
  const RunSummary s = run(short_drop(), options);
  EXPECT_TRUE(s.interrupted);
  EXPECT_EQ(s.steps, 1);
  const RunContents data = read_run(folder / "run.unfinished.h5");
  EXPECT_EQ(data.row_count, 1);
  EXPECT_FALSE(data.complete);
  EXPECT_FALSE(std::filesystem::exists(folder / "run.h5"));  // where a whole one would be
}

TEST(Run, CountsStepsThatDoNotConvergeAndWarnsOnce) {
  std::vector<std::string> warnings;
  RunOptions options;
  options.record = false;
  options.warn = [&](const std::string& text) { warnings.push_back(text); };
  const RunSummary s =
      run(load_scenario(kScenarios / "quadruped_drop.toml",
                        {"step.duration_s=0.3", "step.max_iterations=1", "step.tolerance=1e-14"}),
          options);
  EXPECT_GT(s.not_converged, 1);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr("step " + std::to_string(s.first_not_converged) + " (time "));
  EXPECT_THAT(warnings[0],
              HasSubstr("the solver stopped after 1 iterations with a force error of"));
}

TEST(Run, JsonHasUnitsInItsKeys) {
  RunOptions options;
  options.record = false;
  const nlohmann::json json = nlohmann::json::parse(summary_json(run(short_drop(0.05), options)));
  for (const char* key : {"time_s", "steps", "feet", "solver", "energy", "base_height_m",
                          "rms_velocity_m_per_s", "realtime_factor", "result_file"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_TRUE(json["result_file"].is_null());
  EXPECT_EQ(json["feet"][0]["name"], "front_left_foot");
  for (const char* key : {"sinkage_m", "normal_force_N"})
    EXPECT_TRUE(json["feet"][0].contains(key));
  for (const char* key : {"iterations_mean", "iterations_max", "not_converged", "residual_max_N"}) {
    EXPECT_TRUE(json["solver"].contains(key)) << key;
  }
}

TEST(Run, RefusesAnOutputFolderThatIsAFile) {
  const std::filesystem::path file = fresh_folder("file");
  std::ofstream(file) << "x";
  RunOptions options;
  options.output = file;
  EXPECT_THROW(run(short_drop(0.05), options), InputError);
}

// A gear that is legal and absurd: the square of the velocity after it is beyond all doubles.
Scenario explosion() {
  const std::filesystem::path folder = fresh_folder("pendulum" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "pendulum.xml") << R"(<mujoco model="pendulum"><worldbody>
    <body name="arm" pos="0 0 1"><joint name="swing" axis="0 1 0"/>
    <geom name="bob" size="0.05" pos="0 0 -0.99"/></body></worldbody>
    <actuator><motor name="swing" joint="swing" gear="1e291"/></actuator></mujoco>)";
  std::ofstream(folder / "explosion.csv") << "time_s,swing\n0,0\n0.02,1e9\n";
  return parse_scenario(R"([robot]
file = "pendulum.xml"
[soil]
law = "spring"
stiffness = 1e5
shear_stiffness_N_per_m = 1e5
shear_damping_Ns_per_m = 1e3
friction_coefficient = 0.5
[step]
duration_s = 1
[controller]
kind = "torque_file"
file = "explosion.csv"
)",
                        "explosion.toml", folder);
}

TEST(Run, AFailureNamesTheJointAndLeavesABundleThatReplays) {
  const std::filesystem::path folder = fresh_folder("failure");
  RunOptions options;
  options.output = folder;
  options.command = "footfall run explosion.toml";
  std::filesystem::path bundle_folder;
  try {
    run(explosion(), options);
    FAIL() << "the run did not fail";
  } catch (const RunFailure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("step "));
    EXPECT_THAT(failure.what(), HasSubstr("joint 'swing'"));
    EXPECT_THAT(failure.what(), HasSubstr("foot"));
    EXPECT_THAT(failure.what(), HasSubstr("footfall replay " + failure.bundle.string()));
    bundle_folder = failure.bundle;
  }
  ASSERT_TRUE(std::filesystem::is_directory(bundle_folder));
  const Bundle bundle = load_bundle(bundle_folder);
  EXPECT_EQ(bundle.record.command, options.command);
  EXPECT_THAT(bundle_folder.string(),
              HasSubstr("failure-step-" + std::to_string(bundle.record.step)));
  EXPECT_TRUE(is_finite(bundle.record.state));
  const ReplayResult result = replay(bundle);
  EXPECT_FALSE(result.finite);
  EXPECT_THAT(result.description, HasSubstr("joint 'swing'"));

  // what was recorded before is readable and says that it is not complete
  const RunContents data = read_run(folder / "run.unfinished.h5");
  EXPECT_FALSE(data.complete);
  EXPECT_FALSE(std::filesystem::exists(folder / "run.h5"));
}

// JSON has no such numbers, and a failed step may have them.
TEST(Run, ABundleKeepsNumbersThatAreNone) {
  const std::filesystem::path folder = fresh_folder("bundle_of_none");
  const Scenario scenario = short_drop();
  const RunSetup setup = prepare_run(scenario);
  StepRecord record{3, setup.state, setup.controller.start, "x"};
  record.state.qvel[0] = std::numeric_limits<double>::infinity();
  record.state.qvel[1] = -std::numeric_limits<double>::infinity();
  record.state.qvel[2] = std::numeric_limits<double>::quiet_NaN();
  write_bundle(folder, scenario, record);
  EXPECT_EQ(load_bundle(folder).record.state.qvel[0], record.state.qvel[0]);
  EXPECT_EQ(load_bundle(folder).record.state.qvel[1], record.state.qvel[1]);
  EXPECT_TRUE(std::isnan(load_bundle(folder).record.state.qvel[2]));
  // earlier versions wrote null for all of them
  std::ifstream in(folder / "step.json");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.replace(text.find("\"inf\""), 5, "null");
  std::ofstream(folder / "step.json") << text;
  EXPECT_TRUE(std::isnan(load_bundle(folder).record.state.qvel[0]));
  EXPECT_FALSE(replay(load_bundle(folder)).finite);
}

TEST(Run, ABundleKeepsEveryBit) {
  const std::filesystem::path folder = fresh_folder("bundle");
  const Scenario scenario = short_drop();
  RunSetup setup = prepare_run(scenario);
  StepRecord record{17, setup.state, setup.controller.start, "x"};
  record.state.time = 0.1 + 0.2;
  for (double& q : record.state.qpos) q = std::sqrt(std::abs(q) + 0.1);
  for (double& v : record.state.qvel) v = 1e300 / 3;
  for (Vec3d& j : record.state.memory.shear_displacement) j = {1.0 / 3, -1e-310, 0.1};
  write_bundle(folder, scenario, record);
  const Bundle bundle = load_bundle(folder);
  EXPECT_EQ(bundle.record.step, 17);
  EXPECT_EQ(bundle.record.state.time, record.state.time);
  EXPECT_EQ(bundle.record.state.qpos, record.state.qpos);
  EXPECT_EQ(bundle.record.state.qvel, record.state.qvel);
  EXPECT_EQ(bundle.record.control.kp, record.control.kp);
  EXPECT_EQ(bundle.record.state.memory.shear_displacement[3].y, -1e-310);

  std::ofstream(folder / "step.json") << "{}";
  EXPECT_THROW(load_bundle(folder), InputError);
  std::ofstream(folder / "step.json") << "{";
  EXPECT_THROW(load_bundle(folder), InputError);
  EXPECT_THROW(load_bundle(folder / "none"), InputError);
}

TEST(Progress, ShowsShareAndTimeLeft) {
  EXPECT_EQ(format_progress(0.5, 10, 4), "[██  ]  50 %, 0:10 left");
  EXPECT_EQ(format_progress(0, 10, 4), "[    ]   0 %, ? left");
  EXPECT_EQ(format_progress(1, 10, 4), "[████] 100 %, 0:00 left");
  EXPECT_EQ(format_progress(0.1, 100, 2), "[▏ ]  10 %, 15:00 left");
  EXPECT_EQ(format_progress(0.01, 100, 2), "[  ]   1 %, 2:45:00 left");
}

}  // namespace
}  // namespace footfall
