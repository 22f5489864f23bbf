// The step's convex problem and its solution by Newton's method with articulated sweeps.
//
//   v⁺ = argmin  ½ (v − v_free)ᵀ M (v − v_free) + Σ_points ℓ_i(J_i v) + Σ_rows ℓ_r(v_r)
//
// A point's curvature is extra inertia of its link, a row's (joint limit, joint friction, servo)
// extra armature; so one Newton iteration is one articulated sweep, and no mass matrix appears.
//
// Every sweep solves the problem linearised at the last trial. Its solution satisfies
// M(v − v_free) + Jᵀλ = 0 with λ = ∇ℓ + ∇²ℓ·Δu, the `balance`. Blending two such solutions blends
// their λ, so along a search direction the derivative of the objective is
//
//   φ'(α) = Σ Δu·(∇ℓ(u + αΔu) − λ(α)),
//
// which needs points and rows only, and the distance from the solution is |∇ℓ − λ|, a force.
//
// Friction is limited by c S_c + μ·limit_force, which is fixed while Newton's method runs, or the problem
// would be no minimisation. It starts from the last step's normal force and follows the new one
// between solves until the friction forces agree with it (friction_tolerance).
#pragma once

#include <vector>

#include "footfall/robot/link_sweep.hpp"
#include "footfall/soft/soft_solve.hpp"

namespace footfall {

struct SolverOptions {
  int max_iterations = 60;
  double tolerance = 1e-8;  // largest allowed force error over the largest force (or the weight)
  double friction_tolerance = 1e-3;  // likewise, of friction against its limit
  int max_limit_updates = 2;
};

// What a solve came to. Says failure until success is proven.
template <class T>
struct SolverReport {
  Mask<T> converged;
  T iterations;         // sweeps used
  T residual;           // largest force error [N]
  T friction_residual;  // largest difference between friction and what its limit allows [N]
};

// The momentum side of the problem, apart from the links' own: what the sweep starts from.
template <class T>
struct JointBalance {
  explicit JointBalance(const LinkTree<T>& tree)
      : diagonal(tree.slots.size()), generalized(tree.slots.size()),
        late_damping(tree.slots.size()) {}
  std::vector<Pack<T>> diagonal;      // armature and implicit damping of each slot
  std::vector<Pack<T>> generalized;   // impulse on each slot [N m s or N s]
  std::vector<Pack<T>> late_damping;  // of each slot, see apply_late_damping [N m s² or N s²]
};

template <class T>
struct SolverWorkspace {
  explicit SolverWorkspace(const LinkTree<T>& tree)
      : sweep(tree), undamped_qvel(tree.slots.size()), qvel(tree.slots.size()) {}
  LinkSweep<T> sweep;
  std::vector<Pack<T>> undamped_qvel;  // what apply_late_damping started from
  std::vector<Pack<T>> qvel;           // trial velocities by slots; after solve_step the step's v⁺
};

namespace solver_detail {

// Adds a point's curvature H and linear term ∇ℓ − H u to the inertia and wrench of its link.
template <class L>
[[gnu::always_inline]] inline void add_point(const ContactPoint<L>& point, Sym6<L>& inertia,
                                             Wrench<L>& wrench) {
  const Sym3<L>& H = point.curvature;
  const Vec3<L>& r = point.p_OC;
  const Vec3<L>& n = point.normal;
  // u = lin − [r]×ang: coupling block [r]×H, angular block [r]×H[r]×ᵀ (+ spin n nᵀ)
  const Vec3<L> gx = cross(r, Vec3<L>{H.xx, H.xy, H.xz});
  const Vec3<L> gy = cross(r, Vec3<L>{H.xy, H.yy, H.yz});
  const Vec3<L> gz = cross(r, Vec3<L>{H.xz, H.yz, H.zz});
  const Vec3<L> ax = cross(r, Vec3<L>{gx.x, gy.x, gz.x});
  const Vec3<L> ay = cross(r, Vec3<L>{gx.y, gy.y, gz.y});
  const Vec3<L> az = cross(r, Vec3<L>{gx.z, gy.z, gz.z});
  const Vec3<L> s = point.spin_curvature * n;
  inertia += Sym6<L>::from_blocks({ax.x + s.x * n.x, ax.y + s.x * n.y, ax.z + s.x * n.z,
                                   ay.y + s.y * n.y, ay.z + s.y * n.z, az.z + s.z * n.z},
                                  {gx, gy, gz}, H);
  const Vec3<L> f = point.gradient - H * point.velocity;
  const L spin = point.spin_gradient - point.spin_curvature * point.spin;
  wrench += Wrench<L>{cross(r, f) + spin * n, f};
}

// Adds the contacts on a group of links.
template <class T>
[[gnu::always_inline]] inline void add_group_points(const ContactProblem<T>& problem, int group,
                                                    Sym6<Pack<T>>& inertia,
                                                    Wrench<Pack<T>>& wrench) {
  using L = Pack<T>;
  add_packs<T>(
      problem.places, problem.first_pack[group], problem.first_pack[group + 1],
      [&](int i, Sym6<L>& I, Wrench<L>& w) { add_point(problem.packs()[i], I, w); }, inertia,
      wrench);
  if (problem.soft.first_pack[group] < problem.soft.first_pack[group + 1]) {
    const SoftSum<T> soft = sum_soft_group(problem.soft, group);
    inertia += soft.inertia;
    wrench += soft.wrench;
  }
}

template <class T>
FOOTFALL_KERNEL void solve_linearized(const LinkTree<T>& tree, const LinkData<T>& data,
                                      const JointBalance<T>& balance,
                                      const ContactProblem<T>& problem, LinkSweep<T>& sweep) {
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    sweep.diagonal[s] = balance.diagonal[s];
    sweep.generalized[s] = balance.generalized[s];
  }
  for (const JointRow<Pack<T>>& row : problem.rows) {
    sweep.diagonal[row.slot] += row.curvature;
    sweep.generalized[row.slot] -= row.gradient - row.curvature * row.velocity;
  }
  solve_links(
      tree, data,
      [&](int group, Sym6<Pack<T>>& inertia, Wrench<Pack<T>>& wrench) {
        add_group_points(problem, group, inertia, wrench);
      },
      sweep);
}

// Puts the sweep's solution into the search steps.
template <class T>
FOOTFALL_KERNEL void compute_search_steps(const LinkSweep<T>& sweep, ContactProblem<T>& problem) {
  using L = Pack<T>;
  for (int i = 0; i < problem.pack_count; ++i) {
    const ContactPoint<L>& p = problem.packs()[i];
    const Twist<L> V = place_motion(sweep, problem.places[i]);
    PointStep<L>& step = problem.point_steps[i];
    step.velocity = point_velocity(V, p.p_OC) - p.velocity;
    step.spin = dot(p.normal, V.ang) - p.spin;
    step.balance = p.gradient + p.curvature * step.velocity - p.balance;
    step.spin_balance = p.spin_gradient + p.spin_curvature * step.spin - p.spin_balance;
  }
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const JointRow<L>& r = problem.rows[i];
    RowStep<L>& step = problem.row_steps[i];
    step.velocity = sweep.solution[r.slot] - r.velocity;
    step.balance = r.gradient + r.curvature * step.velocity - r.balance;
  }
  if (problem.soft.count > 0) compute_soft_steps(sweep, problem.soft);
}

