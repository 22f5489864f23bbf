// LinkTree: a robot's constants as the step's kernels read them, in packs of links, and LinkData:
// what they compute about the links. Made once per run from a LinkPlan.
#pragma once

#include "footfall/robot/link_group.hpp"
#include "footfall/robot/link_plan.hpp"

namespace footfall {

template <class T>
struct LinkTree {
  using Scalar = T;
  explicit LinkTree(const RobotModel& model);

  LinkPlan plan;
  std::vector<LinkGroup<T>> groups;                  // parents first
  std::vector<std::vector<ChildGroup<T>>> children;  // of each group
  std::vector<DofSlot<T>> slots;                     // dof k of a group's links at first_slot + k
};

// What the kernels compute about the links. Twists, wrenches and inertias are about the tree's O.
template <class T>
struct LinkData {
  explicit LinkData(const LinkTree<T>& tree)
      : origin(tree.plan.roots.size()), motion(tree.groups.size()), inertia(tree.groups.size()),
        wrench(tree.groups.size()), S(tree.slots.size()), qvel(tree.slots.size()) {}
  using L = Pack<T>;

  // filled by move_links
  std::vector<Vec3<T>> origin;           // p_WO of each tree [m]
  std::vector<LinkMotion<L>> motion;     // of each group
  std::vector<RigidInertia<L>> inertia;  // of each group
  std::vector<Wrench<L>> wrench;         // −I V + h (bias − lift) of each group [N m s, N s]
  std::vector<Twist<L>> S;               // of each slot: twist at unit speed
  std::vector<L> qvel;                   // of each slot
};

// Where a dof stands among the slots.
struct DofPlace {
  int slot = 0, item = 0;
};
template <class T>
DofPlace find_dof(const LinkTree<T>& tree, int dof) {
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    for (int item = 0; item < pack_size<T>; ++item) {
      if (tree.slots[s].dof[item] == dof) return {static_cast<int>(s), item};
    }
  }
  return {};
}

