#include "footfall/rig/ground.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/soil/plastic.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

// b xᵖ, finite at x = 0
double damping_at(double damping, double exponent, double x) {
  if (damping == 0) return 0;
  return exponent == 0 ? damping : damping * std::pow(std::max(x, 0.0), exponent);
}

Bearing<double> bear(const RigGround& ground, double sinkage) {
  return ground.table ? (*ground.table)(sinkage) : normal_force(ground.law, sinkage);
}

GroundForce evaluate_plastic(const RigGround& ground, const GroundMemory& memory, double sinkage,
                             double rate) {
  if (sinkage <= 0) return {};
  const PlasticSoil& soil = *ground.plastic;
  const bool deeper = sinkage > memory.max_sinkage || memory.unload_stiffness == 0;
  const double k_u = deeper ? find_unload_stiffness(ground, sinkage) : memory.unload_stiffness;
  const double elastic = sinkage - memory.plastic_sinkage;
  const double line = elastic > 0 ? k_u * (elastic + kRecoveryTime * rate) : 0;
  const Bearing<double> virgin = bear(ground, sinkage);
  const double d = damping_at(soil.damping, soil.damping_exponent, sinkage);
  const RateForce<double> sinking = sinking_damping(d, soil.rate_exponent, rate);
  const double bound = virgin.force + sinking.force;
  const double at_rest = std::clamp(k_u * elastic, 0.0, virgin.force);
  if (line <= 0) return {.at_rest = at_rest};
  if (line < bound) return {line, at_rest, k_u, k_u * kRecoveryTime};
  const double d_slope = sinkage > 0 ? soil.damping_exponent * sinking.force / sinkage : 0;
  return {bound, at_rest, virgin.slope + d_slope, sinking.slope};
}

// e over a straight way of n lengths κ in direction d. r = |e| has no simple closed form off the
// line, so it goes by Runge and Kutta's rule in pieces of 0.002, exact to 1e-12.
Vec3d relax_tanh(Vec3d e, const Vec3d& d, double n) {
  const auto slope = [&](const Vec3d& at) { return d - norm(at) * at; };
  const int pieces = std::max(1, static_cast<int>(std::ceil(std::min(n, 40.0) / 0.002)));
  const double h = std::min(n, 40.0) / pieces;  // after 40 lengths only d is left
  for (int i = 0; i < pieces; ++i) {
    const Vec3d a = slope(e), b = slope(e + 0.5 * h * a), c = slope(e + 0.5 * h * b);
    const Vec3d f = slope(e + h * c);
    e += h / 6 * (a + 2.0 * b + 2.0 * c + f);
  }
  return e;
}

Vec3d relax(ShearForm form, const Vec3d& e, const Vec3d& d, double n) {
  switch (form) {
  case ShearForm::exponential:
    break;
  case ShearForm::tanh:
    return relax_tanh(e, d, n);
  case ShearForm::piecewise_linear: {
    const Vec3d moved = e + n * d;
    return (1 / std::max(norm(moved), 1.0)) * moved;
  }
  }
  return e + -std::expm1(-n) * (d - e);
}

ShearForce shear_plastic(const RigGround& ground, double sinkage, double normal, const Vec3d& dj,
                         GroundMemory& memory) {
  const PlasticSoil& soil = *ground.plastic;
  const double way = norm(dj);
  if (way > 0) {
    const double kappa = shear_length(soil.shear, soil.shear_modulus);
    memory.mobilized = relax(soil.shear, memory.mobilized, (1 / way) * dj, way / kappa);
  }
  const double strength = shear_strength(*ground.sole, soil, sinkage, normal);
  return {-strength * memory.mobilized, strength, norm(memory.mobilized)};
}

ShearForce shear_compliant(const RigGround& ground, double normal, const Vec3d& dj, double dt,
                           GroundMemory& memory) {
  const CompliantGround<double>& c = *ground.compliant;
  memory.shear_spring += dj;
  const Vec3d damper = dt > 0 ? c.shear_damping / dt * dj : Vec3d{0, 0, 0};
  Vec3d pull = c.shear_stiffness * memory.shear_spring + damper;
  const double strength = c.friction_coefficient * normal;
  const double size = norm(pull);
  if (size > strength) {  // slides: the spring keeps the length that the limit allows
    pull = strength / size * pull;
    memory.shear_spring = (1 / c.shear_stiffness) * pull;
  }
  return {-pull, strength, strength > 0 ? norm(pull) / strength : 0};
}

}  // namespace

Bearing<double> BearingTable::operator()(double sinkage) {
  constexpr double kPiece = 1e-4;   // [m]
  constexpr double kDirect = 1e-3;  // above, where δⁿ is no cubic [m]
  constexpr double kDeepest = 10;   // [m]
  const bool fast = law_.sole.shape != SoleShape::hull && sinkage <= law_.sole.radius;
  const bool flat = law_.sole.shape == SoleShape::disc || law_.sole.shape == SoleShape::rectangle;
  if (fast || flat || sinkage < kDirect || sinkage > kDeepest) {
    return normal_force(law_, sinkage);
  }
  const auto i = static_cast<std::size_t>(sinkage / kPiece);
  while (nodes_.size() < i + 2) {
    nodes_.push_back(normal_force(law_, kPiece * static_cast<double>(nodes_.size())));
  }
  const Bearing<double>&a = nodes_[i], &b = nodes_[i + 1];
  const double t = sinkage / kPiece - static_cast<double>(i);
  const double rise = b.force - a.force;
  const double p = kPiece * a.slope - rise, q = rise - kPiece * b.slope;
  const double bow = (1 - t) * p + t * q, bow_slope = q - p;
  return {a.force + t * rise + t * (1 - t) * bow,
          (rise + (1 - 2 * t) * bow + t * (1 - t) * bow_slope) / kPiece};
}

