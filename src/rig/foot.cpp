#include "footfall/rig/foot.hpp"

#include <cmath>

namespace footfall {

HuntCrossley pad_law(const FootPad& pad) {
  return {pad.stiffness, pad.exponent, pad.damping, pad.damping_exponent, pad.rate_exponent};
}

double find_compression(const FootPad& pad, double load) {
  return load > 0 ? std::pow(load / pad.stiffness, 1 / pad.exponent) : 0;
}

double find_rest(const RigGround& ground, double load_on_ground) {
  if (ground.plastic) return find_sinkage(ground.law, load_on_ground);
  const CompliantGround<double>& c = *ground.compliant;
  return load_on_ground > 0 ? std::pow(load_on_ground / c.stiffness, 1 / c.exponent) : 0;
}

}  // namespace footfall
