#include "footfall/foot/foot_sole.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/error.hpp"

namespace footfall {
namespace {

constexpr double kPi = std::numbers::pi;

void check_size(const char* name, double value) {
  if (!(value >= 1e-6 && value <= 100)) {
    throw InputError(fmt::format("{} = {} m, expected 1e-6 to 100 m", name, value));
  }
}

bool is_round(SoleShape shape) {
  return shape == SoleShape::cylinder || shape == SoleShape::sphere;
}

const char* name_of(SoleShape shape) {
  constexpr const char* names[] = {"sphere", "rectangle", "disc", "cylinder", "mesh"};
  return names[static_cast<std::size_t>(shape)];
}

double flat_area(const FootSole& sole) {
  return sole.shape == SoleShape::disc ? kPi * sole.radius * sole.radius : sole.length * sole.width;
}

// Σ of one area over the elements of a mesh below ground. They stand by height.
double mesh_area(const FootSole& sole, double sinkage, double SoleElement::* area) {
  double sum = 0;
  for (const SoleElement& e : sole.elements) {
    if (e.position.z > sinkage) break;
    sum += e.*area;
  }
  return sum;
}

Bearing<double> bear_mesh(const FootSole& sole, double n, double sinkage) {
  Bearing<double> sum{0, 0};
  for (const SoleElement& e : sole.elements) {
    const double depth = sinkage - e.position.z;
    if (!(depth > 0)) break;
    const Bearing<double> b = bear_flat(e.plan_area, n, depth);
    sum.force += b.force;
    sum.slope += b.slope;
  }
  return sum;
}

// Deeper than its radius, where the series is too coarse: φ by quadrature, φ' = n φ of exponent n−1.
Bearing<double> bear_deep_rim(const FootSole& sole, double n, double sinkage) {
  const double scale = 2 * sole.width * std::pow(sole.radius, n);
  const double ratio = sinkage / sole.radius;
  return {scale * sole.radius * rim_integral(n, ratio), scale * n * rim_integral(n - 1, ratio)};
}

Bearing<double> bear_exact(const SoleLaw& law, double sinkage) {
  const FootSole& sole = law.sole;
  switch (sole.shape) {
  case SoleShape::disc:
  case SoleShape::rectangle:
    return bear_flat(flat_area(sole), law.exponent, sinkage);
  case SoleShape::sphere:
    return bear_ball(sole.radius, law.exponent, sinkage);
  case SoleShape::cylinder:
    return sinkage > sole.radius
               ? bear_deep_rim(sole, law.exponent, sinkage)
               : bear_rim(sole.width, sole.radius, law.exponent, sinkage, law.rim);
  case SoleShape::hull:
    break;
  }
  return bear_mesh(sole, law.exponent, sinkage);
}

// c δ^m
Bearing<double> power_law(double c, double m, double sinkage) {
  const double force = c * pow(sinkage, m);
  return {force, m * force / sinkage};
}

// dθ₁/dδ
double entry_slope(double radius, double sinkage) {
  return sinkage < radius ? 1 / std::sqrt(sinkage * (2 * radius - sinkage)) : 0;
}

// (29a): r b σ_m · 2(1 − cosθ₁)/θ₁
Bearing<double> linearized_rim(const FootSole& sole, double n, double sinkage) {
  const double r = sole.radius;
  const double theta = entry_angle(r, sinkage);
  const bool deep = sinkage > r;
  const double rise = deep ? r : sinkage;  // r(1 − cosθ₁)
  const double force = 2 * sole.width * rise / theta * pow(sinkage, n);
  const double growth = n / sinkage + (deep ? 0 : 1 / sinkage - entry_slope(r, sinkage) / theta);
  return {force, force * growth};
}

// (29b): r b θ₁ σ_m
Bearing<double> half_area_rim(const FootSole& sole, double n, double sinkage) {
  const double theta = entry_angle(sole.radius, sinkage);
  const double force = sole.radius * sole.width * theta * pow(sinkage, n);
  return {force, force * (n / sinkage + entry_slope(sole.radius, sinkage) / theta)};
}

// (πR²σ_m/2)(1 − sin x/x), x = 2θ₁: the integral (31) of linearised stress.
Bearing<double> linearized_ball(const FootSole& sole, double n, double sinkage) {
  const double R = sole.radius;
  const double x = 2 * entry_angle(R, sinkage);
  double share, dshare;  // 1 − sin x/x and its derivative
  if (x < 0.5) {         // both cancel near 0
    const double q = x * x;
    share = q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72 * (1 - q / 110 * (1 - q / 156)))));
    dshare = x / 3 * (1 - q / 10 * (1 - q / 28 * (1 - q / 54 * (1 - q / 88 * (1 - q / 130)))));
  } else {
    share = 1 - std::sin(x) / x;
    dshare = (std::sin(x) - x * std::cos(x)) / (x * x);
  }
  const double scale = 0.5 * kPi * R * R * pow(sinkage, n);
  return {scale * share, scale * (n * share / sinkage + 2 * dshare * entry_slope(R, sinkage))};
}

