#include "footfall/soil/soil.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "footfall/error.hpp"

namespace footfall {

double sinkage_modulus(const PlasticSoil& soil, double width) {
  const PressureSinkage& p = soil.pressure;
  switch (p.law) {
  case PressureLaw::bernstein:
    return p.sinkage_modulus;
  case PressureLaw::bekker:
    return p.cohesive_modulus / width + p.frictional_modulus;
  case PressureLaw::reece:
    break;
  }
  const double pressure =
      soil.cohesion * p.reece_cohesive_modulus + p.unit_weight * width * p.reece_frictional_modulus;
  return pressure / std::pow(width, p.exponent);
}

void check_soil(const PlasticSoil& soil) {
  const PressureSinkage& p = soil.pressure;
  check_range("exponent", p.exponent, 0.05, 3, "0.05 to 3");
  check_range("cohesion", soil.cohesion, 0, 1e7, "0 to 1e7 Pa");
  check_range("friction_angle", soil.friction_angle, 0, 0.4999 * std::numbers::pi,
              "0 to below pi/2 rad");
  check_range("shear_modulus", soil.shear_modulus, 1e-6, 10, "1e-6 to 10 m");
  check_range("damping", soil.damping, 0, 1e9, "0 to 1e9 N s^q/m^(p+q)");
  check_range("damping_exponent", soil.damping_exponent, 0, 5, "0 to 5");
  check_range("rate_exponent", soil.rate_exponent, 0.01, 5, "0.01 to 5");
  check_range("unload_modulus", soil.unload_modulus, 0, 1e15, "0 to 1e15 Pa/m");
  check_range("unload_modulus_slope", soil.unload_modulus_slope, 0, 1e15, "0 to 1e15 Pa/m^2");
  // feet are between a few millimetres and a few metres wide
  for (const double width : {0.003, 0.03, 0.3, 3.0}) {
    const double modulus = sinkage_modulus(soil, width);
    if (!(modulus > 0 && modulus < 1e12)) {
      throw InputError(fmt::format("the sinkage modulus under a foot {} m wide is {} Pa/m^n, "
                                   "expected above 0 and below 1e12: check the moduli",
                                   width, modulus));
    }
  }
}

}  // namespace footfall
