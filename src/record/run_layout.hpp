// Which columns a run file has. The writer fills them in this order.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "footfall/ground/foot_patch.hpp"
#include "footfall/ground/world.hpp"

namespace footfall::record {

enum class Element { real, integer, flag };  // 8, 4 and 1 bytes

struct ColumnLayout {
  std::string group;  // "" at the root
  std::string name;
  Element element = Element::real;
  int width = 0;  // numbers in a row; 0: one number, not a vector
  std::string unit, meaning, frame = {};
  std::vector<std::string> names = {};  // of the numbers in a row; empty: they need none
  std::vector<std::string> units = {};  // of each; empty: all have `unit`
};

// A column of each foot, and where its numbers come from.
template <class Patch>
struct PatchColumn {
  const char *name, *unit, *meaning;
  std::variant<double Patch::*, Vec3d Patch::*, bool Patch::*> field;
};
std::span<const PatchColumn<FootPatch>> patch_columns();
std::span<const PatchColumn<GrainPatch>> grain_columns();  // of granular media, after those

// Vectors without numbers, as the control of a robot without actuators, are left out.
std::vector<ColumnLayout> run_columns(const World& world);

// Names as HDF5 can hold them: a group for each foot, each different from all others.
std::vector<std::string> foot_group_names(const std::vector<Foot>& feet);

// One name per velocity, as "root.linear_x" or "front_left_knee".
std::vector<std::string> dof_names(const RobotModel& robot);

}  // namespace footfall::record
