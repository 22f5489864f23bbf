// The parts of build_robot, each from an mjModel into a RobotModel.
#pragma once

#include <mujoco/mujoco.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "footfall/mujoco/handle.hpp"
#include "footfall/robot/model.hpp"

namespace footfall::from_mujoco {

// ---- what cannot be simulated: one phrase per element, which names it ----
void find_unsupported_elements(const mjModel& m, std::vector<std::string>& problems);
void find_unsupported_options(const mjModel& m, std::vector<std::string>& problems);
void find_unsupported_actuators(const mjModel& m, std::vector<std::string>& problems);

// ---- what can, in the order in which it is built ----
void build_bodies(const mjModel& m, RobotModel& model);
void build_joints(const mjModel& m, RobotModel& model);  // joints and dofs
void build_geoms(const mjModel& m, RobotModel& model);
void build_actuators(const mjModel& m,
                     RobotModel& model);  // adds their armature and damping to dofs
void build_keyframes(const mjModel& m, RobotModel& model);

// ---- what is left out without changing the motion: one line each ----
void warn_of_omissions(const mjModel& m, std::vector<std::string>& warnings);

// ---- models that are changed before they are compiled ----
// Of a file, or of a text where `text` is not null; throws InputError "name: MuJoCo's reason".
MjModelPtr compile_edited(const std::string& name, const char* text,
                          const std::function<void(mjSpec&)>& edit);

// ---- names ----
// The element's name, or its kind and our index for it: "geom_3".
std::string name_or_index(const mjModel& m, mjtObj kind, int id, int index);
// For messages: joint 'knee', or unnamed joint 3.
std::string label(const mjModel& m, mjtObj kind, int id);
// "a, b, c", or "a, b, c, d and 7 more".
std::string list_of(const std::vector<std::string>& labels);

// ---- small conversions ----
// What a table has for a number; `other`: where it has nothing.
template <class Value>
Value look_up(std::initializer_list<std::pair<int, Value>> table, int number, Value other) {
  for (const auto& [known, value] : table) {
    if (known == number) return value;
  }
  return other;
}
inline Vec3d vec3(const mjtNum* x) { return {x[0], x[1], x[2]}; }
inline Quatd quat(const mjtNum* x) { return {x[0], x[1], x[2], x[3]}; }
// Is the body fixed to the world, through any number of welded bodies?
inline bool is_static(const mjModel& m, int body) { return m.body_weldid[body] == 0; }

}  // namespace footfall::from_mujoco
