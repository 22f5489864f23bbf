// The soft contacts of a step in the solver: the same five things that solve.hpp does with points.
#pragma once

#include "footfall/robot/link_sweep.hpp"
#include "footfall/solver/problem.hpp"

namespace footfall::solver_detail {

// Adds a contact's curvature H and linear term g − H u to the inertia and wrench of its link.
template <class L>
[[gnu::always_inline]] inline void add_soft(const SoftPoint<L>& c, Sym6<L>& inertia,
                                            Wrench<L>& wrench) {
  const Sym3<L> H = rotate(c.R_WC, c.curvature.linear);
  const Vec3<L>& r = c.p_OC;
  // u = lin − [r]×ang, as in add_point
  const Vec3<L> gx = cross(r, Vec3<L>{H.xx, H.xy, H.xz});
  const Vec3<L> gy = cross(r, Vec3<L>{H.xy, H.yy, H.yz});
  const Vec3<L> gz = cross(r, Vec3<L>{H.xz, H.yz, H.zz});
  const Vec3<L> ax = cross(r, Vec3<L>{gx.x, gy.x, gz.x});
  const Vec3<L> ay = cross(r, Vec3<L>{gx.y, gy.y, gz.y});
  const Vec3<L> az = cross(r, Vec3<L>{gx.z, gy.z, gz.z});
  inertia += Sym6<L>::from_blocks({ax.x, ax.y, ax.z, ay.y, ay.z, az.z}, {gx, gy, gz}, H);
  if (c.turns) {
    // ωᵀ C u adds C to the coupling and −(C[r]× + its transpose) to the angular block
    const Mat3<L>& R = c.R_WC;
    const Mat3<L> RC = R * c.curvature.coupling;
    const Mat3<L> C{RC.x * R.x.x + RC.y * R.y.x + RC.z * R.z.x,
                    RC.x * R.x.y + RC.y * R.y.y + RC.z * R.z.y,
                    RC.x * R.x.z + RC.y * R.y.z + RC.z * R.z.z};
    const L o(0);
    const Mat3<L> X{C * Vec3<L>{o, r.z, -r.y}, C * Vec3<L>{-r.z, o, r.x},
                    C * Vec3<L>{r.y, -r.x, o}};
    inertia.coupling += C;
    inertia.angular += rotate(R, c.curvature.angular);
    inertia.angular += Sym3<L>{L(-2) * X.x.x, -X.y.x - X.x.y, -X.z.x - X.x.z,
                               L(-2) * X.y.y, -X.z.y - X.y.z, L(-2) * X.z.z};
  }
  wrench += row_wrench(c, c.gradient - c.curvature * c.velocity);
}

template <class T>
Twist<Pack<T>> place_motion(const LinkSweep<T>& sweep, const PackPlace& place) {
  using L = Pack<T>;
  if (place.item < 0) return sweep.motion[place.group];
  const Twist<T> V = get_item<T>(sweep.motion[place.group], place.item);
  return {spread<L>(V.ang), spread<L>(V.lin)};
}

template <class L>
[[gnu::always_inline]] inline void evaluate_at(SoftPoint<L>& c) {
  const SoftValue<L> value = evaluate_soft(c, c.velocity);
  c.gradient = value.gradient;
  c.curvature = value.curvature;
}

template <class T>
void start_soft(SoftProblem<T>& soft) {
  for (int i = 0; i < soft.count; ++i) {
    soft.contacts[i].balance = zero6<Pack<T>>();
    evaluate_at(soft.contacts[i]);
  }
}

template <class T>
[[gnu::always_inline]] inline void compute_soft_steps(const LinkSweep<T>& sweep,
                                                      SoftProblem<T>& soft) {
  for (int i = 0; i < soft.count; ++i) {
    const SoftPoint<Pack<T>>& c = soft.contacts[i];
    SoftStep<Pack<T>>& step = soft.steps[i];
    step.velocity = row_velocity(c, place_motion(sweep, soft.places[i])) - c.velocity;
    step.balance = c.gradient + c.curvature * step.velocity - c.balance;
  }
}

// Adds to φ'(α), φ''(α) and the size of the terms that φ' sums.
template <class T>
[[gnu::always_inline]] inline void add_soft_slope(const SoftProblem<T>& soft, const Pack<T>& alpha,
                                                  Pack<T>& first, Pack<T>& second, Pack<T>& size) {
  using L = Pack<T>;
  for (int i = 0; i < soft.count; ++i) {
    const SoftPoint<L>& c = soft.contacts[i];
    const SoftStep<L>& step = soft.steps[i];
    const SoftValue<L> value = evaluate_soft(c, c.velocity + alpha * step.velocity);
    first += dot(step.velocity, value.gradient - c.balance - alpha * step.balance);
    size += abs(dot(step.velocity, value.gradient)) + abs(dot(step.velocity, c.balance));
    second += dot(step.velocity, value.curvature * step.velocity - step.balance);
  }
}

template <class L>
[[gnu::always_inline]] inline void measure_soft(const SoftPoint<L>& c, L& error, L& scale) {
  const Spatial<L> e = c.gradient - c.balance;
  error = max(error, dot(e, e));
  scale = max(scale, dot(c.balance, c.balance));
}

template <class T>
[[gnu::always_inline]] inline void take_first_soft_step(const LinkSweep<T>& sweep,
                                                        SoftProblem<T>& soft, Pack<T>& error,
                                                        Pack<T>& scale) {
  using L = Pack<T>;
  for (int i = 0; i < soft.count; ++i) {
    SoftPoint<L>& c = soft.contacts[i];
    const Spatial<L> u = row_velocity(c, place_motion(sweep, soft.places[i]));
    c.balance = c.gradient + c.curvature * (u - c.velocity);
    c.velocity = u;
    evaluate_at(c);
    measure_soft(c, error, scale);
  }
}

template <class T>
[[gnu::always_inline]] inline void take_soft_step(const Pack<T>& alpha, SoftProblem<T>& soft,
                                                  Pack<T>& error, Pack<T>& scale) {
  using L = Pack<T>;
  for (int i = 0; i < soft.count; ++i) {
    SoftPoint<L>& c = soft.contacts[i];
    c.velocity += alpha * soft.steps[i].velocity;
    c.balance += alpha * soft.steps[i].balance;
    evaluate_at(c);
    measure_soft(c, error, scale);
  }
}

}  // namespace footfall::solver_detail
