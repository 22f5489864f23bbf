#include "footfall/run/controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "footfall/gait/trot.hpp"
#include "footfall/gait/walk.hpp"
#include "input_error.hpp"
#include "io/config.hpp"

namespace footfall {
namespace {

Drive drive_of(const Actuator& a) {
  if (a.bias1 != 0) return Drive::position_servo;
  return a.bias2 != 0 ? Drive::velocity_servo : Drive::motor;
}

bool turns_or_slides(const Joint& joint) {
  return joint.type == JointType::hinge || joint.type == JointType::slide;
}

// The gains of the scenario, matched to the robot's motors.
class GainMatcher {
 public:
  GainMatcher(const Scenario& scenario, const RobotModel& robot)
      : scenario_(scenario), robot_(robot) {
    check("controller.kp", scenario.controller.kp);
    check("controller.kd", scenario.controller.kd);
  }

  double kp(const Joint& joint) const {
    return gain("controller.kp", scenario_.controller.kp, joint);
  }
  double kd(const Joint& joint) const {
    return gain("controller.kd", scenario_.controller.kd, joint);
  }

 private:
  // Are all named joints driven by motors, and is there a motor at all?
  void check(const std::string& key, const GainChoice& choice) const {
    std::vector<std::string> motors;
    const Actuator* servo = nullptr;
    for (const Actuator& a : robot_.actuators) {
      const Joint& joint = robot_.joints[a.joint];
      if (drive_of(a) == Drive::motor) {
        motors.push_back(joint.name);
      } else {
        servo = &a;
        if (choice.gains.contains(joint.name)) refuse_for_servo(key + "." + joint.name, a);
      }
    }
    if (choice.given() && motors.empty()) {
      if (servo != nullptr) refuse_for_servo(key, *servo);
      throw input_error("{}key '{}': robot '{}' has no motors", place_of(scenario_, key), key,
                        robot_.name);
    }
    for (const auto& [name, gain] : choice.gains) {
      if (std::find(motors.begin(), motors.end(), name) != motors.end()) continue;
      const std::string path = fmt::format("{}.{}", key, name);
      throw input_error("{}unknown key '{}': no motor drives a joint of that name{}",
                        place_of(scenario_, path), path, suggestion(name, motors, key + "."));
    }
  }

  [[noreturn]] void refuse_for_servo(const std::string& key, const Actuator& a) const {
    throw input_error("{}key '{}': actuator '{}' is a servo with gains of its own (kp {}, kv {}) "
                      "in the robot's file: remove the key",
                      place_of(scenario_, key), key, a.name, -a.bias1, -a.bias2);
  }

  double gain(const std::string& key, const GainChoice& choice, const Joint& joint) const {
    const auto found = choice.gains.find(joint.name);
    if (found != choice.gains.end()) return found->second;
    if (choice.common) return *choice.common;
    throw input_error("{}key '{}' is missing for joint '{}', whose motor takes torques: expected a "
                      "number for all joints, or a table by joint",
                      place_of(scenario_, key), key, joint.name);
  }

