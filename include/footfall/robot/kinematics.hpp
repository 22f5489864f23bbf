// Where a robot's bodies are and how they move.
//
// Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 2 and 5, with all spatial quantities
// along world axes about one point O per tree (the root body's origin). The order of operations of
// a body with several joints, and the meaning of qpos and qvel, follow MuJoCo's mj_kinematics.
#pragma once

#include "footfall/robot/data.hpp"

namespace footfall {

// R·Rot(axis, angle). A rotation about a coordinate axis mixes only two columns.
template <class T>
Mat3<T> rotate_about(const Mat3<T>& r, const Vec3d& axis, const T& angle) {
  T s, c;
  sincos(angle, s, c);
  if (axis.x == 1.0) return {r.x, c * r.y + s * r.z, c * r.z - s * r.y};
  if (axis.y == 1.0) return {c * r.x - s * r.z, r.y, c * r.z + s * r.x};
  if (axis.z == 1.0) return {c * r.x + s * r.y, c * r.y - s * r.x, r.z};
  const Vec3<T> a = broadcast<T>(axis);
  const Vec3<T> b = (T(1) - c) * a;
  return r * Mat3<T>{{c + a.x * b.x, s * a.z + a.y * b.x, -s * a.y + a.z * b.x},
                     {-s * a.z + a.x * b.y, c + a.y * b.y, s * a.x + a.z * b.y},
                     {s * a.y + a.x * b.z, -s * a.x + a.y * b.z, c + a.z * b.z}};
}

namespace kinematics_detail {

inline bool is_zero(const Vec3d& v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

// R·v for a constant v, which is often a coordinate axis.
template <class T>
Vec3<T> rotate_axis(const Mat3<T>& R, const Vec3d& v) {
  if (v.x == 1.0) return R.x;
  if (v.y == 1.0) return R.y;
  if (v.z == 1.0) return R.z;
  return R * broadcast<T>(v);
}

// Moves the body's pose (R, p) by one joint and writes the joint's twists S about p_WO.
template <class T>
void apply_joint(const Joint& joint, const T* qpos, const Vec3<T>& p_WO, Mat3<T>& R, Vec3<T>& p,
                 Twist<T>* S) {
  const T* q = qpos + joint.q_index;
  switch (joint.type) {
  case JointType::free: {  // always a root, whose position is O
    p = {q[0], q[1], q[2]};
    R = to_matrix(normalized(Quat<T>{q[3], q[4], q[5], q[6]}));
    const Mat3<T> e = identity3<T>();
    S[0] = {zero3<T>(), e.x};
    S[1] = {zero3<T>(), e.y};
    S[2] = {zero3<T>(), e.z};
    S[3] = {R.x, zero3<T>()};
    S[4] = {R.y, zero3<T>()};
    S[5] = {R.z, zero3<T>()};
    break;
  }
  case JointType::ball: {
    const Vec3<T> local = broadcast<T>(joint.anchor);
    const Vec3<T> anchor = p + R * local;
    R = R * to_matrix(normalized(Quat<T>{q[0], q[1], q[2], q[3]}));
    p = anchor - R * local;
    S[0] = revolute_twist(R.x, anchor - p_WO);
    S[1] = revolute_twist(R.y, anchor - p_WO);
    S[2] = revolute_twist(R.z, anchor - p_WO);
    break;
  }
  case JointType::hinge: {
    const Vec3<T> axis = rotate_axis(R, joint.axis);
    const T angle = q[0] - T(joint.q0);
    if (is_zero(joint.anchor)) {
      R = rotate_about(R, joint.axis, angle);
      S[0] = revolute_twist(axis, p - p_WO);
    } else {
      const Vec3<T> local = broadcast<T>(joint.anchor);
      const Vec3<T> anchor = p + R * local;
      R = rotate_about(R, joint.axis, angle);
      p = anchor - R * local;
      S[0] = revolute_twist(axis, anchor - p_WO);
    }
    break;
  }
  case JointType::slide: {
    const Vec3<T> axis = rotate_axis(R, joint.axis);
    p += (q[0] - T(joint.q0)) * axis;
    S[0] = {zero3<T>(), axis};
    break;
  }
  }
}

// The root's joints were written about W's origin, because O, the root's final position, was not
// known until the last of them had moved it. Writes them about O.
template <class T>
void move_to_origin(const RobotModel& model, const Body& root, const Vec3<T>& p_WO,
                    RobotData<T>& data) {
  for (int j = root.first_joint; j < root.first_joint + root.joint_count; ++j) {
    const Joint& joint = model.joints[j];
    if (joint.type == JointType::free) continue;
    for (int d = joint.v_index; d < joint.v_index + velocity_count(joint.type); ++d) {
      data.S[d].lin -= cross(p_WO, data.S[d].ang);
    }
  }
}

// A body's inertia about O, from its pose with p_OB = p.
template <class T>
RigidInertia<T> inertia_about(const Body& body, const Mat3<T>& R, const Vec3<T>& p) {
  return shift_inertia(T(body.mass), R * broadcast<T>(body.com) + p,
                       rotate(R, broadcast<T>(body.inertia)));
}

}  // namespace kinematics_detail

// Poses, joint twists and inertias of all bodies from qpos.
template <class T>
void compute_positions(const RobotModel& model, const T* qpos, RobotData<T>& data) {
  using namespace kinematics_detail;
  for (int b = 1; b < model.body_count(); ++b) {
    const Body& body = model.bodies[b];
    const bool is_root = body.root == b;
    const Mat3<T> R_WP = data.R_WB[body.parent];
    const Vec3<T> p_WO = is_root ? zero3<T>() : data.p_WB[body.root];
    Mat3<T> R = body.quat.w == 1.0 ? R_WP : R_WP * broadcast<T>(body.rotation);
    Vec3<T> p = data.p_WB[body.parent] + R_WP * broadcast<T>(body.position);
    for (int j = body.first_joint; j < body.first_joint + body.joint_count; ++j) {
      apply_joint(model.joints[j], qpos, p_WO, R, p, &data.S[model.joints[j].v_index]);
    }
    if (is_root) move_to_origin(model, body, p, data);
    data.R_WB[b] = R;
    data.p_WB[b] = p;
    data.inertia[b] = inertia_about(body, R, is_root ? zero3<T>() : p - p_WO);
  }
}

// Twists and bias accelerations of all bodies from qvel, after compute_positions.
template <class T>
void compute_velocities(const RobotModel& model, const T* qvel, RobotData<T>& data) {
  data.A_bias[0] = {zero3<T>(), -broadcast<T>(model.gravity)};
  for (int b = 1; b < model.body_count(); ++b) {
    const Body& body = model.bodies[b];
    Twist<T> V = data.V[body.parent];
    Twist<T> A = data.A_bias[body.parent];
    for (int j = body.first_joint; j < body.first_joint + body.joint_count; ++j) {
      const Joint& joint = model.joints[j];
      int dof = joint.v_index;
      if (joint.type == JointType::free) {  // its translation axes do not turn
        V.lin += Vec3<T>{qvel[dof], qvel[dof + 1], qvel[dof + 2]};
        dof += 3;
      }
      const int end = joint.v_index + velocity_count(joint.type);
      Twist<T> SV = zero6<T>();
      for (; dof < end; ++dof) SV += qvel[dof] * data.S[dof];
      A += cross_motion(V, SV);  // Ṡ q̇: the axes turn with the body
      V += SV;
    }
    data.V[b] = V;
    data.A_bias[b] = A;
  }
}

// Velocity of a body-fixed point, its position given as p_OC.
template <class T>
Vec3<T> point_velocity(const Twist<T>& V, const Vec3<T>& p_OC) {
  return V.lin + cross(V.ang, p_OC);
}

// The last dof on the way from the world to a body; −1 if nothing moves it.
inline int last_dof(const RobotModel& model, int body) {
  while (body != 0 && model.bodies[body].joint_count == 0) body = model.bodies[body].parent;
  if (body == 0) return -1;
  const Body& b = model.bodies[body];
  const Joint& joint = model.joints[b.first_joint + b.joint_count - 1];
  return joint.v_index + velocity_count(joint.type) - 1;
}

// Columns of the 6×nv Jacobian of a body-fixed point p_WC (angular rows 0–2, linear 3–5), row-major.
template <class T>
void point_jacobian(const RobotModel& model, const RobotData<T>& data, int body,
                    const Vec3<T>& p_WC, T* jacobian) {
  const int nv = model.velocity_size();
  for (int i = 0; i < 6 * nv; ++i) jacobian[i] = T(0);
  const Vec3<T> p_OC = p_WC - tree_origin(model, data, body);
  for (int d = last_dof(model, body); d >= 0; d = model.dofs[d].parent) {
    const Vec3<T> lin = point_velocity(data.S[d], p_OC);
    const Vec3<T>& ang = data.S[d].ang;
    const T column[6] = {ang.x, ang.y, ang.z, lin.x, lin.y, lin.z};
    for (int row = 0; row < 6; ++row) jacobian[row * nv + d] = column[row];
  }
}

}  // namespace footfall
