// Exact Â: the diagonal of J M⁻¹ Jᵀ at this pose, MuJoCo's flag `diagexact`. One articulated sweep
// for each row that needs it.
#pragma once

#include "footfall/soft/soft_plan.hpp"

namespace footfall {

template <class T>
struct ExactDiagonal {
  ExactDiagonal(const SoftModel& soft, const LinkTree<T>& tree)
      : on(soft.exact_diagonal), sweep(tree), links(tree),
        inverse_inertia(tree.slots.size(), Pack<T>(1)) {}
  bool on;
  LinkSweep<T> sweep;
  LinkData<T> links;                     // the step's, at rest and without gravity
  std::vector<Pack<T>> inverse_inertia;  // of each slot
};

namespace soft_detail {

// The sweep's answer to one impulse: on slot `slot` at `item`, or a wrench on a place's item.
template <class T>
void answer_impulse(const LinkTree<T>& tree, ExactDiagonal<T>& exact, int slot, int item, int group,
                    const Wrench<T>& wrench_on_item) {
  using L = Pack<T>;
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    exact.sweep.diagonal[s] = L(tree.slots[s].armature);
    exact.sweep.generalized[s] = L(0);
  }
  if (slot >= 0) set_item<T>(exact.sweep.generalized[slot], item, T(1));
  solve_links(
      tree, exact.links,
      [&](int g, Sym6<L>&, Wrench<L>& wrench) {
        if (g != group) return;
        Wrench<L> w = zero6<L>();
        set_item<T>(w.ang, item, wrench_on_item.ang);
        set_item<T>(w.lin, item, wrench_on_item.lin);
        wrench -= w;
      },
      exact.sweep);
}

// Item j of a pack of contacts as a contact of its own; of robots in lanes the pack itself.
template <class T>
SoftPoint<T> single_contact(const SoftPoint<Pack<T>>& c, int j) {
  SoftPoint<T> out{};
  out.turns = true;
  out.p_OC = get_item<T>(c.p_OC, j);
  out.R_WC = get_item<T>(c.R_WC, j);
  return out;
}

}  // namespace soft_detail

// Â of the dofs that have limits or friction, or null where that at qpos0 counts.
template <class T, class SlotForces>
const Pack<T>* find_dof_diagonal(const LinkTree<T>& tree, const LinkData<T>& links,
                                 const std::vector<SlotForces>& slots, ExactDiagonal<T>& exact) {
  if (!exact.on) return nullptr;
  exact.links = links;
  for (Wrench<Pack<T>>& w : exact.links.wrench) w = zero6<Pack<T>>();
  for (std::size_t s = 0; s < slots.size(); ++s) {
    if (!slots[s].is_limited && !slots[s].has_friction) continue;
    for (int item = 0; item < pack_size<T>; ++item) {
      if (tree.slots[s].dof[item] < 0) continue;
      soft_detail::answer_impulse(tree, exact, static_cast<int>(s), item, -1, zero6<T>());
      set_item<T>(exact.inverse_inertia[s], item, get_item<T>(exact.sweep.solution[s], item));
    }
  }
  return exact.inverse_inertia.data();
}

// Replaces the contacts' weights by those of the exact Â. After find_dof_diagonal.
template <class T>
void set_exact_weights(const SoftModel& soft, const LinkTree<T>& tree, ExactDiagonal<T>& exact,
                       SoftTerms<T>& terms) {
  using L = Pack<T>;
  if (!exact.on) return;
  for (int i = 0; i < terms.count; ++i) {
    SoftPoint<L>& c = terms.contacts[i];
    const PackPlace& place = terms.places[i];
    L A(1);
    for (int j = 0; j < pack_size<T>; ++j) {
      if (!any(get_item<T>(c.is_used, j) > T(0))) continue;
      const SoftPoint<T> contact = soft_detail::single_contact<T>(c, j);
      Spatial<T> row = zero6<T>();
      row.lin.x = T(1);
      if (soft.cone == SoftCone::pyramidal) row.lin.y = get_item<T>(c.friction.lin.y, j);
      const int item = place.item < 0 ? j : place.item;
      soft_detail::answer_impulse(tree, exact, -1, item, place.group, row_wrench(contact, row));
      const Twist<T> V = get_item<T>(exact.sweep.motion[place.group], item);
      set_item<T>(A, j, dot(row, row_velocity(contact, V)));
    }
    soft_detail::set_weights(soft, select(c.is_used > L(0), A, L(1)), c);
  }
}

}  // namespace footfall
