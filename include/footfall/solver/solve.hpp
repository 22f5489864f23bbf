// The step's convex problem and its solution by Newton's method with articulated sweeps.
//
//   v⁺ = argmin  ½ (v − v_free)ᵀ M (v − v_free) + Σ_terms ℓ_i(J_i v)
//
// A term's curvature is extra inertia of its link, or extra armature of its joint; so one Newton
// iteration is one articulated sweep, and no mass matrix appears. Terms come in lists, see terms.hpp:
// joint rows, and whatever the ground is made of.
//
// Every sweep solves the problem linearised at the last trial. Its solution satisfies
// M(v − v_free) + Jᵀλ = 0 with λ = ∇ℓ + ∇²ℓ·Δu, the `balance`. Blending two such solutions blends
// their λ, so along a search direction the derivative of the objective is
//
//   φ'(α) = Σ Δu·(∇ℓ(u + αΔu) − λ(α)),
//
// which needs the terms only, and the distance from the solution is |∇ℓ − λ|, a force.
//
// Some laws limit their force by a value that is fixed while Newton's method runs, or the problem would
// be no minimisation: friction by c S_c + μ·limit_force. Such limits start from the last step and follow
// the solution between solves until the forces agree with them (friction_tolerance).
#pragma once

#include "footfall/solver/joint_rows.hpp"

namespace footfall {

struct SolverOptions {
  int max_iterations = 60;
  double tolerance = 1e-8;  // largest allowed force error over the largest force (or the weight)
  double friction_tolerance = 1e-3;  // the same for friction against its limit
  int max_limit_updates = 2;
};

// How a solve ended. Says failure until success is proven.
template <class T>
struct SolverReport {
  Mask<T> converged;
  T iterations;         // sweeps used
  T residual;           // largest force error [N]
  T friction_residual;  // largest difference between friction and what its limit allows [N]
};

// The report of a step that has no terms to solve for.
template <class T>
SolverReport<T> nothing_to_solve() {
  return {T(0) <= T(0), T(0), T(0), T(0)};
}

// The momentum side of the problem, apart from the links' own: what the sweep starts from.
template <class T>
struct JointBalance {
  explicit JointBalance(const LinkTree<T>& tree)
      : diagonal(tree.slots.size()), generalized(tree.slots.size()),
        late_damping(tree.slots.size()) {}
  std::vector<Pack<T>> diagonal;      // armature and implicit damping of each slot
  std::vector<Pack<T>> generalized;   // impulse on each slot [N m s or N s]
  std::vector<Pack<T>> late_damping;  // of each slot, see soft/late_damping.hpp [N m s² or N s²]
};

template <class T>
struct SolverWorkspace {
  explicit SolverWorkspace(const LinkTree<T>& tree) : sweep(tree), qvel(tree.slots.size()) {}
  LinkSweep<T> sweep;
  std::vector<Pack<T>> qvel;  // trial velocities by slots; after solve_step the step's v⁺
};

// Solves the problem linearised at the trial velocities of all terms.
template <class T, class... Lists>
FOOTFALL_KERNEL void solve_linearized(const LinkTree<T>& tree, const LinkData<T>& data,
                                      const JointBalance<T>& balance, LinkSweep<T>& sweep,
                                      const Lists&... lists) {
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    sweep.diagonal[s] = balance.diagonal[s];
    sweep.generalized[s] = balance.generalized[s];
  }
  (lists.add_to_slots(sweep), ...);
  solve_links(
      tree, data,
      [&](int group, Sym6<Pack<T>>& inertia, Wrench<Pack<T>>& wrench) {
        (lists.add_to_links(group, inertia, wrench), ...);
      },
      sweep);
}

