// How a robot answers to forces: bias force, mass matrix and its factor, articulated sweep.
//
// Featherstone (2008): RNEA ch. 5, CRBA ch. 6, LᵀDL ch. 6.5, articulated bodies ch. 7. Needs
// compute_positions and, where velocities matter, compute_velocities.
#pragma once

#include "footfall/robot/kinematics.hpp"

namespace footfall {

// The wrench that a body needs to move as it does if no joint accelerates: I·A_bias + V ×* (I·V).
template <class T>
Wrench<T> body_bias(const RobotData<T>& data, int body) {
  const RigidInertia<T>& I = data.inertia[body];
  return I * data.A_bias[body] + cross_force(data.V[body], I * data.V[body]);
}

// Generalised bias force C(q, v) with gravity: the torque that gives zero acceleration (MuJoCo's
// qfrc_bias). `wrench` is scratch, one per body.
template <class T>
void bias_force(const RobotModel& model, const RobotData<T>& data, std::vector<Wrench<T>>& wrench,
                T* bias) {
  for (int b = 1; b < model.body_count(); ++b) wrench[b] = body_bias(data, b);
  for (int b = model.body_count() - 1; b > 0; --b) {
    const Body& body = model.bodies[b];
    for (int j = body.first_joint; j < body.first_joint + body.joint_count; ++j) {
      const Joint& joint = model.joints[j];
      for (int d = joint.v_index; d < joint.v_index + velocity_count(joint.type); ++d) {
        bias[d] = dot(data.S[d], wrench[b]);
      }
    }
    wrench[body.parent] += wrench[b];
  }
}

// Joint-space mass matrix M(q), nv×nv row-major, by composite bodies. `composite` is scratch.
template <class T>
void mass_matrix(const RobotModel& model, const RobotData<T>& data,
                 std::vector<RigidInertia<T>>& composite, T* M) {
  const int nv = model.velocity_size();
  for (int i = 0; i < nv * nv; ++i) M[i] = T(0);
  composite = data.inertia;
  for (int b = model.body_count() - 1; b > 0; --b) {
    if (model.bodies[b].parent != 0) composite[model.bodies[b].parent] += composite[b];
  }
  for (int d = nv - 1; d >= 0; --d) {
    const Wrench<T> f = composite[model.dofs[d].body] * data.S[d];
    for (int e = d; e >= 0; e = model.dofs[e].parent) {
      M[d * nv + e] = M[e * nv + d] = dot(data.S[e], f);
    }
    M[d * nv + d] += T(model.dofs[d].armature);
  }
}

// Factors M = LᵀDL in place (lower triangle), touching only entries on a dof's way to the root.
template <class T>
void factor_mass_matrix(const RobotModel& model, T* M) {
  const int nv = model.velocity_size();
  for (int k = nv - 1; k >= 0; --k) {
    for (int i = model.dofs[k].parent; i >= 0; i = model.dofs[i].parent) {
      const T l = M[k * nv + i] / M[k * nv + k];
      for (int j = i; j >= 0; j = model.dofs[j].parent) M[i * nv + j] -= l * M[k * nv + j];
      M[k * nv + i] = l;
    }
  }
}

// Solves M x = b in place of b, with M factored.
template <class T>
void solve_mass_matrix(const RobotModel& model, const T* factor, T* b) {
  const int nv = model.velocity_size();
  for (int k = nv - 1; k >= 0; --k) {
    for (int i = model.dofs[k].parent; i >= 0; i = model.dofs[i].parent) {
      b[i] -= factor[k * nv + i] * b[k];
    }
  }
  for (int k = 0; k < nv; ++k) {
    b[k] = b[k] / factor[k * nv + k];
    for (int i = model.dofs[k].parent; i >= 0; i = model.dofs[i].parent) {
      b[k] -= factor[k * nv + i] * b[i];
    }
  }
}

// The articulated sweep solves, without ever forming a mass matrix,
//
//   (M + diag(diagonal) + Σ_b J_bᵀ H_b J_b) x = generalized − Σ_b J_bᵀ wrench_b
//
// for x, where body b's inertia I_b + H_b stands in `inertia[b]`. x may be velocities (wrench: minus
// momentum) or accelerations (wrench: bias). One sweep towards the root, one back: linear in nv.
template <class T>
struct ArticulatedSweep {
  explicit ArticulatedSweep(const RobotModel& model)
      : inertia(model.bodies.size()), wrench(model.bodies.size()), diagonal(model.dofs.size()),
        generalized(model.dofs.size()), motion(model.bodies.size(), zero6<T>()),
        solution(model.dofs.size()), gain(model.dofs.size()), offset(model.dofs.size()) {}

