// footfall bench: our step against mj_step on any robot.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "footfall/compare/benchmark.hpp"
#include "io/data_folders.hpp"

namespace footfall {
namespace {

Json to_json(const Benchmark& b) {
  Json cases = Json::array();
  for (const BenchmarkCase& c : b.cases) {
    Json stages;
    for (int s = 0; s < kStageCount; ++s) stages[fmt::format("{}_s", kStageNames[s])] = c.stages[s];
    cases.push_back({{"case", c.name},
                     {"step_time_s", c.step_time},
                     {"mujoco_step_time_s", c.mujoco_step_time},
                     {"ratio", c.ratio},
                     {"lanes_step_time_s", c.lanes_step_time},
                     {"lanes_ratio", c.lanes_ratio},
                     {"solver_iterations", c.solver_iterations},
                     {"mujoco_solver_iterations", c.mujoco_solver_iterations},
                     {"touching_feet", c.touching_feet},
                     {"mujoco_contacts", c.mujoco_contacts},
                     {"qp_s", c.qp_time},
                     {"stages", stages}});
  }
  return {{"robot", b.robot},
          {"feet", b.feet},
          {"timestep_s", b.options.timestep},
          {"repeats", b.options.repeats},
          {"steps", b.options.steps},
          {"soft_constraints", b.options.soft_constraints},
          {"feedback_linearized", b.options.feedback_linearized},
          {"medium", b.medium},
          {"cases", cases}};
}

struct BenchCommand {
  std::string robot;
  BenchmarkOptions benchmark;
  double timestep_ms = 2;
  bool json = false;
  bool wrench_space = false;
  std::string database = "play-sand";
};

void run_bench(BenchCommand options) {
  options.benchmark.timestep = 1e-3 * options.timestep_ms;
  if (options.wrench_space) options.benchmark.wrench_database = options.database;
  const Benchmark result =
      benchmark_robot(find_file(robot_files(), options.robot, "", ""), options.benchmark);
  fmt::print("{}", options.json ? to_json(result).dump(2) + "\n" : describe(result));
}

}  // namespace

void add_bench_command(CLI::App& app) {
  auto [command, options] = add_command<BenchCommand>(
      app, "bench",
      "Time our step against MuJoCo's mj_step on a robot, standing and under random control",
      run_bench);
  command.footer("Example: footfall bench robots/quadruped.xml --repeats 9");
  command.add_option("robot", options.robot, "MJCF or URDF file, or a name in robots/")->required();
  command.add_option("--timestep-ms", options.timestep_ms, "step of both programs [ms]")
      ->check(CLI::Range(0.01, 20.0))
      ->capture_default_str();
  command.add_option("--repeats", options.benchmark.repeats, "medians are taken over these")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--steps", options.benchmark.steps, "steps of each program in each repeat")
      ->check(CLI::Range(10, 10'000'000))
      ->capture_default_str();
  command.add_option("--kp", options.benchmark.kp,
                     "stiffness of motors that hold the pose [N m/rad]; 0: by the robot's mass");
  command.add_option("--kd", options.benchmark.kd,
                     "damping of motors that hold the pose [N m s/rad]; 0: by the robot's mass");
  command.add_flag("--soft-constraints", options.benchmark.soft_constraints,
                   "MuJoCo's soft constraints in ours too: the same contacts and forces");
  command
      .add_flag("--feedback-linearized", options.benchmark.feedback_linearized,
                "contact by feedback linearisation in ours, one robot at a time: no lanes")
      ->excludes("--soft-constraints");
  command
      .add_flag("--wrench-space", options.wrench_space,
                "granular media: ours alone, with what its parts take, next to Zhu 2019")
      ->excludes("--soft-constraints")
      ->excludes("--feedback-linearized");
  command
      .add_option("--database", options.database,
                  "wrench database of the medium: a file, or a name in media/")
      ->capture_default_str()
      ->needs("--wrench-space");
  command.add_flag("--json", options.json, "print JSON");
}

}  // namespace footfall
