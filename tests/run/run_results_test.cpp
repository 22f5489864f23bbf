// The table of a run's results: JSON, lines and labelled texts say the same.
#include "run/run_results.hpp"

#include <gmock/gmock.h>

#include <map>

namespace footfall::test {
namespace {

using ::testing::Contains;

RunSummary made_up_summary() {
  RunSummary s;
  s.robot = "ball";
  s.time = 2;
  s.steps = 2000;
  s.wall_time = 0.5;
  s.base_height = 0.25;
  s.rms_velocity = 0.125;
  s.mean_iterations = 1.5;
  s.max_iterations = 7;
  s.largest_residual = 2e-9;
  s.end_energy.kinetic = -3;
  s.feet.push_back({"left foot", {}});
  s.feet[0].patch.sinkage = 0.0125;
  s.feet[0].patch.normal_force = 49.05;
  s.feet[0].patch.touching = true;
  return s;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

TEST(RunResults, LinesOfARunAtRestOnItsFoot) {
  EXPECT_EQ(joined(result_lines(made_up_summary())),
            "\n"
            "Foot          sinkage   normal force    tangential  friction use\n"
            "left foot     12.5 mm        49.05 N           0 N         0.0 %\n"
            "\n"
            "Base at 0.2500 m after 2 s; still moving (rms velocity 0.12 m/s)\n"
            "Solver  1.5 iterations on average, 7 at most; force error 2.0e-09 N at most\n"
            "Energy  -3 J from start to end\n"
            "Speed   250.0 µs per step with recording, 4 times real time\n");
}

TEST(RunResults, LinesOfAGaitThatFell) {
  RunSummary s = made_up_summary();
  s.feet.clear();
  s.settled = true;
  s.not_converged = 3;
  s.first_not_converged = 17;
  s.ruts = {0.02, 0.0015};
  s.gait.emplace();
  s.gait->goal.from = 1;
  EXPECT_THAT(result_lines(s),
              Contains("Gait    the run ended before the gait was at its speed, at 1 s"));
  s.gait->measured_time = 0.5;
  s.gait->distance = 0.25;
  s.gait->speed = 0.5;
  s.gait->goal.turn_rate = -1;
  s.gait->turn_rate = -0.5;
  s.gait->saturation = 0.25;
  s.gait->fall = Fall{.time = 1.5, .position = {1, -2, 0.1}, .tilt = 1, .reason = "it slid"};
  const std::vector<std::string> lines = result_lines(s);
  for (const char* line :
       {"Gait    0.250 m in 0.5 s until it fell: 0.500 m/s of 0.000 m/s commanded, -28.6 degrees/s "
        "of -57.3; 0 footfalls",
        "        feet sink 0 mm on average, 0 mm at most; slip 0 mm per footfall",
        "        cost of transport none, 0 J of work; tilt 0.0 degrees at most; motors at their "
        "limits 25.0 % of the time",
        "Fell    after 1.500 s at x 1.00 m, y -2.00 m: it slid",
        "Base at 0.2500 m after 2 s; at rest since 0 s (rms velocity 1.2e-01 m/s)",
        "Ruts    deepest 20 mm, 1.5 litres of soil displaced",
        "Solver  1.5 iterations on average, 7 at most; force error 2.0e-09 N at most; 3 steps did "
        "not converge, the first is step 17"}) {
    EXPECT_THAT(lines, Contains(line));
  }
}

TEST(RunResults, JsonHasTheValuesThatThereAre) {
  RunSummary s = made_up_summary();
  s.gait.emplace();
  s.gait->fall = Fall{.time = 1.5, .position = {1, -2, 0.1}, .tilt = 1, .reason = "it slid"};
  s.clamped.push_back({.foot = "left foot", .depth_steps = 4, .deepest = 0.1});
  const nlohmann::ordered_json json = results_json(s);
  EXPECT_EQ(json["solver"]["iterations_max"], 7);
  EXPECT_EQ(json["gait"]["fall"]["position_m"][1], -2);
  EXPECT_EQ(json["clamped"][0]["depth_steps"], 4);
  EXPECT_EQ(json["feet"][0]["sinkage_m"], 0.0125);
  EXPECT_TRUE(json["gait"]["cost_of_transport"].is_null());
  EXPECT_FALSE(json.contains("ruts"));
}

TEST(RunResults, LabelledTextsAreThoseOfTheirObject) {
  const nlohmann::ordered_json results = results_json(made_up_summary());
  const auto texts = [&](const char* object) {
    std::map<std::string, std::string> out;
    for (const ResultText& row : labelled_results(results, object)) out[row.label] = row.text;
    return out;
  };
  std::map<std::string, std::string> solver = texts("solver"), run = texts("");
  EXPECT_EQ(solver["iterations on average"], "1.5");
  EXPECT_EQ(solver["force error at most"], "2.0e-09 N");
  EXPECT_EQ(solver.count("steps"), 0U) << "a value of the run, not of the solver";
  EXPECT_EQ(run["steps"], "2000");
  EXPECT_EQ(run["at rest at the end"], "no");
  EXPECT_EQ(run.count("force error at most"), 0U);
  EXPECT_TRUE(texts("gait").empty());
}

TEST(RunResults, TextsOfValuesThatAreMissing) {
  EXPECT_EQ(result_text({{"solver", nullptr}}, "solver/residual_max_N"), "none");
  EXPECT_TRUE(result_value({}, "gait/fall/time_s").is_null());
  EXPECT_THROW(result_text({}, "solver/residual"), std::logic_error) << "no such value";
}

}  // namespace
}  // namespace footfall::test
