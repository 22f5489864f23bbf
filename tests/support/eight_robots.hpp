// Eight robots in lanes against each of them alone.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/worlds.hpp"

namespace footfall::testing {

// Each is stepped three times: in its lane, alone, and alone from a start that is a few units in the last
// place away, which shows how far round-off grows.
struct EightRobots {
  const World& world;
  StepWorkspace<Lane8> lanes;
  State<Lane8> lane_state;
  Control<Lane8> lane_command;
  std::vector<StepWorkspace<double>> alone;
  std::vector<State<double>> states, nudged;
  std::vector<Control<double>> commands;

  // All hold the pose.
  EightRobots(const World& w, const std::vector<double>& pose, double kp, double kd)
      : world(w), lanes(w), lane_state(make_state<Lane8>(w, pose)),
        lane_command(hold<Lane8>(w, pose, kp, kd)), alone(kLaneCount, StepWorkspace<double>(w)),
        states(kLaneCount, make_state<double>(w, pose)), nudged(states),
        commands(kLaneCount, hold<double>(w, pose, kp, kd)) {}

  // Robot `i` starts higher by `lift` [m], with a velocity of its first dof.
  void start(int i, double lift, double velocity) {
    const int height = height_index(world);
    states[i].qpos[height] += lift;
    states[i].qvel[0] = velocity;
    set_lane(lane_state.qpos[height], i, states[i].qpos[height]);
    set_lane(lane_state.qvel[0], i, velocity);
    nudged[i] = states[i];
    for (double& q : nudged[i].qpos) q *= 1 + 4 * std::numeric_limits<double>::epsilon();
  }

  void aim(int i, std::size_t actuator, double target) {
    commands[i].position[actuator] = target;
    set_lane(lane_command.position[actuator], i, target);
  }

  void step_all() {
    ASSERT_TRUE(all(step(world, lane_command, lane_state, lanes).converged));
    for (int i = 0; i < kLaneCount; ++i) {
      step(world, commands[i], states[i], alone[i]);
      step(world, commands[i], nudged[i], alone[i]);
    }
  }

  // To `least` [rad or m], or three thousand times what round-off at the start grows to: lanes round otherwise in every step.
  void expect_same_positions(double least = 1e-11) const {
    for (int i = 0; i < kLaneCount; ++i) {
      double difference = 0, growth = 0;
      for (std::size_t k = 0; k < states[i].qpos.size(); ++k) {
        const double q = states[i].qpos[k];
        difference = std::fmax(difference, std::abs(lane(lane_state.qpos[k], i) - q));
        growth = std::fmax(growth, std::abs(nudged[i].qpos[k] - q));
      }
      EXPECT_LT(difference, 3000 * growth + least)
          << "lane " << i << ", round-off grew to " << growth;
    }
  }
};

}  // namespace footfall::testing
