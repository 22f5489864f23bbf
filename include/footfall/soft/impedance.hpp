// The law of one soft constraint as in MuJoCo 4.0.0: what solref and solimp mean.
//
// A constraint row with violation r (distance minus margin, negative when violated), velocity v,
// force f ≥ 0 and the inverse inertia Â of what it moves obeys
//
//   a + R f = a_ref            a_ref = −B v − K d(r) r          R = Â (1 − d(r)) / d(r)
//
// so that without other forces a = (1 − d) a₀ + d a_ref: Gora 2025 (14).
//
// | symbol   | meaning                                  | unit | solref > 0      | solref ≤ 0  |
// |----------|------------------------------------------|------|-----------------|-------------|
// | K        | stiffness of the reference               | 1/s² | 1/(d_w² t² ζ²)  | −ref₀/d_w²  |
// | B        | damping of the reference                 | 1/s  | 2/(d_w t)       | −ref₁/d_w   |
//
// t time constant [s], ζ damping ratio, d_w = d_width. The impedance d goes from d₀ at r = 0 to d_width
// at |r| ≥ width; y = (d − d₀)/(d_width − d₀) of x = |r|/width is (Gora 2025 (17))
//
//   y = x^p / m^(p−1)  for x ≤ m        y = 1 − (1 − x)^p / (1 − m)^(p−1)  for m < x ≤ 1
//
// with p = power, m = midpoint. All numbers are held to MuJoCo's bounds when the law is made;
// tests/soft/impedance_test.cpp compares every function here with the real library.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "footfall/math/scalar.hpp"

