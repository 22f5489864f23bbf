// Tangential force of a foot dragged one way. Ding 2013 (61), (62).
//
//   F_T = L m(j),  m = 1 − e^{−j/K}, or tanh(j/1.5K), or j/2K up to 1
//   friction  L = μ F_N                                        parameters mu, K [m]
//   shear     L = c S_c(δ) + F_N tanφ                          parameters c [Pa], phi [rad], K [m]
//
// S_c(δ) is the area that cohesion acts on (foot/foot_sole.hpp: S of a flat sole, half of it of a round
// one), from the measured sinkage; F_N as measured. c and φ are told apart by different loads, or by a
// sinkage that changes; where neither is there one of them must be fixed, as the paper does with c =
// 460 Pa. A deformable foot on hard ground is the friction law: K is then that of its pad (table 11 of
// the paper).
// `slide_offset` [m]: the ground was sheared by that much at x(0). Free where x(0) was found in the
// data, else fixed at 0; one per file, `slide_offset_1`, … where there are several, by the files' numbers.
#pragma once

#include "footfall/identify/part.hpp"
#include "footfall/identify/rig_test.hpp"
#include "footfall/soil/soil.hpp"

namespace footfall {

enum class TangentialModel { friction, shear };

struct TangentialOptions : LawFitOptions {
  TangentialModel model = TangentialModel::shear;
  ShearForm form = ShearForm::exponential;
};

// Fitted to the samples of sliding; tests without any are passed over. A drag may go either way: j
// and F_T count along it. Throws InputError where nothing slides, a column or (shear) the sole is
// missing, the force is along the motion instead of against it, or neither c nor phi is fixed and
// S_c/F_N is the same throughout: then only c S_c + F_N tanφ is known.
//
// Derived of shear: friction_angle [deg], and mu = c S_c/F_N + tanφ at the mean of the samples.
FittedLaw fit_tangential(const std::vector<RigTest>& tests, const TangentialOptions& options);

}  // namespace footfall