RigGround make_rig_ground(const std::optional<FootSole>& sole, const Soil& soil,
                          const NormalLaw& law) {
  RigGround ground{.sole = sole, .plastic = soil.plastic, .compliant = {}, .law = {}, .table = {}};
  if (soil.plastic) {
    check_soil(*soil.plastic);
    if (!sole) {
      throw input_error("soil '{}' bears a foot by its shape, and no foot was given: expected "
                        "disc, rectangle, cylinder, sphere or mesh",
                        soil.name);
    }
    ground.law = make_sole_law(*sole, *soil.plastic, law);
    return ground;
  }
  if (!soil.compliant) {
    throw input_error("soil '{}' has neither [terramechanics] nor [compliant]: it bears no foot",
                      soil.name);
  }
  if (law.form != ForceForm::exact || law.one_sided) {
    throw input_error("soil '{}' has only [compliant], a spring that knows no shape: expected "
                      "neither a form of the force nor one-sided loading",
                      soil.name);
  }
  ground.compliant = soil.compliant;
  return ground;
}

double find_unload_stiffness(const RigGround& ground, double max_sinkage) {
  const PlasticSoil& soil = *ground.plastic;
  const double d = std::max(max_sinkage, kLeastDepth);
  const bool measured = soil.unload_modulus > 0 || soil.unload_modulus_slope > 0;
  const double bearing = bear(ground, d).force;
  const double area = measured ? plan_area(*ground.sole, d) : 0;  // of a mesh it takes long
  return unload_stiffness(measured ? kMostRebound : kNoRebound, soil.unload_modulus,
                          soil.unload_modulus_slope, d, bearing, area);
}

GroundForce evaluate_hunt_crossley(const HuntCrossley& law, double x, double rate) {
  if (!(x > 0)) return {};
  const double spring = law.stiffness * std::pow(x, law.exponent);
  const double d = damping_at(law.damping, law.damping_exponent, x);
  double damper = d * rate, damper_slope = d;
  if (law.rate_exponent != 1) {
    const double r2 = rate * rate + kRateSmoothing * kRateSmoothing;
    const double power = d * std::pow(r2, 0.5 * (law.rate_exponent - 1));
    damper = power * rate;
    damper_slope = power * (1 + (law.rate_exponent - 1) * rate * rate / r2);
  }
  if (spring + damper <= 0) return {.at_rest = spring};
  return {spring + damper, spring, (law.exponent * spring + law.damping_exponent * damper) / x,
          damper_slope};
}

HuntCrossley normal_part(const CompliantGround<double>& g) {
  return {g.stiffness, g.exponent, g.damping, g.damping_exponent, g.rate_exponent};
}

GroundForce evaluate_ground(const RigGround& ground, const GroundMemory& memory, double sinkage,
                            double rate) {
  if (ground.plastic) return evaluate_plastic(ground, memory, sinkage, rate);
  return evaluate_hunt_crossley(normal_part(*ground.compliant), sinkage, rate);
}

void commit_sinkage(const RigGround& ground, double sinkage, GroundMemory& memory) {
  if (sinkage > 0 && (sinkage > memory.max_sinkage || memory.unload_stiffness == 0)) {
    if (ground.plastic) memory.unload_stiffness = find_unload_stiffness(ground, sinkage);
    memory.max_sinkage = std::max(memory.max_sinkage, sinkage);
  }
  if (ground.plastic && sinkage > 0) {
    const double at_rest = evaluate_plastic(ground, memory, sinkage, 0).force;
    memory.plastic_sinkage =
        std::max(memory.plastic_sinkage, sinkage - at_rest / memory.unload_stiffness);
  }
  if (sinkage <= memory.plastic_sinkage) {
    memory.mobilized = memory.shear_spring = {0, 0, 0};
  }
}

double elastic_energy(const RigGround& ground, const GroundMemory& memory, double sinkage) {
  const double force = evaluate_ground(ground, memory, sinkage, 0).at_rest;
  if (force <= 0) return 0;
  if (ground.plastic) return 0.5 * force * force / memory.unload_stiffness;
  return force * sinkage / (ground.compliant->exponent + 1);
}

ShearForce commit_shear(const RigGround& ground, double sinkage, double normal_force,
                        const Vec3d& dj, double dt, GroundMemory& memory) {
  if (sinkage <= memory.plastic_sinkage) return {};
  if (ground.plastic) return shear_plastic(ground, sinkage, normal_force, dj, memory);
  return shear_compliant(ground, normal_force, dj, dt, memory);
}

}  // namespace footfall
