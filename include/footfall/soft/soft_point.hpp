// SoftPoint: a contact of MuJoCo's soft constraint model, and its law as a convex function ℓ of the
// velocity u after the step.
//
// MuJoCo 4.0.0 minimises ½(a − a₀)ᵀM(a − a₀) + s(J a − a_ref). With v⁺ = v + h a that is the step's
// problem (solver/solve.hpp) with ℓ(u) = h² s(y), y = (u − u*)/h, u* = J v + h a_ref: the gradient
// −h f, the curvature ∂²s/∂y². The rows stand in the contact's frame C, x along the normal:
//
//   lin = (normal, sliding 1, sliding 2)     ang = (spinning, rolling 1, rolling 2)
//
// Elliptic cone, D = 1/R, μ the normal's regularised and μ_k the rows' friction coefficients,
// N = μ y_n, U_k = μ_k y_k, T = |U|:
//
//   N ≥ μT        free: s = 0
//   μN + T ≤ 0    sticks: s = ½ Σ D y²
//   between       slides: s = ½ D_n (N − μT)² / (μ²(1 + μ²))
//
// Pyramid: s = ½ Σ_k D_k (min(y_n + μ_k y_k, 0)² + min(y_n − μ_k y_k, 0)²).
// A contact without friction is an elliptic one whose other rows have D = μ_k = 0.
//
// Normal and friction are one convex function here, so nothing has to be updated between solves.
#pragma once

#include "footfall/math/pack.hpp"
#include "footfall/soft/soft_model.hpp"

namespace footfall {

template <class T>
struct SoftPoint {
  // filled by find_soft_contacts
  SoftCone cone = SoftCone::elliptic;
  bool turns = false;      // any item has rows of spinning or rolling
  T is_used;               // 1, or 0 for items without a contact
  Vec3<T> p_OC;            // the contact point about the tree's O, world axes [m]
  Mat3<T> R_WC;            // its columns: normal out of the ground, two tangents
  T distance;              // between shape and plane, negative when they overlap [m]
  T violation;             // r: distance less margin [m]
  T step;                  // h [s]
  T impedance;             // d(r)
  Spatial<T> target;       // u*, frame C [rad/s, m/s]
  Spatial<T> weight;       // D of the rows [kg m², kg]; of a pyramid's edges at sliding and turning
  Spatial<T> friction;     // μ_k; at the normal μ [-, m]
  T friction_coefficient;  // of sliding

  // filled by evaluate_soft, at the trial velocity, frame C
  Spatial<T> gradient;  // of ℓ: minus the impulse on the robot [N m s, N s]
  Sym6<T> curvature;    // of ℓ

