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
// Friction is limited by μ·limit_force, which is fixed while Newton's method runs, or the problem
// would be no minimisation. It starts from the last step's normal force and follows the new one
// between solves until the friction forces agree with it (friction_tolerance).
#pragma once

#include <vector>

#include "footfall/contact/compliant.hpp"
#include "footfall/robot/dynamics.hpp"

namespace footfall {

// A force on one dof: gradient of ℓ = clamp(offset + slope·v, lower, upper) [N s or N m s].
template <class T>
struct JointRow {
  int dof;
  T offset, slope, lower, upper;  // filled by the row's maker
  T gradient, curvature;          // filled by evaluate_row, at the trial velocity
  T velocity;                     // trial, kept by the solver
  T balance;                      // as in ContactPoint
};

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

// The momentum side of the problem: what the sweep starts from before contacts are added.
template <class T>
struct MomentumBalance {
  explicit MomentumBalance(const RobotModel& model)
      : wrench(model.bodies.size(), zero6<T>()), diagonal(model.dofs.size()),
        generalized(model.dofs.size()) {}
  std::vector<Wrench<T>> wrench;  // of each body: −I V + h (bias − external wrench) [N m s, N s]
  std::vector<T> diagonal;        // armature and implicit damping of each dof
  std::vector<T> generalized;     // impulse on each dof [N m s or N s]
};

template <class T>
struct SolverWorkspace {
  explicit SolverWorkspace(const RobotModel& model) : sweep(model), qvel(model.dofs.size()) {}
  ArticulatedSweep<T> sweep;
  std::vector<T> qvel;  // trial velocities; after solve_step the step's v⁺
};

template <class T>
void evaluate_row(JointRow<T>& row) {
  const T y = row.offset + row.slope * row.velocity;
  row.gradient = min(max(y, row.lower), row.upper);
  row.curvature = select((y > row.lower) & (y < row.upper), row.slope, T(0));
}

namespace solver_detail {

// Adds a point's curvature H and linear term ∇ℓ − H u to its link.
template <class T>
void add_point(const ContactPoint<T>& point, ArticulatedSweep<T>& sweep) {
  const Sym3<T>& H = point.curvature;
  const Vec3<T>& r = point.p_OC;
  const Vec3<T>& n = point.normal;
  // u = lin − [r]×ang: coupling block [r]×H, angular block [r]×H[r]×ᵀ (+ spin n nᵀ)
  const Vec3<T> gx = cross(r, Vec3<T>{H.xx, H.xy, H.xz});
  const Vec3<T> gy = cross(r, Vec3<T>{H.xy, H.yy, H.yz});
  const Vec3<T> gz = cross(r, Vec3<T>{H.xz, H.yz, H.zz});
  const Vec3<T> ax = cross(r, Vec3<T>{gx.x, gy.x, gz.x});
  const Vec3<T> ay = cross(r, Vec3<T>{gx.y, gy.y, gz.y});
  const Vec3<T> az = cross(r, Vec3<T>{gx.z, gy.z, gz.z});
  const Vec3<T> s = point.spin_curvature * n;
  sweep.inertia[point.body] +=
      Sym6<T>::from_blocks({ax.x + s.x * n.x, ax.y + s.x * n.y, ax.z + s.x * n.z, ay.y + s.y * n.y,
                            ay.z + s.y * n.z, az.z + s.z * n.z},
                           {gx, gy, gz}, H);
  const Vec3<T> f = point.gradient - H * point.velocity;
  const T spin = point.spin_gradient - point.spin_curvature * point.spin;
  sweep.wrench[point.body] += Wrench<T>{cross(r, f) + spin * n, f};
}

template <class T>
void solve_linearized(const RobotModel& model, const RobotData<T>& data,
                      const MomentumBalance<T>& momentum,
                      const std::vector<ContactPoint<T>>& points, int point_count,
                      const std::vector<JointRow<T>>& rows, ArticulatedSweep<T>& sweep) {
  for (int b = 1; b < model.body_count(); ++b) {
    sweep.inertia[b] = to_sym6(data.inertia[b]);
    sweep.wrench[b] = momentum.wrench[b];
  }
  for (int d = 0; d < model.velocity_size(); ++d) {
    sweep.diagonal[d] = momentum.diagonal[d];
    sweep.generalized[d] = momentum.generalized[d];
  }
  for (int i = 0; i < point_count; ++i) add_point(points[i], sweep);
  for (const JointRow<T>& row : rows) {
    sweep.diagonal[row.dof] += row.curvature;
    sweep.generalized[row.dof] -= row.gradient - row.curvature * row.velocity;
  }
  solve_articulated(model, data, sweep);
}

// Where a search step leads from the current trial: all that φ' needs of a point.
template <class T>
struct PointStep {
  Vec3<T> velocity;  // Δu [m/s]
  T spin;            // [rad/s]
  Vec3<T> balance;   // Δλ [N s]
  T spin_balance;
};
template <class T>
struct RowStep {
  T velocity;
  T balance;
};

}  // namespace solver_detail

// The contacts and rows of one step, and the search steps over them. Made once, never grown.
template <class T>
struct ContactProblem {
  ContactProblem(int max_points, int max_rows)
      : points(max_points), point_steps(max_points), row_steps(max_rows) {
    rows.reserve(max_rows);
  }
  std::vector<ContactPoint<T>> points;
  int point_count = 0;  // of points in use
  std::vector<JointRow<T>> rows;
  std::vector<solver_detail::PointStep<T>> point_steps;
  std::vector<solver_detail::RowStep<T>> row_steps;
};

namespace solver_detail {

// Puts the sweep's solution into the search steps.
template <class T>
void compute_search_steps(const ArticulatedSweep<T>& sweep, ContactProblem<T>& problem) {
  for (int i = 0; i < problem.point_count; ++i) {
    const ContactPoint<T>& p = problem.points[i];
    const Twist<T>& V = sweep.motion[p.body];
    PointStep<T>& step = problem.point_steps[i];
    step.velocity = point_velocity(V, p.p_OC) - p.velocity;
    step.spin = dot(p.normal, V.ang) - p.spin;
    step.balance = p.gradient + p.curvature * step.velocity - p.balance;
    step.spin_balance = p.spin_gradient + p.spin_curvature * step.spin - p.spin_balance;
  }
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const JointRow<T>& r = problem.rows[i];
    RowStep<T>& step = problem.row_steps[i];
    step.velocity = sweep.solution[r.dof] - r.velocity;
    step.balance = r.gradient + r.curvature * step.velocity - r.balance;
  }
}

// φ'(α), φ''(α), and the size of the terms that φ' sums: its rounding is about 1e-16 of that.
template <class T>
struct Slope {
  T first, second, size;
};
template <class T>
Slope<T> objective_slope(const ContactProblem<T>& problem, const T& alpha) {
  Slope<T> slope{T(0), T(0), T(0)};
  for (int i = 0; i < problem.point_count; ++i) {
    ContactPoint<T> p = problem.points[i];
    const PointStep<T>& step = problem.point_steps[i];
    p.velocity += alpha * step.velocity;
    p.spin += alpha * step.spin;
    evaluate_compliant(p);
    slope.first += dot(step.velocity, p.gradient - p.balance - alpha * step.balance) +
                   step.spin * (p.spin_gradient - p.spin_balance - alpha * step.spin_balance);
    slope.size += abs(dot(step.velocity, p.gradient)) + abs(dot(step.velocity, p.balance));
    slope.second += dot(step.velocity, p.curvature * step.velocity - step.balance) +
                    step.spin * (p.spin_curvature * step.spin - step.spin_balance);
  }
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    JointRow<T> r = problem.rows[i];
    const RowStep<T>& step = problem.row_steps[i];
    r.velocity += alpha * step.velocity;
    evaluate_row(r);
    slope.first += step.velocity * (r.gradient - r.balance - alpha * step.balance);
    slope.size += abs(step.velocity * r.gradient) + abs(step.velocity * r.balance);
    slope.second += step.velocity * (r.curvature * step.velocity - step.balance);
  }
  return slope;
}

