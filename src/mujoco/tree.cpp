// Bodies, joints and dofs.
#include <algorithm>

#include "mujoco/build.hpp"

namespace footfall::from_mujoco {
namespace {

JointType joint_type(int mujoco_type) {
  switch (mujoco_type) {
  case mjJNT_FREE:
    return JointType::free;
  case mjJNT_BALL:
    return JointType::ball;
  case mjJNT_SLIDE:
    return JointType::slide;
  default:
    return JointType::hinge;
  }
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
  switch (joint.type) {
  case JointType::free:
    joint.spring_ref_position = vec3(rest);
    joint.spring_ref_quat = quat(rest + 3);
    break;
  case JointType::ball:
    joint.spring_ref_quat = quat(rest);
    break;
  default:
    joint.spring_ref = rest[0];
  }
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

}  // namespace footfall::from_mujoco
