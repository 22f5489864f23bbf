// PlasticPlan: the plastic soils of a world as find_contacts reads them.
#pragma once

#include <cmath>

#include "footfall/ground/evaluate.hpp"
#include "footfall/ground/sole_plan.hpp"
#include "footfall/soil/plastic.hpp"

namespace footfall {

// Constants of one soil; of a compliant one only is_plastic, 0.
struct PlasticLaw {
  double is_plastic = 0;
  double exponent = 1;                                  // n
  double cohesion = 0;                                  // c [Pa]
  double friction_coefficient = 0;                      // tanφ
  double shear_length = 1;                              // κ [m]
  double relax = 0, relax_slope = 0;                    // r = relax + relax_slope·|e|
  double damping = 0, damping_exponent = 0;             // b, p
  double rate_exponent = 1;                             // q
  double rebound = kNoRebound;                          // ρ
  double unload_modulus = 0, unload_modulus_slope = 0;  // k_0, A_u
};

inline PlasticLaw make_plastic_law(const PlasticSoil& soil) {
  PlasticLaw law;
  law.is_plastic = 1;
  law.exponent = soil.pressure.exponent;
  law.cohesion = soil.cohesion;
  law.friction_coefficient = std::tan(soil.friction_angle);
  law.shear_length = shear_length(soil.shear, soil.shear_modulus);
  law.relax = soil.shear == ShearForm::exponential ? 1 : 0;
  law.relax_slope = soil.shear == ShearForm::tanh ? 1 : 0;
  law.damping = soil.damping;
  law.damping_exponent = soil.damping_exponent;
  law.rate_exponent = soil.rate_exponent;
  law.unload_modulus = soil.unload_modulus;
  law.unload_modulus_slope = soil.unload_modulus_slope;
  const bool measured = soil.unload_modulus > 0 || soil.unload_modulus_slope > 0;
  law.rebound = measured ? kMostRebound : kNoRebound;
  return law;
}

template <class T>
struct PlasticPlan {
  PlasticPlan(const World& world, const SolePlan<T>& soles) {
    if (!keeps_prints(world.ground)) return;
    const int soil_count = static_cast<int>(soil_ground(world.ground)->soils.size());
    for (int i = 0; i < soil_count; ++i) {
      const PlasticSoil* soil = plastic_soil(world.ground, i);
      laws.push_back(soil ? make_plastic_law(*soil) : PlasticLaw{});
      rims.push_back(make_rim_series(laws.back().exponent));
    }
    for (const SolePack<T>& pack : soles.packs) {
      for (int k = 0; k < soil_count; ++k) {
        const PlasticSoil* soil = plastic_soil(world.ground, k);
        PackConstant<T> modulus(0);
        for (int i = 0; i < pack_size<T>; ++i) {
          // a shape without extent still has soil around it
          const double width = std::fmax(world.soles.points[pack.source[i]].contact_width, 1e-3);
          link_detail::set_constant<T>(modulus, i, soil ? sinkage_modulus(*soil, width) : 0.0);
        }
        moduli.push_back(modulus);
      }
    }
  }
  bool any() const { return !laws.empty(); }
  const PackConstant<T>& modulus(int sole_pack, int soil) const {
    return moduli[static_cast<std::size_t>(sole_pack) * laws.size() + soil];
  }

