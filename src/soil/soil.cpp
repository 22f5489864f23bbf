#include "footfall/soil/soil.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "footfall/soil/measured_range.hpp"

namespace footfall {

namespace {

// K_σ(b), positive or not.
double plain_modulus(const PlasticSoil& soil, double width) {
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

// K_σ grows or falls all the way from one end to the other, or (Reece) is a positive power times a line:
// positive at both ends, it is so between.
void check_modulus(const PlasticSoil& soil, double width) {
  const double modulus = plain_modulus(soil, width);
  if (modulus > 0 && modulus < 1e12) return;
  throw InputError(fmt::format(
      "the sinkage modulus under a foot {} m wide is {} Pa/m^n, "
      "expected above 0 and below 1e12: check the moduli{}",
      width, modulus,
      soil.measured.largest_width > 0 ? "" : ", or give the measured_width_mm that they hold for"));
}

void check_measured(const MeasuredRange& m) {
  check_range("measured least_width", m.least_width, 0, 100, "0 to 100 m");
  check_range("measured largest_width", m.largest_width, m.least_width, 100,
              "the least width to 100 m");
  check_range("measured largest_sinkage", m.largest_sinkage, 0, 100, "0 to 100 m");
  check_range("measured largest_rate", m.largest_rate, 0, 1e4, "0 to 1e4 m/s");
  if ((m.least_width > 0) != (m.largest_width > 0)) {
    throw InputError(fmt::format("measured widths from {} to {} m, expected both above 0, or none",
                                 m.least_width, m.largest_width));
  }
}

}  // namespace

double sinkage_modulus(const PlasticSoil& soil, double width) {
  const MeasuredRange& m = soil.measured;
  if (m.largest_width > 0) width = std::clamp(width, m.least_width, m.largest_width);
  return plain_modulus(soil, width);
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
  const MeasuredRange& m = soil.measured;
  check_measured(m);
  if (m.largest_width > 0) {
    for (const double width : {m.least_width, m.largest_width}) check_modulus(soil, width);
    return;
  }
  // feet are between a few millimetres and a few metres wide
  for (const double width : {0.003, 0.03, 0.3, 3.0}) check_modulus(soil, width);
}

std::string outside_measured_range(const PlasticSoil& soil, double width, double sinkage,
                                   double rate) {
  constexpr double kRounding = 1e-6;
  const MeasuredRange& m = soil.measured;
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  const auto beyond = [](double value, double largest) {
    return largest > 0 && value > largest * (1 + kRounding);
  };
  if (beyond(width, m.largest_width) || width < m.least_width * (1 - kRounding)) {
    const bool one = m.largest_width <= m.least_width * (1 + kRounding);
    add(fmt::format("contact width {:.4g} mm, measured {:.4g}{} mm", 1e3 * width,
                    1e3 * m.least_width,
                    one ? "" : fmt::format(" to {:.4g}", 1e3 * m.largest_width)));
  }
  if (beyond(sinkage, m.largest_sinkage)) {
    add(fmt::format("sinkage {:.4g} mm, measured to {:.4g} mm", 1e3 * sinkage,
                    1e3 * m.largest_sinkage));
  }
  if (beyond(rate, m.largest_rate)) {
    add(fmt::format("sinkage rate {:.4g} mm/s, measured to {:.4g} mm/s", 1e3 * rate,
                    1e3 * m.largest_rate));
  }
  return text;
}

}  // namespace footfall
