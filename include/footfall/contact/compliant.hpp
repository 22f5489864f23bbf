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
// is the slope of a convex function ℓ(u): evaluate_compliant returns the gradient of ℓ (minus the
// impulse on the foot) and its curvature.
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

#include "footfall/math/pack.hpp"
#include "footfall/soil/soil.hpp"

namespace footfall {

// A place where the sole may touch the ground, during one step. Values of the law are those of the
// whole foot times this point's share of it.
template <class T>
struct ContactPoint {
  // filled by find_contacts
  int sole_point;  // index of the sole point
  int body;
  Vec3<T> p_OC;            // the touching point about the tree's O, world axes [m]
  Vec3<T> normal;          // out of the ground, frame W
  T sinkage;               // δ at the start of the step, negative above the ground [m]
  T step;                  // h [s]
  T stiffness;             // k [N/mⁿ]
  T exponent;              // n
  T damping;               // b δᵖ [N s^q/m^q]
  T rate_exponent;         // q
  T shear_stiffness;       // k_t [N/m]
  T shear_slope;           // h k_t + b_t [N s/m]
  Vec3<T> shear_start;     // k_t j at the start of the step [N], frame W
  T spin_slope;            // the same for spinning [N m s]
  T spin_start;            // [N m]
  T friction_coefficient;  // μ
  T patch_radius;          // a; 0 for a sole without torsional friction of its own [m]

  // filled by evaluate_compliant, at the trial velocity
  Vec3<T> gradient;   // of ℓ: minus the impulse on the foot [N s]
  Sym3<T> curvature;  // of ℓ [N s²/m]
  T spin_gradient;    // about the normal [N m s]
  T spin_curvature;   // [N m s²]
  T normal_force;     // F_N [N]

  // kept by the solver
  Vec3<T> velocity;  // of the point, trial [m/s]
  T spin;            // about the normal, trial [rad/s]
  Vec3<T> balance;   // the gradient that the robot's momentum asks for [N s]
  T spin_balance;    // [N m s]
  T limit_force;     // normal force that limits friction, fixed within a solve [N]
  T caution;         // 1: curvature along sliding is not dropped, see evaluate_compliant
  T jump;            // sinkage that is not counted, see uncounted_jump in find.hpp [m]
};

// One point of a pack of points.
template <class T>
ContactPoint<T> get_item(const ContactPoint<Pack<T>>& p, int i) {
  const Sym3<Pack<T>>& H = p.curvature;
  return {p.sole_point,
          p.body,
          get_item<T>(p.p_OC, i),
          get_item<T>(p.normal, i),
          get_item<T>(p.sinkage, i),
          get_item<T>(p.step, i),
          get_item<T>(p.stiffness, i),
          get_item<T>(p.exponent, i),
          get_item<T>(p.damping, i),
          get_item<T>(p.rate_exponent, i),
          get_item<T>(p.shear_stiffness, i),
          get_item<T>(p.shear_slope, i),
          get_item<T>(p.shear_start, i),
          get_item<T>(p.spin_slope, i),
          get_item<T>(p.spin_start, i),
          get_item<T>(p.friction_coefficient, i),
          get_item<T>(p.patch_radius, i),
          get_item<T>(p.gradient, i),
          {get_item<T>(H.xx, i), get_item<T>(H.xy, i), get_item<T>(H.xz, i), get_item<T>(H.yy, i),
           get_item<T>(H.yz, i), get_item<T>(H.zz, i)},
          get_item<T>(p.spin_gradient, i),
          get_item<T>(p.spin_curvature, i),
          get_item<T>(p.normal_force, i),
          get_item<T>(p.velocity, i),
          get_item<T>(p.spin, i),
          get_item<T>(p.balance, i),
          get_item<T>(p.spin_balance, i),
          get_item<T>(p.limit_force, i),
          get_item<T>(p.caution, i),
          get_item<T>(p.jump, i)};
}

template <class T>
struct NormalForce {
  T force;  // F_N [N]
  T slope;  // dF_N/dδ̇ [N s/m]
};

// F_N and its slope at the sinkage rate δ̇ held over the step.
template <class T>
NormalForce<T> evaluate_normal(const ContactPoint<T>& point, const T& rate) {
  const T depth = max(point.sinkage + point.step * rate, T(0));
  T force, slope;
  if (all(point.exponent == T(1))) {
    force = point.stiffness * depth;
    slope = select(depth > T(0), point.step * point.stiffness, T(0));
  } else {
    force = point.stiffness * pow(depth, point.exponent);
    slope = point.step * point.exponent * force / max(depth, T(1e-300));
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

// Gradient and curvature of ℓ at the point's trial velocity, with friction limited by
// μ·limit_force. Fills the second group of ContactPoint.
//
// A sliding point has no curvature along its sliding: Newton's step then overshoots where sliding
// stops or turns, and many points that stop together would each cost an iteration. With `caution`
// that curvature stays, as in the quadratic that touches ℓ here and lies above it elsewhere.
template <class T>
void evaluate_compliant(ContactPoint<T>& point) {
  const Vec3<T>& n = point.normal;
  const T h = point.step;
  const T limit = point.friction_coefficient * point.limit_force;
  const T un = dot(n, point.velocity);
  const NormalForce<T> normal = evaluate_normal(point, -un);
  // trial shear force: elastic as long as it is within the limit
  const Vec3<T> y = point.shear_start + point.shear_slope * (point.velocity - un * n);
  const T y2 = dot(y, y);
  const auto slips = y2 > limit * limit;
  T ratio(1), c_y(0);
  if (any(slips)) {  // not in a robot that stands
    const T y2_safe = max(y2, T(1e-300));
    ratio = select(slips, limit / sqrt(y2_safe), T(1));
    c_y = select(slips, (point.caution - T(1)) * h * ratio * point.shear_slope / y2_safe, T(0));
  }
  point.gradient = (h * ratio) * y - (h * normal.force) * n;
  // curvature: slope·n nᵀ + c (1 − n nᵀ) − [slipping] c ŷŷᵀ
  const T c = h * ratio * point.shear_slope;
  const T c_n = h * normal.slope - c;
  const Vec3<T> a = c_n * n;
  const Vec3<T> b = c_y * y;
  point.curvature = {c + a.x * n.x + b.x * y.x, a.x * n.y + b.x * y.y, a.x * n.z + b.x * y.z,
                     c + a.y * n.y + b.y * y.y, a.y * n.z + b.y * y.z, c + a.z * n.z + b.z * y.z};
  // spin about the normal
  const T spin_limit = T(2.0 / 3.0) * point.patch_radius * limit;
  const T moment = point.spin_start + point.spin_slope * point.spin;
  const auto spins = abs(moment) > spin_limit;
  point.spin_gradient = h * min(max(moment, -spin_limit), spin_limit);
  point.spin_curvature = select(spins, T(0), h * point.spin_slope);
  point.normal_force = normal.force;
}

}  // namespace footfall
