// The links of a robot in packs, as kernels read them: constants of a group of links, of its velocities and
// of its children, and the links' motion.
#pragma once

#include "footfall/math/pack.hpp"
#include "footfall/robot/joint_type.hpp"

namespace footfall {

// Where the parents of a group's links are.
enum class ParentKind {
  world,       // links of no parent
  same_items,  // item i's parent is item i of the parent group
  one_item,    // all have the same parent
  mixed,
};

// R_PL of a group's links: axes renamed in cyclic order cost nothing.
enum class Turn { none, yzx, zxy, any };

template <class T>
struct LinkGroup {
  using C = PackConstant<T>;
  JointType type = JointType::hinge;
  int first_slot = 0;  // see LinkTree::slots
  PackIndex<T> q_index{};
  PackIndex<T> tree{};
  ParentKind parent_kind = ParentKind::world;
  PackIndex<T> parent_group{}, parent_item{};
  bool follows_parent = false;  // same_items, and the parent group is the one before this
  Turn turn = Turn::any;
  bool has_mass = true;
  bool diagonal_inertia = false;  // axes of L are principal axes
  bool is_lifted = false;         // any gravity compensation
  Mat3<C> rotation{};             // the rest as in Link
  Vec3<C> position{};
  C q0{};
  C mass{};
  Vec3<C> com{};
  Sym3<C> inertia{};
  C lifted_mass{};
  Vec3<C> lifted_moment{};
};

// One velocity of each link of a group.
template <class T>
struct DofSlot {
  using C = PackConstant<T>;
  int group = 0;
  PackIndex<T> dof{};     // −1: no such link
  PackIndex<T> source{};  // the same, with a valid index for empty items
  C armature{};           // 1 for empty items, which have no mass
  C damping{};
};

// A group whose links have parents in this one, and that does not follow it.
template <class T>
struct ChildGroup {
  int group = 0;
  ParentKind kind = ParentKind::same_items;
  PackConstant<T> same{};     // 1 where item i is a child of item i
  int moved_count = 0;        // of children at another item than their parent, or all if one_item
  PackIndex<T> moved_item{};  // which they are
  std::array<PackConstant<T>, pack_size<T>> moved_to{};  // 1 at their parents' items
};

// Where a group's links are and how they move, about the tree's O.
template <class L>
struct LinkMotion {
  Mat3<L> R;   // R_WL
  Vec3<L> p;   // p_OL [m]
  Twist<L> V;  // [rad/s, m/s]
  Twist<L> A;  // acceleration if no joint accelerates, gravity as an upward one of the world
};

template <class L>
void store(const LinkMotion<L>& from, LinkMotion<L>& to) {
  store(from.R.x, to.R.x);
  store(from.R.y, to.R.y);
  store(from.R.z, to.R.z);
  store(from.p, to.p);
  store(from.V, to.V);
  store(from.A, to.A);
}

}  // namespace footfall