  // kept by the solver
  Spatial<T> velocity;  // trial, frame C [rad/s, m/s]
  Spatial<T> balance;   // the gradient that the robot's momentum asks for
};

template <class T>
struct SoftValue {
  Spatial<T> gradient;
  Sym6<T> curvature;
};

namespace soft_detail {

template <class T>
Spatial<T> times(const Spatial<T>& a, const Spatial<T>& b) {
  return {{a.ang.x * b.ang.x, a.ang.y * b.ang.y, a.ang.z * b.ang.z},
          {a.lin.x * b.lin.x, a.lin.y * b.lin.y, a.lin.z * b.lin.z}};
}

template <class T>
Mat3<T> zero_matrix() {
  return {zero3<T>(), zero3<T>(), zero3<T>()};
}

// s = ½ Σ D y² where the contact sticks, ½ Dm (N − μT)² where it slides.
template <class T>
[[gnu::always_inline]] inline SoftValue<T> evaluate_cone(const SoftPoint<T>& c,
                                                         const Spatial<T>& y) {
  const T mu = c.friction.lin.x;
  const Spatial<T> U = times(c.friction, y);
  const T N = U.lin.x;
  T T2 = U.lin.y * U.lin.y + U.lin.z * U.lin.z;
  if (c.turns) T2 += dot(U.ang, U.ang);
  const T tangent = sqrt(T2);
  const auto presses = (N < mu * tangent) & (c.is_used > T(0));
  const auto sticks = presses & (mu * N + tangent <= T(0));
  const auto slides = presses & (mu * N + tangent > T(0));
  const T stick = select(sticks, T(1), T(0));
  const Spatial<T> D = stick * c.weight;
  SoftValue<T> out{c.step * times(D, y),
                   {{D.ang.x, T(0), T(0), D.ang.y, T(0), D.ang.z},
                    zero_matrix<T>(),
                    {D.lin.x, T(0), T(0), D.lin.y, T(0), D.lin.z}}};
  if (!any(slides)) return out;
  const T over_T = T(1) / select(slides, tangent, T(1));
  const T D_m = select(slides, c.weight.lin.x / (mu * mu * (T(1) + mu * mu)), T(0));
  const T g = D_m * mu * (N - mu * tangent);  // ∂s/∂y_n
  const Spatial<T> w = over_T * times(U, c.friction);
  const T along = D_m * mu * N * over_T;      // of w wᵀ
  const T across = D_m * mu * mu - along;     // of diag(μ_k²)
  const T cross_term = T(0) - D_m * mu * mu;  // of the normal with w
  const Spatial<T> m = times(c.friction, c.friction);
  out.gradient.lin += c.step * Vec3<T>{g, -g * w.lin.y, -g * w.lin.z};
  out.curvature.linear += {D_m * mu * mu,
                           cross_term * w.lin.y,
                           cross_term * w.lin.z,
                           along * w.lin.y * w.lin.y + across * m.lin.y,
                           along * w.lin.y * w.lin.z,
                           along * w.lin.z * w.lin.z + across * m.lin.z};
  if (!c.turns) return out;
  out.gradient.ang -= (c.step * g) * w.ang;
  const Vec3<T> a = along * w.ang;
  out.curvature.angular +=
      {a.x * w.ang.x + across * m.ang.x, a.x * w.ang.y, a.x * w.ang.z,
       a.y * w.ang.y + across * m.ang.y, a.y * w.ang.z, a.z * w.ang.z + across * m.ang.z};
  out.curvature.coupling += {cross_term * w.ang, w.lin.y * a, w.lin.z * a};
  return out;
}

// What a pair of opposite edges adds: gradient and curvature along the normal and along row k.
template <class T>
struct EdgePair {
  T normal, row, normal_normal, normal_row, row_row;
};
template <class T>
EdgePair<T> evaluate_edges(const T& y_n, const T& y_k, const T& mu, const T& D) {
  const T plus = y_n + mu * y_k, minus = y_n - mu * y_k;
  const T D_plus = select(plus < T(0), D, T(0)), D_minus = select(minus < T(0), D, T(0));
  const T a = D_plus * plus, b = D_minus * minus;
  return {a + b, mu * (a - b), D_plus + D_minus, mu * (D_plus - D_minus),
          mu * mu * (D_plus + D_minus)};
}

template <class T>
[[gnu::always_inline]] inline SoftValue<T> evaluate_pyramid(const SoftPoint<T>& c,
                                                            const Spatial<T>& y) {
  const T y_n = y.lin.x;
  const T D_n = select(y_n < T(0), c.weight.lin.x, T(0));  // of contacts without friction
  const EdgePair<T> s = evaluate_edges(y_n, y.lin.y, c.friction.lin.y, c.weight.lin.y);
  const EdgePair<T> t = evaluate_edges(y_n, y.lin.z, c.friction.lin.z, c.weight.lin.z);
  SoftValue<T> out{{zero3<T>(), {D_n * y_n + s.normal + t.normal, s.row, t.row}},
                   {{T(0), T(0), T(0), T(0), T(0), T(0)},
                    zero_matrix<T>(),
                    {D_n + s.normal_normal + t.normal_normal, s.normal_row, t.normal_row, s.row_row,
                     T(0), t.row_row}}};
  if (c.turns) {
    const EdgePair<T> e = evaluate_edges(y_n, y.ang.x, c.friction.ang.x, c.weight.ang.x);
    const EdgePair<T> f = evaluate_edges(y_n, y.ang.y, c.friction.ang.y, c.weight.ang.y);
    const EdgePair<T> g = evaluate_edges(y_n, y.ang.z, c.friction.ang.z, c.weight.ang.z);
    out.gradient.lin.x += e.normal + f.normal + g.normal;
    out.gradient.ang = {e.row, f.row, g.row};
    out.curvature.linear.xx += e.normal_normal + f.normal_normal + g.normal_normal;
    out.curvature.coupling.x = {e.normal_row, f.normal_row, g.normal_row};
    out.curvature.angular.xx = e.row_row;
    out.curvature.angular.yy = f.row_row;
    out.curvature.angular.zz = g.row_row;
  }
  out.gradient = c.step * out.gradient;
  return out;
}

}  // namespace soft_detail

// Gradient and curvature of ℓ at the velocity u, frame C.
template <class T>
[[gnu::always_inline]] inline SoftValue<T> evaluate_soft(const SoftPoint<T>& contact,
                                                         const Spatial<T>& u) {
  const Spatial<T> y = (T(1) / contact.step) * (u - contact.target);
  return contact.cone == SoftCone::elliptic ? soft_detail::evaluate_cone(contact, y)
                                            : soft_detail::evaluate_pyramid(contact, y);
}

// A twist about O as the rows of a contact see it, frame C.
template <class T>
Spatial<T> row_velocity(const SoftPoint<T>& contact, const Twist<T>& V) {
  const Vec3<T> u = V.lin + cross(V.ang, contact.p_OC);
  return {contact.turns ? transpose_times(contact.R_WC, V.ang) : zero3<T>(),
          transpose_times(contact.R_WC, u)};
}

// A wrench in frame C at the contact as a wrench about O along world axes.
template <class T>
Wrench<T> row_wrench(const SoftPoint<T>& contact, const Spatial<T>& rows) {
  const Vec3<T> f = contact.R_WC * rows.lin;
  Vec3<T> moment = cross(contact.p_OC, f);
  if (contact.turns) moment += contact.R_WC * rows.ang;
  return {moment, f};
}

}  // namespace footfall
