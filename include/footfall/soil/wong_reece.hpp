// Stress under a curved sole that is not loaded evenly: entry angle, exit angle, and between them the
// angle of largest stress (Wong and Reece 1967; Ding 2013 (20)–(25)).
//
// Angles are from the lowest point of the rim, positive ahead, so θ₂ ≤ θ_m < θ₁ and θ₂ is negative
// where soil bears behind the lowest point (the paper's "θ₁ = θ₂" for even loading is θ₂ = −θ₁).
//
//   θ ≥ θ_m  σ(θ) = K_σ rⁿ (cosθ − cosθ₁)ⁿ                                                (21)
//   θ < θ_m  σ(θ) = σ(θ*), θ* = θ₁ − (θ − θ₂)(θ₁ − θ_m)/(θ_m − θ₂)
//   τ(θ) = (c + σ tanφ) m                                                                 (15)
//   F_N = r b ∫ σ cosθ + τ sinθ dθ,  F_T = r b ∫ τ cosθ − σ sinθ dθ, from θ₂ to θ₁         (24)
//
// Linearised, both stresses fall from θ_m straight to zero at θ₁ and θ₂, and with the peaks σ_m, τ_m:
//
//   (F_N, F_T) = r b (A σ_m + B τ_m, A τ_m − B σ_m)                                       (25)
//   A = (cosθ_m − cosθ₂)/(θ_m − θ₂) + (cosθ_m − cosθ₁)/(θ₁ − θ_m),  B the same with sines
//
// True shear stress is c m, not zero, where the sole enters and leaves: linearised stress loses half
// of the cohesion, which is why Table 7 counts half of the area of a round sole.
//
// | symbol | meaning                                             | unit |
// |--------|-----------------------------------------------------|------|
// | r, b   | radius and width of the rim                         | m    |
// | m      | mobilised share of the shear strength, −1 to 1      | –    |
// | F_T    | positive forwards: drives the foot                  | N    |
//
// Valid for angles within ±π/2. A foot that stands does not roll, so j, and with it m, is the same
// at all θ.
#pragma once

#include "footfall/soil/soil.hpp"

namespace footfall {

struct RimContact {
  double radius = 0;       // r [m]
  double width = 0;        // b [m]
  double entry_angle = 0;  // θ₁ [rad]
  double exit_angle = 0;   // θ₂ [rad]
  double peak_angle = 0;   // θ_m [rad]
};

struct RimForce {
  double normal = 0;      // F_N [N]
  double tangential = 0;  // F_T [N]
};

// Both throw InputError for angles out of order or range. `mobilized` is m, see mobilized_shear.
RimForce integrate_rim_stress(const RimContact& contact, const PlasticSoil& soil,
                              double mobilized);  // (21), to 1e-10
RimForce linearized_rim_force(const RimContact& contact, const PlasticSoil& soil,
                              double mobilized);  // (25)

}  // namespace footfall
