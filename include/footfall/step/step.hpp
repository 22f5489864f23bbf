// One time step. Read this page first: it is the whole engine, stage by stage.
#pragma once

#include <array>
#include <chrono>

#include "footfall/error.hpp"
#include "footfall/ground/commit.hpp"
#include "footfall/ground/penalty_step.hpp"
#include "footfall/ground/wrench_step.hpp"
#include "footfall/soft/lone_bodies.hpp"
#include "footfall/soft/soft_commit.hpp"
#include "footfall/step/forces.hpp"

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

// Everything a step computes on the way, and the robot's constants in the form that it reads.
// Made once per run, for a world whose robot and soles stay as they are; step() allocates nothing.
template <class T>
struct StepWorkspace {
  explicit StepWorkspace(const World& world)
      : tree(world.robot), forces(world, tree),
        soles(world.soft || world.wrench_space ? Soles{} : world.soles, tree),
        plastic(world, soles), soft(world, tree), exact(world, tree), links(tree), balance(tree),
        lone(world.robot), solver(tree),
        problem(static_cast<int>(std::max(world.soles.points.size(), soft.slots.size())),
                static_cast<int>(soles.packs.size()), static_cast<int>(soft.packs.size()),
                static_cast<int>(tree.groups.size()), forces.max_rows()),
        data(world.robot) {
    for (const CompliantGround<double>& s : world.soils) {
      soils.push_back({T(s.stiffness), T(s.exponent), T(s.damping), T(s.damping_exponent),
                       T(s.rate_exponent), T(s.shear_stiffness), T(s.shear_damping),
                       T(s.friction_coefficient)});
    }
    if (!world.penalty && !world.wrench_space) return;
    if constexpr (std::is_same_v<T, double>) {
      if (world.penalty) penalty.emplace(world, tree, soles);
      if (world.wrench_space) wrench.emplace(world, tree);
    } else {
      throw InputError(
          "contact.model = \"feedback_linearized\", \"spring_damper\" or \"wrench_space\" runs one "
          "robot at a time, not robots in lanes");
    }
  }
  LinkTree<T> tree;
  ForcePlan<T> forces;
  SolePlan<T> soles;
  PlasticPlan<T> plastic;
  SoftPlan<T> soft;
  ExactDiagonal<T> exact;
  std::vector<CompliantGround<T>> soils;  // as the world's; lanes may be given others
  LinkData<T> links;                      // of the step's start
  JointBalance<T> balance;
  LoneBodies<T> lone;
  SolverWorkspace<T> solver;
  ContactProblem<T> problem;
  RobotData<T> data;  // of the step's start, for readers: see list_results
  std::optional<PenaltyWorkspace> penalty;
  std::optional<WrenchStepWorkspace> wrench;
  StageTimes times;
};

// Writes what a step found in the form that readers want: its points one by one into
// workspace.problem.points, and into workspace.data what compute_positions and compute_velocities
// say about the step's start. The step itself works on packs and leaves point_count at 0.
template <class T>
void list_results(const World& world, StepWorkspace<T>& workspace) {
  if (world.soft) {
    list_soft_points(workspace.soft, workspace.problem);
  } else {
    list_points(workspace.soles, workspace.problem);
  }
  list_bodies(world.robot, workspace.tree, workspace.links, workspace.data);
}

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

// Whether no force depends on v⁺, but for damping that is applied after the others are known.
template <class T>
bool is_unconstrained(const World& world, const ContactProblem<T>& problem) {
  return splits_step(world) && problem.soft.count == 0 && problem.rows.size() == 0;
}

template <class T>
SolverReport<T> solve_constraints(const World& world, StepWorkspace<T>& w) {
  if constexpr (std::is_same_v<T, double>) {
    if (w.penalty) {
      return solve_penalty_step(world, w.tree, w.balance, w.links, w.problem, w.solver, *w.penalty);
    }
    if (w.wrench) {
      return solve_wrench_step(world, w.tree, w.balance, w.links, w.problem, w.solver, *w.wrench);
    }
  }
  const T h(world.options.timestep);
  return solve_step(w.tree, w.links, w.balance, world.options.solver, h, h * T(world.force_scale),
                    w.problem, w.solver);
}

