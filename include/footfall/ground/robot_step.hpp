// RobotStep: what a step computes about the robot, whatever the ground is.
#pragma once

#include "footfall/ground/world.hpp"

namespace footfall {

template <class T>
struct RobotStep {
  explicit RobotStep(const RobotModel& robot)
      : tree(robot), links(tree), balance(tree), solver(tree) {}
  LinkTree<T> tree;         // the robot's constants
  LinkData<T> links;        // poses, velocities and momentum at the step's start
  JointBalance<T> balance;  // momentum side of the joints
  JointRows<T> rows;        // servos, joint limits, joint friction
  SolverWorkspace<T> solver;
};

// Solves the step with these lists of terms beside the joint rows.
template <class T, class... Lists>
SolverReport<T> solve_with(const World& world, RobotStep<T>& robot, Lists&... lists) {
  const T h(world.options.timestep);
  return solve_step(robot.tree, robot.links, robot.balance, world.options.solver, h,
                    h * T(world.force_scale), robot.solver, lists...);
}

}  // namespace footfall
