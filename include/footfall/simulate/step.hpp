// One time step. Read this page first: it is the whole engine, stage by stage.
#pragma once

#include <array>
#include <chrono>

#include "footfall/contact/find.hpp"
#include "footfall/simulate/forces.hpp"

namespace footfall {

enum class Stage { kinematics, forces, contacts, solve, integrate, commit };
inline constexpr int kStageCount = 6;
inline constexpr std::array<const char*, kStageCount> kStageNames = {
    "kinematics", "forces", "contacts", "solve", "integrate", "commit"};

// Seconds that each stage of the last step took; filled only when timing is on.
struct StageTimes {
  bool on = false;
  std::array<double, kStageCount> seconds{};
};

// Everything a step computes on the way. Made once per run; step() allocates nothing.
template <class T>
struct StepWorkspace {
  explicit StepWorkspace(const World& world)
      : data(world.robot), momentum(world.robot),
        problem(static_cast<int>(world.soles.points.size()), max_row_count(world.robot)),
        solver(world.robot) {
    for (const CompliantGround<double>& s : world.soils) {
      soils.push_back({T(s.stiffness), T(s.exponent), T(s.damping), T(s.damping_exponent),
                       T(s.rate_exponent), T(s.shear_stiffness), T(s.shear_damping),
                       T(s.friction_coefficient)});
    }
  }
  std::vector<CompliantGround<T>> soils;  // as the world's; lanes may be given others
  RobotData<T> data;                      // of the step's start
  MomentumBalance<T> momentum;
  ContactProblem<T> problem;
  SolverWorkspace<T> solver;
  StageTimes times;
};

namespace step_detail {

// Adds the time since its last call to a stage.
class StageClock {
 public:
  explicit StageClock(StageTimes& times) : times_(times) {
    if (times_.on) last_ = std::chrono::steady_clock::now();
  }
  void end(Stage stage) {
    if (!times_.on) return;
    const auto now = std::chrono::steady_clock::now();
    times_.seconds[static_cast<std::size_t>(stage)] =
        std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  StageTimes& times_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace step_detail

// Moves the state by one time step.
template <class T>
SolverReport<T> step(const World& world, const Control<T>& command, State<T>& state,
                     StepWorkspace<T>& workspace) {
  const T h(world.options.timestep);
  step_detail::StageClock clock(workspace.times);

  // 1  where the robot is and how it moves
  compute_positions(world.robot, state.qpos.data(), workspace.data);
  compute_velocities(world.robot, state.qvel.data(), workspace.data);
  clock.end(Stage::kinematics);

  // 2  what pulls at it, apart from the ground
  compute_forces(world, state, command, workspace.data, workspace.momentum, workspace.problem.rows);
  clock.end(Stage::forces);

  // 3  where it may touch the ground, and the law there
  find_contacts(world, workspace.soils, workspace.data, state.memory, workspace.problem);
  clock.end(Stage::contacts);

  // 4  the velocities at which momentum and all forces balance
  workspace.solver.qvel = state.qvel;
  const T least_impulse = h * T(world.force_scale);
  const SolverReport<T> report =
      solve_step(world.robot, workspace.data, workspace.momentum, world.options.solver, h,
                 least_impulse, workspace.problem, workspace.solver);
  clock.end(Stage::solve);

  // 5  the next state
  state.qvel = workspace.solver.qvel;
  integrate_positions(world.robot, h, state.qvel.data(), state.qpos.data());
  state.time += h;
  clock.end(Stage::integrate);

  // 6  what the ground and the joints remember
  commit_contacts(workspace.problem, state.memory);
  commit_joints(world, state.qvel, state.memory);
  clock.end(Stage::commit);
  return report;
}

}  // namespace footfall
