// Bodies, joints and dofs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "input_error.hpp"
#include "mujoco/build.hpp"
#include "mujoco/may_touch.hpp"

namespace footfall::from_mujoco {
namespace {

JointType joint_type(int mujoco_type) {
  return look_up<JointType>({{mjJNT_FREE, JointType::free},
                             {mjJNT_BALL, JointType::ball},
                             {mjJNT_SLIDE, JointType::slide}},
                            mujoco_type, JointType::hinge);
}

// MuJoCo stores principal moments in the axes of the inertial frame; ours are in the body's axes.
Sym3<double> inertia_in_body_axes(const mjModel& m, int b) {
  const mjtNum* principal = m.body_inertia + 3 * b;
  const Mat3d R_BI = to_matrix(quat(m.body_iquat + 4 * b));
  return rotate(R_BI, Sym3<double>{principal[0], 0, 0, principal[1], 0, principal[2]});
}

void build_spring(const mjModel& m, int j, Joint& joint) {
  joint.stiffness = m.jnt_stiffness[j];
  const mjtNum* rest = m.qpos_spring + joint.q_index;
  if (joint.type == JointType::free) joint.spring_ref_position = vec3(rest);
  if (joint.type == JointType::free) joint.spring_ref_quat = quat(rest + 3);
  if (joint.type == JointType::ball) joint.spring_ref_quat = quat(rest);
  if (position_count(joint.type) == 1) joint.spring_ref = rest[0];
}

bool has_pair_with_static_geom(const mjModel& m, int g) {
  for (int p = 0; p < m.npair; ++p) {
    const int a = m.pair_geom1[p];
    const int b = m.pair_geom2[p];
    if (a == g && is_static(m, m.geom_bodyid[b])) return true;
    if (b == g && is_static(m, m.geom_bodyid[a])) return true;
  }
  return false;
}

// A geom touches the scenario's ground if it touches the ground of its own file or, where the file
// has none, if it touches anything at all.
bool touches_ground(const mjModel& m, int g) {
  if (has_pair_with_static_geom(m, g)) return true;
  bool file_has_ground = false;
  for (int h = 0; h < m.ngeom; ++h) {
    if (!is_ground(m, h)) continue;
    file_has_ground = true;
    if (masks_match(m, g, h)) return true;
  }
  return !file_has_ground && (m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0);
}

GeomType geom_type(int mujoco_type) {
  return look_up<GeomType>({{mjGEOM_CAPSULE, GeomType::capsule},
                            {mjGEOM_CYLINDER, GeomType::cylinder},
                            {mjGEOM_BOX, GeomType::box},
                            {mjGEOM_ELLIPSOID, GeomType::ellipsoid},
                            {mjGEOM_MESH, GeomType::mesh}},
                           mujoco_type, GeomType::sphere);
}

Vec3d mesh_vertex(const mjModel& m, int mesh, int vertex) {
  const float* v = m.mesh_vert + 3 * (m.mesh_vertadr[mesh] + vertex);
  return {v[0], v[1], v[2]};
}

// The convex hull that MuJoCo made; its record is described in the manual under "Convex hulls".
void build_hull(const mjModel& m, int mesh, Geom& geom) {
  const int* record = m.mesh_graph + m.mesh_graphadr[mesh];
  const int vertex_count = record[0];
  const int face_count = record[1];
  const int* vertices = record + 2 + vertex_count;
  const int* faces = vertices + vertex_count + vertex_count + 3 * face_count;
  std::unordered_map<int, int> index;  // of a mesh's vertex among those of the hull
  for (int i = 0; i < vertex_count; ++i) {
    index[vertices[i]] = i;
    geom.vertices.push_back(mesh_vertex(m, mesh, vertices[i]));
  }
  for (int f = 0; f < face_count; ++f) {
    geom.triangles.push_back(
        {index[faces[3 * f]], index[faces[3 * f + 1]], index[faces[3 * f + 2]]});
  }
}

// A mesh that never touches anything has no hull in MuJoCo: its own triangles, for pictures.
void build_mesh(const mjModel& m, int mesh, Geom& geom) {
  if (m.mesh_graphadr[mesh] >= 0) return build_hull(m, mesh, geom);
  for (int v = 0; v < m.mesh_vertnum[mesh]; ++v) geom.vertices.push_back(mesh_vertex(m, mesh, v));
  for (int f = 0; f < m.mesh_facenum[mesh]; ++f) {
    const int* face = m.mesh_face + 3 * (m.mesh_faceadr[mesh] + f);
    geom.triangles.push_back({face[0], face[1], face[2]});
  }
}

// A geom's own colour, or that of its material if the geom has only MuJoCo's default grey.
std::array<float, 4> colour(const mjModel& m, int g) {
  const float* own = m.geom_rgba + 4 * g;
  const std::array<float, 4> default_grey{0.5F, 0.5F, 0.5F, 1.0F};
  const bool is_default = std::equal(default_grey.begin(), default_grey.end(), own);
  const int material = m.geom_matid[g];
  const float* rgba = is_default && material >= 0 ? m.mat_rgba + 4 * material : own;
  return {rgba[0], rgba[1], rgba[2], rgba[3]};
}

Geom build_geom(const mjModel& m, int g, int index) {
  Geom geom;
  geom.name = name_or_index(m, mjOBJ_GEOM, g, index);
  geom.type = geom_type(m.geom_type[g]);
  geom.body = m.geom_bodyid[g];
  geom.position = vec3(m.geom_pos + 3 * g);
  geom.rotation = to_matrix(quat(m.geom_quat + 4 * g));
  geom.size = vec3(m.geom_size + 3 * g);
  geom.friction = m.geom_friction[3 * g];
  geom.collides = !is_static(m, geom.body) && touches_ground(m, g);
  geom.rgba = colour(m, g);
  if (geom.type == GeomType::mesh) build_mesh(m, m.geom_dataid[g], geom);
  return geom;
}

void warn_of(const std::vector<std::string>& names, const char* what,
             std::vector<std::string>& warnings) {
  if (!names.empty()) warnings.push_back(fmt::format("{}: {}", what, list_of(names)));
}

}  // namespace

void build_bodies(const mjModel& m, RobotModel& model) {
  for (int b = 0; b < m.nbody; ++b) {
    Body body;
    body.name = name_or_index(m, mjOBJ_BODY, b, b);
    body.parent = m.body_parentid[b];
    body.root = m.body_rootid[b];
    body.position = vec3(m.body_pos + 3 * b);
    body.quat = quat(m.body_quat + 4 * b);
    body.rotation = to_matrix(body.quat);
    body.mass = m.body_mass[b];
    body.com = vec3(m.body_ipos + 3 * b);
    body.inertia = inertia_in_body_axes(m, b);
    body.gravity_compensation = m.body_gravcomp[b];
    body.first_joint = std::max(0, m.body_jntadr[b]);  // −1 in MuJoCo: no joints
    body.joint_count = m.body_jntnum[b];
    model.bodies.push_back(body);
  }
}

void build_joints(const mjModel& m, RobotModel& model) {
  for (int j = 0; j < m.njnt; ++j) {
    Joint joint;
    joint.name = name_or_index(m, mjOBJ_JOINT, j, j);
    joint.type = joint_type(m.jnt_type[j]);
    joint.body = m.jnt_bodyid[j];
    joint.q_index = m.jnt_qposadr[j];
    joint.v_index = m.jnt_dofadr[j];
    joint.axis = vec3(m.jnt_axis + 3 * j);
    joint.anchor = vec3(m.jnt_pos + 3 * j);
    if (position_count(joint.type) == 1) joint.q0 = m.qpos0[joint.q_index];
    build_spring(m, j, joint);
    joint.limited = m.jnt_limited[j];
    joint.lower = m.jnt_range[2 * j];
    joint.upper = m.jnt_range[2 * j + 1];
    if (joint.lower > joint.upper) {  // MuJoCo takes a URDF's for none
      throw input_error("joint '{}' has range {} to {}, expected the lower limit first", joint.name,
                        joint.lower, joint.upper);
    }
    joint.actuator_force_limited = m.jnt_actfrclimited[j];
    joint.actuator_force_lower = m.jnt_actfrcrange[2 * j];
    joint.actuator_force_upper = m.jnt_actfrcrange[2 * j + 1];
    model.joints.push_back(joint);
  }
  for (int d = 0; d < m.nv; ++d) {
    model.dofs.push_back({.joint = m.dof_jntid[d],
                          .body = m.dof_bodyid[d],
                          .parent = m.dof_parentid[d],
                          .armature = m.dof_armature[d],
                          .damping = m.dof_damping[d],
                          .friction_loss = m.dof_frictionloss[d]});
  }
}

// Shapes that can touch the ground, and those that are only there to be looked at.

void build_geoms(const mjModel& m, RobotModel& model) {
  std::vector<std::string> of_the_world;     // left out
  std::vector<std::string> fixed;            // kept for pictures
  std::vector<std::string> passing_through;  // collide, but not with the file's ground
  for (int g = 0; g < m.ngeom; ++g) {
    if (m.geom_bodyid[g] == 0 || is_ground(m, g)) {
      of_the_world.push_back(label(m, mjOBJ_GEOM, g));
      continue;
    }
    const Geom geom = build_geom(m, g, static_cast<int>(model.geoms.size()));
    const bool has_masks = m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0;
    if (has_masks && !geom.collides) {
      (is_static(m, geom.body) ? fixed : passing_through).push_back(label(m, mjOBJ_GEOM, g));
    }
    model.geoms.push_back(geom);
  }
  warn_of(of_the_world, "shape left out, because Footfall's scenario brings the ground",
          model.warnings);
  warn_of(fixed, "touches nothing, because it is fixed to the world", model.warnings);
  warn_of(passing_through,
          "touches no ground, because its contype and conaffinity pass through that of the file",
          model.warnings);
}

}  // namespace footfall::from_mujoco
