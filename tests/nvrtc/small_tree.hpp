// The articulated sweep over a small robot, without any vector: for kernels.cu and for a test on the processor.
#pragma once

#include "footfall/robot/link_motion.hpp"
#include "footfall/robot/link_solve.hpp"

namespace footfall {

// A list of children of a group.
template <class T>
struct Children {
  const ChildGroup<T>* first;
  int count;
  const ChildGroup<T>* begin() const { return first; }
  const ChildGroup<T>* end() const { return first + count; }
};

constexpr int kGroups = 5;  // a free base and two legs of two hinges each
constexpr int kSlots = 10;

// LinkTree, LinkData and LinkSweep of a robot that is known when it is compiled.
template <class T>
struct FixedTree {
  using Scalar = T;
  std::array<LinkGroup<T>, kGroups> groups;
  std::array<Children<T>, kGroups> children;
  ChildGroup<T> right_hip;
};
template <class T>
struct FixedData {
  std::array<LinkMotion<T>, kGroups> motion;
  std::array<RigidInertia<T>, kGroups> inertia;
  std::array<Wrench<T>, kGroups> wrench;
  std::array<Twist<T>, kSlots> S;
};
template <class T>
struct FixedSweep {
  std::array<T, kSlots> diagonal, generalized, solution, inverse, offset;
  std::array<Spatial<T>, kSlots> gain;
  std::array<Twist<T>, kGroups> motion;
  std::array<Sym6<T>, kGroups> inertia;
  std::array<Wrench<T>, kGroups> wrench;
};

// The base, then hip and knee of the left leg, then of the right.
template <class T>
void make_tree(FixedTree<T>& tree) {
  using C = PackConstant<T>;
  for (int g = 0; g < kGroups; ++g) {
    LinkGroup<T>& group = tree.groups[g];
    const int leg = (g - 1) / 2, joint = g == 0 ? 0 : (g - 1) % 2;
    group = {};
    group.type = g == 0 ? JointType::free : JointType::hinge;
    group.first_slot = g == 0 ? 0 : 5 + g;
    group.q_index[0] = g == 0 ? 0 : 6 + g;
    group.parent_group[0] = g == 0 ? -1 : joint == 0 ? 0 : g - 1;
    group.parent_kind = g == 0 ? ParentKind::world : ParentKind::same_items;
    group.follows_parent = g > 0 && (g == 1 || joint == 1);
    group.turn = g > 0 && joint == 0 ? Turn::zxy : Turn::none;
    group.diagonal_inertia = true;
    group.mass = g == 0 ? C(8) : C(0.5);
    group.inertia = {C(0.02), C(0), C(0), C(0.02), C(0), C(0.01)};
    const C o(0), side = leg == 0 ? C(0.1) : C(-0.1), thigh = C(-0.2);
    group.position = {joint == 0 ? o : thigh, g > 0 && joint == 0 ? side : o, o};
    group.com = {g == 0 ? o : thigh / 2, o, o};
    tree.children[g] = {nullptr, 0};
  }
  tree.right_hip = {};
  tree.right_hip.group = 3;  // the left one follows the base
  tree.children[0] = {&tree.right_hip, 1};
}

// The velocities at the end of a step of 1 ms, with a spring under each shank and an armature of 0.01 at each
// hinge.
template <class T>
void sweep_links(const T* qpos, const T* qvel, T* out) {
  using namespace link_detail;
  FixedTree<T> tree;
  FixedData<T> data;
  FixedSweep<T> sweep;
  make_tree(tree);
  const Vec3d gravity{0, 0, -9.81};
  const double h = 1e-3;
  const LinkMotion<T> world{
      identity3<T>(), zero3<T>(), zero6<T>(), {zero3<T>(), -broadcast<T>(gravity)}};
  for (int g = 0; g < kGroups; ++g) {
    const LinkGroup<T>& group = tree.groups[g];
    const LinkMotion<T>& parent = g == 0 ? world : data.motion[group.parent_group[0]];
    move_group(group, qpos, qvel + group.first_slot, parent, data.motion[g],
               &data.S[group.first_slot]);
    weigh_group(group, data.motion[g], gravity, h, data.inertia[g], data.wrench[g]);
  }
  for (int s = 0; s < kSlots; ++s) {
    sweep.diagonal[s] = T(s < 6 ? 0 : 0.01);
    sweep.generalized[s] = T(0);
  }
  const auto add_contacts = [](int g, Sym6<T>& inertia, Wrench<T>& wrench) {
    if (g != 2 && g != 4) return;
    inertia.linear.zz += T(20);
    wrench.lin.z += T(3);
  };
  solve_links(tree, data, add_contacts, sweep);
  for (int s = 0; s < kSlots; ++s) out[s] = sweep.solution[s];
}

}  // namespace footfall
