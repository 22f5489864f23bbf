// The soils of Ding 2013, Table 6 (after Wong 2008), as printed; K is not among them.
#pragma once

#include <array>
#include <numbers>

#include "footfall/soil/soil.hpp"

namespace footfall::testing {

inline PlasticSoil bekker_soil(double n, double k_c_kPa, double k_phi_kPa, double c_kPa,
                               double friction_angle_deg) {
  PlasticSoil soil;
  soil.pressure.law = PressureLaw::bekker;
  soil.pressure.exponent = n;
  soil.pressure.cohesive_modulus = 1e3 * k_c_kPa;
  soil.pressure.frictional_modulus = 1e3 * k_phi_kPa;
  soil.cohesion = 1e3 * c_kPa;
  soil.friction_angle = friction_angle_deg * std::numbers::pi / 180;
  soil.shear_modulus = 0.02;
  return soil;
}

inline PlasticSoil dry_sand() { return bekker_soil(1.10, 0.99, 1528.43, 1.04, 28.0); }

inline std::array<PlasticSoil, 9> table_6() {
  return {dry_sand(),                                      // dry sand (LLL)
          bekker_soil(0.70, 5.27, 1515.04, 1.72, 29.0),    // sandy loam (LLL)
          bekker_soil(0.40, 11.42, 808.96, 9.65, 35.0),    // sandy loam, Michigan
          bekker_soil(0.50, 13.19, 692.15, 4.14, 13.0),    // clayey soil, Thailand
          bekker_soil(0.11, 1.84, 103.27, 20.69, 6.0),     // heavy clay (WES)
          bekker_soil(1.10, 74.60, 2080.00, 3.30, 33.7),   // upland sandy loam
          bekker_soil(0.79, 102.00, 5301.00, 1.30, 31.1),  // LETE sand
          bekker_soil(1.60, 4.37, 196.72, 1.03, 19.7),     // snow, U.S.
          bekker_soil(1.44, 10.55, 66.08, 6.00, 20.7)};    // snow, Sweden
}

}  // namespace footfall::testing
