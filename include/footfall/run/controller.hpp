// Controllers: what the robot is told in each step.
//
//   none             all controls zero
//   hold             motors: PD servo to the keyframe's joint angles; position servos: told those
//   torque_file      a control for each motor from a table, held between samples
//   trajectory_file  joint targets from a table, linear between samples; as `hold` otherwise
//   walk, trot       gaits, see gait/walk.hpp and gait/trot.hpp: they have a memory, see start_gait
//
// Motors (gain 1, no bias) take torques, so they need the gains kp and kd:
//   torque = kp (position − q) + kd (velocity − q̇)
// Position servos bring gains of their own; giving kp or kd for them is an error.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "footfall/gait/gait_watch.hpp"
#include "footfall/scenario/scenario.hpp"

namespace footfall {

class TrotController;
class WalkController;

// Numbers over time, a column for each name. Times grow strictly.
struct TimeTable {
  std::vector<std::string> names;  // of the columns after time_s
  std::vector<double> times;       // [s]
  std::vector<double> values;      // values[row * names.size() + column]
};

// CSV with a header line: time_s and the columns' names. Throws InputError with file and line.
TimeTable load_time_table(const std::filesystem::path& file);
TimeTable parse_time_table(std::string_view text, const std::string& file);

// What an actuator takes for its control.
enum class Drive {
  motor,           // a torque or force
  position_servo,  // gear × joint angle
  velocity_servo,  // gear × joint velocity
};

// Parameters of a controller, never changed during a run.
struct Controller {
  ControllerKind kind = ControllerKind::none;
  Control<double> start;       // gains, and what never changes
  TimeTable table;             // of a file
  std::vector<int> column_of;  // of each actuator in the table
  std::vector<Drive> drives;   // of each actuator
  std::vector<double> gear;    // of each actuator
  std::vector<int> q_index;    // of each actuator's joint in qpos
  WalkParameters walk;
  TrotParameters trot;
  std::vector<double> pose;  // in which the robot of a gait stands

  bool is_gait() const { return kind == ControllerKind::walk || kind == ControllerKind::trot; }
};

// Throws InputError where the scenario's controller does not fit the robot.
Controller make_controller(const Scenario& scenario, const World& world);

// The control at the state's time. `control` must come from controller.start; nothing is allocated.
void compute_control(const Controller& controller, const State<double>& state,
                     Control<double>& control);

// A gait on its way. It remembers, so every run starts its own.
struct RunningGait {
  std::variant<std::shared_ptr<TrotController>, std::shared_ptr<WalkController>> controller;
  GaitGoal goal;

  void update(const World& world, const State<double>& state, Control<double>& control) const;
};
// Throws InputError where the gait does not fit the robot.
RunningGait start_gait(const Controller& controller, const World& world,
                       const State<double>& start);

// Takes all torques off and leaves the joints' damping: what is told to a robot that has fallen.
void relax(const Controller& controller, const State<double>& state, Control<double>& control);

}  // namespace footfall