// The force over K_σ, for δ > 0.
Bearing<double> bear(const SoleLaw& law, double sinkage) {
  const FootSole& sole = law.sole;
  const double n = law.exponent;
  switch (law.law.form) {
  case ForceForm::exact:
    break;
  case ForceForm::eq_25:  // flat ground and θ₂ = −θ₁: A = 2(1 − cosθ₁)/θ₁, B = 0
  case ForceForm::eq_29a:
    return linearized_rim(sole, n, sinkage);
  case ForceForm::eq_29b:
    return half_area_rim(sole, n, sinkage);
  case ForceForm::eq_29c:
    return power_law(std::sqrt(2 * sole.radius) * sole.width, n + 0.5, sinkage);
  case ForceForm::eq_33: {
    const Bearing<double> half = linearized_ball(sole, n, sinkage);
    return {2 * half.force, 2 * half.slope};
  }
  case ForceForm::eq_34:
    return power_law(kPi * sole.radius, n + 1, sinkage);
  case ForceForm::linearized_stress:
    return sole.shape == SoleShape::sphere ? linearized_ball(sole, n, sinkage)
                                           : linearized_rim(sole, n, sinkage);
  }
  return bear_exact(law, sinkage);
}

void check_sinkage(double sinkage) {
  if (!std::isfinite(sinkage)) {
    throw InputError(fmt::format("sinkage = {} m, expected a finite number", sinkage));
  }
}

}  // namespace

FootSole make_disc(double radius) {
  check_size("radius", radius);
  return {.shape = SoleShape::disc, .radius = radius, .elements = {}};
}

FootSole make_rectangle(double length, double width) {
  check_size("length", length);
  check_size("width", width);
  return {.shape = SoleShape::rectangle, .length = length, .width = width, .elements = {}};
}

FootSole make_cylinder(double radius, double width) {
  check_size("radius", radius);
  check_size("width", width);
  return {.shape = SoleShape::cylinder, .radius = radius, .width = width, .elements = {}};
}

FootSole make_sphere(double radius) {
  check_size("radius", radius);
  return {.shape = SoleShape::sphere, .radius = radius, .elements = {}};
}

double entry_angle(double radius, double sinkage) {
  // arccos(1 − x) loses half its digits near 0, the arcsine does not
  return 2 * std::asin(std::sqrt(0.5 * std::clamp(sinkage / radius, 0.0, 1.0)));
}

double contact_width(const FootSole& sole) {
  switch (sole.shape) {
  case SoleShape::disc:
  case SoleShape::sphere:
    return sole.radius;
  case SoleShape::rectangle:
    return std::min(sole.length, sole.width);
  case SoleShape::cylinder:
  case SoleShape::hull:
    break;
  }
  return sole.width;
}

double contact_area(const FootSole& sole, double sinkage) {
  if (sinkage < 0) return 0;
  switch (sole.shape) {
  case SoleShape::disc:
  case SoleShape::rectangle:
    return flat_area(sole);
  case SoleShape::cylinder:
    return 2 * sole.radius * sole.width * entry_angle(sole.radius, sinkage);
  case SoleShape::sphere:
    return 2 * kPi * sole.radius * std::min(sinkage, sole.radius);
  case SoleShape::hull:
    break;
  }
  return mesh_area(sole, sinkage, &SoleElement::surface_area);
}

double cohesive_area(const FootSole& sole, double sinkage) {
  if (sole.shape == SoleShape::hull) return plan_area(sole, sinkage);
  return (is_round(sole.shape) ? 0.5 : 1) * contact_area(sole, sinkage);
}

double plan_area(const FootSole& sole, double sinkage) {
  if (sinkage < 0) return 0;
  const double d = std::min(sinkage, sole.radius);
  const double half_width2 = d * (2 * sole.radius - d);  // of the waterline [m²]
  switch (sole.shape) {
  case SoleShape::disc:
  case SoleShape::rectangle:
    return flat_area(sole);
  case SoleShape::cylinder:
    return 2 * sole.width * std::sqrt(half_width2);
  case SoleShape::sphere:
    return kPi * half_width2;
  case SoleShape::hull:
    break;
  }
  return mesh_area(sole, sinkage, &SoleElement::plan_area);
}

const std::vector<std::string>& force_form_names() {
  static const std::vector<std::string> names{"exact", "25", "29a", "29b",
                                              "29c",   "33", "34",  "linearized"};
  return names;
}

