// The keys of a robot file and the fields that they hold: one list for the writer and the reader.
//
// list_fields(archive, part) calls archive(key, field) for each. What follows from the order of bodies and
// joints is not in the file, see robot/assemble.hpp.
#pragma once

#include <array>
#include <concepts>
#include <type_traits>

#include "footfall/robot/model.hpp"

namespace footfall::robot_file {

inline constexpr const char* kFormat = "footfall-robot";

inline constexpr std::array kJointTypes = {"free", "ball", "hinge", "slide"};
inline constexpr std::array kGeomTypes = {"sphere", "capsule",   "cylinder",
                                          "box",    "ellipsoid", "mesh"};
inline const auto& names_of(JointType) { return kJointTypes; }
inline const auto& names_of(GeomType) { return kGeomTypes; }

// A part to be filled, or a constant one to be written.
template <class Part, class Type>
concept PartOf = std::same_as<std::remove_const_t<Part>, Type>;

template <class Archive, PartOf<Body> Part>
void list_fields(Archive& archive, Part& body) {
  archive("name", body.name);
  archive("parent", body.parent);
  archive("position_m", body.position);
  archive("quaternion_wxyz", body.quat);
  archive("rotation_columns", body.rotation);
  archive("mass_kg", body.mass);
  archive("center_of_mass_m", body.com);
  archive("inertia_kg_m2", body.inertia);
  archive("gravity_compensation", body.gravity_compensation);
}

template <class Archive, PartOf<Joint> Part>
void list_fields(Archive& archive, Part& joint) {
  archive("name", joint.name);
  archive("type", joint.type);
  archive("body", joint.body);
  archive("axis", joint.axis);
  archive("anchor_m", joint.anchor);
  archive("reference", joint.q0);
  archive("stiffness", joint.stiffness);
  archive("spring_reference", joint.spring_ref);
  archive("spring_reference_quaternion_wxyz", joint.spring_ref_quat);
  archive("spring_reference_position_m", joint.spring_ref_position);
  archive("limited", joint.limited);
  archive("lower", joint.lower);
  archive("upper", joint.upper);
  archive("actuator_force_limited", joint.actuator_force_limited);
  archive("actuator_force_lower", joint.actuator_force_lower);
  archive("actuator_force_upper", joint.actuator_force_upper);
}

template <class Archive, PartOf<Dof> Part>
void list_fields(Archive& archive, Part& dof) {
  archive("armature", dof.armature);
  archive("damping", dof.damping);
  archive("friction_loss", dof.friction_loss);
}

template <class Archive, PartOf<Geom> Part>
void list_fields(Archive& archive, Part& geom) {
  archive("name", geom.name);
  archive("type", geom.type);
  archive("body", geom.body);
  archive("position_m", geom.position);
  archive("rotation_columns", geom.rotation);
  archive("size_m", geom.size);
  archive("friction_coefficient", geom.friction);
  archive("collides", geom.collides);
  archive("rgba", geom.rgba);
  archive("vertices_m", geom.vertices);
  archive("triangles", geom.triangles);
}

template <class Archive, PartOf<Actuator> Part>
void list_fields(Archive& archive, Part& actuator) {
  archive("name", actuator.name);
  archive("joint", actuator.joint);
  archive("dof", actuator.dof);
  archive("gear", actuator.gear);
  archive("gain", actuator.gain);
  archive("bias_constant", actuator.bias0);
  archive("bias_position", actuator.bias1);
  archive("bias_velocity", actuator.bias2);
  archive("control_limited", actuator.control_limited);
  archive("control_lower", actuator.control_lower);
  archive("control_upper", actuator.control_upper);
  archive("force_limited", actuator.force_limited);
  archive("force_lower", actuator.force_lower);
  archive("force_upper", actuator.force_upper);
}

template <class Archive, PartOf<Keyframe> Part>
void list_fields(Archive& archive, Part& keyframe) {
  archive("name", keyframe.name);
  archive("qpos", keyframe.qpos);
  archive("qvel", keyframe.qvel);
  archive("control", keyframe.control);
}

// After "format" and "version".
template <class Archive, PartOf<RobotModel> Part>
void list_fields(Archive& archive, Part& robot) {
  archive("name", robot.name);
  archive("source_file", robot.source_file);
  archive("gravity_m_per_s2", robot.gravity);
  archive("timestep_s", robot.file_timestep);
  archive("qpos0", robot.qpos0);
  archive("warnings", robot.warnings);
  archive("bodies", robot.bodies);
  archive("joints", robot.joints);
  archive("dofs", robot.dofs);
  archive("geoms", robot.geoms);
  archive("actuators", robot.actuators);
  archive("keyframes", robot.keyframes);
}

// Vectors, quaternions and matrices are lists of numbers.
inline std::array<double, 3> to_numbers(const Vec3d& a) { return {a.x, a.y, a.z}; }
inline std::array<double, 4> to_numbers(const Quatd& q) { return {q.w, q.x, q.y, q.z}; }
inline std::array<double, 6> to_numbers(const Sym3<double>& m) {
  return {m.xx, m.xy, m.xz, m.yy, m.yz, m.zz};
}
inline std::array<double, 9> to_numbers(const Mat3d& m) {
  return {m.x.x, m.x.y, m.x.z, m.y.x, m.y.y, m.y.z, m.z.x, m.z.y, m.z.z};
}
inline void from_numbers(const std::array<double, 3>& n, Vec3d& a) { a = {n[0], n[1], n[2]}; }
inline void from_numbers(const std::array<double, 4>& n, Quatd& q) { q = {n[0], n[1], n[2], n[3]}; }
inline void from_numbers(const std::array<double, 6>& n, Sym3<double>& m) {
  m = {n[0], n[1], n[2], n[3], n[4], n[5]};
}
inline void from_numbers(const std::array<double, 9>& n, Mat3d& m) {
  m = {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, {n[6], n[7], n[8]}};
}

template <class Field>
concept OfNumbers = requires(const Field& field) { to_numbers(field); };

}  // namespace footfall::robot_file
