#include "footfall/foot/pad.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/error.hpp"

namespace footfall {

void check_pad(const FootPad& pad) {
  check_range("stiffness", pad.stiffness, 1e-3, 1e15, "1e-3 to 1e15 N/m^n");
  check_range("exponent", pad.exponent, 0.05, 5, "0.05 to 5");
  check_range("damping", pad.damping, 0, 1e12, "0 to 1e12 N s^q/m^(p+q)");
  check_range("damping_exponent", pad.damping_exponent, 0, 5, "0 to 5");
  check_range("rate_exponent", pad.rate_exponent, 0.01, 5, "0.01 to 5");
}

double pad_force(const FootPad& pad, double deflection, double deflection_rate) {
  if (!(deflection > 0)) return 0;
  const double spring = pad.stiffness * std::pow(deflection, pad.exponent);
  const double damper = pad.damping * std::pow(deflection, pad.damping_exponent) *
                        std::pow(std::abs(deflection_rate), pad.rate_exponent);
  return std::max(spring + std::copysign(damper, deflection_rate), 0.0);
}

double series_stiffness(double foot_stiffness, double ground_stiffness) {
  return 1 / (1 / foot_stiffness + 1 / ground_stiffness);
}

SeriesDeflection series_deflection(const FootPad& pad, const FootSole& sole,
                                   const PlasticSoil& soil, double load, double foot_weight,
                                   const NormalLaw& law) {
  check_pad(pad);
  check_range("load", load, 0, 1e12, "0 to 1e12 N");
  check_range("foot_weight", foot_weight, 0, 1e12, "0 to 1e12 N");
  const SoleLaw ground = make_sole_law(sole, soil, law);
  SeriesDeflection rest;
  rest.pad_deflection = std::pow(load / pad.stiffness, 1 / pad.exponent);
  rest.sinkage = find_sinkage(ground, load + foot_weight);
  if (load > 0) {
    rest.stiffness = load / (rest.pad_deflection + rest.sinkage);
    rest.tangent_stiffness = series_stiffness(pad.exponent * load / rest.pad_deflection,
                                              normal_force(ground, rest.sinkage).slope);
  }
  return rest;
}

}  // namespace footfall
