// Which columns a run file has. The writer fills them in this order.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "footfall/ground/foot_patch.hpp"
#include "footfall/record/run_file.hpp"

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

// A row's values, in the order of run_columns, to out.put(value).
template <class Out>
void put_row(const RunRow& row, bool has_grains, Out& out) {
  const auto put_patch = [&out](const auto& patch, const auto& columns) {
    for (const auto& c : columns) {
      std::visit([&](auto field) { out.put(patch.*field); }, c.field);
    }
  };
  out.put(row.state.time);
  out.put(row.state.qpos);
  out.put(row.state.qvel);
  out.put(row.control.control);
  for (const FootPatch& patch : row.feet) {
    put_patch(patch, patch_columns());
    if (has_grains) put_patch(patch.grains, grain_columns());
  }
  if (!row.body.bodies.empty()) {
    out.put(row.body.normal_force);
    out.put(row.body.force);
    out.put(row.body.moment);
  }
  out.put(row.momentum.linear);
  out.put(row.momentum.change);
  out.put(static_cast<std::int32_t>(row.report.iterations));
  out.put(row.report.residual);
  out.put(row.report.converged);
  for (const double seconds : row.times.seconds) out.put(seconds);
  const Energy& energy = row.energy;
  for (const double joule :
       {energy.kinetic, energy.gravity, energy.springs, energy.ground, energy.total()}) {
    out.put(joule);
  }
}

// Vectors without numbers, as the control of a robot without actuators, are left out.
std::vector<ColumnLayout> run_columns(const World& world);

// Names as HDF5 can hold them: a group for each foot, each different from all others.
std::vector<std::string> foot_group_names(const std::vector<Foot>& feet);

// One name per velocity, as "root.linear_x" or "front_left_knee".
std::vector<std::string> dof_names(const RobotModel& robot);

}  // namespace footfall::record
