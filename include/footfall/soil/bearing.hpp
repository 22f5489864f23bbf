// Bearing force of a sole that sinks into soil with pressure σ = K_σ δⁿ: the exact integrals.
//
// The soil presses along the normal of the ground on the part of the sole below it, so the force is
// the integral of σ over the sole's projection, F = K_σ ∫ s^n dA with s the depth of the element
// (Ding 2013 (24) and (31) with the true stress in place of the linearised one, τ along the sole's
// arc left out). With u the height above the lowest point and U = min(δ, R):
//
//   flat   F = K_σ A δⁿ                                                                 (17), (19)
//   ball   F = 2π K_σ ∫₀ᵁ (δ−u)ⁿ (R−u) du
//            = 2π K_σ [ R δ^{n+1}/(n+1) − (δ^{n+2} − (δ−R)₊^{n+2}) / ((n+1)(n+2)) ]
//   rim    F = 2 w K_σ ∫₀ᵁ (δ−u)ⁿ (R−u)/√(2Ru−u²) du = 2 w K_σ R^{n+1} φ(δ/R),
//            φ(ε) = ε^{n+1/2} P(ε) for ε ≤ 1, εⁿ Q(1/ε) beyond
//
// | symbol | meaning                              | unit  |
// |--------|--------------------------------------|-------|
// | K_σ    | sinkage modulus, see soil.hpp        | Pa/mⁿ |
// | A      | area of a flat sole                  | m²    |
// | R      | radius of a ball or rim              | m     |
// | w      | width of a rim along its axis        | m     |
//
// Valid for any δ ≥ 0. Beyond δ = R only the lower half of a round sole carries, like a flat one of
// the same projection (the paper stops at δ = R). P and Q have no closed form; RimSeries holds
// polynomials that agree with the integral to 1e-10 of the force up to δ = R and 5e-6 beyond (tests/soil), rim_integral the
// integral itself.
#pragma once

#include "footfall/math/scalar.hpp"

namespace footfall {

enum class BearingKind { flat, ball, rim };

// Force and its derivative by sinkage, both over K_σ.
template <class T>
struct Bearing {
  T force;  // F/K_σ [m^{n+2}]
  T slope;  // dF/dδ/K_σ [m^{n+1}]
};

template <class T>
Bearing<T> bear_flat(const T& area, const T& n, const T& depth) {
  const T d = max(depth, T(0));
  const T force = area * pow(d, n);
  return {force, n * force / max(d, T(kTiny<T>))};
}

template <class T>
Bearing<T> bear_ball(const T& R, const T& n, const T& depth) {
  const T d = max(depth, T(0));
  const T n1 = n + T(1), n2 = n + T(2);
  const T d1 = d * pow(d, n);
  const T s = max(d - R, T(0));
  T s1(0);
  if (any(s > T(0))) s1 = s * pow(s, n);
  constexpr double kTwoPi = 6.283185307179586;
  return {T(kTwoPi) * (R * d1 - (d * d1 - s * s1) / n2) / n1,
          T(kTwoPi) * (R * d1 / max(d, T(kTiny<T>)) - (d1 - s1) / n1)};
}

// θ₁ = arccos(1 − ε), the entry angle of a round sole sunk to ε = δ/R, for ε ≤ 1; π/2 beyond. By the
// series of arcsin √(ε/2), to 2e-5.
template <class T>
T entry_angle(const T& ratio) {
  const T z = T(0.5) * min(max(ratio, T(0)), T(1));
  T s(6435.0 / 557056);
  s = s * z + T(143.0 / 10240);
  s = s * z + T(231.0 / 13312);
  s = s * z + T(63.0 / 2816);
  s = s * z + T(35.0 / 1152);
  s = s * z + T(5.0 / 112);
  s = s * z + T(3.0 / 40);
  s = s * z + T(1.0 / 6);
  return T(2) * sqrt(z) * (s * z + T(1));
}

// P and Q for one exponent n: Σ p_k εᵏ for ε ≤ 1 and Σ q_k ε⁻ᵏ beyond.
struct RimSeries {
  static constexpr int kTerms = 12;
  double p[kTerms];
  double q[kTerms];
};

RimSeries make_rim_series(double exponent);

// φ(ε) by double-exponential quadrature, to 1e-12 of its value.
double rim_integral(double exponent, double ratio);

// `coefficient(k, beyond)` gives p_k, or q_k where δ > R.
template <class T, class Coefficient>
Bearing<T> bear_rim(const T& width, const T& R, const T& n, const T& depth,
                    const Coefficient& coefficient) {
  const T d = max(depth, T(kTiny<T>));
  const auto beyond = d > R;
  const T x = select(beyond, R / d, d / R);
  T p(0), dp(0);
  for (int k = RimSeries::kTerms - 1; k >= 0; --k) {
    dp = dp * x + p;
    p = p * x + coefficient(k, beyond);
  }
  const T power = select(depth > T(0), T(2) * width * pow(d, n), T(0));
  const T scale = power * select(beyond, R, sqrt(R * d));
  const T exponent = select(beyond, n, n + T(0.5));
  const T dx = select(beyond, -x, x);  // d dx/dδ
  return {scale * p, scale * (exponent * p + dx * dp) / d};
}

template <class T>
Bearing<T> bear_rim(const T& width, const T& R, const T& n, const T& depth, const RimSeries& rim) {
  return bear_rim(width, R, n, depth, [&](int k, const Mask<T>& beyond) {
    return select(beyond, T(rim.q[k]), T(rim.p[k]));
  });
}

}  // namespace footfall