namespace footfall {

// MuJoCo's bounds (mjmodel.h, mjtype.h).
inline constexpr double kMinImpedance = 1e-4;
inline constexpr double kMaxImpedance = 0.9999;
inline constexpr double kMinFriction = 1e-5;
inline constexpr double kMinDenominator = 1e-15;

// MuJoCo's solref. Both positive: time constant [s] and damping ratio. Neither positive: minus
// stiffness [1/s²] and minus damping [1/s]. One of each: MuJoCo takes the default instead.
struct SoftReference {
  double first = 0.02;
  double second = 1;
};
inline bool is_mixed(const SoftReference& solref) {
  return (solref.first > 0) != (solref.second > 0);
}

// MuJoCo's solimp.
struct SoftImpedance {
  double d0 = 0.9;        // impedance at r = 0
  double d_width = 0.95;  // impedance at |r| ≥ width
  double width = 0.001;   // where it ends [m], or [rad] for a hinge's limit
  double midpoint = 0.5;  // of the transition, over width
  double power = 2;       // of the transition
};

inline SoftImpedance clamp_impedance(SoftImpedance s) {
  s.d0 = std::clamp(s.d0, kMinImpedance, kMaxImpedance);
  s.d_width = std::clamp(s.d_width, kMinImpedance, kMaxImpedance);
  s.width = std::max(0.0, s.width);
  s.midpoint = std::clamp(s.midpoint, kMinImpedance, kMaxImpedance);
  s.power = std::max(1.0, s.power);
  return s;
}

// What a step needs of one constraint, T double or lanes.
template <class T>
struct SoftLaw {
  T stiffness;  // K [1/s²]; 0 for friction rows
  T damping;    // B [1/s]
  // impedance, within MuJoCo's bounds
  T d0, d_width, width, midpoint, power;
};

// Whether MuJoCo lengthens time constants below two steps (`refsafe`, on by default). It leaves
// the negative format alone.
struct SoftSafety {
  double timestep = 0.002;  // [s]
  bool refsafe = true;
};

inline SoftLaw<double> make_soft_law(SoftReference solref, const SoftImpedance& solimp,
                                     const SoftSafety& safety) {
  if (is_mixed(solref)) solref = SoftReference{};
  if (safety.refsafe && solref.first > 0) {
    solref.first = std::max(solref.first, 2 * safety.timestep);
  }
  const SoftImpedance s = clamp_impedance(solimp);
  const double d2 = s.d_width * s.d_width;
  SoftLaw<double> law{0, 0, s.d0, s.d_width, s.width, s.midpoint, s.power};
  if (solref.first > 0) {
    const double tz2 = solref.first * solref.first * solref.second * solref.second;
    law.stiffness = 1 / std::max(kMinDenominator, d2 * tz2);
    law.damping = 2 / std::max(kMinDenominator, s.d_width * solref.first);
  } else {
    law.stiffness = -solref.first / d2;
    law.damping = -solref.second / s.d_width;
  }
  return law;
}

// The friction rows of an elliptic contact: K = 0 and the damping of `solreffriction` where a
// <pair> gives one (not both numbers zero), else of solref. A mixed solreffriction counts as not
// given, as (0, 0): B is then solref's again.
inline SoftLaw<double> make_soft_friction_law(const SoftReference& solref,
                                              const SoftReference& solreffriction,
                                              const SoftImpedance& solimp,
                                              const SoftSafety& safety) {
  const bool given =
      !is_mixed(solreffriction) && (solreffriction.first != 0 || solreffriction.second != 0);
  SoftLaw<double> law = make_soft_law(given ? solreffriction : solref, solimp, safety);
  law.stiffness = 0;
  return law;
}

// x^p, exact and without a power for p = 1 and 2: MuJoCo's default is 2.
template <class T>
T soft_power(T x, T p) {
  if (all(p == T(1))) return x;
  if (all(p == T(2))) return x * x;
  return pow(x, p);
}

template <class T>
struct ImpedanceValue {
  T value;  // d
  T slope;  // dd/dr [1/m]
};

template <class T>
ImpedanceValue<T> evaluate_impedance(const SoftLaw<T>& law, const T& violation) {
  const auto flat = (law.d0 == law.d_width) | (law.width <= T(kMinDenominator));
  const T width = select(flat, T(1), law.width);
  const T x = min(abs(violation) / width, T(1));
  const auto near = x <= law.midpoint;
  const T u = select(near, x, T(1) - x);                        // distance from the end
  const T m = select(near, law.midpoint, T(1) - law.midpoint);  // its length
  const T slope_factor = soft_power(u, law.power - T(1)) / soft_power(m, law.power - T(1));
  const T part = u * slope_factor;
  const T y = select(near, part, T(1) - part);
  const T range = law.d_width - law.d0;
  const auto inside = (x > T(0)) & (x < T(1));
  const T value = select(x >= T(1), law.d_width, law.d0 + y * range);
  const T slope = law.power * slope_factor * range / width;
  return {select(flat, T(0.5) * (law.d0 + law.d_width), value),
          select(inside & !flat, select(violation < T(0), T(0) - slope, slope), T(0))};
}

// a_ref [m/s²] of a row with impedance d.
template <class T>
T evaluate_reference(const SoftLaw<T>& law, const T& impedance, const T& violation,
                     const T& velocity) {
  return T(0) - law.damping * velocity - law.stiffness * impedance * violation;
}

// R [1/kg] of a row: how far its acceleration may stay behind a_ref per newton.
template <class T>
T evaluate_regularizer(const T& impedance, const T& inverse_inertia) {
  return max((T(1) - impedance) * inverse_inertia / impedance, T(kMinDenominator));
}

// ---- contacts with friction ----

// R of the rows of an elliptic contact of dimension condim: the normal's, then sliding (2),
// spinning (1), rolling (2). Only the normal's Â counts: the others follow from impratio and μ, so
// that R μ² is the same for all of them.
template <class T>
std::array<T, 6> elliptic_regularizers(const T& normal, const std::array<T, 5>& friction,
                                       const T& impratio) {
  const T first = normal / max(impratio, T(kMinDenominator));
  std::array<T, 6> r{normal, first};
  for (int j = 1; j < 5; ++j) {
    r[j + 1] = first * friction[0] * friction[0] / (friction[j] * friction[j]);
  }
  return r;
}

// μ of the cone in the units of the regularised problem, MuJoCo's mjContact::mu.
template <class T>
T regularized_friction(const T& friction, const T& impratio) {
  return friction * sqrt(T(1) / max(impratio, T(kMinDenominator)));
}

// Â of a pyramid's first edge, the only one that counts, from the normal's.
template <class T>
T pyramid_inverse_inertia(const T& normal, const T& friction) {
  return normal + friction * friction * normal;
}
// R of every edge of a pyramid from R of its first edge alone.
template <class T>
T pyramid_regularizer(const T& first, const T& friction, const T& impratio) {
  return T(2) * friction * friction / max(impratio, T(kMinDenominator)) * first;
}

// ---- two geoms in contact ----

// What a geom says about its contacts.
struct SoftGeom {
  int priority = 0;
  int condim = 3;
  double solmix = 1;
  SoftReference solref{};
  SoftImpedance solimp{};
  std::array<double, 3> friction{1, 0.005, 0.0001};  // sliding, spinning [m], rolling [m]
  double margin = 0;                                 // [m]
  double gap = 0;                                    // [m]
};

// What holds between two geoms, or what a <pair> says.
struct SoftPair {
  int condim = 3;
  SoftReference solref{};
  SoftReference solreffriction{0, 0};  // (0, 0): as solref
  SoftImpedance solimp{};
  std::array<double, 5> friction{1, 1, 0.005, 0.0001, 0.0001};  // at least kMinFriction
  double margin = 0;                                            // forces begin at this distance [m]
  double gap = 0;  // contacts are listed from margin + gap on [m]
};

// Share of the first of two solmix.
inline double soft_mix(double first, double second) {
  const bool has_first = first >= kMinDenominator;
  const bool has_second = second >= kMinDenominator;
  if (has_first && has_second) return first / (first + second);
  if (has_first == has_second) return 0.5;
  return has_first ? 1 : 0;
}

inline SoftReference mix_references(const SoftReference& a, const SoftReference& b, double mix) {
  if (a.first > 0 && b.first > 0) {
    return {mix * a.first + (1 - mix) * b.first, mix * a.second + (1 - mix) * b.second};
  }
  return {std::min(a.first, b.first), std::min(a.second, b.second)};
}

inline SoftImpedance mix_impedances(const SoftImpedance& a, const SoftImpedance& b, double mix) {
  const auto between = [mix](double x, double y) { return mix * x + (1 - mix) * y; };
  return {between(a.d0, b.d0), between(a.d_width, b.d_width), between(a.width, b.width),
          between(a.midpoint, b.midpoint), between(a.power, b.power)};
}

// The geom of higher priority decides; among equals solmix weighs solimp and positive solref,
// negative solref and mixed formats take the smaller number of each place, friction and condim the
// larger. Margins and gaps add whatever the priority. a is MuJoCo's first geom.
inline SoftPair mix_soft_geoms(const SoftGeom& a, const SoftGeom& b) {
  SoftPair pair;
  std::array<double, 3> friction{};
  if (a.priority != b.priority) {
    const SoftGeom& g = a.priority > b.priority ? a : b;
    pair.condim = g.condim;
    pair.solref = g.solref;
    pair.solimp = g.solimp;
    friction = g.friction;
  } else {
    const double mix = soft_mix(a.solmix, b.solmix);
    pair.condim = std::max(a.condim, b.condim);
    pair.solref = mix_references(a.solref, b.solref, mix);
    pair.solimp = mix_impedances(a.solimp, b.solimp, mix);
    for (int i = 0; i < 3; ++i) friction[i] = std::max(a.friction[i], b.friction[i]);
  }
  for (double& f : friction) f = std::max(f, kMinFriction);
  pair.friction = {friction[0], friction[0], friction[1], friction[2], friction[2]};
  pair.margin = a.margin + b.margin;
  pair.gap = a.gap + b.gap;
  return pair;
}

}  // namespace footfall
