// Plastic soil under a point of a sole, during one step: the laws of soil/plastic.hpp, implicit in
// time. Over the step h the point sinks with rate δ̇, so δ⁺ = δ + h δ̇ and
//
//   F_N = clamp( k_u (δ⁺ − δ_p + τ δ̇), 0, V(δ⁺) + b δᵖ max(δ̇, 0)^q ).
//
// Most of the time soil carries a foot that it has carried before: then the line holds and V is not
// looked at. A lower bound of V decides that without a power: V grows like δ^m with m ≤ n + 1 ≤ 4, so
// V(δ) ≥ V(d)(1 − 4(1 − δ/d)) below d and V(δ) ≥ V(d) above. Of a cell δ is its deepest corner's and
// m ≤ n + 2 ≤ 5: 5 holds for all. V of a cell is exact to 1e-5, so the bound is taken 1e-4 lower.
#pragma once

#include "footfall/ground/compliant.hpp"
#include "footfall/soil/plastic.hpp"

namespace footfall {

// V and dV/dδ of a point at this depth.
template <class T>
Bearing<T> evaluate_bearing(const PointLaw<T>& point, const T& depth) {
  const PlasticPart<T>& p = point.plastic;
  const T& exponent = point.exponent;
  Bearing<T> b{};
  switch (p.kind) {
  case BearingKind::flat:
    if (point.cell.any) {
      b = mean_power(point.cell, exponent, depth);
      b = {p.size * b.force, p.size * b.slope};
    } else {
      b = bear_flat(p.size, exponent, depth);
    }
    break;
  case BearingKind::ball:  // a share `size` of it
    b = bear_ball(p.radius, exponent, depth);
    b = {p.size * b.force, p.size * b.slope};
    break;
  case BearingKind::rim:
    b = bear_rim(p.size, p.radius, exponent, depth, [&](int k, const Mask<T>& beyond) {
      T within_k, beyond_k;
      for (int i = 0; i < lane_count<T>; ++i) {
        const RimSeries& rim = p.rims[p.soil_index[i]];
        set_lane(within_k, i, rim.p[k]);
        set_lane(beyond_k, i, rim.q[k]);
      }
      return select(beyond, beyond_k, within_k);
    });
    break;
  }
  return {p.modulus * b.force, p.modulus * b.slope};
}

template <class T>
NormalForce<T> evaluate_plastic(const PointLaw<T>& point, const T& rate) {
  const PlasticPart<T>& p = point.plastic;
  const T depth = point.sinkage + point.step * rate;
  const T line = p.unload_stiffness * (depth - p.plastic_sinkage + p.recovery * rate);
  const T line_slope = p.unload_stiffness * (point.step + p.recovery);
  const T deepest = point.cell.any ? depth + point.cell.high : depth;
  const T share = min(T(5) * deepest / p.reference_depth - T(4), T(1)) - T(1e-4);
  if (all(line <= p.bearing * max(share, T(0)))) {
    const auto pushes = line > T(0);
    return {select(pushes, line, T(0)), select(pushes, line_slope, T(0))};
  }
  const Bearing<T> virgin = evaluate_bearing(point, depth);
  const RateForce<T> rate_force = sinking_damping(point.damping, point.rate_exponent, rate);
  const T bound = virgin.force + rate_force.force;
  const auto yields = line > bound;
  const T force = select(yields, bound, line);
  const T slope = select(yields, point.step * virgin.slope + rate_force.slope, line_slope);
  const auto pushes = force > T(0);
  return {select(pushes, force, T(0)), select(pushes, slope, T(0))};
}

// The ground alone, of whichever kind.
template <class T>
NormalForce<T> evaluate_ground(const PointLaw<T>& point, const T& rate) {
  if (!point.plastic.any) return evaluate_compliant(point, rate);
  const NormalForce<T> plastic = evaluate_plastic(point, rate);
  const auto is_plastic = point.plastic.is_plastic > T(0);
  if (all(is_plastic)) return plastic;
  const NormalForce<T> compliant = evaluate_compliant(point, rate);
  return {select(is_plastic, plastic.force, compliant.force),
          select(is_plastic, plastic.slope, compliant.slope)};
}

template <class T>
NormalForce<T> evaluate_pad(const PointLaw<T>& point, const T& rate) {
  const PadPart<T>& pad = point.pad;
  const T depth = max(pad.compression + point.step * rate, T(0));
  T force = pad.stiffness * pow(depth, pad.exponent);
  T slope = point.step * pad.exponent * force / max(depth, T(kTiny<T>));
  const T r2 = rate * rate + T(kRateSmoothing * kRateSmoothing);
  const T power = pad.damping * pow(r2, T(0.5) * (pad.rate_exponent - T(1)));
  force += power * rate;
  slope += power * (T(1) + (pad.rate_exponent - T(1)) * rate * rate / r2);
  const auto pushes = (force > T(0)) & (depth > T(0));
  return {select(pushes, force, T(0)), select(pushes, slope, T(0))};
}

// How fast the ground sinks below a pad whose upper side sinks at `rate`: pad and ground carry the
// same force. Their difference rises with the rate; Newton's method inside a bracket, whose lower end
// leaves the ground and whose upper end the pad without force.
template <class T>
T solve_ground_rate(const PointLaw<T>& point, const T& rate) {
  const auto padded = point.pad.is_padded > T(0);
  const T h = point.step;
  const T deepest = point.cell.any ? point.sinkage + point.cell.high : point.sinkage;
  T low = min(-(max(deepest, T(0)) + T(1e-3)) / h, rate);
  T high = max(rate + (point.pad.compression + T(1e-12)) / h, low);
  T w = select(padded, min(max(T(0.5) * rate, low), high), rate);
  for (int k = 0; k < 60; ++k) {
    const NormalForce<T> ground = evaluate_ground(point, w);
    const NormalForce<T> pad = evaluate_pad(point, rate - w);
    const T error = ground.force - pad.force;
    const auto done = (abs(error) <= T(1e-13) * ground.force) | (high - low <= T(1e-16)) | !padded;
    if (all(done)) break;
    high = select(error > T(0), w, high);
    low = select(error > T(0), low, w);
    const T slope = ground.slope + pad.slope;
    T next = w - error / max(slope, T(kTiny<T>));
    // bisect now and then: at a kink Newton may go to and fro
    const auto inside = (next > low) & (next < high) & (T(k % 4) < T(3));
    next = select(inside, next, T(0.5) * (low + high));
    w = select(done, w, next);
  }
  return w;
}

// F_N and its slope, of the ground and a pad in series with it: slopes combine as
// k_F k_T/(k_F + k_T) (Ding's (7) is upside down).
template <class T>
NormalForce<T> evaluate_normal(const PointLaw<T>& point, const T& rate) {
  if (!point.pad.any) return evaluate_ground(point, rate);
  const T w = solve_ground_rate(point, rate);
  const NormalForce<T> ground = evaluate_ground(point, w);
  const NormalForce<T> pad = evaluate_pad(point, rate - w);
  const T both = ground.slope * pad.slope / max(ground.slope + pad.slope, T(kTiny<T>));
  return {ground.force, select(point.pad.is_padded > T(0), both, ground.slope)};
}

}  // namespace footfall
