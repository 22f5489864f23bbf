#include "footfall/robot/assemble.hpp"

#include <fmt/format.h>

#include <cmath>

namespace footfall {
namespace {

constexpr double kUnitTolerance = 1e-6;  // of lengths and angles that must be 1 or right

// Keeps the first fault.
class FaultFinder {
 public:
  template <class... Args>
  void expect(bool good, const char* list, std::size_t index, const char* key,
              fmt::format_string<Args...> what, Args&&... args) {
    if (good || fault_) return;
    fault_ = RobotFault{list, static_cast<int>(index), key,
                        fmt::format(what, std::forward<Args>(args)...)};
  }
  void expect_size(std::size_t size, std::size_t expected, const char* list, std::size_t index,
                   const char* key) {
    expect(size == expected, list, index, key, "has {} elements, expected {}", size, expected);
  }
  void expect_not_negative(double value, const char* list, std::size_t index, const char* key) {
    expect(value >= 0, list, index, key, "= {}, expected 0 or more", value);
  }
  void expect_order(bool limited, double lower, double upper, const char* list, std::size_t index,
                    const char* key) {
    expect(!limited || lower <= upper, list, index, key,
           "= {}, expected at least {}, the lower one", upper, lower);
  }
  const std::optional<RobotFault>& fault() const { return fault_; }

 private:
  std::optional<RobotFault> fault_;
};

bool is_unit(double squared_length) { return std::abs(squared_length - 1) <= kUnitTolerance; }

bool is_unit(const double* q) {
  return is_unit(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}
bool is_unit(const Quatd& q) { return is_unit(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); }

bool is_rotation(const Mat3d& r) {
  const Vec3d z = cross(r.x, r.y) - r.z;
  return is_unit(dot(r.x, r.x)) && is_unit(dot(r.y, r.y)) &&
         std::abs(dot(r.x, r.y)) <= kUnitTolerance && norm(z) <= kUnitTolerance;
}

bool are_equal(const Mat3d& a, const Mat3d& b) {
  return norm(a.x - b.x) + norm(a.y - b.y) + norm(a.z - b.z) <= kUnitTolerance;
}

constexpr const char* kUnitQuaternion = "is no unit quaternion, expected one of length 1";
constexpr const char* kRotation = "is no rotation, expected the columns of a rotation matrix";

void check_tree(const RobotModel& model, FaultFinder& find) {
  const int bodies = model.body_count();
  find.expect(bodies > 0, "", 0, "bodies", "is empty, expected the world first");
  for (int b = 0; b < bodies; ++b) {
    const int parent = model.bodies[b].parent, most = b == 0 ? 0 : b - 1;
    find.expect(parent >= 0 && parent <= most, "bodies", b, "parent", "= {}, expected 0 to {}",
                parent, most);
  }
  int last = 1;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const int body = model.joints[j].body;
    find.expect(bodies > 1, "joints", j, "body", "= {}, but there is none beside the world", body);
    find.expect(body >= last && body < bodies, "joints", j, "body",
                "= {}, expected {} to {}: joints stand in the order of their bodies", body, last,
                bodies - 1);
    last = body;
  }
}

void number_joints(RobotModel& model) {
  for (Body& body : model.bodies) body.first_joint = body.joint_count = 0;
  int q = 0, v = 0;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    Joint& joint = model.joints[j];
    Body& body = model.bodies[joint.body];
    if (body.joint_count++ == 0) body.first_joint = static_cast<int>(j);
    joint.q_index = q;
    joint.v_index = v;
    q += position_count(joint.type);
    v += velocity_count(joint.type);
  }
}

void number_tree(RobotModel& model) {
  std::vector<int> last_dof(model.bodies.size(), -1);  // on the way to the world, with its own
  for (int b = 0; b < model.body_count(); ++b) {
    Body& body = model.bodies[b];
    body.root = body.parent == 0 ? b : model.bodies[body.parent].root;
    if (b > 0) last_dof[b] = last_dof[body.parent];
    for (int j = body.first_joint; j < body.first_joint + body.joint_count; ++j) {
      const Joint& joint = model.joints[j];
      for (int d = joint.v_index; d < joint.v_index + velocity_count(joint.type); ++d) {
        model.dofs[d].joint = j;
        model.dofs[d].body = b;
        model.dofs[d].parent = last_dof[b];
        last_dof[b] = d;
      }
    }
  }
}

void check_bodies(const RobotModel& model, FaultFinder& find) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    find.expect(is_unit(body.quat), "bodies", b, "quaternion_wxyz", "{}", kUnitQuaternion);
    find.expect(are_equal(body.rotation, to_matrix(body.quat)), "bodies", b, "rotation_columns",
                "is not the rotation of quaternion_wxyz");
    find.expect_not_negative(body.mass, "bodies", b, "mass_kg");
    const Sym3<double>& I = body.inertia;
    find.expect(I.xx >= 0 && I.yy >= 0 && I.zz >= 0, "bodies", b, "inertia_kg_m2",
                "has a negative moment, expected xx, yy and zz of 0 or more");
  }
}

