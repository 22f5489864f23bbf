// A run that was stopped and resumed is the run that never stopped, bit by bit: for every controller and kind of
// ground that remembers something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "footfall/error.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/record/rut_file.hpp"
#include "footfall/run/run.hpp"
#include "record/checkpoint_file.hpp"

namespace footfall {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

const fs::path kResumedScenarios = fs::path(FOOTFALL_SOURCE_DIR) / "scenarios";

struct Case {
  const char* scenario;
  double duration;  // [s]
  std::vector<std::string> overrides = {};
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.scenario; }

class Resumed : public testing::TestWithParam<Case> {
 protected:
  fs::path folder(const std::string& name) const {
    std::string own = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(own.begin(), own.end(), '/', '_');
    fs::path out = fs::path(testing::TempDir()) / ("checkpoint_" + own) / name;
    fs::remove_all(out);
    return out;
  }
};

// Runs until `share` of the scenario is done.
RunSummary run_part(const Scenario& scenario, RunOptions options, double share) {
  options.checkpoint = 1000;  // only where it stops
  options.resume = true;
  options.attend = [share](double done) { return done < share; };
  return run(scenario, options);
}

void expect_same_files(const fs::path& a, const fs::path& b) {
  const RunContents x = read_run(a), y = read_run(b);
  ASSERT_EQ(x.columns.size(), y.columns.size());
  EXPECT_EQ(x.row_count, y.row_count);
  for (std::size_t i = 0; i < x.columns.size(); ++i) {
    if (x.columns[i].name.starts_with("stages")) continue;  // times that were measured
    const std::vector<double>&u = x.columns[i].values, &v = y.columns[i].values;
    ASSERT_EQ(u.size(), v.size()) << x.columns[i].name;
    EXPECT_EQ(std::memcmp(u.data(), v.data(), u.size() * sizeof(double)), 0) << x.columns[i].name;
  }
  ASSERT_EQ(has_ruts(a), has_ruts(b));
  if (!has_ruts(a)) return;
  const RutGrid p = read_ruts(a), q = read_ruts(b);
  ASSERT_EQ(p.block_count(), q.block_count());
  for (int i = 0; i < p.block_count(); ++i) {
    EXPECT_EQ(std::memcmp(&p.block(i), &q.block(i), sizeof(RutBlock)), 0) << "block " << i;
  }
}

nlohmann::ordered_json results_of(const RunSummary& summary) {
  auto json = nlohmann::ordered_json::parse(summary_json(summary));
  for (const char* key : {"wall_time_s", "realtime_factor", "stage_times_s", "result_file",
                          "report_file", "resumed_after_step"}) {
    json.erase(key);
  }
  return json;
}

TEST_P(Resumed, IsTheRunThatNeverStopped) {
  std::vector<std::string> overrides = GetParam().overrides;
  overrides.push_back("step.duration_s=" + std::to_string(GetParam().duration));
  overrides.emplace_back("step.record_every=7");
  const Scenario scenario = load_scenario(kResumedScenarios / GetParam().scenario, overrides);
  RunOptions whole, parts;
  whole.output = folder("whole");
  parts.output = folder("parts");
  const RunSummary unbroken = run(scenario, whole);
  RunSummary resumed;
  for (const double share : {0.21, 0.22, 0.68, 2.0}) {
    resumed = run_part(scenario, parts, share);
    EXPECT_EQ(resumed.interrupted, share < 1);
    EXPECT_EQ(fs::exists(parts.output / "checkpoint.h5"), share < 1);
    EXPECT_EQ(fs::exists(parts.output / "run.unfinished.h5"), share < 1);
  }
  EXPECT_GT(resumed.resumed_after, 0);
  EXPECT_EQ(results_of(unbroken), results_of(resumed));
  expect_same_files(whole.output / "run.h5", parts.output / "run.h5");
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, Resumed,
    testing::Values(Case{"quadruped_trot_sand.toml", 2}, Case{"quadruped_push.toml", 2},
                    Case{"quadruped_trot_grains.toml", 1},
                    Case{"quadruped_sand.toml", 0.5, {"robot.drop_height_m=0.1"}},
                    Case{"quadruped_drop.toml", 0.5, {"robot.pad.stiffness=1e4"}},
                    Case{"quadruped_bumps.toml", 0.5}, Case{"humanoid_walk.toml", 1.5},
                    Case{"biped_walk.toml", 1.5}, Case{"foot_drop_beads.toml", 0.3},
                    Case{"robosimian_trot_sand.toml", 0.5},
                    Case{"../tests/python/quadruped_soft.toml", 0.4},
                    Case{"quadruped_trot_sand.toml", 1.5, {"controller.gait=\"walk\""}}));

TEST(Checkpoint, IsRefusedWhereTheRunWouldBeAnother) {
  const fs::path output = fs::path(testing::TempDir()) / "checkpoint_refused";
  fs::remove_all(output);
  const auto scenario = [](const char* speed) {
    return load_scenario(kResumedScenarios / "quadruped_trot_sand.toml",
                         {"step.duration_s=0.4", std::string("controller.speed_m_per_s=") + speed});
  };
  RunOptions options;
  options.output = output;
  const auto message = [&](const Scenario& s) {
    try {
      run(s, options);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  run_part(scenario("0.3"), options, 0.5);
  EXPECT_THAT(message(scenario("0.3")), HasSubstr("go on from it with --resume"));
  options.resume = true;
  EXPECT_THAT(message(scenario("0.4")), HasSubstr("the checkpoint is of another scenario"));
  fs::remove(output / "run.unfinished.h5");
  EXPECT_THAT(message(scenario("0.3")), HasSubstr("run.h5"));
  // damaged in any way: an error, never another run
  const std::string text = record::read_checkpoint_text(output / "checkpoint.h5");
  for (const auto& [from, to] : {std::pair{"\"qpos\":[", "\"qpos\":[1,"},
                                 {"\"legs\":[{", "\"legs\":[{\"x\":1},{"},
                                 {"\"step\":", "\"step\":-"},
                                 {"\"memory\":{", "\"memories\":{"},
                                 {"{", "["}}) {
    std::string damaged = text;
    damaged.replace(damaged.find(from), std::strlen(from), to);
    record::write_checkpoint_file(output / "checkpoint.h5", damaged, nullptr);
    EXPECT_THAT(message(scenario("0.3")), HasSubstr("checkpoint")) << from;
  }
}

TEST(Checkpoint, WithoutOneTheRunStartsAtItsStart) {
  const fs::path output = fs::path(testing::TempDir()) / "checkpoint_none";
  fs::remove_all(output);
  RunOptions options;
  options.output = output;
  options.resume = true;
  const RunSummary s = run(
      load_scenario(kResumedScenarios / "quadruped_drop.toml", {"step.duration_s=0.05"}), options);
  EXPECT_EQ(s.resumed_after, 0);
  EXPECT_EQ(s.steps, 50);
}

}  // namespace
}  // namespace footfall
