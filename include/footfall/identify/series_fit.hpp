// A foot with a soft pad on soil, pressed and lifted: pad and soil together, from total deflection.
//
//   loading    z = δ_F(P) + δ_T,  δ_F = (P/k_F)^{1/n_F},  V(δ_T) = F,  P = F − m_F g ≥ 0     (48), (50)
//   unloading  z = δ_F(P) + δ_p + F/k_u:  the soil stays down (54), but for the hundredth of its
//              depth that soil/plastic.hpp gives back, k_u = V(d)/(ρ d); reloading likewise
//
// F: force on the ground, as measured; P: on the pad; z: body_sinkage since the touch, or sinkage where
// that is not measured. Parameters k_F [N/m^n_F], n_F (fixed at 1), k [Pa/m^n] and n of the soil
// (bernstein: under one sole any law is K_σ δⁿ), foot_weight m_F g [N] (fixed at 0: the force is that
// of pad and ground alike), and `contact_offset` [m]: the foot was in by that much when the touch was
// found; free where it was found in the data, one per file. Residuals are forces: what the law says at
// the measured deflection, minus what was measured.
//
// Loading alone gives only the sum of two compliances: with two similar exponents nothing tells them
// apart, and the fit says so, and which test would help (lift the foot, or press it on hard ground and
// fix k_F). docs/theory/identification.md
#pragma once

#include "footfall/identify/part.hpp"
#include "footfall/identify/rig_test.hpp"

namespace footfall {

struct SeriesOptions : LawFitOptions {
  NormalLaw form = {};
};

// Fitted to the samples of loading, unloading and reloading; tests without loading are passed over.
// Throws InputError where nothing is pressed, or the sole or the force is missing. Derived:
// pad_share, what the pad takes of the largest deflection.
FittedLaw fit_series(const std::vector<RigTest>& tests, const SeriesOptions& options);

}  // namespace footfall
