#include "footfall/gait/walk.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/robot/kinematics.hpp"
#include "gait/geometry.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

constexpr double kStanceStiffness = 0.1;  // share of kp in a leg that stands, with feedback

LeggedRobot find_biped(const World& world, const State<double>& start) {
  LeggedRobot robot = find_legs(world.robot, world.soles, start.qpos);
  if (robot.legs.size() != 2 || !robot.legs[0].is_flat() || !robot.legs[1].is_flat()) {
    throw input_error(
        "controller.kind = \"walk\" needs a robot with two flat feet; '{}' has {} feet{}",
        world.robot.name, robot.legs.size(), robot.legs.size() == 2 ? " that are round" : "");
  }
  return robot;
}

// Soles beside each other must have room.
void check_width(const WalkParameters& p, const LeggedRobot& robot) {
  const double half = std::fmax(half_sole(robot.legs[0]).y, half_sole(robot.legs[1]).y);
  if (!p.step_width || *p.step_width >= 2 * half) return;
  throw input_error(
      "key 'controller.step_width_m' = {}, expected at least the width of a sole, {:.4g} m",
      *p.step_width, 2 * half);
}

void check_actuators(const RobotModel& model, const LeggedRobot& robot) {
  for (const Leg& leg : robot.legs) {
    for (const int joint : leg.joints) {
      const bool driven =
          std::any_of(model.actuators.begin(), model.actuators.end(), [&](const Actuator& a) {
            return a.joint == joint && (a.bias1 != 0 || a.bias2 == 0);
          });
      if (driven) continue;
      throw input_error("controller.kind = \"walk\": no motor and no position servo drives joint "
                        "'{}' of leg '{}'",
                        model.joints[joint].name, leg.name);
    }
  }
}

}  // namespace

WalkController::WalkController(const WalkParameters& parameters, const World& world,
                               const State<double>& start, const std::vector<double>& kp,
                               const std::vector<double>& kd)
    : parameters_(parameters), robot_(find_biped(world, start)), kp_(kp), kd_(kd),
      sinkage_(world, parameters.expected_sinkage, robot_.mass * norm(world.robot.gravity)),
      side_of_dof_(world.robot.dofs.size(), -1), weight_(robot_.mass * norm(world.robot.gravity)),
      data_(world.robot), reference_data_(world.robot), reference_(start.qpos),
      reference_rate_(world.robot.dofs.size(), 0.0), acceleration_(world.robot.dofs.size(), 0.0),
      motion_solver_(world.robot, robot_), whole_body_(world.robot, robot_) {
  check_walk(parameters_);
  check_width(parameters_, robot_);
  check_actuators(world.robot, robot_);
  compute_positions(world.robot, start.qpos.data(), data_);
  trunk_start_ = data_.R_WB[robot_.base];
  const Vec3d p = data_.p_WB[robot_.base];
  const auto aside = [&](int i) {
    return dot(trunk_start_.y, sole_position(data_, robot_.legs[i]) - p);
  };
  leg_of_ = aside(0) > aside(1) ? std::array<int, 2>{0, 1} : std::array<int, 2>{1, 0};
  for (const int side : {kLeft, kRight}) {
    for (const int v : leg(side).v) side_of_dof_[v] = side;
  }
  motion_.soles.assign(2, zero6<double>());
  last_time_ = start.time;
  plan_start(world, start);
}

bool WalkController::stands(int side) const {
  return phase_ != WalkPhase::single_support || side != swing_side() || landed_;
}

void WalkController::update(const World& world, const State<double>& state,
                            Control<double>& control) {
  measure(world, state);
  wanted_ = pattern_.sample(clock_);
  advance(world, state.time);
  wanted_ = pattern_.sample(clock_);
  set_reference(world);
  set_accelerations(world.robot, state);
  set_stance(world);
  whole_body_.solve(world.robot, parameters_.feedback ? data_ : reference_data_, acceleration_,
                    stance_);
  write_control(world.robot, state, control);
}

void WalkController::write_control(const RobotModel& model, const State<double>& state,
                                   Control<double>& control) const {
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& a = model.actuators[i];
    const Joint& joint = model.joints[a.joint];
    const int q = joint.q_index, v = joint.v_index, side = side_of_dof_[v];
    // the joint's own damping is no part of the inverse dynamics
    const double torque = whole_body_.torque()[v] + model.dofs[v].damping * reference_rate_[v];
    const bool soft = parameters_.feedback && side >= 0 && stands(side);
    const double share = soft ? kStanceStiffness : 1;
    if (a.bias1 == 0) {
      control.control[i] = (torque / a.gear - a.bias0) / a.gain;
      control.position[i] = reference_[q];
      control.velocity[i] = reference_rate_[v];
      control.kp[i] = share * kp_[i];
      control.kd[i] = kd_[i];
      continue;
    }
    // force = gain u + bias0 + bias1 (gear q) + bias2 (gear q̇): a softer spring is one whose rest
    // position follows the joint
    const double position = state.qpos[q] + share * (reference_[q] - state.qpos[q]);
    control.control[i] =
        (torque / a.gear - a.bias0 - a.gear * (a.bias1 * position + a.bias2 * reference_rate_[v])) /
        a.gain;
  }
}

}  // namespace footfall
