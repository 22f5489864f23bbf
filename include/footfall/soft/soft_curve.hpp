// Force and deformation of soft constraints in closed form: what impedance.hpp's law carries at a
// given sinkage, and which stiffness carries a load there. docs/theory/soft-constraints.md derives it.
//
// Sinkage δ = −r, sinkage rate δ̇ = −v, a the acceleration of the contact out of the ground:
//
//   F = S d/(1 − d) · (K d δ + B δ̇ − a)        at rest:  F = S K d² δ/(1 − d)
//
// S [kg] is what the contact weighs in MuJoCo's eyes: 1/Â for elliptic cones and without friction,
// (condim − 1) impratio / (μ² (1 + μ²) Â) for a pyramid, whose 2 (condim − 1) edges push together.
// Several contacts at one sinkage: their S add up.
//
// With K = stiffness/d_width², a load F needs, for a sinkage δ with impedance d,
//
//   stiffness = F (1 − d) d_width² / (S δ d²)
//
// A ball of one contact has F/S = g, a box of four g/4. Gora 2025 (29) is the first, and its numbers
// for the box are the second.
#pragma once

#include <string>

#include "footfall/soft/impedance.hpp"

namespace footfall {

// A contact as far as its resting force depends on it.
struct RestingContact {
  double inverse_inertia = 1;  // Â [1/kg]
  int condim = 3;
  double friction = 1;  // μ, sliding
  double impratio = 1;
  bool pyramidal = false;
};
double soft_share(const RestingContact& contact);  // S [kg]

// F at rest [N]; zero above ground.
double static_force(const SoftLaw<double>& law, double share, double sinkage);
// F in motion [N], never below zero. `acceleration` is what results, contact force included.
double moving_force(const SoftLaw<double>& law, double share, double sinkage, double rate,
                    double acceleration);

// The three ranges of |r| in Gora 2025 (23)–(28).
enum class SoftRange { before_midpoint, after_midpoint, beyond_width };
SoftRange find_range(const SoftLaw<double>& law, double sinkage);

// F of one contact that alone decides the motion (Â = J M⁻¹ Jᵀ) from the acceleration a₀ that there
// would be without it: Gora 2025 (22)–(28), polynomials of δ in each range with two corrections. Its
// powers of r are powers of |r|, and in the second and third range the last term of (22) is
// d_width a₀, not d₀ a₀. May be negative: MuJoCo's force is then zero.
double range_force(const SoftLaw<double>& law, double inverse_inertia, double sinkage, double rate,
                   double free_acceleration);

// −solref₀ at which `share` carries `load` at this sinkage [1/s²]. The impedance is that of solimp
// within MuJoCo's bounds.
double rest_stiffness(const SoftImpedance& solimp, double share, double load, double sinkage);

// The sinkage at which `share` carries `load` at rest [m]; infinite where K = 0.
double find_rest_sinkage(const SoftLaw<double>& law, double share, double load);

// Damping over critical damping of small bounces about rest, of a mass that these contacts carry
// alone under gravity g.
double rest_damping_ratio(const SoftLaw<double>& law, double sinkage, double gravity);

// ---- steps ----

// The longest step that holds a solref [s]: a contact that decides its motion alone, as deep as the width, is
// stepped by v⁺ = v − h (damping v + stiffness r), r⁺ = r + h v⁺. Within 1/damping it does not turn around in one
// step; from 2 h damping + h² stiffness = 4 on it bounces higher from step to step. A time constant of two steps
// is 1/damping.
double longest_soft_step(const SoftReference& solref);
// What is wrong with a longer one, for a warning, with the step that would do; empty: nothing. With refsafe MuJoCo
// has lengthened time constants before.
std::string describe_long_step(SoftReference solref, const SoftSafety& safety);

}  // namespace footfall