namespace link_detail {

inline Turn find_turn(const Mat3d& R) {
  const auto is = [&](const Mat3d& m) {
    const Vec3d a = R.x - m.x, b = R.y - m.y, c = R.z - m.z;
    return dot(a, a) + dot(b, b) + dot(c, c) == 0.0;
  };
  const Mat3d e = identity3<double>();
  if (is(e)) return Turn::none;
  if (is({e.y, e.z, e.x})) return Turn::yzx;
  if (is({e.z, e.x, e.y})) return Turn::zxy;
  return Turn::any;
}

template <class T>
void set_constant(PackConstant<T>& constant, int item, double value) {
  if constexpr (pack_size<T> == 1) {
    constant = value;
  } else {
    constant.set(item, value);
  }
}
template <class T>
void set_constant(Vec3<PackConstant<T>>& constant, int item, const Vec3d& value) {
  set_constant<T>(constant.x, item, value.x);
  set_constant<T>(constant.y, item, value.y);
  set_constant<T>(constant.z, item, value.z);
}

template <class T>
void set_link(const RobotModel& model, const Link& link, int item, LinkGroup<T>& group) {
  const Joint& joint = model.joints[link.joint];
  group.q_index[item] = joint.q_index;
  group.tree[item] = link.tree;
  set_constant<T>(group.rotation.x, item, link.rotation.x);
  set_constant<T>(group.rotation.y, item, link.rotation.y);
  set_constant<T>(group.rotation.z, item, link.rotation.z);
  set_constant<T>(group.position, item, link.position);
  set_constant<T>(group.q0, item, joint.q0);
  set_constant<T>(group.mass, item, link.mass);
  set_constant<T>(group.com, item, link.com);
  const Sym3<double>& I = link.inertia;
  set_constant<T>(group.inertia.xx, item, I.xx);
  set_constant<T>(group.inertia.xy, item, I.xy);
  set_constant<T>(group.inertia.xz, item, I.xz);
  set_constant<T>(group.inertia.yy, item, I.yy);
  set_constant<T>(group.inertia.yz, item, I.yz);
  set_constant<T>(group.inertia.zz, item, I.zz);
  set_constant<T>(group.lifted_mass, item, link.lifted_mass);
  set_constant<T>(group.lifted_moment, item, link.lifted_moment);
  group.has_mass = group.has_mass || link.mass != 0;
  group.diagonal_inertia = group.diagonal_inertia && I.xy == 0 && I.xz == 0 && I.yz == 0;
  group.is_lifted = group.is_lifted || link.lifted_mass != 0;
}

// Empty items repeat the first link, without its mass unless it is a free root: so they pass
// nothing on to a parent and need no mask.
template <class T>
LinkGroup<T> make_group(const RobotModel& model, const LinkPlan& plan,
                        const std::vector<int>& items) {
  LinkGroup<T> group;
  group.has_mass = group.is_lifted = false;
  group.diagonal_inertia = true;
  int first = 0;
  while (items[first] < 0) ++first;
  const Link& front = plan.links[items[first]];
  group.type = front.type;
  group.turn = find_turn(front.rotation);
  bool all_same = true, all_one = true, any_parent = false;
  for (int item = 0; item < pack_size<T>; ++item) {
    Link link = plan.links[items[item] < 0 ? items[first] : items[item]];
    if (items[item] < 0 && group.type != JointType::free) {
      link.mass = link.lifted_mass = 0;
      link.inertia = {};
      link.lifted_moment = {0, 0, 0};
    }
    if (find_turn(link.rotation) != group.turn) group.turn = Turn::any;
    set_link(model, link, item, group);
    group.parent_group[item] = link.parent < 0 ? -1 : plan.links[link.parent].group;
    group.parent_item[item] = link.parent < 0 ? 0 : plan.links[link.parent].item;
    any_parent = any_parent || link.parent >= 0;
    all_one = all_one && link.parent == front.parent;
    all_same = all_same && link.parent >= 0 &&
               group.parent_group[item] == group.parent_group[first] &&
               (items[item] < 0 || group.parent_item[item] == item);
  }
  group.parent_kind = !any_parent ? ParentKind::world
                      : all_same  ? ParentKind::same_items
                      : all_one   ? ParentKind::one_item
                                  : ParentKind::mixed;
  group.follows_parent =
      group.parent_kind == ParentKind::same_items && group.parent_group[first] == front.group - 1;
  return group;
}

template <class T>
void append_slots(const RobotModel& model, const LinkPlan& plan, const std::vector<int>& items,
                  int group, std::vector<DofSlot<T>>& slots) {
  int first = 0;
  while (items[first] < 0) ++first;
  const Joint& front = model.joints[plan.links[items[first]].joint];
  for (int k = 0; k < velocity_count(front.type); ++k) {
    DofSlot<T> slot;
    slot.group = group;
    for (int item = 0; item < pack_size<T>; ++item) {
      const bool empty = items[item] < 0;
      const int dof = empty ? 0 : model.joints[plan.links[items[item]].joint].v_index + k;
      slot.dof[item] = empty ? -1 : dof;
      slot.source[item] = empty ? front.v_index + k : dof;
      const double no_armature = front.type == JointType::free ? 0.0 : 1.0;
      set_constant<T>(slot.armature, item, empty ? no_armature : model.dofs[dof].armature);
      set_constant<T>(slot.damping, item, empty ? 0.0 : model.dofs[dof].damping);
    }
    slots.push_back(slot);
  }
}

// Tells each parent group of `group` about its children there, unless it follows that group: the
// sweep then hands its numbers on directly.
template <class T>
void append_child(const LinkGroup<T>& group, int index,
                  std::vector<std::vector<ChildGroup<T>>>& children) {
  if (group.follows_parent) return;
  for (int parent = 0; parent < index; ++parent) {
    ChildGroup<T> child;
    child.group = index;
    child.kind = group.parent_kind;
    bool found = false;
    for (int item = 0; item < pack_size<T>; ++item) {
      if (group.parent_group[item] != parent) continue;
      found = true;
      if (group.parent_item[item] == item && group.parent_kind != ParentKind::one_item) {
        set_constant<T>(child.same, item, 1.0);
        continue;
      }
      const int k = child.moved_count++;
      child.moved_item[k] = item;
      set_constant<T>(child.moved_to[k], group.parent_item[item], 1.0);
    }
    if (found) children[parent].push_back(child);
  }
}

}  // namespace link_detail

template <class T>
LinkTree<T>::LinkTree(const RobotModel& model) : plan(make_link_plan(model, pack_size<T>)) {
  using namespace link_detail;
  children.resize(plan.groups.size());
  for (const std::vector<int>& items : plan.groups) {
    const int index = static_cast<int>(groups.size());
    LinkGroup<T> group = make_group<T>(model, plan, items);
    group.first_slot = static_cast<int>(slots.size());
    append_slots<T>(model, plan, items, index, slots);
    append_child<T>(group, index, children);
    groups.push_back(group);
  }
}

}  // namespace footfall