  const Scenario& scenario_;
  const RobotModel& robot_;
};

// Tells actuator i to bring its joint to q, moving with the velocity.
void set_target(const Controller& controller, std::size_t i, double q, double velocity,
                Control<double>& control) {
  switch (controller.drives[i]) {
  case Drive::motor:
    control.position[i] = q;
    control.velocity[i] = velocity;
    break;
  case Drive::position_servo:
    control.control[i] = controller.gear[i] * q;
    break;
  case Drive::velocity_servo:
    control.control[i] = controller.gear[i] * velocity;
    break;
  }
}

void set_gains(const Scenario& scenario, const RobotModel& robot, Controller& out) {
  const GainMatcher gains(scenario, robot);
  for (std::size_t i = 0; i < robot.actuators.size(); ++i) {
    const Actuator& a = robot.actuators[i];
    const Joint& joint = robot.joints[a.joint];
    if (!turns_or_slides(joint)) {
      throw input_error("{}actuator '{}' drives an axis of the free or ball joint '{}', which has "
                        "no single target: use kind = \"torque_file\"",
                        place_of(scenario, "controller.kind"), a.name, joint.name);
    }
    if (drive_of(a) != Drive::motor) continue;
    out.start.kp[i] = gains.kp(joint);
    out.start.kd[i] = gains.kd(joint);
  }
}

// Every actuator's target from the pose. A keyframe that tells servos what to do is obeyed.
void set_hold(const Scenario& scenario, const RobotModel& robot, Controller& out) {
  const bool own = scenario.controller.keyframe.has_value();
  const auto& name = own ? scenario.controller.keyframe : scenario.robot.keyframe;
  const std::string place = place_of(scenario, own ? "controller.keyframe" : "robot.keyframe");
  const std::vector<double> pose = find_pose(robot, name, place);
  const int index = robot.find_keyframe(name.value_or("stand"));
  const std::vector<double>* told = index >= 0 ? &robot.keyframes[index].control : nullptr;
  const bool tells = told != nullptr && told->size() == robot.actuators.size() &&
                     std::any_of(told->begin(), told->end(), [](double u) { return u != 0; });
  for (std::size_t i = 0; i < robot.actuators.size(); ++i) {
    const Actuator& a = robot.actuators[i];
    set_target(out, i, pose[robot.joints[a.joint].q_index], 0, out.start);
    if (tells && out.drives[i] == Drive::position_servo) out.start.control[i] = (*told)[i];
  }
}

// Which column drives which actuator: by the actuator's or its joint's name, all of them.
void match_columns(const Scenario& scenario, const RobotModel& robot, bool by_joint,
                   Controller& out) {
  const std::string file = scenario.controller.file.string();
  std::vector<std::string> wanted;
  for (const Actuator& a : robot.actuators) {
    wanted.push_back(by_joint ? robot.joints[a.joint].name : a.name);
    const auto found = std::find(out.table.names.begin(), out.table.names.end(), wanted.back());
    if (found != out.table.names.end()) {
      out.column_of.push_back(static_cast<int>(found - out.table.names.begin()));
      continue;
    }
    throw input_error("{}: no column '{}', expected one for each {} of robot '{}'", file,
                      wanted.back(), by_joint ? "actuated joint" : "actuator", robot.name);
  }
  for (const std::string& name : out.table.names) {
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) continue;
    throw input_error("{}: unknown column '{}'{}", file, name, suggestion(name, wanted));
  }
}

void check_torques(const Scenario& scenario, const RobotModel& robot) {
  for (const Actuator& a : robot.actuators) {
    if (drive_of(a) == Drive::motor) continue;
    throw input_error(
        "{}actuator '{}' is a servo, which takes no torques: use kind = \"trajectory_file\"",
        place_of(scenario, "controller.kind"), a.name);
  }
}

// The last row that is not later than t, or only by round-off; 0 before the first.
std::size_t row_at(const TimeTable& table, double t) {
  const auto next = std::upper_bound(table.times.begin(), table.times.end(), t + 1e-9);
  return next == table.times.begin() ? 0 : static_cast<std::size_t>(next - table.times.begin() - 1);
}

// ---- gaits, started for a run ----

RunningGait start_trot(const Controller& controller, const World& world,
                       const State<double>& start) {
  const TrotParameters& p = controller.trot;
  const auto gait =
      std::make_shared<TrotController>(p, world, start, controller.start.kp, controller.start.kd);
  RunningGait out{gait, {}};
  out.goal.speed = std::hypot(p.speed, p.lateral_speed);
  if (out.goal.speed > 0) {
    out.goal.direction = {p.speed / out.goal.speed, p.lateral_speed / out.goal.speed, 0};
  }
  out.goal.turn_rate = p.turn_rate;
  out.goal.base_height = p.base_height.value_or(0);
  out.goal.from = p.start_delay + p.ramp_duration;
  if (p.stop_time) out.goal.to = *p.stop_time - p.ramp_duration;
  out.goal.expected_sinkage = gait->largest_sinkage();
  return out;
}

RunningGait start_walk(const Controller& controller, const World& world,
                       const State<double>& start) {
  const WalkParameters& p = controller.walk;
  const auto gait =
      std::make_shared<WalkController>(p, world, start, controller.start.kp, controller.start.kd);
  RunningGait out{gait, {}};
  // the middle of the feet moves by all steps but the last, while each foot swings in turn
  const double walking = p.step_count * p.step_duration;
  const double ahead = (p.step_count - 1) * p.step_length;
  out.goal.speed = std::abs(ahead) / walking;
  out.goal.turn_rate = (p.step_count - 1) * p.turn / walking;
  out.goal.base_height = p.base_height.value_or(0);
  out.goal.direction = {ahead < 0 ? -1.0 : 1.0, 0, 0};
  out.goal.from = gait->walk_start();
  out.goal.to = out.goal.from + walking;
  out.goal.expected_sinkage = gait->largest_sinkage();
  return out;
}

}  // namespace