// φ'(α), φ''(α), and the size of the terms that φ' sums: its rounding is about 1e-16 of that.
template <class T>
struct Slope {
  T first, second, size;
};
// φ'(0) and its size: all laws are evaluated there already.
template <class T>
FOOTFALL_KERNEL Slope<T> start_slope(const ContactProblem<T>& problem) {
  using L = Pack<T>;
  Slope<L> slope{L(0), L(0), L(0)};
  for (int i = 0; i < problem.pack_count; ++i) {
    const ContactPoint<L>& p = problem.packs()[i];
    const PointStep<L>& step = problem.point_steps[i];
    slope.first +=
        dot(step.velocity, p.gradient - p.balance) + step.spin * (p.spin_gradient - p.spin_balance);
    slope.size += abs(dot(step.velocity, p.gradient)) + abs(dot(step.velocity, p.balance));
  }
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const JointRow<L>& r = problem.rows[i];
    const L dv = problem.row_steps[i].velocity;
    slope.first += dv * (r.gradient - r.balance);
    slope.size += abs(dv * r.gradient) + abs(dv * r.balance);
  }
  if (problem.soft.count > 0) {
    const SoftSlope<L> soft = soft_start_slope(problem.soft);
    slope.first += soft.first;
    slope.size += soft.size;
  }
  return {sum_items<T>(slope.first), T(0), sum_items<T>(slope.size)};
}

