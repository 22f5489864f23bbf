// Points: places where a sole may touch the ground, with the law that holds there.
#pragma once

#include "footfall/math/pack.hpp"
#include "footfall/soil/bearing.hpp"
#include "footfall/soil/cell.hpp"

namespace footfall {

// The part of a law that only plastic soil has, see soil/plastic.hpp.
template <class T>
struct PlasticPart {
  bool any = false;  // is any item on plastic soil?
  BearingKind kind = BearingKind::flat;
  const RimSeries* rims = nullptr;              // of each soil
  std::array<int, lane_count<T>> soil_index{};  // of each item
  T is_plastic;                                 // 1, or 0 for items on compliant ground
  T modulus;                                    // K_σ [Pa/mⁿ]
  T size;  // area of a flat point that faces the ground [m²], width of a rim [m], share of a ball [-]
  T radius;                                         // of a ball or rim [m]
  T rebound, unload_modulus, unload_modulus_slope;  // ρ, k_0, A_u of the soil
  T unload_stiffness;                               // k_u [N/m]
  T plastic_sinkage;                                // δ_p [m]
  T recovery;               // τ; 0 for a point that does not touch at the start of the step [s]
  T sinkage_max;            // δ_max [m]
  T reference_depth;        // d [m]
  T bearing;                // V(d) [N]
  T shear_length;           // κ [m]
  Vec3<T> shear_direction;  // of the mobilised shear, frame W; zero where there is none
  T strength_before;        // L of the last step [N]
  T sway_damping;           // τ_s/κ [s/m]
  T sway_relief;            // what of it motion along shear_direction is spared [s/m]
  T rim_height;             // that the ground is raised by here [m]
};

// A foot's pad in series with the ground: F = k δ_Fⁿ + b δ_Fᵖ |δ̇_F|^q sgn δ̇_F, Ding 2013 (9).
template <class T>
struct PadPart {
  bool any = false;
  T is_padded;      // 1, or 0 for items without a pad
  T compression;    // δ_F at the start of the step [m]
  T stiffness;      // k [N/mⁿ]
  T exponent;       // n
  T damping;        // b δ_Fᵖ [N s^q/m^q]
  T rate_exponent;  // q
};

template <class T>
PlasticPart<T> get_item(const PlasticPart<Pack<T>>& p, int i) {
  PlasticPart<T> out;
  out.any = p.any;
  out.kind = p.kind;
  out.rims = p.rims;
  for (int k = 0; k < lane_count<T>; ++k) out.soil_index[k] = p.soil_index[i + k];
  out.is_plastic = get_item<T>(p.is_plastic, i);
  out.modulus = get_item<T>(p.modulus, i);
  out.size = get_item<T>(p.size, i);
  out.radius = get_item<T>(p.radius, i);
  out.rebound = get_item<T>(p.rebound, i);
  out.unload_modulus = get_item<T>(p.unload_modulus, i);
  out.unload_modulus_slope = get_item<T>(p.unload_modulus_slope, i);
  out.unload_stiffness = get_item<T>(p.unload_stiffness, i);
  out.plastic_sinkage = get_item<T>(p.plastic_sinkage, i);
  out.recovery = get_item<T>(p.recovery, i);
  out.sinkage_max = get_item<T>(p.sinkage_max, i);
  out.reference_depth = get_item<T>(p.reference_depth, i);
  out.bearing = get_item<T>(p.bearing, i);
  out.shear_length = get_item<T>(p.shear_length, i);
  out.shear_direction = get_item<T>(p.shear_direction, i);
  out.strength_before = get_item<T>(p.strength_before, i);
  out.sway_damping = get_item<T>(p.sway_damping, i);
  out.sway_relief = get_item<T>(p.sway_relief, i);
  out.rim_height = get_item<T>(p.rim_height, i);
  return out;
}

// What a point that is a cell has beside its depths.
template <class T>
struct CellPart : Cell<T> {
  T share;                  // of the cell that lies on this point's soil
  T offset;                 // how much deeper the touching point is than the cell's middle [m]
  T turn_rate;              // how much faster the middle sinks than the touching point [m/s]
  Vec3<T> to_middle;        // from the touching point, frame W [m]
  Vec3<T> share_of_corner;  // λ of the corners that the touching point is at
  Vec3<T> start;            // how much deeper they are than it, at the start of the step [m]
  std::array<Vec3<T>, 3> corners;  // about the tree's O, as p_OC [m]
};

template <class T>
CellPart<T> get_item(const CellPart<Pack<T>>& c, int i) {
  CellPart<T> out;
  out.any = c.any;
  if (!c.any) return out;
  out.low = get_item<T>(c.low, i);
  out.mid = get_item<T>(c.mid, i);
  out.high = get_item<T>(c.high, i);
  out.share = get_item<T>(c.share, i);
  out.offset = get_item<T>(c.offset, i);
  out.turn_rate = get_item<T>(c.turn_rate, i);
  out.to_middle = get_item<T>(c.to_middle, i);
  out.share_of_corner = get_item<T>(c.share_of_corner, i);
  out.start = get_item<T>(c.start, i);
  for (int k = 0; k < 3; ++k) out.corners[k] = get_item<T>(c.corners[k], i);
  return out;
}

template <class T>
PadPart<T> get_item(const PadPart<Pack<T>>& p, int i) {
  return {p.any,
          get_item<T>(p.is_padded, i),
          get_item<T>(p.compression, i),
          get_item<T>(p.stiffness, i),
          get_item<T>(p.exponent, i),
          get_item<T>(p.damping, i),
          get_item<T>(p.rate_exponent, i)};
}

// The radius at which a disc of evenly spread bristles acts against spinning, of its own: √½.
inline constexpr double kSpinRadius = 0.70710678118654752;

// The law at a place where the sole may touch the ground, constant during one step. Its values are
// those of the whole foot times this point's share of it. Filled by find_points.
template <class T>
struct PointLaw {
  int sole_point;  // index of the sole point
  int body;
  Vec3<T> p_OC;       // the touching point about the tree's O, world axes [m]
  Vec3<T> normal;     // out of the ground, frame W
  T sinkage;          // δ at the start of the step, negative above the ground [m]
  T step;             // h [s]
  T stiffness;        // k [N/mⁿ]
  T exponent;         // n
  T damping;          // b δᵖ [N s^q/m^q]
  T rate_exponent;    // q
  T shear_stiffness;  // k_t [N/m]
  // shear force before it slides: start + slope·u [N], frame W; of plastic soil over its strength
  T shear_slope;
  Vec3<T> shear_start;
  T spin_slope;  // the same for spinning [N m]
  T spin_start;
  T friction_coefficient;  // μ, or tanφ
  T adhesion;              // c S_c: strength without any load [N]
  T patch_radius;          // a; 0 for a sole without torsional friction of its own [m]
  CellPart<T> cell;
  PlasticPart<T> plastic;
  PadPart<T> pad;
  T jump;  // sinkage that is not counted, see find.hpp [m]
  T soil;  // index of the soil below
};

// What the law answers to a trial velocity. Filled by evaluate_contact.
template <class T>
struct PointValue {
  Vec3<T> gradient;   // of ℓ: minus the impulse on the foot [N s]
  Sym3<T> curvature;  // of ℓ [N s²/m]
  T spin_gradient;    // about the normal [N m s]
  T spin_curvature;   // [N m s²]
  T normal_force;     // F_N [N]
  // Of a cell: its normal force acts at its corners, and depends on how each of them rises. The values
  // above are then those of shear alone.
  Vec3<T> corner_gradient;   // [N s]
  Sym3<T> corner_curvature;  // [N s²/m]
};

// What the solver moves. Kept by PointTerms.
template <class T>
struct PointTrial : PointValue<T> {
  Vec3<T> velocity;        // of the point [m/s]
  T spin;                  // about the normal [rad/s]
  Vec3<T> balance;         // the gradient that the robot's momentum asks for [N s]
  T spin_balance;          // [N m s]
  T limit_force;           // normal force that limits friction, fixed within a solve [N]
  T caution;               // 1: curvature along sliding is not dropped, see evaluate_contact
  Vec3<T> corner_rise;     // speed of a cell's corners out of the ground [m/s]
  Vec3<T> corner_balance;  // as balance [N s]
};

// One point with all that a step found out about it, for readers.
template <class T>
struct ContactPoint : PointLaw<T>, PointTrial<T> {
  Vec3<T> couple{T(0), T(0),
                 T(0)};  // that acts beside balance and spin_balance, see join_corners [N m s]
};

template <class T>
Sym3<T> get_item(const Sym3<Pack<T>>& a, int i) {
  return {get_item<T>(a.xx, i), get_item<T>(a.xy, i), get_item<T>(a.xz, i),
          get_item<T>(a.yy, i), get_item<T>(a.yz, i), get_item<T>(a.zz, i)};
}

// One point of a pack of points.
template <class T>
ContactPoint<T> get_item(const PointLaw<Pack<T>>& law, const PointTrial<Pack<T>>& trial, int i) {
  return {{law.sole_point,
           law.body,
           get_item<T>(law.p_OC, i),
           get_item<T>(law.normal, i),
           get_item<T>(law.sinkage, i),
           get_item<T>(law.step, i),
           get_item<T>(law.stiffness, i),
           get_item<T>(law.exponent, i),
           get_item<T>(law.damping, i),
           get_item<T>(law.rate_exponent, i),
           get_item<T>(law.shear_stiffness, i),
           get_item<T>(law.shear_slope, i),
           get_item<T>(law.shear_start, i),
           get_item<T>(law.spin_slope, i),
           get_item<T>(law.spin_start, i),
           get_item<T>(law.friction_coefficient, i),
           get_item<T>(law.adhesion, i),
           get_item<T>(law.patch_radius, i),
           get_item<T>(law.cell, i),
           get_item<T>(law.plastic, i),
           get_item<T>(law.pad, i),
           get_item<T>(law.jump, i),
           get_item<T>(law.soil, i)},
          {{get_item<T>(trial.gradient, i), get_item<T>(trial.curvature, i),
            get_item<T>(trial.spin_gradient, i), get_item<T>(trial.spin_curvature, i),
            get_item<T>(trial.normal_force, i), get_item<T>(trial.corner_gradient, i),
            get_item<T>(trial.corner_curvature, i)},
           get_item<T>(trial.velocity, i),
           get_item<T>(trial.spin, i),
           get_item<T>(trial.balance, i),
           get_item<T>(trial.spin_balance, i),
           get_item<T>(trial.limit_force, i),
           get_item<T>(trial.caution, i),
           get_item<T>(trial.corner_rise, i),
           get_item<T>(trial.corner_balance, i)}};
}

}  // namespace footfall
