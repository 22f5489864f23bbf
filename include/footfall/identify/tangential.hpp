// Tangential force of a foot dragged one way. Ding 2013 (61), (62).
//
//   F_T = L m(j),  m = 1 − e^{−j/K}, or tanh(j/1.5K)
//   friction  L = μ F_N                                        parameters mu, K [m]
//   shear     L = c S_c(δ) + F_N tanφ                          parameters c [Pa], phi [rad], K [m]
//
// S_c(δ) is the area that cohesion acts on (foot/foot_sole.hpp: S of a flat sole, half of it of a round
// one), from the measured sinkage; F_N as measured. c and φ are told apart by different loads, or by a
// sinkage that changes; where neither is there the fit says so and c must be fixed. A deformable foot
// on hard ground is the friction law: K is then that of its pad (table 11 of the paper).
// `slide_offset` [m] is free where x(0) was found in the data.
#pragma once

#include "footfall/identify/part.hpp"
#include "footfall/identify/rig_test.hpp"
#include "footfall/soil/soil.hpp"

namespace footfall {

enum class TangentialModel { friction, shear };

struct TangentialOptions : PartOptions {
  TangentialModel model = TangentialModel::shear;
  ShearForm form = ShearForm::exponential;
};
IdentifiedPart fit_tangential(const std::vector<RigTest>& tests, const TangentialOptions& options);

}  // namespace footfall