  // input, overwritten by solve_articulated
  std::vector<Sym6<T>> inertia;
  std::vector<Wrench<T>> wrench;
  // input, kept
  std::vector<T> diagonal;
  std::vector<T> generalized;
  // output
  std::vector<Twist<T>> motion;  // of each body: Σ S x
  std::vector<T> solution;       // x
  // scratch
  std::vector<Spatial<T>> gain;  // U/D of each dof
  std::vector<T> offset;         // u/D
};

namespace dynamics_detail {

// Eliminates one dof from the articulated inertia and wrench of its body.
template <class T>
void eliminate_dof(const Twist<T>& S, int d, ArticulatedSweep<T>& sweep, Sym6<T>& inertia,
                   Wrench<T>& wrench) {
  const Spatial<T> U = inertia * S;
  const T D_inverse = T(1) / (dot(S, U) + sweep.diagonal[d]);
  const T x = (sweep.generalized[d] - dot(S, wrench)) * D_inverse;
  sweep.gain[d] = D_inverse * U;
  sweep.offset[d] = x;
  inertia.add_outer(-D_inverse, U);
  wrench += x * U;
}

// A free root is not eliminated dof by dof: its twist solves a 6×6 system. S is orthonormal there.
template <class T>
void solve_free_root(const Twist<T>* S, int d, int body, ArticulatedSweep<T>& sweep) {
  Sym6<T>& inertia = sweep.inertia[body];
  Wrench<T> rhs = T(-1) * sweep.wrench[body];
  for (int k = 0; k < 6; ++k) {
    rhs += sweep.generalized[d + k] * S[k];
    inertia.add_outer(sweep.diagonal[d + k], S[k]);
  }
  const Twist<T> V = solve(inertia, rhs);
  sweep.motion[body] = V;
  for (int k = 0; k < 6; ++k) sweep.solution[d + k] = dot(S[k], V);
}

}  // namespace dynamics_detail

template <class T>
void solve_articulated(const RobotModel& model, const RobotData<T>& data,
                       ArticulatedSweep<T>& sweep) {
  using namespace dynamics_detail;
  const auto is_free = [&](const Body& body) {
    return body.joint_count == 1 && model.joints[body.first_joint].type == JointType::free;
  };
  for (int b = model.body_count() - 1; b > 0; --b) {
    const Body& body = model.bodies[b];
    if (is_free(body)) continue;  // a root: nothing to pass on
    for (int j = body.first_joint + body.joint_count - 1; j >= body.first_joint; --j) {
      const Joint& joint = model.joints[j];
      for (int d = joint.v_index + velocity_count(joint.type) - 1; d >= joint.v_index; --d) {
        eliminate_dof(data.S[d], d, sweep, sweep.inertia[b], sweep.wrench[b]);
      }
    }
    if (body.parent != 0) {
      sweep.inertia[body.parent] += sweep.inertia[b];
      sweep.wrench[body.parent] += sweep.wrench[b];
    }
  }
  for (int b = 1; b < model.body_count(); ++b) {
    const Body& body = model.bodies[b];
    if (is_free(body)) {
      const int d = model.joints[body.first_joint].v_index;
      solve_free_root(&data.S[d], d, b, sweep);
      continue;
    }
    Twist<T> V = sweep.motion[body.parent];
    for (int j = body.first_joint; j < body.first_joint + body.joint_count; ++j) {
      const Joint& joint = model.joints[j];
      for (int d = joint.v_index; d < joint.v_index + velocity_count(joint.type); ++d) {
        const T x = sweep.offset[d] - dot(sweep.gain[d], V);
        sweep.solution[d] = x;
        V += x * data.S[d];
      }
    }
    sweep.motion[b] = V;
  }
}

// Accelerations q̈ = M⁻¹(force − C) into sweep.solution, by one articulated sweep.
template <class T>
void forward_dynamics(const RobotModel& model, const RobotData<T>& data, const T* force,
                      ArticulatedSweep<T>& sweep) {
  for (int b = 1; b < model.body_count(); ++b) {
    sweep.inertia[b] = to_sym6(data.inertia[b]);
    sweep.wrench[b] = body_bias(data, b);
  }
  for (int d = 0; d < model.velocity_size(); ++d) {
    sweep.diagonal[d] = T(model.dofs[d].armature);
    sweep.generalized[d] = force[d];
  }
  solve_articulated(model, data, sweep);
}

// q ⊕ h·v: moves qpos by the velocity v for the time h.
template <class T>
void integrate_positions(const RobotModel& model, const T& h, const T* qvel, T* qpos) {
  for (const Joint& joint : model.joints) {
    T* q = qpos + joint.q_index;
    const T* v = qvel + joint.v_index;
    if (joint.type == JointType::free) {
      for (int k = 0; k < 3; ++k) q[k] += h * v[k];
      q += 3;
      v += 3;
    }
    if (joint.type == JointType::free || joint.type == JointType::ball) {
      const Quat<T> next =
          integrate_quat(Quat<T>{q[0], q[1], q[2], q[3]}, h * Vec3<T>{v[0], v[1], v[2]});
      q[0] = next.w;
      q[1] = next.x;
      q[2] = next.y;
      q[3] = next.z;
    } else {
      q[0] += h * v[0];
    }
  }
}

}  // namespace footfall
