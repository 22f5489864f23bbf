// Compliant ground: nonlinear spring and damper along the normal, elastic–plastic friction across.
//
//   normal      F_N = k δⁿ + b δᵖ |δ̇|^q sgn δ̇, never below zero                    Ding 2013 (8)
//   tangential  F_T = −(k_t j + b_t j̇), and |F_T| ≤ μ F_N                          after Ding (11)
//
// | symbol | meaning                                  | unit            | valid        |
// |--------|------------------------------------------|-----------------|--------------|
// | k      | stiffness                                | N/mⁿ            | > 0          |
// | n      | exponent of the spring                   | –               | ≥ 1          |
// | b      | damping                                  | N s^q/m^{p+q}   | ≥ 0          |
// | p      | exponent of sinkage in the damping       | –               | ≥ 0          |
// | q      | exponent of the rate in the damping      | –               | > 0          |
// | k_t    | shear stiffness                          | N/m             | > 0          |
// | b_t    | shear damping                            | N s/m           | ≥ 0          |
// | μ      | friction coefficient                     | –               | ≥ 0          |
//
// Special cases (Ding 2013, Table 5): simplified Hunt–Crossley p = n, q = 1; linear spring–damper
// n = q = 1, p = 0; Hertz b = 0; spring n = 1, b = 0.
//
// Implicit in time. Over a step h the foot point moves with velocity u; its sinkage becomes
// δ⁺ = δ + h δ̇ and its shear displacement j⁺ = j + h u_t. Both forces are monotone in u, so each
// is the slope of a convex function ℓ(u), see evaluate.hpp.
//
// Where we differ from the paper, and why:
// - δᵖ in the damping is taken at the start of the step, which keeps F_N monotone in δ̇ for any p
//   and spares a linear damper (p = 0) its jump at first touch.
// - |δ̇|^q is δ̇ (δ̇² + ε²)^{(q−1)/2} with ε = 1e-4 m/s: for q < 1 the paper's law has infinite slope
//   at rest. At rest and for |δ̇| ≫ ε both agree.
// - j is a vector with memory, the length of a spring with its damper beside it. Beyond the limit
//   both slide and the spring goes to the limit's length along the sliding; on reversal it unloads;
//   in the air it is forgotten. A foot at rest therefore does not creep.
// - A round sole touches in a disc of radius a = √(2Rδ − δ²) and resists spinning like a disc of
//   evenly spread bristles: stiffness k_t a²/2, limit ⅔ μ F_N a.
#pragma once

#include "footfall/ground/point.hpp"
#include "footfall/soil/soil.hpp"

namespace footfall {

template <class T>
struct NormalForce {
  T force;  // F_N [N]
  T slope;  // dF_N/dδ̇ [N s/m]
};

// Mean of δᵖ at the start of the step, over the part of a point that is below the ground.
template <class T>
T mean_depth_power(const PointLaw<T>& point, const T& p) {
  if (!point.cell.any) {
    const T depth = max(point.sinkage, T(0));
    return select(depth > T(0), pow(depth, p), T(0));
  }
  if (all(p == T(0))) return wet_share(point.cell, point.sinkage);
  return mean_power(point.cell, p, point.sinkage).force;
}

// F_N of compliant ground and its slope at the sinkage rate δ̇ held over the step.
template <class T>
NormalForce<T> evaluate_compliant(const PointLaw<T>& point, const T& rate) {
  const T depth = max(point.sinkage + point.step * rate, T(0));
  T force, slope;
  if (point.cell.any) {
    const Bearing<T> mean =
        mean_power(point.cell, point.exponent, point.sinkage + point.step * rate);
    force = point.stiffness * mean.force;
    slope = point.step * point.stiffness * mean.slope;
  } else if (all(point.exponent == T(1))) {
    force = point.stiffness * depth;
    slope = select(depth > T(0), point.step * point.stiffness, T(0));
  } else {
    force = point.stiffness * pow(depth, point.exponent);
    slope = point.step * point.exponent * force / max(depth, T(kTiny<T>));
  }
  if (all(point.rate_exponent == T(1))) {
    force += point.damping * rate;
    slope += point.damping;
  } else {
    const T r2 = rate * rate + T(1e-8);
    const T power = pow(r2, T(0.5) * (point.rate_exponent - T(1)));
    force += point.damping * rate * power;
    slope += point.damping * power * (T(1) + (point.rate_exponent - T(1)) * rate * rate / r2);
  }
  const auto pushes = force > T(0);
  return {select(pushes, force, T(0)), select(pushes, slope, T(0))};
}

}  // namespace footfall
