// footfall replay: does the step again at which a run failed.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "footfall/run/replay.hpp"

namespace footfall {
namespace {

struct ReplayCommand {
  std::string bundle;
  bool json = false;
};

std::string dof_name(const RobotModel& robot, std::size_t dof) {
  const Joint& joint = robot.joints[robot.dofs[dof].joint];
  const int axis = static_cast<int>(dof) - joint.v_index;
  return velocity_count(joint.type) > 1 ? fmt::format("{}.{}", joint.name, axis) : joint.name;
}

void print_step(const Bundle& bundle, const ReplayResult& result) {
  const StepRecord& record = bundle.record;
  const RobotModel& robot = bundle.setup.world.robot;
  fmt::print("Step {} (time {:g} s) of: {}\n\n", record.step, record.state.time, record.command);
  std::size_t width = 8;
  for (std::size_t d = 0; d < robot.dofs.size(); ++d) {
    width = std::max(width, dof_name(robot, d).size());
  }
  fmt::print("{:<{}}  {:>14}  {:>14}   [rad/s or m/s]\n", "Velocity", width, "before", "after");
  for (std::size_t d = 0; d < robot.dofs.size(); ++d) {
    fmt::print("{:<{}}  {:>14.6g}  {:>14.6g}\n", dof_name(robot, d), width, record.state.qvel[d],
               result.after.qvel[d]);
  }
  if (!result.feet.empty()) fmt::print("\n");
  for (std::size_t i = 0; i < result.feet.size(); ++i) {
    const FootPatch& p = result.feet[i];
    fmt::print("Foot {}: sinkage {:.6g} m, normal force {:.6g} N, tangential force {:.6g} N\n",
               bundle.setup.world.soles.feet[i].name, p.sinkage, p.normal_force,
               p.tangential_force);
  }
  fmt::print("\nSolver: {} after {} iterations, force error {:.6g} N (the robot weighs {:.4g} N)\n",
             result.report.converged ? "converged" : "did not converge", result.report.iterations,
             result.report.residual, result.force_scale);
  fmt::print("Result: {}\n", result.finite ? "finite. The step does not fail with this program."
                                           : "not finite, as in the run: " + result.description);
}

void print_replay(const Bundle& bundle, const ReplayResult& result) {
  const Json out{{"step", bundle.record.step},
                 {"time_s", bundle.record.state.time},
                 {"reproduced", !result.finite},
                 {"description", result.description},
                 {"solver",
                  {{"converged", result.report.converged},
                   {"iterations", result.report.iterations},
                   {"residual_N", result.report.residual}}}};
  print_json(out);
}

void run_replay(const ReplayCommand& command) {
  const Bundle bundle = load_bundle(command.bundle);
  (command.json ? print_replay : print_step)(bundle, replay(bundle));
}

}  // namespace

void add_replay_command(CLI::App& app) {
  auto [sub, command] = add_command<ReplayCommand>(
      app, "replay", "Repeat the step at which a run failed", run_replay);
  sub.add_option("bundle", command.bundle, "Folder failure-step-N that the run left")->required();
  sub.add_flag("--json", command.json, "Print JSON");
  sub.footer("Example:\n  footfall replay results/quadruped_drop/failure-step-120");
}

}  // namespace footfall
