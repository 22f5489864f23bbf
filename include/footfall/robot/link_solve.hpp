// The articulated sweep of robot/dynamics.hpp over groups of links.
//
// Where the numbers are is up to the caller: LinkTree, LinkData and LinkSweep keep them in vectors; a kernel on
// a GPU brings arrays under the same names.
#pragma once

#include "footfall/robot/link_group.hpp"

namespace footfall {

namespace link_detail {

template <class L>
Sym6<L> zero_sym6() {
  const L o(0);
  return {{o, o, o, o, o, o}, {{o, o, o}, {o, o, o}, {o, o, o}}, {o, o, o, o, o, o}};
}

// Adds what the parent's items feel of a group of children: f(pack) brings it to their places.
template <class L, class Place>
void add_placed(const Sym6<L>& I, const Wrench<L>& w, Place&& f, Sym6<L>& inertia,
                Wrench<L>& wrench) {
  const auto vector = [&](const Vec3<L>& a) { return Vec3<L>{f(a.x), f(a.y), f(a.z)}; };
  const auto symmetric = [&](const Sym3<L>& a) {
    return Sym3<L>{f(a.xx), f(a.xy), f(a.xz), f(a.yy), f(a.yz), f(a.zz)};
  };
  inertia.angular += symmetric(I.angular);
  inertia.coupling += {vector(I.coupling.x), vector(I.coupling.y), vector(I.coupling.z)};
  inertia.linear += symmetric(I.linear);
  wrench += Wrench<L>{vector(w.ang), vector(w.lin)};
}

template <class T, class Sweep>
FOOTFALL_INLINE void add_child(const ChildGroup<T>& child, const Sweep& sweep,
                               Sym6<Pack<T>>& inertia, Wrench<Pack<T>>& wrench) {
  using L = Pack<T>;
  const Sym6<L>& I = sweep.inertia[child.group];
  const Wrench<L>& w = sweep.wrench[child.group];
  if (pack_size<T> == 1 || child.kind == ParentKind::same_items) {
    inertia += I;
    wrench += w;
    return;
  }
  if constexpr (pack_size<T> > 1) {
    if (child.kind == ParentKind::one_item) {
      const L target = child.moved_to[0];
      add_placed(I, w, [&](const L& x) { return target * sum_of_items(x); }, inertia, wrench);
    } else {
      add_placed(I, w, [&](const L& x) { return child.same * x; }, inertia, wrench);
      for (int k = 0; k < child.moved_count; ++k) {
        const int item = child.moved_item[k];
        const L target = child.moved_to[k];
        add_placed(I, w, [&](const L& x) { return target * L(x[item]); }, inertia, wrench);
      }
    }
  }
}

// Eliminates one dof from the articulated inertia and wrench of its link.
template <class L, class Sweep>
FOOTFALL_INLINE void eliminate_slot(const Twist<L>& S, int s, Sweep& sweep, Sym6<L>& inertia,
                                    Wrench<L>& wrench) {
  const Spatial<L> U = inertia * S;
  const L D_inverse = L(1) / (dot(S, U) + sweep.diagonal[s]);
  const L x = (sweep.generalized[s] - dot(S, wrench)) * D_inverse;
  sweep.gain[s] = D_inverse * U;
  sweep.inverse[s] = D_inverse;
  sweep.offset[s] = x;
  inertia.add_outer(-D_inverse, U);
  wrench += x * U;
}

template <class L, class Sweep>
void solve_free_root(const Twist<L>* S, int s, int group, Sym6<L>& inertia, const Wrench<L>& wrench,
                     Sweep& sweep) {
  Wrench<L> rhs = L(-1) * wrench;
  for (int k = 0; k < 6; ++k) {
    rhs += sweep.generalized[s + k] * S[k];
    const L d = sweep.diagonal[s + k];
    if (any(d > L(0))) inertia.add_outer(d, S[k]);  // a free joint seldom has armature
  }
  const Twist<L> V = solve(inertia, rhs);
  sweep.motion[group] = V;
  for (int k = 0; k < 6; ++k) sweep.solution[s + k] = dot(S[k], V);
}

template <class T, class Sweep>
Twist<Pack<T>> parent_motion(const LinkGroup<T>& group, const Sweep& sweep) {
  using L = Pack<T>;
  switch (group.parent_kind) {
  case ParentKind::world:
    return zero6<L>();
  case ParentKind::same_items:
    return sweep.motion[group.parent_group[0]];
  case ParentKind::one_item: {
    const Twist<T> V = get_item<T>(sweep.motion[group.parent_group[0]], group.parent_item[0]);
    return {spread<L>(V.ang), spread<L>(V.lin)};
  }
  case ParentKind::mixed:
    break;
  }
  Twist<L> out = zero6<L>();
  for (int i = 0; i < pack_size<T>; ++i) {
    if (group.parent_group[i] < 0) continue;
    const Twist<T> V = get_item<T>(sweep.motion[group.parent_group[i]], group.parent_item[i]);
    set_item<T>(out.ang, i, V.ang);
    set_item<T>(out.lin, i, V.lin);
  }
  return out;
}

}  // namespace link_detail

// Solves for x as solve_articulated does. add_contacts(group, inertia, wrench) adds to a group's
// rigid inertia and wrench what the ground does to its links.
template <class Tree, class Data, class AddContacts, class Sweep>
FOOTFALL_KERNEL void solve_links(const Tree& tree, const Data& data, AddContacts&& add_contacts,
                                 Sweep& sweep) {
  using namespace link_detail;
  using T = typename Tree::Scalar;
  using L = Pack<T>;
  Sym6<L> inertia = zero_sym6<L>();  // articulated; stays at hand for a parent that comes next
  Wrench<L> wrench = zero6<L>();
  for (int g = static_cast<int>(tree.groups.size()) - 1; g >= 0; --g) {
    const LinkGroup<T>& group = tree.groups[g];
    inertia.add_rigid(data.inertia[g]);
    wrench += data.wrench[g];
    add_contacts(g, inertia, wrench);
    for (const ChildGroup<T>& child : tree.children[g]) add_child(child, sweep, inertia, wrench);
    const int first = group.first_slot;
    if (group.type == JointType::free) {
      solve_free_root(&data.S[first], first, g, inertia, wrench, sweep);
      store(inertia, sweep.inertia[g]);
    } else {
      for (int s = first + velocity_count(group.type) - 1; s >= first; --s) {
        eliminate_slot(data.S[s], s, sweep, inertia, wrench);
      }
      if (group.follows_parent) continue;
      store(inertia, sweep.inertia[g]);
      store(wrench, sweep.wrench[g]);
    }
    inertia = zero_sym6<L>();
    wrench = zero6<L>();
  }
  Twist<L> V = zero6<L>();
  for (std::size_t g = 0; g < tree.groups.size(); ++g) {
    const LinkGroup<T>& group = tree.groups[g];
    if (group.type == JointType::free) {
      V = sweep.motion[g];
      continue;
    }
    if (!group.follows_parent) V = parent_motion(group, sweep);
    for (int s = group.first_slot; s < group.first_slot + velocity_count(group.type); ++s) {
      const L x = sweep.offset[s] - dot(sweep.gain[s], V);
      sweep.solution[s] = x;
      V += x * data.S[s];
    }
    store(V, sweep.motion[g]);
  }
}

}  // namespace footfall