template <class T>
FOOTFALL_KERNEL Slope<T> objective_slope(ContactProblem<T>& problem, const T& alpha_value) {
  using L = Pack<T>;
  const L alpha(alpha_value);
  Slope<L> slope{L(0), L(0), L(0)};
  for (int i = 0; i < problem.pack_count; ++i) {
    ContactPoint<L> p = problem.packs()[i];
    const PointStep<L>& step = problem.point_steps[i];
    p.velocity += alpha * step.velocity;
    p.spin += alpha * step.spin;
    evaluate_contact(p);
    slope.first += dot(step.velocity, p.gradient - p.balance - alpha * step.balance) +
                   step.spin * (p.spin_gradient - p.spin_balance - alpha * step.spin_balance);
    slope.size += abs(dot(step.velocity, p.gradient)) + abs(dot(step.velocity, p.balance));
    slope.second += dot(step.velocity, p.curvature * step.velocity - step.balance) +
                    step.spin * (p.spin_curvature * step.spin - step.spin_balance);
  }
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    JointRow<L> r = problem.rows[i];
    const RowStep<L>& step = problem.row_steps[i];
    r.velocity += alpha * step.velocity;
    evaluate_row(r);
    slope.first += step.velocity * (r.gradient - r.balance - alpha * step.balance);
    slope.size += abs(step.velocity * r.gradient) + abs(step.velocity * r.balance);
    slope.second += step.velocity * (r.curvature * step.velocity - step.balance);
  }
  if (problem.soft.count > 0) {
    const SoftSlope<L> soft = soft_slope<T>(alpha, problem.soft);
    slope.first += soft.first;
    slope.second += soft.second;
    slope.size += soft.size;
  }
  return {sum_items<T>(slope.first), sum_items<T>(slope.second), sum_items<T>(slope.size)};
}

// A step length in (0, 1]: 1 if φ does not turn up before it, else where φ' is nearly zero.
// The last slope asked for is that of the length returned.
template <class T>
T find_step_length(ContactProblem<T>& problem) {
  const Slope<T> start = start_slope(problem);  // φ' < 0: a descent direction
  const T enough = max(T(-0.1) * start.first, T(1e-13) * start.size);
  T alpha(1), low(0), high(1);
  Slope<T> slope = objective_slope(problem, alpha);
  auto done = slope.first <= enough;
  for (int k = 0; k < 12 && !all(done); ++k) {
    // Newton on φ', kept inside the bracket
    high = select(slope.first > T(0), alpha, high);
    low = select(slope.first > T(0), low, alpha);
    T next = alpha - slope.first / max(slope.second, T(1e-300));
    next = select((next > low) & (next < high), next, T(0.5) * (low + high));
    alpha = select(done, alpha, next);
    slope = objective_slope(problem, alpha);
    done = done | (abs(slope.first) <= enough);
  }
  return alpha;
}

// Largest |∇ℓ − λ| and largest |λ|, both as impulses squared (rows and spins as they are).
template <class T>
struct Residual {
  T error, scale;
};
template <class L>
[[gnu::always_inline]] inline void measure(const ContactPoint<L>& p, Residual<L>& residual) {
  const Vec3<L> e = p.gradient - p.balance;
  residual.error = max(residual.error, dot(e, e) + square(p.spin_gradient - p.spin_balance));
  residual.scale = max(residual.scale, dot(p.balance, p.balance));
}
template <class L>
[[gnu::always_inline]] inline void measure(const JointRow<L>& r, Residual<L>& residual) {
  residual.error = max(residual.error, square(r.gradient - r.balance));
  residual.scale = max(residual.scale, square(r.balance));
}
template <class T>
Residual<T> max_item(const Residual<Pack<T>>& r) {
  return {max_item<T>(r.error), max_item<T>(r.scale)};
}

