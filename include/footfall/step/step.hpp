// One time step. Read this page first: it is the whole engine, stage by stage.
#pragma once

#include <array>
#include <chrono>

#include "footfall/ground/contact.hpp"
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
struct StepWorkspace : RobotStep<T> {
  explicit StepWorkspace(const World& world)
      : RobotStep<T>(world.robot), forces(world, this->tree),
        contact(make_contact<T>(world, this->tree)), data(world.robot) {
    this->rows.make_room(forces.max_rows());
    points.reserve(world.soles.points.size() + kMaxTouches * world.robot.geoms.size());
  }
  ForcePlan<T> forces;
  Contact<T> contact;
  // for readers, filled by list_results
  std::vector<ContactPoint<T>> points;  // where soles may touch, in the soles' order
  RobotData<T> data;                    // of the step's start
  StageTimes times;
};

// Writes what a step found in the form that readers want: its points one by one into workspace.points,
// and into workspace.data what compute_positions and compute_velocities say about the step's start.
template <class T>
void list_results(const World& world, StepWorkspace<T>& workspace) {
  std::visit([&](const auto& contact) { list_contacts(world, contact, workspace.points); },
             workspace.contact);
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

}  // namespace step_detail

// Moves the state by one time step. This is the algorithm; programs call step(), below.
template <class T>
SolverReport<T> compute_step(const World& world, const Control<T>& command, State<T>& state,
                             StepWorkspace<T>& w) {
  const T h(world.options.timestep);
  RobotStep<T>& robot = w;
  step_detail::StageClock clock(w.times);

  // 1  where the robot is, how it moves, and its momentum
  move_links(world.robot, robot.tree, world.options.timestep, state.qpos.data(), state.qvel.data(),
             robot.links);
  clock.end(Stage::kinematics);

  // 2  what pulls at its joints
  compute_joint_forces(world, robot.tree, w.forces, state, robot.links.qvel, command, robot.balance,
                       robot.rows, find_inverse_inertia(robot, w.forces.slots, w.contact));
  clock.end(Stage::forces);

  // 3  where it may touch the ground, and the law there
  std::visit([&](auto& contact) { find_contacts(world, state, robot, contact); }, w.contact);
  clock.end(Stage::contacts);

  // 4  the velocities at which momentum and all forces balance
  robot.solver.qvel = robot.links.qvel;
  const SolverReport<T> report = std::visit(
      [&](auto& contact) { return solve_contacts(world, state, robot, contact); }, w.contact);
  clock.end(Stage::solve);

  // 5  the next state
  for (std::size_t s = 0; s < robot.tree.slots.size(); ++s) {
    scatter<T>(robot.solver.qvel[s], robot.tree.slots[s].dof, state.qvel.data());
  }
  integrate_positions(world.robot, h, state.qvel.data(), state.qpos.data());
  state.time += h;
  clock.end(Stage::integrate);

  // 6  what the ground and the joints remember
  std::visit([&](const auto& contact) { commit_contacts(world, robot, contact, state.memory); },
             w.contact);
  commit_joints(world, robot.tree, w.forces, robot.solver.qvel, state.memory);
  clock.end(Stage::commit);
  return report;
}

// The same, compiled for several instruction sets; the first step chooses one: footfall/kernels.hpp.
template <class T>
SolverReport<T> step(const World& world, const Control<T>& command, State<T>& state,
                     StepWorkspace<T>& workspace);
template <>
SolverReport<double> step(const World& world, const Control<double>& command, State<double>& state,
                          StepWorkspace<double>& workspace);
template <>
SolverReport<Lane8> step(const World& world, const Control<Lane8>& command, State<Lane8>& state,
                         StepWorkspace<Lane8>& workspace);

}  // namespace footfall