// A step length in (0, 1]: 1 if φ does not turn up before it, else where φ' is nearly zero.
template <class T>
T find_step_length(const ContactProblem<T>& problem) {
  const Slope<T> start = objective_slope(problem, T(0));  // φ' < 0: a descent direction
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

// Moves the trial by α of the search step. A step that had to be cut calls for caution.
template <class T>
void take_step(const ArticulatedSweep<T>& sweep, const T& alpha, ContactProblem<T>& problem,
               std::vector<T>& qvel) {
  const T caution = select(alpha < T(1), T(1), T(0));
  for (int i = 0; i < problem.point_count; ++i) {
    ContactPoint<T>& p = problem.points[i];
    const PointStep<T>& step = problem.point_steps[i];
    p.velocity += alpha * step.velocity;
    p.spin += alpha * step.spin;
    p.balance += alpha * step.balance;
    p.spin_balance += alpha * step.spin_balance;
    p.caution = caution;
    evaluate_compliant(p);
  }
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    JointRow<T>& r = problem.rows[i];
    r.velocity += alpha * problem.row_steps[i].velocity;
    r.balance += alpha * problem.row_steps[i].balance;
    evaluate_row(r);
  }
  for (std::size_t d = 0; d < qvel.size(); ++d) {
    qvel[d] += alpha * (sweep.solution[d] - qvel[d]);
  }
}