// Takes the sweep's solution whole, as the first trial that balances momentum.
template <class T>
FOOTFALL_KERNEL Residual<T> take_first_step(const LinkSweep<T>& sweep, ContactProblem<T>& problem,
                                            std::vector<Pack<T>>& qvel) {
  using L = Pack<T>;
  Residual<L> residual{L(0), L(0)};
  for (int i = 0; i < problem.pack_count; ++i) {
    ContactPoint<L>& p = problem.packs()[i];
    const Twist<L> V = place_motion(sweep, problem.places[i]);
    const Vec3<L> u = point_velocity(V, p.p_OC);
    const L spin = dot(p.normal, V.ang);
    p.balance = p.gradient + p.curvature * (u - p.velocity);
    p.spin_balance = p.spin_gradient + p.spin_curvature * (spin - p.spin);
    p.velocity = u;
    p.spin = spin;
    evaluate_contact(p);
    measure(p, residual);
  }
  for (JointRow<L>& r : problem.rows) {
    const L v = sweep.solution[r.slot];
    r.balance = r.gradient + r.curvature * (v - r.velocity);
    r.velocity = v;
    evaluate_row(r);
    measure(r, residual);
  }
  if (problem.soft.count > 0) {
    const SoftResidual<L> soft = take_first_soft_step(sweep, problem.soft);
    residual = {max(residual.error, soft.error), max(residual.scale, soft.scale)};
  }
  for (std::size_t s = 0; s < qvel.size(); ++s) qvel[s] = sweep.solution[s];
  return max_item<T>(residual);
}

// Moves the trial by α of the search step. A step that had to be cut calls for caution.
template <class T>
FOOTFALL_KERNEL Residual<T> take_step(const LinkSweep<T>& sweep, const T& alpha_value,
                                      bool is_evaluated, ContactProblem<T>& problem,
                                      std::vector<Pack<T>>& qvel) {
  using L = Pack<T>;
  const L alpha(alpha_value);
  Residual<L> residual{L(0), L(0)};
  const L caution = select(alpha < L(1), L(1), L(0));
  for (int i = 0; i < problem.pack_count; ++i) {
    ContactPoint<L>& p = problem.packs()[i];
    const PointStep<L>& step = problem.point_steps[i];
    p.velocity += alpha * step.velocity;
    p.spin += alpha * step.spin;
    p.balance += alpha * step.balance;
    p.spin_balance += alpha * step.spin_balance;
    p.caution = caution;
    evaluate_contact(p);
    measure(p, residual);
  }
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    JointRow<L>& r = problem.rows[i];
    r.velocity += alpha * problem.row_steps[i].velocity;
    r.balance += alpha * problem.row_steps[i].balance;
    evaluate_row(r);
    measure(r, residual);
  }
  if (problem.soft.count > 0) {
    const SoftResidual<L> soft = take_soft_step<T>(alpha, is_evaluated, problem.soft);
    residual = {max(residual.error, soft.error), max(residual.scale, soft.scale)};
  }
  for (std::size_t s = 0; s < qvel.size(); ++s) {
    qvel[s] += alpha * (sweep.solution[s] - qvel[s]);
  }
  return max_item<T>(residual);
}

// Largest change of a friction force if its limit followed the normal force found, squared [N²].
template <class T>
FOOTFALL_KERNEL T measure_limit_change(const ContactProblem<T>& problem) {
  using L = Pack<T>;
  L change(0);
  for (int i = 0; i < problem.pack_count; ++i) {
    const ContactPoint<L>& p = problem.packs()[i];
    const L before = shear_limit(p, p.limit_force), after = shear_limit(p, p.normal_force);
    const Vec3<L> y = shear_trial(p, tangential_velocity(p)).force;  // over its scale
    const L y2 = dot(y, y);
    if (!p.plastic.any && !any(y2 > square(min(before, after)))) continue;  // all hold, both times
    const L trial = sqrt(y2);
    const L force_before = min(shear_scale(p, before) * trial, before);
    const L force_after = min(shear_scale(p, after) * trial, after);
    change = max(change, square(force_before - force_after));
  }
  return max_item<T>(change);
}

template <class T>
FOOTFALL_KERNEL void update_limits(const Mask<T>& robots, ContactProblem<T>& problem) {
  using L = Pack<T>;
  const Mask<L> where = spread_mask<T>(robots);
  for (int i = 0; i < problem.pack_count; ++i) {
    ContactPoint<L>& p = problem.packs()[i];
    p.limit_force = select(where, p.normal_force, p.limit_force);
    evaluate_contact(p);
  }
}

// Starts the search at the step's start: no balance is known yet.
template <class T>
FOOTFALL_KERNEL void start_search(ContactProblem<T>& problem) {
  using L = Pack<T>;
  for (int i = 0; i < problem.pack_count; ++i) {
    ContactPoint<L>& p = problem.packs()[i];
    p.balance = zero3<L>();
    p.spin_balance = L(0);
    p.caution = L(0);
    evaluate_contact(p);
  }
  for (JointRow<L>& r : problem.rows) {
    r.balance = L(0);
    evaluate_row(r);
  }
  if (problem.soft.count > 0) start_soft(problem.soft);
}