namespace solver_detail {

template <class T, class... Lists>
FOOTFALL_KERNEL void start_search(Lists&... lists) {
  (lists.start(), ...);
}

template <class T, class... Lists>
FOOTFALL_KERNEL void set_search_steps(const LinkSweep<T>& sweep, Lists&... lists) {
  (lists.set_search_steps(sweep), ...);
}

template <class T>
Slope<T> sum_items(const Slope<Pack<T>>& s) {
  return {footfall::sum_items<T>(s.first), footfall::sum_items<T>(s.second),
          footfall::sum_items<T>(s.size)};
}
template <class T>
Residual<T> max_items(const Residual<Pack<T>>& r) {
  return {max_item<T>(r.error), max_item<T>(r.scale)};
}

// φ'(0): all laws are evaluated there already.
template <class T, class... Lists>
FOOTFALL_KERNEL Slope<T> start_slope(const Lists&... lists) {
  using L = Pack<T>;
  Slope<L> slope{L(0), L(0), L(0)};
  (lists.add_start_slope(slope), ...);
  return sum_items<T>(slope);
}

template <class T, class... Lists>
FOOTFALL_KERNEL Slope<T> slope_at(const T& alpha, Lists&... lists) {
  using L = Pack<T>;
  Slope<L> slope{L(0), L(0), L(0)};
  (lists.add_slope(L(alpha), slope), ...);
  return sum_items<T>(slope);
}

// A step length in (0, 1]: 1 if φ does not turn up before it, else where φ' is nearly zero; 0 for robots
// that have converged. The last slope asked for is that of the length returned.
template <class T, class... Lists>
T find_step_length(const Mask<T>& converged, Lists&... lists) {
  const Slope<T> start = start_slope<T>(lists...);  // φ' < 0: a descent direction
  const T enough = max(T(-0.1) * start.first, T(1e-13) * start.size);
  T alpha = select(converged, T(0), T(1)), low(0), high(1);
  Slope<T> slope = slope_at<T>(alpha, lists...);
  auto done = converged | (slope.first <= enough);
  for (int k = 0; k < 12 && !all(done); ++k) {
    // Newton on φ', kept inside the bracket
    high = select(slope.first > T(0), alpha, high);
    low = select(slope.first > T(0), low, alpha);
    T next = alpha - slope.first / max(slope.second, T(kTiny<T>));
    next = select((next > low) & (next < high), next, T(0.5) * (low + high));
    alpha = select(done, alpha, next);
    slope = slope_at<T>(alpha, lists...);
    done = done | (abs(slope.first) <= enough);
  }
  return alpha;
}

// Takes the sweep's solution whole, as the first trial that balances momentum.
template <class T, class... Lists>
FOOTFALL_KERNEL Residual<T> take_first_step(const LinkSweep<T>& sweep, std::vector<Pack<T>>& qvel,
                                            Lists&... lists) {
  using L = Pack<T>;
  Residual<L> residual{L(0), L(0)};
  (lists.take_first_step(sweep, residual), ...);
  for (std::size_t s = 0; s < qvel.size(); ++s) qvel[s] = sweep.solution[s];
  return max_items<T>(residual);
}

// Moves the trial by α of the search step.
template <class T, class... Lists>
FOOTFALL_KERNEL Residual<T> take_step(const LinkSweep<T>& sweep, const T& alpha_value,
                                      std::vector<Pack<T>>& qvel, Lists&... lists) {
  using L = Pack<T>;
  const L alpha(alpha_value);
  Residual<L> residual{L(0), L(0)};
  (lists.take_step(alpha, residual), ...);
  for (std::size_t s = 0; s < qvel.size(); ++s) {
    qvel[s] += alpha * (sweep.solution[s] - qvel[s]);
  }
  return max_items<T>(residual);
}

}  // namespace solver_detail

// Solves the step's problem. On entry the terms hold the trial velocities of the step's start; on return
// they hold v⁺'s, with gradients, and workspace.qvel is v⁺. `least_impulse` is the scale below which
// force errors do not matter (the robot's weight times h) [N s].
template <class T, class... Lists>
  requires(TermList<Lists, T> && ...)
SolverReport<T> solve_step(const LinkTree<T>& tree, const LinkData<T>& data,
                           const JointBalance<T>& balance, const SolverOptions& options,
                           const T& step, const T& least_impulse, SolverWorkspace<T>& workspace,
                           Lists&... lists) {
  using namespace solver_detail;
  LinkSweep<T>& sweep = workspace.sweep;
  start_search<T>(lists...);
  SolverReport<T> report{T(1) < T(0), T(0), T(0), T(0)};
  T updates(0);
  for (int k = 0; k < options.max_iterations && !all(report.converged); ++k) {
    solve_linearized(tree, data, balance, sweep, lists...);
    Residual<T> residual{};
    if (k == 0) {  // the start's velocities are no solution of anything: nothing to search along
      residual = take_first_step(sweep, workspace.qvel, lists...);
    } else {
      set_search_steps(sweep, lists...);
      const T alpha = find_step_length<T>(report.converged, lists...);
      residual = take_step(sweep, alpha, workspace.qvel, lists...);
    }
    const T& error = residual.error;
    const T scale = max(residual.scale, square(least_impulse));
    report.iterations += select(report.converged, T(0), T(1));
    report.residual = select(report.converged, report.residual, sqrt(error) / step);
    const auto running = !report.converged;
    const auto solved = error <= T(square(options.tolerance)) * scale;
    const auto nearly = error <= T(square(options.friction_tolerance)) * scale;
    if (!any(running & nearly)) continue;
    // Solved well enough for these limits: do they agree with the forces found?
    T change(0);
    ((change = max(change, lists.measure_limit_change())), ...);
    const auto off = (change > T(square(options.friction_tolerance)) * scale / square(step)) &
                     (updates < T(options.max_limit_updates));
    report.friction_residual = select(running, sqrt(change), report.friction_residual);
    report.converged = report.converged | (solved & !off);
    const auto update = running & nearly & off;
    updates += select(update, T(1), T(0));
    if (any(update)) (lists.update_limits(update), ...);
    (lists.rest(report.converged), ...);
  }
  return report;
}

}  // namespace footfall