// Largest |∇ℓ − λ| and largest |λ|, both as impulses squared (rows and spins as they are).
template <class T>
void measure_residual(const ContactProblem<T>& problem, T& error, T& scale) {
  error = T(0);
  scale = T(0);
  for (int i = 0; i < problem.point_count; ++i) {
    const ContactPoint<T>& p = problem.points[i];
    const Vec3<T> e = p.gradient - p.balance;
    error = max(error, dot(e, e) + square(p.spin_gradient - p.spin_balance));
    scale = max(scale, dot(p.balance, p.balance));
  }
  for (const JointRow<T>& r : problem.rows) {
    error = max(error, square(r.gradient - r.balance));
    scale = max(scale, square(r.balance));
  }
}

// Largest change of a friction force if its limit followed the normal force found, squared [N²].
template <class T>
T measure_limit_change(const ContactProblem<T>& problem) {
  T change(0);
  for (int i = 0; i < problem.point_count; ++i) {
    const ContactPoint<T>& p = problem.points[i];
    const Vec3<T> u_t = p.velocity - dot(p.normal, p.velocity) * p.normal;
    const T trial = norm(p.shear_start + p.shear_slope * u_t);
    const T mu = p.friction_coefficient;
    change = max(change, square(min(trial, mu * p.limit_force) - min(trial, mu * p.normal_force)));
  }
  return change;
}

template <class T>
void update_limits(const Mask<T>& where, ContactProblem<T>& problem) {
  for (int i = 0; i < problem.point_count; ++i) {
    ContactPoint<T>& p = problem.points[i];
    p.limit_force = select(where, p.normal_force, p.limit_force);
    evaluate_compliant(p);
  }
}

}  // namespace solver_detail

// Solves the step's problem. On entry points and rows hold the trial velocities of the step's
// start; on return they hold v⁺'s, with gradients, and workspace.qvel is v⁺. `least_impulse` is the
// scale below which force errors do not matter (the robot's weight times h) [N s].
template <class T>
SolverReport<T> solve_step(const RobotModel& model, const RobotData<T>& data,
                           const MomentumBalance<T>& momentum, const SolverOptions& options,
                           const T& step, const T& least_impulse, ContactProblem<T>& problem,
                           SolverWorkspace<T>& workspace) {
  using namespace solver_detail;
  ArticulatedSweep<T>& sweep = workspace.sweep;
  for (int i = 0; i < problem.point_count; ++i) {
    ContactPoint<T>& p = problem.points[i];
    p.balance = zero3<T>();
    p.spin_balance = T(0);
    p.caution = T(0);
    evaluate_compliant(p);
  }
  for (JointRow<T>& r : problem.rows) {
    r.balance = T(0);
    evaluate_row(r);
  }
  SolverReport<T> report{T(1) < T(0), T(0), T(0), T(0)};
  T updates(0);
  for (int k = 0; k < options.max_iterations && !all(report.converged); ++k) {
    solve_linearized(model, data, momentum, problem.points, problem.point_count, problem.rows,
                     sweep);
    compute_search_steps(sweep, problem);
    // The first solution is taken whole: the start's velocities are no solution of anything.
    T alpha = k == 0 ? T(1) : find_step_length(problem);
    alpha = select(report.converged, T(0), alpha);
    take_step(sweep, alpha, problem, workspace.qvel);
    T error, scale;
    measure_residual(problem, error, scale);
    scale = max(scale, square(least_impulse));
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