bool applies_to(ForceForm form, SoleShape shape) {
  switch (form) {
  case ForceForm::exact:
    return true;
  case ForceForm::eq_25:
  case ForceForm::eq_29a:
  case ForceForm::eq_29b:
  case ForceForm::eq_29c:
    return shape == SoleShape::cylinder;
  case ForceForm::eq_33:
  case ForceForm::eq_34:
    return shape == SoleShape::sphere;
  case ForceForm::linearized_stress:
    break;
  }
  return is_round(shape);
}

SoleLaw make_sole_law(const FootSole& sole, const PlasticSoil& soil, const NormalLaw& law) {
  const std::string& form = force_form_names()[static_cast<size_t>(law.form)];
  if (!applies_to(law.form, sole.shape)) {
    throw InputError(
        fmt::format("force form {} does not fit a {}, expected {}", form, name_of(sole.shape),
                    is_round(sole.shape) ? "exact, linearized or the form of its shape" : "exact"));
  }
  if (law.one_sided && !is_round(sole.shape)) {
    throw InputError(fmt::format("one_sided = true with a {}, expected a cylinder or a sphere",
                                 name_of(sole.shape)));
  }
  SoleLaw made{.sole = sole, .law = law};
  made.exponent = soil.pressure.exponent;
  if (!(made.exponent >= 0.05 && made.exponent <= 3)) {
    throw InputError(fmt::format("exponent = {}, expected 0.05 to 3", made.exponent));
  }
  const double modulus = sinkage_modulus(soil, contact_width(sole));
  if (!(modulus > 0 && std::isfinite(modulus))) {
    throw InputError(fmt::format("the sinkage modulus under a foot {} m wide is {} Pa/m^n, "
                                 "expected above 0: check the moduli",
                                 contact_width(sole), modulus));
  }
  made.modulus = law.one_sided ? 0.5 * modulus : modulus;
  if (sole.shape == SoleShape::cylinder && law.form == ForceForm::exact) {
    made.rim = make_rim_series(made.exponent);
  }
  return made;
}

Bearing<double> normal_force(const SoleLaw& law, double sinkage) {
  if (!(sinkage > 0)) return {0, 0};
  const Bearing<double> b = bear(law, sinkage);
  return {law.modulus * b.force, law.modulus * b.slope};
}

Bearing<double> normal_force(const FootSole& sole, const PlasticSoil& soil, double sinkage,
                             const NormalLaw& law) {
  check_sinkage(sinkage);
  return normal_force(make_sole_law(sole, soil, law), sinkage);
}

double find_sinkage(const SoleLaw& law, double load) {
  if (!(load >= 0 && std::isfinite(load))) {
    throw InputError(fmt::format("load = {} N, expected a finite number of at least 0", load));
  }
  if (load == 0) return 0;
  // Newton for log F over log δ, where the laws are nearly straight, kept inside a bracket.
  constexpr double kLowest = -690, kHighest = 690;  // e^±690 m: what a double can hold
  constexpr double kEnough = 2.5e-13;               // a few roundings of ±690
  double low = kLowest, high = kHighest;
  double x = std::log(0.01);
  while (high - low > kEnough) {
    const double sinkage = std::exp(x);
    const Bearing<double> b = normal_force(law, sinkage);
    const double miss = std::log(b.force / load);  // −∞ where the sole does not touch yet
    (miss < 0 ? low : high) = x;
    const double step = -miss * b.force / (sinkage * b.slope);
    if (std::abs(step) < kEnough) return sinkage * (1 + step);
    x = x + step > low && x + step < high ? x + step : low + 0.5 * (high - low);
  }
  if (high == kHighest) {
    throw InputError(fmt::format("load = {} N, expected what this sole and soil can carry", load));
  }
  return std::exp(0.5 * (low + high));
}

double find_sinkage(const FootSole& sole, const PlasticSoil& soil, double load,
                    const NormalLaw& law) {
  return find_sinkage(make_sole_law(sole, soil, law), load);
}

double shear_strength(const FootSole& sole, const PlasticSoil& soil, double sinkage,
                      double normal_force) {
  return soil.cohesion * cohesive_area(sole, sinkage) +
         normal_force * std::tan(soil.friction_angle);
}

double mobilized_shear(const PlasticSoil& soil, double shear_displacement) {
  const double x = std::abs(shear_displacement) / soil.shear_modulus;
  switch (soil.shear) {
  case ShearForm::exponential:
    break;
  case ShearForm::piecewise_linear:
    return std::min(0.5 * x, 1.0);
  case ShearForm::tanh:
    return std::tanh(x / 1.5);
  }
  return -std::expm1(-x);
}

}  // namespace footfall
