// A mass on a foot from its touch on: (47) of Ding 2013 without a pad, with the derivatives of the
// motion by everything it depends on.
//
//   ż = v,  M v̇ = M g + W − F(z, v; θ),  z(0) = 0, v(0) = u
//   ṡ_z = s_v,  M ṡ_v = −(F_z s_z + F_v s_v + F_θ)          s = d(z, v)/dθ, and by u without F_θ
//
// Dormand and Prince's pair of order 5(4) with its dense output. Forces like δᵖ, p < 1, have no derivative at the touch; small first steps go around that.
//
// A spring lets the foot go: it then flies and comes back as a new impact, whose time and speed
// depend on the parameters too (restarting there keeps the derivatives of δᵖ finite). Soil that
// yields ends with the foot's first stop; after it the sinkage stays, and the force is that at rest.
#pragma once

#include <span>
#include <vector>

#include "footfall/identify/normal.hpp"

namespace footfall {

struct DropSetup {
  double mass = 0;           // M [kg]
  double pull = 0;           // M g + W [N]
  double impact_speed = 0;   // u [m/s], above 0
  bool yields = false;       // soil: over with the first stop
  double tolerance = 1e-12;  // error of a step, of the largest sinkage and speed so far
};

// At each of the times asked for. Derivatives row by row: law's parameters, impact speed, and time
// of the touch (all later by that much).
struct DropCurve {
  std::vector<double> sinkage, rate, force;           // [m], [m/s], [N]
  std::vector<double> sinkage_by, rate_by, force_by;  // empty unless asked for
  int columns = 0;
  int bounces = 0;
  int steps = 0;
};

// `times` since the touch, rising [s]; negative ones are free fall. False where the law has no value
// or the motion is too stiff. Steps do not depend on `with_derivatives`.
bool integrate_drop(const NormalLawFit& law, int law_parameters, const DropSetup& setup,
                    std::span<const double> times, bool with_derivatives, DropCurve& out);

// The motion alone, of a model with its parameters (of damping they may be left out).
DropCurve simulate_drop(NormalModel model, const std::optional<FootSole>& sole,
                        std::span<const double> parameters, const DropSetup& setup,
                        std::span<const double> times, const NormalLaw& form = {});

}  // namespace footfall