Controller make_controller(const Scenario& scenario, const World& world) {
  const RobotModel& robot = world.robot;
  Controller out;
  out.kind = scenario.controller.kind;
  out.start = make_control<double>(robot);
  for (const Actuator& a : robot.actuators) {
    out.drives.push_back(drive_of(a));
    out.gear.push_back(a.gear);
    out.q_index.push_back(robot.joints[a.joint].q_index);
  }
  switch (out.kind) {
  case ControllerKind::none:
    break;
  case ControllerKind::hold:
    set_gains(scenario, robot, out);
    set_hold(scenario, robot, out);
    break;
  case ControllerKind::torque_file:
    check_torques(scenario, robot);
    out.table = load_time_table(scenario.controller.file);
    match_columns(scenario, robot, false, out);
    break;
  case ControllerKind::trajectory_file:
    set_gains(scenario, robot, out);
    out.table = load_time_table(scenario.controller.file);
    match_columns(scenario, robot, true, out);
    break;
  case ControllerKind::walk:
  case ControllerKind::trot:
    if (scenario.contact == ContactModel::none) {
      throw input_error("{}a gait needs ground to stand on, but contact is \"none\"",
                        place_of(scenario, "controller.kind"));
    }
    set_gains(scenario, robot, out);
    set_hold(scenario, robot, out);  // joints that are in no leg
    out.walk = scenario.controller.walk;
    out.trot = scenario.controller.trot;
    out.pose = find_pose(robot, scenario.robot.keyframe, place_of(scenario, "robot.keyframe"));
    break;
  }
  return out;
}

void compute_control(const Controller& controller, const State<double>& state,
                     Control<double>& control) {
  const TimeTable& table = controller.table;
  if (table.times.empty()) return;
  const std::size_t row = row_at(table, state.time);
  const double* now = table.values.data() + row * table.names.size();
  if (controller.kind == ControllerKind::torque_file) {
    for (std::size_t i = 0; i < controller.column_of.size(); ++i) {
      control.control[i] = now[controller.column_of[i]];
    }
    return;
  }
  const bool between = row + 1 < table.times.size() && state.time >= table.times.front();
  const double* next = between ? now + table.names.size() : now;
  const double span = between ? table.times[row + 1] - table.times[row] : 1;
  const double share = between ? (state.time - table.times[row]) / span : 0;
  for (std::size_t i = 0; i < controller.column_of.size(); ++i) {
    const double from = now[controller.column_of[i]], to = next[controller.column_of[i]];
    set_target(controller, i, from + share * (to - from), (to - from) / span, control);
  }
}

void relax(const Controller& controller, const State<double>& state, Control<double>& control) {
  for (std::size_t i = 0; i < control.control.size(); ++i) {
    const int joint_q = controller.q_index[i];
    control.control[i] = controller.drives[i] == Drive::position_servo
                             ? controller.gear[i] * state.qpos[joint_q]
                             : 0;
    control.kp[i] = 0;
    control.velocity[i] = 0;
  }
}

void RunningGait::update(const World& world, const State<double>& state,
                         Control<double>& control) const {
  std::visit([&](const auto& gait) { gait->update(world, state, control); }, controller);
}

RunningGait start_gait(const Controller& controller, const World& world,
                       const State<double>& start) {
  if (controller.kind == ControllerKind::trot) return start_trot(controller, world, start);
  return start_walk(controller, world, start);
}

}  // namespace footfall
