// Kernels of one group of links: its motion from its parents' motion, its inertia and momentum.
#pragma once

#include "footfall/robot/link_group.hpp"

namespace footfall {

namespace link_detail {

// R_WP·R_PL.
template <class T>
Mat3<Pack<T>> turn_axes(const LinkGroup<T>& group, const Mat3<Pack<T>>& R) {
  switch (group.turn) {
  case Turn::none:
    return R;
  case Turn::yzx:
    return {R.y, R.z, R.x};
  case Turn::zxy:
    return {R.z, R.x, R.y};
  case Turn::any:
    break;
  }
  return R * spread<Pack<T>>(group.rotation);
}

// Moves the link's pose by its joint (hinge, slide, ball) and writes the joint's twists.
template <class T>
void apply_joint(const LinkGroup<T>& group, const T* qpos, Mat3<Pack<T>>& R, Vec3<Pack<T>>& p,
                 Twist<Pack<T>>* S) {
  using L = Pack<T>;
  if (group.type == JointType::hinge) {
    L s, c;
    sincos(gather(qpos, group.q_index) - L(group.q0), s, c);
    const Vec3<L> x = R.x;
    R.x = c * x + s * R.y;
    R.y = c * R.y - s * x;
    S[0] = revolute_twist(R.z, p);
  } else if (group.type == JointType::slide) {
    p += (gather(qpos, group.q_index) - L(group.q0)) * R.z;
    S[0] = {zero3<L>(), R.z};
  } else {
    PackIndex<T> index = group.q_index;
    L q[4];
    for (L& x : q) {
      x = gather(qpos, index);
      for (int& i : index) ++i;
    }
    R = R * to_matrix(normalized(Quat<L>{q[0], q[1], q[2], q[3]}));
    S[0] = revolute_twist(R.x, p);
    S[1] = revolute_twist(R.y, p);
    S[2] = revolute_twist(R.z, p);
  }
}

// A free root: its position is O.
template <class T>
void move_free(const LinkGroup<T>& group, const T* qpos, const Pack<T>* v, const Twist<Pack<T>>& A,
               LinkMotion<Pack<T>>& out, Twist<Pack<T>>* S) {
  using L = Pack<T>;
  PackIndex<T> index = group.q_index;
  L q[7];
  for (L& x : q) {
    x = gather(qpos, index);
    for (int& i : index) ++i;
  }
  const Mat3<L> R = to_matrix(normalized(Quat<L>{q[3], q[4], q[5], q[6]}));
  const Mat3<L> e = identity3<L>();
  store(Twist<L>{zero3<L>(), e.x}, S[0]);
  store(Twist<L>{zero3<L>(), e.y}, S[1]);
  store(Twist<L>{zero3<L>(), e.z}, S[2]);
  store(Twist<L>{R.x, zero3<L>()}, S[3]);
  store(Twist<L>{R.y, zero3<L>()}, S[4]);
  store(Twist<L>{R.z, zero3<L>()}, S[5]);
  const Vec3<L> lin{v[0], v[1], v[2]};
  const Vec3<L> ang = R * Vec3<L>{v[3], v[4], v[5]};
  store(LinkMotion<L>{R, zero3<L>(), {ang, lin}, {A.ang, A.lin + cross(lin, ang)}}, out);
}

// One group's links, from their parents' motion.
template <class T>
FOOTFALL_INLINE void move_group(const LinkGroup<T>& group, const T* qpos, const Pack<T>* v,
                                const LinkMotion<Pack<T>>& parent, LinkMotion<Pack<T>>& out,
                                Twist<Pack<T>>* S) {
  using L = Pack<T>;
  if (group.type == JointType::free) {
    move_free(group, qpos, v, parent.A, out, S);
    return;
  }
  Vec3<L> p = parent.p + parent.R * spread<L>(group.position);
  Mat3<L> R = turn_axes(group, parent.R);
  apply_joint(group, qpos, R, p, S);
  Twist<L> SV = v[0] * S[0];
  for (int k = 1; k < velocity_count(group.type); ++k) SV += v[k] * S[k];
  out.R = R;
  out.p = p;
  out.A = parent.A + cross_motion(parent.V, SV);  // Ṡ q̇: the axes turn with the link
  out.V = parent.V + SV;
}

// Inertia about O, and momentum balance of the step h: −I V + h (I A + V ×* I V − lift).
template <class T>
FOOTFALL_INLINE void weigh_group(const LinkGroup<T>& group, const LinkMotion<Pack<T>>& motion,
                                 const Vec3d& gravity, double h, RigidInertia<Pack<T>>& inertia,
                                 Wrench<Pack<T>>& wrench) {
  using L = Pack<T>;
  if (!group.has_mass) {
    store(RigidInertia<L>{L(0), zero3<L>(), diagonal3(L(0))}, inertia);
    store(zero6<L>(), wrench);
    return;
  }
  const Sym3<L> local = spread<L>(group.inertia);
  const Sym3<L> central =
      group.diagonal_inertia ? rotate_diagonal(motion.R, local) : rotate(motion.R, local);
  const RigidInertia<L> I =
      shift_inertia(L(group.mass), motion.R * spread<L>(group.com) + motion.p, central);
  const Wrench<L> momentum = I * motion.V;
  Wrench<L> w = I * (L(h) * motion.A - motion.V) + L(h) * cross_force(motion.V, momentum);
  if (group.is_lifted) {  // a force of −gravity on the lifted mass
    const L m(group.lifted_mass);
    const Vec3<L> lift = broadcast<L>((-h) * gravity);
    const Vec3<L> moment = motion.R * spread<L>(group.lifted_moment) + m * motion.p;
    w -= Wrench<L>{cross(moment, lift), m * lift};
  }
  store(I, inertia);
  store(w, wrench);
}

}  // namespace link_detail
}  // namespace footfall