template <class T>
[[gnu::always_inline]] inline void add_group_gradients(const ContactProblem<T>& problem, int group,
                                                       Sym6<Pack<T>>& inertia,
                                                       Wrench<Pack<T>>& wrench) {
  using L = Pack<T>;
  const SoftProblem<T>& soft = problem.soft;
  add_packs<T>(
      soft.places, soft.first_pack[group], soft.first_pack[group + 1],
      [&](int i, Sym6<L>&, Wrench<L>& w) {
        w += row_wrench(soft.contacts[i], soft.contacts[i].gradient);
      },
      inertia, wrench);
}

}  // namespace solver_detail

// MuJoCo finds constraint forces with damping explicit, then takes the step with these forces
// fixed and damping implicit: qvel = (M + B)⁻¹ (M v + h τ − Jᵀ∇ℓ + B v), B the late damping.
template <class T>
FOOTFALL_KERNEL void
apply_late_damping(const LinkTree<T>& tree, const LinkData<T>& data, const JointBalance<T>& balance,
                   const ContactProblem<T>& problem, SolverWorkspace<T>& workspace) {
  LinkSweep<T>& sweep = workspace.sweep;
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    workspace.undamped_qvel[s] = workspace.qvel[s];
    sweep.diagonal[s] = balance.diagonal[s] + balance.late_damping[s];
    sweep.generalized[s] = balance.generalized[s] + balance.late_damping[s] * data.qvel[s];
  }
  for (const JointRow<Pack<T>>& row : problem.rows) sweep.generalized[row.slot] -= row.gradient;
  solve_links(
      tree, data,
      [&](int group, Sym6<Pack<T>>& inertia, Wrench<Pack<T>>& wrench) {
        solver_detail::add_group_gradients(problem, group, inertia, wrench);
      },
      sweep);
  for (std::size_t s = 0; s < tree.slots.size(); ++s) workspace.qvel[s] = sweep.solution[s];
}

// Solves the step's problem. On entry points and rows hold the trial velocities of the step's
// start; on return they hold v⁺'s, with gradients, and workspace.qvel is v⁺. `least_impulse` is the
// scale below which force errors do not matter (the robot's weight times h) [N s].
template <class T>
SolverReport<T> solve_step(const LinkTree<T>& tree, const LinkData<T>& data,
                           const JointBalance<T>& balance, const SolverOptions& options,
                           const T& step, const T& least_impulse, ContactProblem<T>& problem,
                           SolverWorkspace<T>& workspace) {
  using namespace solver_detail;
  LinkSweep<T>& sweep = workspace.sweep;
  start_search(problem);
  SolverReport<T> report{T(1) < T(0), T(0), T(0), T(0)};
  T updates(0);
  for (int k = 0; k < options.max_iterations && !all(report.converged); ++k) {
    solve_linearized(tree, data, balance, problem, sweep);
    Residual<T> residual{};
    if (k == 0) {  // the start's velocities are no solution of anything: nothing to search along
      residual = take_first_step(sweep, problem, workspace.qvel);
    } else {
      compute_search_steps(sweep, problem);
      const T alpha = select(report.converged, T(0), find_step_length(problem));
      residual = take_step(sweep, alpha, !any(report.converged), problem, workspace.qvel);
    }
    const T& error = residual.error;
    const T scale = max(residual.scale, square(least_impulse));
    report.iterations += select(report.converged, T(0), T(1));
    report.residual = select(report.converged, report.residual, sqrt(error) / step);
    const auto running = !report.converged;
    const auto solved = error <= T(square(options.tolerance)) * scale;
    const auto nearly = error <= T(square(options.friction_tolerance)) * scale;
    if (!any(running & nearly)) continue;
    // Solved well enough for these friction limits: do they agree with the normal forces found?
    const T change = measure_limit_change(problem);
    const auto off = (change > T(square(options.friction_tolerance)) * scale / square(step)) &
                     (updates < T(options.max_limit_updates));
    report.friction_residual = select(running, sqrt(change), report.friction_residual);
    report.converged = report.converged | (solved & !off);
    const auto update = running & nearly & off;
    updates += select(update, T(1), T(0));
    if (any(update)) update_limits(update, problem);
  }
  return report;
}

}  // namespace footfall
