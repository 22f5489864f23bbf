// A foot with a soft pad on soil, pressed and lifted: pad and soil together, from total deflection.
//
//   loading    z = δ_F(P) + δ_T(P + m_F g),  δ_F = (P/k_F)^{1/n_F},  V(δ_T) = P + m_F g      (48), (50)
//   unloading  z = z_max − (δ_F(P_max) − δ_F(P)):  the soil stays down (54)
//
// P: force on the pad. Parameters k_F [N/m^n_F], n_F (fixed at 1), k [Pa/m^n] and n of the soil
// (bernstein), foot_weight [N] (fixed at 0: then the measured force is that of pad and ground alike).
// Loading alone gives only the sum of two compliances: with
// two similar exponents nothing tells them apart, and the fit says so, and which test would help (lift
// the foot, or press it on hard ground). Residuals are forces: deflection residuals times the measured
// curve's slope.
#pragma once

#include "footfall/identify/part.hpp"
#include "footfall/identify/rig_test.hpp"

namespace footfall {

struct SeriesOptions : PartOptions {
  NormalLaw form = {};
};
IdentifiedPart fit_series(const std::vector<RigTest>& tests, const SeriesOptions& options);

}  // namespace footfall
