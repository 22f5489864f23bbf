// The soft contacts of a step in the solver: the same five things that solve.hpp does with points.
// They are functions of their own, called where there are any: kernels that had them inside were a tenth
// slower for the other models.
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
[[gnu::noinline]] FOOTFALL_KERNEL void start_soft(SoftProblem<T>& soft) {
  for (int i = 0; i < soft.count; ++i) {
    soft.contacts[i].balance = zero6<Pack<T>>();
    evaluate_at(soft.contacts[i]);
  }
}

template <class T>
[[gnu::noinline]] FOOTFALL_KERNEL void compute_soft_steps(const LinkSweep<T>& sweep,
                                                          SoftProblem<T>& soft) {
  for (int i = 0; i < soft.count; ++i) {
    const SoftPoint<Pack<T>>& c = soft.contacts[i];
    SoftStep<Pack<T>>& step = soft.steps[i];
    step.velocity = row_velocity(c, place_motion(sweep, soft.places[i])) - c.velocity;
    step.balance = c.gradient + c.curvature * step.velocity - c.balance;
  }
}

// What contacts add to φ'(α), φ''(α) and the size of the terms that φ' sums.
template <class L>
struct SoftSlope {
  L first, second, size;
};
template <class T>
[[gnu::noinline]] FOOTFALL_KERNEL SoftSlope<Pack<T>> soft_start_slope(const SoftProblem<T>& soft) {
  using L = Pack<T>;
  SoftSlope<L> out{L(0), L(0), L(0)};
  for (int i = 0; i < soft.count; ++i) {
    const SoftPoint<L>& c = soft.contacts[i];
    const Spatial<L>& du = soft.steps[i].velocity;
    out.first += dot(du, c.gradient - c.balance);
    out.size += abs(dot(du, c.gradient)) + abs(dot(du, c.balance));
  }
  return out;
}
// Leaves gradients and curvatures at α, for take_soft_step.
template <class T>
[[gnu::noinline]] FOOTFALL_KERNEL SoftSlope<Pack<T>> soft_slope(const Pack<T>& alpha,
                                                                SoftProblem<T>& soft) {
  using L = Pack<T>;
  SoftSlope<L> out{L(0), L(0), L(0)};
  for (int i = 0; i < soft.count; ++i) {
    SoftPoint<L>& c = soft.contacts[i];
    const SoftStep<L>& step = soft.steps[i];
    const SoftValue<L> value = evaluate_soft(c, c.velocity + alpha * step.velocity);
    out.first += dot(step.velocity, value.gradient - c.balance - alpha * step.balance);
    out.size += abs(dot(step.velocity, value.gradient)) + abs(dot(step.velocity, c.balance));
    out.second += dot(step.velocity, value.curvature * step.velocity - step.balance);
    c.gradient = value.gradient;
    c.curvature = value.curvature;
  }
  return out;
}

// Largest |∇ℓ − λ|² and |λ|².
template <class L>
struct SoftResidual {
  L error{0}, scale{0};
  [[gnu::always_inline]] void measure(const SoftPoint<L>& c) {
    const Spatial<L> e = c.gradient - c.balance;
    error = max(error, dot(e, e));
    scale = max(scale, dot(c.balance, c.balance));
  }
};

template <class T>
[[gnu::noinline]] FOOTFALL_KERNEL SoftResidual<Pack<T>>
take_first_soft_step(const LinkSweep<T>& sweep, SoftProblem<T>& soft) {
  using L = Pack<T>;
  SoftResidual<L> out;
  for (int i = 0; i < soft.count; ++i) {
    SoftPoint<L>& c = soft.contacts[i];
    const Spatial<L> u = row_velocity(c, place_motion(sweep, soft.places[i]));
    c.balance = c.gradient + c.curvature * (u - c.velocity);
    c.velocity = u;
    evaluate_at(c);
    out.measure(c);
  }
  return out;
}

// is_evaluated: soft_slope was last asked about this α.
template <class T>
[[gnu::noinline]] FOOTFALL_KERNEL SoftResidual<Pack<T>>
take_soft_step(const Pack<T>& alpha, bool is_evaluated, SoftProblem<T>& soft) {
  using L = Pack<T>;
  SoftResidual<L> out;
  for (int i = 0; i < soft.count; ++i) {
    SoftPoint<L>& c = soft.contacts[i];
    c.velocity += alpha * soft.steps[i].velocity;
    c.balance += alpha * soft.steps[i].balance;
    if (!is_evaluated) evaluate_at(c);
    out.measure(c);
  }
  return out;
}

// Adds packs i to end, which are on a group of links: add_one(i, inertia, wrench) adds one.
template <class T, class AddOne>
[[gnu::always_inline]] inline void add_packs(const std::vector<PackPlace>& places, int i, int end,
                                             AddOne&& add_one, Sym6<Pack<T>>& inertia,
                                             Wrench<Pack<T>>& wrench) {
  using L = Pack<T>;
  for (; i < end && places[i].item < 0; ++i) add_one(i, inertia, wrench);
  if constexpr (pack_size<T> > 1) {
    while (i < end) {  // all packs of one link, then their points' sum
      const int item = places[i].item;
      Sym6<L> I = to_sym6(RigidInertia<L>{L(0), zero3<L>(), diagonal3(L(0))});
      Wrench<L> w = zero6<L>();
      for (; i < end && places[i].item == item; ++i) add_one(i, I, w);
      L target(0);
      target.set(item, 1.0);
      link_detail::add_placed(
          I, w, [&](const L& x) { return target * sum_of_items(x); }, inertia, wrench);
    }
  }
}

// What the soft contacts on a group of links add to its inertia and wrench.
template <class T>
struct SoftSum {
  Sym6<Pack<T>> inertia;
  Wrench<Pack<T>> wrench;
};
template <class T>
[[gnu::noinline]] FOOTFALL_KERNEL SoftSum<T> sum_soft_group(const SoftProblem<T>& soft, int group) {
  using L = Pack<T>;
  SoftSum<T> out{link_detail::zero_sym6<L>(), zero6<L>()};
  add_packs<T>(
      soft.places, soft.first_pack[group], soft.first_pack[group + 1],
      [&](int i, Sym6<L>& I, Wrench<L>& w) { add_soft(soft.contacts[i], I, w); }, out.inertia,
      out.wrench);
  return out;
}

}  // namespace footfall::solver_detail
