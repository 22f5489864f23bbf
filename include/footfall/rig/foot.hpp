// The foot of the test rig: a body of mass M, a pad, the foot proper of mass m_F, the ground
// (Ding 2013, Fig. 15). Without pad body and foot are one.
//
//   body   M z̈   = M g + W − P(δ_F, δ̇_F)                 δ_F = z − δ_T
//   foot   m_F δ̈_T = m_F g + P − F_N(δ_T, δ̇_T)                                       (46), (47)
#pragma once

#include <optional>

#include "footfall/foot/pad.hpp"
#include "footfall/rig/ground.hpp"

namespace footfall {

inline constexpr double kRigGravity = 9.81;  // [m/s²]

struct RigFoot {
  std::optional<FootPad> pad = {};
  double foot_mass = 0;  // m_F, below the pad [kg]
};

HuntCrossley pad_law(const FootPad& pad);

// The compression at which a pad at rest carries a load [m].
double find_compression(const FootPad& pad, double load);

// The sinkage at which ground that was never trodden carries a load [m]: δ_T of (49), where the
// load is W + m_F g. Plastic soil carries min(V(δ), k_u δ) there, so it is the deeper of the two:
// for small n a light load does not reach V, and rests on the elastic line.
double find_rest(const RigGround& ground, double load_on_ground);

}  // namespace footfall
