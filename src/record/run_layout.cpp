#include "record/run_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "footfall/step/step.hpp"

namespace footfall::record {

namespace {

struct Names {
  std::vector<std::string> names, units;
  void add(const std::string& joint, const char* part, const char* unit) {
    names.push_back(joint + part);
    units.emplace_back(unit);
  }
};

Names position_names(const RobotModel& robot) {
  Names out;
  for (const Joint& joint : robot.joints) {
    const bool is_free = joint.type == JointType::free;
    if (is_free) {
      for (const char* part : {".x", ".y", ".z"}) out.add(joint.name, part, "m");
    }
    if (is_free || joint.type == JointType::ball) {
      for (const char* part : {".quat_w", ".quat_x", ".quat_y", ".quat_z"}) {
        out.add(joint.name, part, "1");
      }
    } else {
      out.add(joint.name, "", joint.type == JointType::hinge ? "rad" : "m");
    }
  }
  return out;
}

Names velocity_names(const RobotModel& robot) {
  Names out;
  for (const Joint& joint : robot.joints) {
    const bool is_free = joint.type == JointType::free;
    if (is_free) {
      for (const char* part : {".linear_x", ".linear_y", ".linear_z"}) {
        out.add(joint.name, part, "m/s");
      }
    }
    if (is_free || joint.type == JointType::ball) {
      for (const char* part : {".angular_x", ".angular_y", ".angular_z"}) {
        out.add(joint.name, part, "rad/s");
      }
    } else {
      out.add(joint.name, "", joint.type == JointType::hinge ? "rad/s" : "m/s");
    }
  }
  return out;
}

// An actuator's control has the unit of what its gain makes a force of.
Names control_names(const RobotModel& robot) {
  Names out;
  for (const Actuator& a : robot.actuators) {
    const bool turns = robot.joints[a.joint].type != JointType::slide;
    const char* unit = "1";
    if (a.bias1 != 0 && a.bias1 == -a.gain) {
      unit = turns ? "rad" : "m";
    } else if (a.bias2 != 0 && a.bias2 == -a.gain) {
      unit = turns ? "rad/s" : "m/s";
    } else if (a.gain == 1) {
      unit = turns ? "N m" : "N";
    }
    out.add(a.name, "", unit);
  }
  return out;
}

ColumnLayout vector_column(const char* group, const char* name, const Names& names,
                           const char* meaning) {
  return {.group = group,
          .name = name,
          .width = static_cast<int>(names.names.size()),
          .unit = "see units",
          .meaning = meaning,
          .frame = "",
          .names = names.names,
          .units = names.units};
}

ColumnLayout scalar(const std::string& group, const char* name, const char* unit,
                    const char* meaning, Element element = Element::real) {
  return {.group = group,
          .name = name,
          .element = element,
          .width = 0,
          .unit = unit,
          .meaning = meaning,
          .frame = "",
          .names = {},
          .units = {}};
}

ColumnLayout vector3(const std::string& group, const char* name, const char* unit,
                     const char* meaning) {
  return {.group = group,
          .name = name,
          .width = 3,
          .unit = unit,
          .meaning = meaning,
          .frame = "W",
          .names = {"x", "y", "z"},
          .units = {}};
}

// In the order of RunWriter::Recorder::put_patch.
std::vector<ColumnLayout> patch_columns(const std::string& g) {
  return {
      scalar(g, "sinkage", "m", "force-weighted mean depth of the sole in the ground"),
      scalar(g, "sinkage_rate", "m/s", "its rate, positive while sinking"),
      scalar(g, "pad_compression", "m", "of the foot's pad, beside the sinkage"),
      scalar(g, "contact_area", "m^2", "area that touches the ground"),
      vector3(g, "center", "m", "pressure-weighted centre of contact"),
      vector3(g, "normal", "1", "of the ground there, from the ground to the foot"),
      vector3(g, "velocity", "m/s", "of the sole at the centre"),
      vector3(g, "shear_displacement", "m", "force-weighted mean shear of the soil"),
      scalar(g, "normal_force", "N", "of the ground on the foot, along the normal"),
      scalar(g, "tangential_force", "N", "of the ground on the foot, across the normal"),
      vector3(g, "force", "N", "of the ground on the foot"),
      vector3(g, "moment", "N m", "of the ground on the foot, about the centre"),
      scalar(g, "friction_use", "1", "tangential force over its limit, 1 where the foot slides"),
      scalar(g, "touching", "1", "1 if the foot carries any force", Element::flag),
  };
}

// Of granular media, in the order of RunWriter::Recorder::put_grains.
std::vector<ColumnLayout> grain_columns(const std::string& g) {
  std::vector<ColumnLayout> out = {
      scalar(g, "depth", "m", "of the sole's centre at the start of the step"),
      scalar(g, "tilt", "rad", "of the foot's axis from the ground's normal"),
      scalar(g, "clamped", "1", "1 if depth or tilt is outside the data", Element::flag),
      vector3(g, "surface_force", "N", "of the grains on the foot"),
      vector3(g, "surface_torque", "N m", "of the grains on the foot, about p_r on its axis"),
  };
  for (ColumnLayout& column : out) {
    if (column.width == 3) column.frame = "surface: z the ground's normal, x level with W's";
  }
  return out;
}

}  // namespace

std::vector<std::string> dof_names(const RobotModel& robot) { return velocity_names(robot).names; }

std::vector<std::string> foot_group_names(const std::vector<Foot>& feet) {
  std::vector<std::string> names;
  for (const Foot& foot : feet) {
    std::string name = foot.name;
    std::replace(name.begin(), name.end(), '/', ':');  // HDF5 would see a path
    if (name.find_first_not_of('.') == std::string::npos) name.insert(0, "foot");
    const std::string stem = name;
    for (int k = 2; std::find(names.begin(), names.end(), name) != names.end(); ++k) {
      name = fmt::format("{}_{}", stem, k);
    }
    names.push_back(name);
  }
  return names;
}

std::vector<ColumnLayout> run_columns(const World& world) {
  std::vector<ColumnLayout> out = {
      scalar("", "time", "s", "at the end of the step"),
      vector_column("state", "qpos", position_names(world.robot),
                    "coordinates of all joints, as MuJoCo's qpos"),
      vector_column("state", "qvel", velocity_names(world.robot),
                    "velocities of all joints, as MuJoCo's qvel: of a free joint the linear part "
                    "in W, the angular part in the body's frame"),
      vector_column("state", "control", control_names(world.robot), "command to each actuator"),
  };
  std::erase_if(out, [](const ColumnLayout& c) { return c.group == "state" && c.width == 0; });
  for (const std::string& name : foot_group_names(world.soles.feet)) {
    std::vector<ColumnLayout> patch = patch_columns("feet/" + name);
    std::move(patch.begin(), patch.end(), std::back_inserter(out));
    if (wrench_space(world.ground) == nullptr) continue;
    std::vector<ColumnLayout> grains = grain_columns("feet/" + name);
    std::move(grains.begin(), grains.end(), std::back_inserter(out));
  }
  out.push_back(scalar("solver", "iterations", "1", "sweeps that the step took", Element::integer));
  out.push_back(scalar("solver", "residual", "N", "largest force error that was left"));
  out.push_back(scalar("solver", "converged", "1", "1 if the residual is within the tolerance",
                       Element::flag));
  for (const char* stage : kStageNames) {
    out.push_back(scalar("stages", stage, "s", "time that this stage of the step took, measured"));
  }
  out.push_back(scalar("energy", "kinetic", "J", "of all bodies"));
  out.push_back(scalar("energy", "gravity", "J", "potential, zero at the origin of W"));
  out.push_back(scalar("energy", "springs", "J", "of joint springs"));
  out.push_back(scalar("energy", "ground", "J", "elastic, of the ground, normal and shear"));
  out.push_back(scalar("energy", "total", "J", "sum of the others"));
  return out;
}

}  // namespace footfall::record
