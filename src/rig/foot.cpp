#include "footfall/rig/foot.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/soil/plastic.hpp"

namespace footfall {

HuntCrossley pad_law(const FootPad& pad) {
  return {pad.stiffness, pad.exponent, pad.damping, pad.damping_exponent, pad.rate_exponent};
}

double find_compression(const FootPad& pad, double load) {
  return load > 0 ? std::pow(load / pad.stiffness, 1 / pad.exponent) : 0;
}

double find_rest(const RigGround& ground, double load_on_ground) {
  if (ground.plastic) {
    const double yielding = find_sinkage(ground.law, load_on_ground);
    // From 1 mm on k_u δ is V/ρ or more, so V carries; above it k_u is constant and may carry less.
    if (yielding >= kLeastDepth) return yielding;
    return std::max(yielding, load_on_ground / find_unload_stiffness(ground, kLeastDepth));
  }
  const CompliantGround<double>& c = *ground.compliant;
  return load_on_ground > 0 ? std::pow(load_on_ground / c.stiffness, 1 / c.exponent) : 0;
}

}  // namespace footfall
