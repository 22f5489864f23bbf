// A foot with a soft pad on soil: two springs in series, and the weight of the foot between them.
//
//   pad   F = k_F δ_F^{n_F} + b_F δ_F^{p_F} δ̇_F^{q_F}                              Ding 2013 (9)
//   rest  W = k_F δ_F^{n_F},  W + m_F g = F_N(δ_T)                                          (48)
//   both  δ = δ_F + δ_T,  k_N = W/δ                                                 (50)–(51), n_N = 1
//
// For linear springs and m_F g = 0 that is k_N = k_F k_T/(k_F + k_T); the paper's (7) is its inverse.
// Slopes add like that for any two springs. (52) is W times too large. docs/theory/terramechanics.md
//
// | symbol | field            | unit          | valid     |
// |--------|------------------|---------------|-----------|
// | k_F    | stiffness        | N/m^{n_F}     | > 0       |
// | n_F    | exponent         | –             | 0.05 to 5 |
// | b_F    | damping          | N s^q/m^{p+q} | ≥ 0       |
// | p_F    | damping_exponent | –             | ≥ 0       |
// | q_F    | rate_exponent    | –             | > 0       |
#pragma once

#include "footfall/foot/foot_sole.hpp"

namespace footfall {

struct FootPad {
  double stiffness = 0;
  double exponent = 1;
  double damping = 0;
  double damping_exponent = 0;
  double rate_exponent = 1;
};

// Throws InputError with the field, its value and the expected range.
void check_pad(const FootPad& pad);

// Force of the pad [N] at a deflection [m] and its rate [m/s, positive while it is pressed]: against
// the rate, and never below zero, for a pad is not glued.
double pad_force(const FootPad& pad, double deflection, double deflection_rate);

// k_F k_T/(k_F + k_T) [N/m]
double series_stiffness(double foot_stiffness, double ground_stiffness);

struct SeriesDeflection {
  double pad_deflection = 0;     // δ_F [m]
  double sinkage = 0;            // δ_T [m]
  double stiffness = 0;          // k_N = W/(δ_F + δ_T) [N/m]; 0 without load
  double tangent_stiffness = 0;  // dW/dδ [N/m]; 0 without load
};

// At rest under `load` W on the pad and the foot's own `foot_weight` m_F g below it [N].
SeriesDeflection series_deflection(const FootPad& pad, const FootSole& sole,
                                   const PlasticSoil& soil, double load, double foot_weight = 0,
                                   const NormalLaw& law = {});

}  // namespace footfall