void check_joints(const RobotModel& model, FaultFinder& find) {
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    const Body& body = model.bodies[joint.body];
    const bool has_axis = position_count(joint.type) == 1;
    find.expect(!has_axis || is_unit(dot(joint.axis, joint.axis)), "joints", j, "axis",
                "has length {}, expected 1", norm(joint.axis));
    const bool alone = body.parent == 0 && body.joint_count == 1;
    find.expect(joint.type != JointType::free || alone, "joints", j, "type",
                "= \"free\", expected only as the one joint of a body whose parent is the world");
    find.expect_not_negative(joint.stiffness, "joints", j, "stiffness");
    find.expect(is_unit(joint.spring_ref_quat), "joints", j, "spring_reference_quaternion_wxyz",
                "{}", kUnitQuaternion);
    find.expect_order(joint.limited, joint.lower, joint.upper, "joints", j, "upper");
    find.expect_order(joint.actuator_force_limited, joint.actuator_force_lower,
                      joint.actuator_force_upper, "joints", j, "actuator_force_upper");
  }
  for (std::size_t d = 0; d < model.dofs.size(); ++d) {
    find.expect_not_negative(model.dofs[d].armature, "dofs", d, "armature");
    find.expect_not_negative(model.dofs[d].damping, "dofs", d, "damping");
    find.expect_not_negative(model.dofs[d].friction_loss, "dofs", d, "friction_loss");
  }
}

void check_geoms(const RobotModel& model, FaultFinder& find) {
  for (std::size_t g = 0; g < model.geoms.size(); ++g) {
    const Geom& geom = model.geoms[g];
    find.expect(geom.body >= 1 && geom.body < model.body_count(), "geoms", g, "body",
                "= {}, expected 1 to {}", geom.body, model.body_count() - 1);
    find.expect(is_rotation(geom.rotation), "geoms", g, "rotation_columns", "{}", kRotation);
    find.expect(geom.size.x >= 0 && geom.size.y >= 0 && geom.size.z >= 0, "geoms", g, "size_m",
                "has a negative number, expected 0 or more");
    find.expect_not_negative(geom.friction, "geoms", g, "friction_coefficient");
    find.expect(geom.type != GeomType::mesh || !geom.vertices.empty(), "geoms", g, "vertices_m",
                "is empty, expected the corners of the mesh");
    const int vertices = static_cast<int>(geom.vertices.size());
    for (const std::array<int, 3>& triangle : geom.triangles) {
      for (const int v : triangle) {
        find.expect(v >= 0 && v < vertices, "geoms", g, "triangles",
                    "has the corner {}, expected 0 to {}", v, vertices - 1);
      }
    }
  }
}

void check_actuators(const RobotModel& model, FaultFinder& find) {
  const int joints = static_cast<int>(model.joints.size());
  for (std::size_t a = 0; a < model.actuators.size(); ++a) {
    const Actuator& actuator = model.actuators[a];
    const bool known = actuator.joint >= 0 && actuator.joint < joints;
    find.expect(known, "actuators", a, "joint", "= {}, expected 0 to {}", actuator.joint,
                joints - 1);
    if (!known) return;
    const Joint& joint = model.joints[actuator.joint];
    const int first = joint.v_index, last = first + velocity_count(joint.type) - 1;
    find.expect(actuator.dof >= first && actuator.dof <= last, "actuators", a, "dof",
                "= {}, expected {} to {}, a dof of its joint", actuator.dof, first, last);
    find.expect_order(actuator.control_limited, actuator.control_lower, actuator.control_upper,
                      "actuators", a, "control_upper");
    find.expect_order(actuator.force_limited, actuator.force_lower, actuator.force_upper,
                      "actuators", a, "force_upper");
  }
}

void check_pose(const RobotModel& model, const std::vector<double>& qpos, const char* list,
                std::size_t index, const char* key, FaultFinder& find) {
  std::size_t size = 0;
  for (const Joint& joint : model.joints) size += position_count(joint.type);
  find.expect_size(qpos.size(), size, list, index, key);
  if (qpos.size() != size) return;
  for (const Joint& joint : model.joints) {
    if (position_count(joint.type) == 1) continue;
    const int q = joint.q_index + (joint.type == JointType::free ? 3 : 0);
    find.expect(is_unit(&qpos[q]), list, index, key,
                "has at {} the orientation of joint '{}', which is no unit quaternion", q,
                joint.name);
  }
}

void check_poses(const RobotModel& model, FaultFinder& find) {
  check_pose(model, model.qpos0, "", 0, "qpos0", find);
  for (std::size_t k = 0; k < model.keyframes.size(); ++k) {
    const Keyframe& key = model.keyframes[k];
    check_pose(model, key.qpos, "keyframes", k, "qpos", find);
    find.expect_size(key.qvel.size(), model.dofs.size(), "keyframes", k, "qvel");
    find.expect_size(key.control.size(), model.actuators.size(), "keyframes", k, "control");
  }
}

}  // namespace

std::string RobotFault::message() const {
  return fmt::format("key '{}{}' {}", list.empty() ? "" : fmt::format("{}[{}].", list, index), key,
                     what);
}

std::optional<RobotFault> assemble_robot(RobotModel& model) {
  FaultFinder find;
  check_tree(model, find);
  if (find.fault()) return find.fault();
  number_joints(model);
  std::size_t dofs = 0;
  for (const Joint& joint : model.joints) dofs += velocity_count(joint.type);
  find.expect_size(model.dofs.size(), dofs, "", 0, "dofs");
  if (find.fault()) return find.fault();
  number_tree(model);
  check_bodies(model, find);
  check_joints(model, find);
  check_geoms(model, find);
  check_actuators(model, find);
  check_poses(model, find);
  find.expect(model.file_timestep > 0, "", 0, "timestep_s", "= {}, expected above 0",
              model.file_timestep);
  return find.fault();
}

}  // namespace footfall
