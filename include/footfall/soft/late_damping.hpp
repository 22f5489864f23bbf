// MuJoCo's Euler and implicitfast find constraint forces with damping explicit, then take the step with
// these forces fixed and damping implicit: qvel = (M + B)⁻¹ (M v + h τ − Jᵀ∇ℓ + B v), B the late
// damping.
#pragma once

#include "footfall/soft/soft_terms.hpp"
#include "footfall/solver/solve.hpp"

namespace footfall {

// Turns solver.qvel, found without late damping, into v⁺; keeps the former in `undamped`.
template <class T>
FOOTFALL_KERNEL void apply_late_damping(const LinkTree<T>& tree, const LinkData<T>& data,
                                        const JointBalance<T>& balance, const JointRows<T>& rows,
                                        const SoftTerms<T>& soft, SolverWorkspace<T>& solver,
                                        std::vector<Pack<T>>& undamped) {
  using L = Pack<T>;
  LinkSweep<T>& sweep = solver.sweep;
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    undamped[s] = solver.qvel[s];
    sweep.diagonal[s] = balance.diagonal[s] + balance.late_damping[s];
    sweep.generalized[s] = balance.generalized[s] + balance.late_damping[s] * data.qvel[s];
  }
  for (const JointRow<L>& row : rows) sweep.generalized[row.slot] -= row.gradient;
  solve_links(
      tree, data,
      [&](int group, Sym6<L>& inertia, Wrench<L>& wrench) {
        add_packs<T>(
            soft, group,
            [&](int i, Sym6<L>&, Wrench<L>& w) {
              w += row_wrench(soft.contacts[i], soft.contacts[i].gradient);
            },
            inertia, wrench);
      },
      sweep);
  for (std::size_t s = 0; s < tree.slots.size(); ++s) solver.qvel[s] = sweep.solution[s];
}

}  // namespace footfall
