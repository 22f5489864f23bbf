// Soil that yields and remembers: one element of a sole (flat, ball or rim) on plastic soil.
//
// Normal. The virgin curve V(δ) = K_σ·bearing(δ) (bearing.hpp) is a bound. Below it the soil is an
// elastic line from the bottom of the footprint, the plastic sinkage δ_p:
//
//   F_N = clamp( k_u (δ − δ_p + τ δ̇), 0, V(δ) + b δᵖ max(δ̇, 0)^q )
//
// Loading runs up the line to V and along it; δ_p then follows, δ_p = δ − F_N/k_u. Unloading runs
// down the line: the force is whatever stops the foot, never above what pressed it in, zero at
// lift-off (Ding 2013 (54) as a bound, not a switch). Reloading climbs the same line back to V. A
// foot that comes back later starts at δ_p. F_N is monotone in δ and δ̇, so implicit in time it is
// the slope of a convex function.
//
//   k_u = max( V(d)/(ρ d), (k_0 + A_u d)·A(d) ), d = max(δ_max, 1 mm), A the plan area in contact
//
// with ρ = 1 % where the soil has no k_0, A_u (numerically no rebound, as (54) asks), else 20 %: a
// measured unloading slope is extrapolated no further than that the ground comes back by a fifth.
// d has a least value because Vs slope at δ = 0 is infinite for n < 1. τ = 5 ms damps the line: what
// rebounds does not ring (it acts while the foot touches, δ > δ_p).
//
// Shear. With L = c S_c + F_N tanφ (Ding 2013 Table 7; S_c is the contact area of a flat sole, half
// of it of a round one) the shear force is −L e, |e| ≤ 1, where e is the mobilised share of the
// strength. It follows the shear displacement j:
//
//   de = (dj − |dj| r(|e|) e)/κ     exponential: κ = K, r = 1;  tanh: κ = 1.5 K, r = |e|;
//                                   piecewise linear: κ = 2 K, r = 0 and |e| clipped at 1
//
// Dragged one way from rest this *is* 1 − e^{−|j|/K}, tanh(|j|/1.5K) or |j|/2K, Ding 2013 (37), (44),
// (40); turned round it unloads at once and reloads the other way, along the same curve drawn from
// the point of reversal. At rest nothing changes, so a foot does not creep. Sway is damped
// by L τ_s/κ of its speed, or robots on soil would swing for minutes: all motion while |e| is small, and
// all but that along e when more than a twentieth of the strength is mobilised. So one-way shear is
// (37) but for its first twentieth, and there too when it is slow (|j̇| ≪ κ/20τ_s).
//
// | symbol | meaning                                       | unit |
// |--------|-----------------------------------------------|------|
// | δ_p    | plastic sinkage: depth of the footprint       | m    |
// | δ_max  | largest sinkage so far                        | m    |
// | k_u    | stiffness of unloading                        | N/m  |
// | τ      | recovery time                                 | s    |
// | e      | mobilised shear, a vector in the tangent plane| –    |
#pragma once

#include "footfall/math/spatial.hpp"
#include "footfall/soil/bearing.hpp"
#include "footfall/soil/soil.hpp"

namespace footfall {

inline constexpr double kNoRebound = 0.01;      // ρ of soil without unloading modulus
inline constexpr double kMostRebound = 0.2;     // ρ of soil with one
inline constexpr double kLeastDepth = 1e-3;     // of d [m]
inline constexpr double kRecoveryTime = 5e-3;   // τ [s]
inline constexpr double kSwayShare = 0.05;      // of |e|, from where on shearing is not damped
inline constexpr double kShearRecovery = 5e-2;  // τ_s [s]
inline constexpr double kRateSmoothing = 1e-4;  // of |δ̇|^q of pads near rest [m/s]
// The same for soil. Its q may be near zero (0.075 for standard sand), and δ̇^q then carries like
// friction at any speed; below 20 mm/s (1 mm between two samples of the paper's 50 Hz) nothing of
// it was measured, and the law is linear there: the foot creeps to where the soil alone carries it.
inline constexpr double kSlowSinking = 0.02;  // [m/s]

// k_u. `bearing` is V(d) [N], `area` the plan area in contact at d [m²], d = reference depth.
template <class T>
T unload_stiffness(const T& rebound, const T& modulus, const T& modulus_slope, const T& depth,
                   const T& bearing, const T& area) {
  return max(bearing / (rebound * depth), (modulus + modulus_slope * depth) * area);
}

// b δᵖ-scaled damping while sinking, and its slope: D max(δ̇, 0)^q, smooth at rest.
template <class T>
struct RateForce {
  T force, slope;
};
template <class T>
RateForce<T> sinking_damping(const T& damping, const T& q, const T& rate) {
  const T r = max(rate, T(0));
  if (all(q == T(1))) return {damping * r, select(rate > T(0), damping, T(0))};
  const T r2 = r * r + T(kSlowSinking * kSlowSinking);
  const T power = damping * pow(r2, T(0.5) * (q - T(1)));
  return {power * r, select(rate > T(0), power * (T(1) + (q - T(1)) * r * r / r2), T(0))};
}

// The relaxation of mobilised shear over a way s = |dj|: e⁺ = decay·e + gain·dj, for |e| at its
// start. Exact for a straight way of constant r.
template <class T>
struct ShearStep {
  T decay;  // [-]
  T gain;   // [1/m]
};

// κ [m] of a soil.
inline double shear_length(ShearForm form, double shear_modulus) {
  switch (form) {
  case ShearForm::exponential:
    break;
  case ShearForm::piecewise_linear:
    return 2 * shear_modulus;
  case ShearForm::tanh:
    return 1.5 * shear_modulus;
  }
  return shear_modulus;
}

// `relax` is r(|e|): 1, 0 or |e|, see the head of this file.
template <class T>
ShearStep<T> shear_step(const T& length, const T& relax, const T& way) {
  const T x = relax * way / length;
  // (1 − e^{−x})/x, by its series where x is small
  const T decay = exp(-x);
  const T small = T(1) - x * (T(0.5) - x * T(1.0 / 6));
  const T mean = select(x < T(1e-4), small, (T(1) - decay) / max(x, T(1e-4)));
  return {decay, mean / length};
}

}  // namespace footfall
