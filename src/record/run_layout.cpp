#include "record/run_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::record {

namespace {

struct Names {
  std::vector<std::string> names, units;
  void add(const std::string& joint, const char* part, const char* unit) {
    names.push_back(joint + part);
    units.emplace_back(unit);
  }
};

// Names of a coordinate's or velocity's numbers, by what they are of, and their units.
struct JointNames {
  std::vector<const char*> linear;
  const char* linear_unit;
  std::vector<const char*> angular;
  const char *angular_unit, *hinge_unit;
};

Names joint_names(const RobotModel& robot, const JointNames& parts) {
  Names out;
  for (const Joint& joint : robot.joints) {
    const bool is_free = joint.type == JointType::free;
    if (is_free) {
      for (const char* part : parts.linear) out.add(joint.name, part, parts.linear_unit);
    }
    if (is_free || joint.type == JointType::ball) {
      for (const char* part : parts.angular) out.add(joint.name, part, parts.angular_unit);
    } else {
      const bool turns = joint.type == JointType::hinge;
      out.add(joint.name, "", turns ? parts.hinge_unit : parts.linear_unit);
    }
  }
  return out;
}

Names position_names(const RobotModel& robot) {
  return joint_names(
      robot, {{".x", ".y", ".z"}, "m", {".quat_w", ".quat_x", ".quat_y", ".quat_z"}, "1", "rad"});
}

Names velocity_names(const RobotModel& robot) {
  return joint_names(robot, {{".linear_x", ".linear_y", ".linear_z"},
                             "m/s",
                             {".angular_x", ".angular_y", ".angular_z"},
                             "rad/s",
                             "rad/s"});
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
          .names = names.names,
          .units = names.units};
}

ColumnLayout scalar(const std::string& group, const char* name, const char* unit,
                    const char* meaning, Element element = Element::real) {
  return {.group = group, .name = name, .element = element, .unit = unit, .meaning = meaning};
}

template <class Patch>
void add_columns(const std::string& group, std::span<const PatchColumn<Patch>> columns,
                 const char* frame, std::vector<ColumnLayout>& out) {
  for (const PatchColumn<Patch>& c : columns) {
    out.push_back(scalar(group, c.name, c.unit, c.meaning,
                         c.field.index() == 2 ? Element::flag : Element::real));
    if (c.field.index() != 1) continue;
    out.back().width = 3;
    out.back().frame = frame;
    out.back().names = {"x", "y", "z"};
  }
}

using Of = FootPatch;
constexpr PatchColumn<Of> kPatchColumns[] = {
    {"sinkage", "m", "force-weighted mean depth of the sole in the ground", &Of::sinkage},
    {"sinkage_rate", "m/s", "its rate, positive while sinking", &Of::sinkage_rate},
    {"pad_compression", "m", "of the foot's pad, beside the sinkage", &Of::pad_compression},
    {"contact_area", "m^2", "area that touches the ground", &Of::contact_area},
    {"center", "m", "pressure-weighted centre of contact", &Of::center},
    {"normal", "1", "of the ground there, from the ground to the foot", &Of::normal},
    {"velocity", "m/s", "of the sole at the centre", &Of::velocity},
    {"shear_displacement", "m", "force-weighted mean shear of the soil", &Of::shear_displacement},
    {"normal_force", "N", "of the ground on the foot, along the normal", &Of::normal_force},
    {"tangential_force", "N", "of the ground on the foot, across the normal",
     &Of::tangential_force},
    {"force", "N", "of the ground on the foot", &Of::force},
    {"moment", "N m", "of the ground on the foot, about the centre", &Of::moment},
    {"friction_use", "1", "tangential force over its limit, 1 where the foot slides",
     &Of::friction_use},
    {"touching", "1", "1 if the foot carries any force", &Of::touching},
};

constexpr PatchColumn<GrainPatch> kGrainColumns[] = {
    {"depth", "m", "of the sole's centre at the start of the step", &GrainPatch::depth},
    {"tilt", "rad", "of the foot's axis from the ground's normal", &GrainPatch::tilt},
    {"clamped", "1", "1 if depth or tilt is outside the data", &GrainPatch::clamped},
    {"surface_force", "N", "of the grains on the foot", &GrainPatch::force},
    {"surface_torque", "N m", "of the grains on the foot, about p_r on its axis",
     &GrainPatch::torque},
};

ColumnLayout vector3(const char* group, const char* name, const char* unit, const char* meaning) {
  return {.group = group,
          .name = name,
          .width = 3,
          .unit = unit,
          .meaning = meaning,
          .frame = "W",
          .names = {"x", "y", "z"}};
}

// Of the robot beside its feet.
void add_body_columns(const World& world, std::vector<ColumnLayout>& out) {
  const BodyContacts contacts = make_body_contacts(world);
  if (!contacts.bodies.empty()) {
    out.push_back(scalar("body_contacts", "normal_force", "N",
                         "of the ground on each body, without its feet, along the normals"));
    out.back().width = static_cast<int>(contacts.bodies.size());
    for (const int b : contacts.bodies) out.back().names.push_back(world.robot.bodies[b].name);
    out.push_back(vector3("body_contacts", "force", "N", "of the ground on all these bodies"));
    out.push_back(vector3("body_contacts", "moment", "N m",
                          "of the ground on all these bodies, about the origin of W"));
  }
  out.push_back(vector3("momentum", "linear", "N s", "of all bodies"));
  out.push_back(vector3("momentum", "change", "N s",
                        "that the step's forces made: timestep times the sum of all forces"));
}

}  // namespace

std::span<const PatchColumn<FootPatch>> patch_columns() { return kPatchColumns; }
std::span<const PatchColumn<GrainPatch>> grain_columns() { return kGrainColumns; }

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
    add_columns("feet/" + name, patch_columns(), "W", out);
    if (wrench_space(world.ground) == nullptr) continue;
    add_columns("feet/" + name, grain_columns(), "surface: z the ground's normal, x level with W's",
                out);
  }
  add_body_columns(world, out);
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
