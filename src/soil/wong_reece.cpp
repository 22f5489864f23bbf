#include "footfall/soil/wong_reece.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "soil/quadrature.hpp"

namespace footfall {
namespace {

void check_contact(const RimContact& c) {
  const double limit = 0.5 * std::numbers::pi * (1 + 1e-12);
  if (!(c.radius > 0 && c.width > 0 && std::isfinite(c.radius) && std::isfinite(c.width))) {
    throw InputError(
        fmt::format("radius = {} m, width = {} m, expected both above 0", c.radius, c.width));
  }
  if (!(c.exit_angle >= -limit && c.exit_angle <= c.peak_angle && c.entry_angle <= limit &&
        std::abs(c.peak_angle) < c.entry_angle)) {
    throw InputError(fmt::format("entry_angle = {} rad, peak_angle = {} rad, exit_angle = {} rad, "
                                 "expected -pi/2 <= exit <= peak < entry <= pi/2 and -entry < peak",
                                 c.entry_angle, c.peak_angle, c.exit_angle));
  }
}

// r(cosθ − cosθ₁) at the share t of the way from θ₁ to θ_m; the product keeps its digits near 0.
double depth_at(const RimContact& c, double t) {
  const double way = t * (c.entry_angle - c.peak_angle);
  return 2 * c.radius * std::sin(c.entry_angle - 0.5 * way) * std::sin(0.5 * way);
}

double pressure(const RimContact& c, const PlasticSoil& soil, double t) {
  return sinkage_modulus(soil, c.width) * std::pow(depth_at(c, t), soil.pressure.exponent);
}

double shear(const PlasticSoil& soil, double pressure, double mobilized) {
  return (soil.cohesion + pressure * std::tan(soil.friction_angle)) * mobilized;
}

double sinc(double x) { return std::abs(x) < 1e-4 ? 1 - x * x / 6 : std::sin(x) / x; }

}  // namespace

RimForce integrate_rim_stress(const RimContact& c, const PlasticSoil& soil, double mobilized) {
  check_contact(c);
  const double ahead = c.entry_angle - c.peak_angle;
  const double behind = c.peak_angle - c.exit_angle;
  // both sides carry the same stress at the same share t of the way from their edge to the peak
  const auto integrate = [&](bool normal) {
    return integrate_from_edge([&](double t) {
      const double sigma = pressure(c, soil, t);
      const double tau = shear(soil, sigma, mobilized);
      const double front = c.entry_angle - t * ahead, back = c.exit_angle + t * behind;
      const double cosines = ahead * std::cos(front) + behind * std::cos(back);
      const double sines = ahead * std::sin(front) + behind * std::sin(back);
      return normal ? sigma * cosines + tau * sines : tau * cosines - sigma * sines;
    });
  };
  const double area = c.radius * c.width;
  return {area * integrate(true), area * integrate(false)};
}

RimForce linearized_rim_force(const RimContact& c, const PlasticSoil& soil, double mobilized) {
  check_contact(c);
  // differences of cosines and sines as products: exact where two angles meet
  const double mean_1 = 0.5 * (c.entry_angle + c.peak_angle);
  const double mean_2 = 0.5 * (c.exit_angle + c.peak_angle);
  const double sinc_1 = sinc(0.5 * (c.entry_angle - c.peak_angle));
  const double sinc_2 = sinc(0.5 * (c.peak_angle - c.exit_angle));
  const double a = std::sin(mean_1) * sinc_1 - std::sin(mean_2) * sinc_2;
  const double b = std::cos(mean_2) * sinc_2 - std::cos(mean_1) * sinc_1;
  const double sigma = pressure(c, soil, 1);
  const double tau = shear(soil, sigma, mobilized);
  const double area = c.radius * c.width;
  return {area * (a * sigma + b * tau), area * (a * tau - b * sigma)};
}

}  // namespace footfall