  std::vector<PlasticLaw> laws;         // of each soil; empty where no soil is plastic
  std::vector<RimSeries> rims;          // of each soil
  std::vector<PackConstant<T>> moduli;  // K_σ of each sole pack on each soil [Pa/mⁿ]
};

namespace plastic_detail {

// A constant of the soils under a pack's items.
template <class L, class Value>
L pick(const std::vector<PlasticLaw>& laws, const std::array<int, lane_count<L>>& soil,
       const Value& value) {
  if (laws.size() == 1) return L(value(laws[0]));
  L out(0);
  for (int i = 0; i < lane_count<L>; ++i) set_lane(out, i, value(laws[soil[i]]));
  return out;
}

// Area that cohesion acts on, S_c of Ding 2013 Table 7, and plan area, at a depth [m²].
template <class L>
struct Areas {
  L cohesive, plan;
};
template <class L>
Areas<L> contact_areas(const PointLaw<L>& point, const L& depth) {
  const PlasticPart<L>& p = point.plastic;
  constexpr double kPi = 3.141592653589793;
  if (point.cell.any) {
    const L wet = p.size * wet_share(point.cell, depth);
    return {wet, wet};
  }
  if (p.kind == BearingKind::flat) return {p.size, p.size};
  const L d = min(max(depth, L(0)), p.radius);
  const L a2 = (L(2) * p.radius - d) * d;
  if (p.kind == BearingKind::ball) return {L(kPi) * p.size * p.radius * d, L(kPi) * p.size * a2};
  return {p.size * p.radius * entry_angle(d / p.radius), L(2) * p.size * sqrt(a2)};
}

// Footprints of the items that are not pressed in yet: what lies where they come down.
template <class T>
void find_footprints(const ContactMemory<T>& memory, const Vec3<Pack<T>>& p_WC,
                     PlasticPart<Pack<T>>& p) {
  using L = Pack<T>;
  constexpr int kRobots = lane_count<T>;
  for (int i = 0; i < lane_count<L>; ++i) {
    if (lane(p.is_pressed, i) > 0) continue;
    const RutGrid& ruts = memory.ruts[i % kRobots];
    const RutCell cell =
        ruts.empty() ? RutCell{} : ruts.deepest_near(lane(p_WC.x, i), lane(p_WC.y, i));
    set_lane(p.plastic_sinkage, i, cell.sinkage);
    set_lane(p.rim_height, i, cell.sinkage > 0 ? 0.0 : cell.rim);
    set_lane(p.sinkage_max, i, cell.sinkage_max);
  }
}

// A point below untouched ground came in from the side, or starts there: no work was done on the soil
// below it, which has none to give back. It carries from here on.
template <class L>
void start_in_ground(const Mask<L>& fresh, const L& sinkage, PlasticPart<L>& p) {
  const L start = select(fresh & (p.is_plastic > L(0)), sinkage, L(0));
  p.plastic_sinkage = max(p.plastic_sinkage, start);
  p.sinkage_max = max(p.sinkage_max, start);
}

// k_u at a depth where the soil bears this much.
template <class L>
L unload_stiffness_at(const PointLaw<L>& point, const L& depth, const L& bearing) {
  const PlasticPart<L>& p = point.plastic;
  return unload_stiffness(p.rebound, p.unload_modulus, p.unload_modulus_slope, depth, bearing,
                          contact_areas(point, depth).plan);
}

// Footprint, bearing and unloading of points.
template <class T>
void find_point_prints(const ContactMemory<T>& memory, const SolePack<T>& sole,
                       const Vec3<Pack<T>>& p_WC, bool may_cross, PointLaw<Pack<T>>& point) {
  using L = Pack<T>;
  PlasticPart<L>& p = point.plastic;
  const PlasticMemory<T>& m = memory.plastic;
  p.is_pressed = gather(m.is_pressed.data(), sole.source);
  if (may_cross) {  // a footprint in another soil stays there
    const auto crossed = has_crossed(gather(memory.soil.data(), sole.source), point.soil);
    p.is_pressed = select(crossed, L(0), p.is_pressed);
  }
  p.plastic_sinkage = gather(m.plastic_sinkage.data(), sole.source);
  p.rim_height = gather(m.rim_height.data(), sole.source);
  p.bearing = p.size * gather(m.bearing.data(), sole.source);
  p.sinkage_max = gather(m.sinkage_max.data(), sole.source);
  const auto fresh = p.is_pressed <= L(0);
  if (any(fresh)) {
    find_footprints<T>(memory, p_WC, p);
    start_in_ground(fresh, point.sinkage + p.rim_height, p);
  }
  p.reference_depth = max(p.sinkage_max, L(kLeastDepth));
  // Remembered, unless the foot may have come from another soil: what that bore is no measure here.
  if (any(fresh) || may_cross) {
    const L bearing = evaluate_bearing(point, p.reference_depth).force;
    p.bearing = may_cross ? bearing : select(fresh, bearing, p.bearing);
  }
  point.sinkage = select(p.is_plastic > L(0), point.sinkage + p.rim_height, point.sinkage);
  p.unload_stiffness = unload_stiffness_at(point, p.reference_depth, p.bearing);
}

// The same of cells. While a cell carries, what its line is compressed by moves with its centre of
// pressure, so that the line does no work when that wanders; while it does not, its footprint stays where
// it is. k_u is remembered: it changes only where soil yields, see press_footprints; untouched soil has that
// of the depth it is pressed to if nothing changes the motion. `p_WM`: middles.
template <class T>
void find_cell_prints(const ContactMemory<T>& memory, const SolePack<T>& sole,
                      const Vec3<Pack<T>>& p_WM, const PointTrial<Pack<T>>& trial,
                      PointLaw<Pack<T>>& point) {
  using L = Pack<T>;
  PlasticPart<L>& p = point.plastic;
  const PlasticMemory<T>& m = memory.plastic;
  p.is_pressed = gather(m.is_pressed.data(), sole.source);
  p.rim_height = gather(m.rim_height.data(), sole.source);
  const L before = gather(m.plastic_sinkage.data(), sole.source);
  const L wandered = point.cell.offset - gather(m.offset.data(), sole.source);
  const auto carried = gather(memory.normal_force.data(), sole.source) > L(0);
  const L sinkage = point.sinkage + p.rim_height;
  // nothing is pressed more than the last step left it
  const L gap = gather(m.gap.data(), sole.source);
  p.plastic_sinkage =
      select(carried, sinkage + gap, max(before + wandered, sinkage + min(gap, L(0))));
  p.sinkage_max = gather(m.sinkage_max.data(), sole.source) + wandered;
  p.unload_stiffness = gather(m.unload_stiffness.data(), sole.source);
  const auto fresh = p.is_pressed <= L(0);
  if (any(fresh)) {
    find_footprints<T>(memory, p_WM, p);
    start_in_ground(fresh, point.sinkage + p.rim_height, p);
    const L last = point.sinkage + p.rim_height + point.step * sink_rate(point, trial);
    const L depth = max(max(p.sinkage_max, last), L(kLeastDepth));
    const L stiffness = unload_stiffness_at(point, depth, evaluate_bearing(point, depth).force);
    p.unload_stiffness = select(fresh, stiffness, p.unload_stiffness);
  }
  point.sinkage = select(p.is_plastic > L(0), point.sinkage + p.rim_height, point.sinkage);
  p.bearing = evaluate_bearing(point, point.sinkage).force;
  p.reference_depth = max(point.sinkage + point.cell.high, L(1e-9));
}

}  // namespace plastic_detail

// Fills the plastic part of a pack of points whose sinkage and velocity are those of the step's
// start, with the law's values where an item is on plastic soil. `p_WC`: where they touch.
template <class T>
void set_plastic(const PlasticPlan<T>& plan, const SolePack<T>& sole,
                 const std::array<int, lane_count<Pack<T>>>& soil, const ContactMemory<T>& memory,
                 const Mat3<Pack<T>>& R_WL, const Vec3<Pack<T>>& p_WC,
                 const Vec3<Pack<T>>& shear_displacement, const Pack<T>& spin_displacement,
                 PointLaw<Pack<T>>& point, const PointTrial<Pack<T>>& trial) {
  using namespace plastic_detail;
  using L = Pack<T>;
  PlasticPart<L>& p = point.plastic;
  const auto value = [&](auto member) {
    return pick<L>(plan.laws, soil, [&](const PlasticLaw& law) { return law.*member; });
  };
  p.is_plastic = value(&PlasticLaw::is_plastic);
  p.any = any(p.is_plastic > L(0));
  if (!p.any) return;
  p.kind = sole.bearing;
  p.rims = plan.rims.data();
  p.soil_index = soil;
  p.size = L(sole.size);
  L faced(1);                         // share of a cell that faces its soil
  if (p.kind == BearingKind::flat) {  // what of its area faces the ground
    const Vec3<L> area = spread<L>(sole.area);
    const L faces = -dot(point.normal, R_WL * area);
    p.size = select(faces > L(1e-6) * norm(area), faces, L(0));  // not an upright side
    if (point.cell.any) {
      p.size *= point.cell.share;
      faced = p.size / max(norm(area), L(kTiny<L>));
    }
  }
  p.radius = L(sole.radius);
  p.modulus = L(plan.modulus(sole.place.sole_pack, soil[0]));
  if (plan.laws.size() > 1) {
    for (int i = 0; i < lane_count<L>; ++i) {
      set_lane(p.modulus, i, lane(L(plan.modulus(sole.place.sole_pack, soil[i])), i));
    }
  }
  const auto plastic = p.is_plastic > L(0);
  point.exponent = select(plastic, value(&PlasticLaw::exponent), point.exponent);
  p.rebound = value(&PlasticLaw::rebound);
  p.unload_modulus = value(&PlasticLaw::unload_modulus);
  p.unload_modulus_slope = value(&PlasticLaw::unload_modulus_slope);
  if (point.cell.any) {
    find_cell_prints<T>(memory, sole, p_WC + point.cell.to_middle, trial, point);
  } else {
    find_point_prints<T>(memory, sole, p_WC, plan.laws.size() > 1, point);
  }
  const auto touches = point.sinkage - p.plastic_sinkage > L(1e-12);  // not by rounding
  p.recovery = select(touches, L(kRecoveryTime), L(0));

  // normal damping
  const L b = value(&PlasticLaw::damping);
  point.damping = select(plastic, L(0), point.damping);
  if (any(b > L(0))) {
    const L power = mean_depth_power(point, value(&PlasticLaw::damping_exponent));
    point.damping = select(plastic & touches, faced * L(sole.weight) * b * power, point.damping);
  }
  point.rate_exponent = select(plastic, value(&PlasticLaw::rate_exponent), point.rate_exponent);

  // shear: all over the strength, see shear_scale
  const L cohesive = contact_areas(point, point.sinkage).cohesive;
  const L kappa = value(&PlasticLaw::shear_length);
  const Vec3<L>& j = shear_displacement;
  const Vec3<L> e = (L(1) / kappa) * (j - dot(j, point.normal) * point.normal);
  const L mobilized = norm(e);
  const L relax = value(&PlasticLaw::relax) + value(&PlasticLaw::relax_slope) * mobilized;
  const L& h = point.step;
  const ShearStep<L> shear =
      shear_step(kappa, relax, h * norm(tangential_velocity(point, trial.velocity)));
  p.shear_length = kappa;
  p.strength_before = gather(memory.plastic.strength.data(), sole.source);
  p.shear_direction = (L(1) / max(mobilized, L(1e-12))) * e;
  p.sway_damping = select(plastic, L(kShearRecovery) / kappa, L(0));
  p.sway_relief = p.sway_damping * min(mobilized * L(1 / kSwayShare), L(1));
  point.friction_coefficient =
      select(plastic, min(value(&PlasticLaw::friction_coefficient), L(sole.friction)),
             point.friction_coefficient);
  point.adhesion = select(plastic & touches, value(&PlasticLaw::cohesion) * cohesive, L(0));
  point.shear_start = select(plastic, shear.decay * e, point.shear_start);
  point.shear_slope = select(plastic, shear.gain * h, point.shear_slope);
  // spinning shears too, on the mean ⅔ a from the middle
  const L radius = L(kSpinRadius) * point.patch_radius;
  const L spin_way = L(2.0 / 3.0) * point.patch_radius * abs(trial.spin);
  const ShearStep<L> spin = shear_step(kappa, relax, h * spin_way);
  point.spin_start =
      select(plastic, radius / kappa * spin.decay * spin_displacement, point.spin_start);
  point.spin_slope = select(plastic, radius * radius * spin.gain * h, point.spin_slope);
}

}  // namespace footfall
