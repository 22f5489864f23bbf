#include "footfall/soft/soft_curve.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace footfall {
namespace {

// d²δ/(1−d): the static force over S·K [m].
double rest_depth(const SoftLaw<double>& law, double sinkage) {
  const double d = evaluate_impedance(law, -sinkage).value;
  return d * d * sinkage / (1 - d);
}

}  // namespace

double soft_share(const RestingContact& c) {
  if (c.condim == 1 || !c.pyramidal) return 1 / c.inverse_inertia;
  const double edge = pyramid_inverse_inertia(c.inverse_inertia, c.friction);
  return 2 * (c.condim - 1) / pyramid_regularizer(edge, c.friction, c.impratio);
}

double static_force(const SoftLaw<double>& law, double share, double sinkage) {
  return sinkage > 0 ? share * law.stiffness * rest_depth(law, sinkage) : 0;
}

double moving_force(const SoftLaw<double>& law, double share, double sinkage, double rate,
                    double acceleration) {
  if (sinkage <= 0) return 0;
  const double d = evaluate_impedance(law, -sinkage).value;
  const double a_ref = evaluate_reference(law, d, -sinkage, -rate);
  return std::max(0.0, share * d / (1 - d) * (a_ref - acceleration));
}

SoftRange find_range(const SoftLaw<double>& law, double sinkage) {
  if (sinkage <= law.midpoint * law.width) return SoftRange::before_midpoint;
  return sinkage <= law.width ? SoftRange::after_midpoint : SoftRange::beyond_width;
}

double range_force(const SoftLaw<double>& law, double inverse_inertia, double sinkage, double rate,
                   double free_acceleration) {
  const double p = law.power;
  const double range = law.d_width - law.d0;
  const double full = law.stiffness * law.d_width * law.d_width;  // the paper's "stiffness"
  const double damping = law.damping * law.d_width;               // the paper's "damping"
  const double w = law.d_width;
  const double a0 = free_acceleration;
  // d = base + sign·g with g a pure power, so d² = base² + 2 sign base g + g²
  double base = law.d_width, sign = -1, g = 0;
  switch (find_range(law, sinkage)) {
  case SoftRange::before_midpoint:
    base = law.d0;
    sign = 1;
    g = range * std::pow(sinkage, p) / (std::pow(law.midpoint, p - 1) * std::pow(law.width, p));
    break;
  case SoftRange::after_midpoint:
    g = range * std::pow(law.width - sinkage, p) /
        (std::pow(1 - law.midpoint, p - 1) * std::pow(law.width, p));
    break;
  case SoftRange::beyond_width:
    break;
  }
  const double spring = full / (w * w) * (base * base + sign * 2 * base * g + g * g) * sinkage;
  const double damper = damping / w * (base + sign * g) * rate;
  return (spring + damper - base * a0 - sign * g * a0) / inverse_inertia;
}

double rest_stiffness(const SoftImpedance& solimp, double share, double load, double sinkage) {
  const SoftLaw<double> law = make_soft_law({-1, 0}, solimp, {});
  return load / static_force(law, share, sinkage);
}

double find_rest_sinkage(const SoftLaw<double>& law, double share, double load) {
  if (!(law.stiffness > 0)) return std::numeric_limits<double>::infinity();
  if (!(load > 0)) return 0;
  double low = 0, high = std::max(law.width, 1e-6);
  while (static_force(law, share, high) < load) high *= 2;
  // Bisection to the last bit: the force rises all the way where d does, and d₀ ≤ d_width is usual.
  for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (static_force(law, share, middle) < load ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double rest_damping_ratio(const SoftLaw<double>& law, double sinkage, double gravity) {
  const ImpedanceValue<double> d = evaluate_impedance(law, -sinkage);
  // d ln F/d ln δ; the slope by r is minus that by δ
  const double steepness = 1 - sinkage * d.slope / d.value * (2 + d.value / (1 - d.value));
  // The mass itself and S d/(1−d), which answers to accelerations, move together. At rest
  // m g = S K d² δ/(1−d) gives the second over the first, and S is not needed.
  const double added = gravity / (law.stiffness * d.value * sinkage);
  const double stiffness = steepness * gravity / sinkage;  // over m
  return added * law.damping / (2 * std::sqrt(stiffness * (1 + added)));
}

namespace {

// The same solref in the direct format: stiffness and damping, not negative.
SoftReference direct_format(const SoftReference& solref) {
  const SoftLaw<double> law = make_soft_law(solref, {}, {0, false});
  return {law.stiffness * square(law.d_width), law.damping * law.d_width};
}

}  // namespace

double longest_soft_step(const SoftReference& solref) {
  const auto [k, b] = direct_format(solref);
  const double endless = std::numeric_limits<double>::infinity();
  const double turning = b > 0 ? 1 / b : endless;
  return k > 0 ? std::fmin(turning, 4 / (b + std::sqrt(b * b + 4 * k))) : turning;
}

std::string describe_long_step(SoftReference solref, const SoftSafety& safety) {
  const double h = safety.timestep;
  if (safety.refsafe && solref.first > 0 && !is_mixed(solref)) {
    solref.first = std::fmax(solref.first, 2 * h);
  }
  const double longest = longest_soft_step(solref);
  if (h <= longest * (1 + 1e-12)) return "";
  const auto [k, b] = direct_format(solref);
  const std::string numbers = solref.first > 0
                                  ? fmt::format("time constant {:.4g} ms, damping ratio {:.4g}",
                                                1e3 * solref.first, solref.second)
                                  : fmt::format("stiffness {:.4g} 1/s², damping {:.4g} 1/s", k, b);
  const std::string held =
      h * b > 1 ? fmt::format("damping times step is {:.3g}, expected at most 1", h * b)
                : fmt::format("2 h damping + h² stiffness is {:.3g}, expected below 4",
                              2 * h * b + h * h * k);
  return fmt::format(
      "{}: {}; impacts may ring or blow up{}; a step of {:.3g} ms would do", numbers, held,
      solref.first > 0 ? "" : ", and MuJoCo's refsafe guards positive solref only", 1e3 * longest);
}

}  // namespace footfall
