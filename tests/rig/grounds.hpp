// Feet and grounds that the rig's tests share.
#pragma once

#include <cmath>
#include <numbers>

#include "footfall/rig/foot.hpp"

namespace footfall::rig_test {

// Dry sand of Ding 2013, Table 6.
inline PlasticSoil dry_sand() {
  PlasticSoil soil;
  soil.pressure = {.law = PressureLaw::bekker,
                   .exponent = 1.1,
                   .cohesive_modulus = 990,
                   .frictional_modulus = 1528430};
  soil.cohesion = 1040;
  soil.friction_angle = 28 * std::numbers::pi / 180;
  soil.shear_modulus = 0.025;
  return soil;
}

// Standard sand of its section 5.3: under the foot of r = 0.05 m, b = 0.08 m (29c) gives
// 5.06 δ^1.132 with δ in mm, whatever the split into k_c and k_φ.
inline PlasticSoil standard_sand() {
  PlasticSoil soil = dry_sand();
  soil.pressure = {.law = PressureLaw::bernstein,
                   .exponent = 0.632,
                   .sinkage_modulus = 5.06 * std::pow(1e3, 1.132) / (std::sqrt(0.1) * 0.08)};
  soil.damping = 205.07;
  soil.damping_exponent = 0.096;
  soil.rate_exponent = 0.075;
  return soil;
}

// Heavy clay of its Table 6, with a small n.
inline PlasticSoil heavy_clay() {
  PlasticSoil soil = dry_sand();
  soil.pressure = {.law = PressureLaw::bekker,
                   .exponent = 0.11,
                   .cohesive_modulus = 1840,
                   .frictional_modulus = 103270};
  return soil;
}

inline RigGround on(const PlasticSoil& soil, const FootSole& sole, const NormalLaw& law = {}) {
  Soil named;
  named.name = "test";
  named.plastic = soil;
  return make_rig_ground(sole, named, law);
}

// Hard ground is a spring of 1e12 N/m: it gives 0.3 nm under 300 N.
inline RigGround spring_ground(double stiffness, double damping = 0) {
  Soil named;
  named.name = "test";
  named.compliant = CompliantGround<double>{.stiffness = stiffness,
                                            .exponent = 1,
                                            .damping = damping,
                                            .damping_exponent = 0,
                                            .rate_exponent = 1,
                                            .shear_stiffness = 1e4,
                                            .shear_damping = 0,
                                            .friction_coefficient = 0.5};
  return make_rig_ground({}, named);
}

}  // namespace footfall::rig_test