template <class T>
void find_all_contacts(const World& world, const State<T>& state, StepWorkspace<T>& w) {
  if constexpr (std::is_same_v<T, double>) {
    if (w.wrench) {
      find_wrench_spaces(world, w.tree, w.links, state.memory, *w.wrench);
      return;
    }
  }
  if (world.soft) {
    find_soft_contacts(world, w.tree, w.links, w.soft, w.problem.soft);
    set_exact_weights(world, w.tree, w.exact, w.problem.soft);
  } else {
    find_contacts(world, w.soils, w.plastic, w.soles, w.tree, w.links, state.memory, w.problem);
  }
}

template <class T>
void commit_all_contacts(const World& world, const StepWorkspace<T>& w, ContactMemory<T>& memory) {
  if constexpr (std::is_same_v<T, double>) {
    if (w.wrench) {
      commit_wrench_step(world, *w.wrench, memory);
      return;
    }
  }
  if (world.soft) {
    commit_soft_contacts(w.soft, w.problem.soft, memory);
  } else {
    commit_contacts(world, w.soles, w.problem, w.links, memory);
  }
}

}  // namespace step_detail

// The velocities that the last step found before damping, for readers. Call it before the next step.
template <class T>
const std::vector<Pack<T>>& undamped_velocities(const World& world, StepWorkspace<T>& w) {
  if (!splits_step(world)) return w.solver.qvel;
  if (step_detail::is_unconstrained(world, w.problem)) {
    step_detail::solve_constraints(world, w);
    w.solver.undamped_qvel = w.solver.qvel;
  }
  return w.solver.undamped_qvel;
}

// Moves the state by one time step.
template <class T>
SolverReport<T> step(const World& world, const Control<T>& command, State<T>& state,
                     StepWorkspace<T>& w) {
  const T h(world.options.timestep);
  step_detail::StageClock clock(w.times);

  // 1  where the robot is, how it moves, and its momentum
  move_links(world.robot, w.tree, world.options.timestep, state.qpos.data(), state.qvel.data(),
             w.links);
  clock.end(Stage::kinematics);

  // 2  what pulls at its joints
  compute_joint_forces(world, w.tree, w.forces, state, w.links.qvel, command, w.balance,
                       w.problem.rows, find_dof_diagonal(w.tree, w.links, w.forces.slots, w.exact));
  clock.end(Stage::forces);

  // 3  where it may touch the ground, and the law there
  step_detail::find_all_contacts(world, state, w);
  clock.end(Stage::contacts);

  // 4  the velocities at which momentum and all forces balance
  w.solver.qvel = w.links.qvel;
  SolverReport<T> report{T(0) <= T(0), T(0), T(0), T(0)};  // true of a step without constraints
  if (!step_detail::is_unconstrained(world, w.problem)) {
    report = step_detail::solve_constraints(world, w);
  }
  if (splits_step(world)) apply_late_damping(w.tree, w.links, w.balance, w.problem, w.solver);
  clock.end(Stage::solve);

  // 5  the next state
  for (std::size_t s = 0; s < w.tree.slots.size(); ++s) {
    scatter<T>(w.solver.qvel[s], w.tree.slots[s].dof, state.qvel.data());
  }
  if (splits_step(world) && world.options.integrator == Integrator::implicitfast) {
    turn_lone_bodies(w.tree, w.links, w.balance, w.solver, h, w.lone, state);
  }
  integrate_positions(world.robot, h, state.qvel.data(), state.qpos.data());
  state.time += h;
  clock.end(Stage::integrate);

  // 6  what the ground and the joints remember
  step_detail::commit_all_contacts(world, w, state.memory);
  commit_joints(world, w.tree, w.forces, w.solver.qvel, state.memory);
  clock.end(Stage::commit);
  return report;
}

#ifndef FOOTFALL_KERNEL_SET
// Compiled for several instruction sets; the first step chooses one: footfall/kernels.hpp.
template <>
SolverReport<double> step(const World& world, const Control<double>& command, State<double>& state,
                          StepWorkspace<double>& workspace);
template <>
SolverReport<Lane8> step(const World& world, const Control<Lane8>& command, State<Lane8>& state,
                         StepWorkspace<Lane8>& workspace);
#endif

}  // namespace footfall
