// Two penalty laws of contact points on hard ground: feedback linearisation, and the classical spring
// and damper beside it.
//
// Feedback linearisation (Rengifo, Aoustin, Chevallereau, Plestan 2009, (15)–(20)). The contact does not
// push by its depth; it says how a point in the ground shall accelerate, and the robot's own equations
// say what forces that takes:
//
//   p̈ᵈ = k_p (ε − p) n − k_v [v_t + min(0, v_n) n]                        (17), Section V
//   (Dᵀ A⁻¹ D) F′ = p̈ᵈ − [accelerations of the points without contact]     (18), minimum norm
//   F = F′ brought into the friction cone: f_n ≥ 0, |f_t| ≤ μ f_n            (19), (20)
//
// The minimum norm knows nothing of the cone: it has a corner pull as soon as the centre of pressure
// leaves the diamond within the sole, and gives corners that carry little as much friction as others. The
// paper cuts each force and leaves it at that. We then share what was cut among the body's other points,
// so that their wrench stays as long as it can (`rounds`; 1 is the paper's way).
//
//   p   height of the point over the ground along its normal n, negative inside [m]; a point with
//       p < 0 at the start of the step is active, all others carry nothing
//   ε   wanted height at rest, negative: the point stays inside, so that a small lift does not end the
//       contact and begin it again with a blow (a "false impact") [m]
//   k_p [1/s²], k_v [1/s]: they make accelerations, so they know nothing of masses
//
// Both laws are implicit in the step h, which the paper leaves to its integrator: the wanted velocity
// solves v⁺ = v + h p̈ᵈ(p + h v⁺, v⁺), see wanted_velocity. So no k_p, k_v is too large for the step;
// its limit h → 0 is the paper's equation. What limits the step is that a point is found inside only
// at the start of a step: it comes in by up to h|v|, which should be less than the depth |v|/k_v that
// braking takes, h k_v < 1.
//
// The spring and damper is (2), f_n = −k p − c v_n for p < 0, which pulls at lift-off, or the same with
// f_n = max(0, ·) ("guard"). Along the ground a damper, within the same cone.
//
// Where we differ from the paper: (20) as printed lacks absolute values of cosθ and sinθ. With them its
// two bounds bind together, so it is the radial clipping, written by components; see `Clipping`.
#pragma once

#include <algorithm>

#include "footfall/math/spatial.hpp"

namespace footfall {

// How the part of a force along the ground is brought to at most μ f_n.
enum class Clipping {
  radial,    // shortened, its direction kept
  per_axis,  // (20): each axis to μ f_n |cosθ| and μ f_n |sinθ|, θ the direction of the force itself;
             // the same to round-off, by another way
};

enum class PenaltyKind { feedback_linearized, spring_damper };

struct PenaltyModel {
  PenaltyKind kind = PenaltyKind::feedback_linearized;
  Clipping clipping = Clipping::radial;
  // feedback_linearized
  double k_p = 500;        // [1/s²]
  double k_v = 250;        // [1/s]
  double epsilon = -1e-4;  // wanted height at rest ε [m]
  int rounds = 100;        // of cutting and sharing, at most; 1: cut once
  // spring_damper, of each point
  double stiffness = 0;           // k [N/m]
  double damping = 0;             // c [N s/m]
  double tangential_damping = 0;  // [N s/m]
  bool guard = true;              // false: (2) as it stands
};

// Throws InputError with the value and the expected range.
void check_penalty(const PenaltyModel& model);

// The velocity v⁺ that feedback linearisation wants of a point at height p (negative inside) with
// velocity v: the solution of v⁺ = v + h [k_p (ε − p − h v_n⁺) n − k_v (v_t⁺ + min(0, v_n⁺) n)].
inline Vec3d wanted_velocity(const PenaltyModel& m, double h, double p, const Vec3d& n,
                             const Vec3d& v) {
  const double v_n = dot(n, v);
  const double pushed = v_n + h * m.k_p * (m.epsilon - p);
  const double slope = 1 + h * h * m.k_p + (pushed < 0 ? h * m.k_v : 0.0);
  return (1 / (1 + h * m.k_v)) * (v - v_n * n) + (pushed / slope) * n;
}

// A force within the friction cone of normal n. `may_pull`: the normal part stays as it is, and where
// it pulls there is no friction.
Vec3d saturate(const Vec3d& force, const Vec3d& n, double friction_coefficient, Clipping clipping,
               bool may_pull = false);

}  // namespace footfall
