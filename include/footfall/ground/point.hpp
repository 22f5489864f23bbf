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
  T is_pressed;                                     // 1 while it is in its footprint, else 0
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
  bool is_bent = false;            // uneven ground: each corner has its own normal
  std::array<Vec3<T>, 3> normals;  // these, frame W
};

// Sinkage of points that are not watched, far below which nothing counts [m].
inline constexpr double kNotWatched = -1e3;

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

// Whether a point of this soil was on another in the last step; −1: on none.
template <class T>
Mask<T> has_crossed(const T& before, const T& now) {
  return (before >= T(0)) & ((before < now) | (before > now));
}

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

// f(to.x, from.x) for all numbers of two points' laws and trials; what is no number is copied.
template <class A, class B, class F>
void each_number(CellPart<A>& to, const CellPart<B>& from, const F& f) {
  to.any = from.any;
  if (!from.any) return;
  f(to.low, from.low);
  f(to.mid, from.mid);
  f(to.high, from.high);
  f(to.share, from.share);
  f(to.offset, from.offset);
  f(to.turn_rate, from.turn_rate);
  f(to.to_middle, from.to_middle);
  f(to.share_of_corner, from.share_of_corner);
  f(to.start, from.start);
  for (int k = 0; k < 3; ++k) f(to.corners[k], from.corners[k]);
  to.is_bent = from.is_bent;
  for (int k = 0; k < 3 && from.is_bent; ++k) f(to.normals[k], from.normals[k]);
}
template <class A, class B, class F>
void each_number(PlasticPart<A>& to, const PlasticPart<B>& from, const F& f) {
  to.any = from.any;
  to.kind = from.kind;
  to.rims = from.rims;
  if (!from.any) return;
  f(to.is_plastic, from.is_plastic);
  f(to.modulus, from.modulus);
  f(to.size, from.size);
  f(to.radius, from.radius);
  f(to.rebound, from.rebound);
  f(to.unload_modulus, from.unload_modulus);
  f(to.unload_modulus_slope, from.unload_modulus_slope);
  f(to.unload_stiffness, from.unload_stiffness);
  f(to.is_pressed, from.is_pressed);
  f(to.plastic_sinkage, from.plastic_sinkage);
  f(to.recovery, from.recovery);
  f(to.sinkage_max, from.sinkage_max);
  f(to.reference_depth, from.reference_depth);
  f(to.bearing, from.bearing);
  f(to.shear_length, from.shear_length);
  f(to.shear_direction, from.shear_direction);
  f(to.strength_before, from.strength_before);
  f(to.sway_damping, from.sway_damping);
  f(to.sway_relief, from.sway_relief);
  f(to.rim_height, from.rim_height);
}
template <class A, class B, class F>
void each_number(PadPart<A>& to, const PadPart<B>& from, const F& f) {
  to.any = from.any;
  if (!from.any) return;
  f(to.is_padded, from.is_padded);
  f(to.compression, from.compression);
  f(to.stiffness, from.stiffness);
  f(to.exponent, from.exponent);
  f(to.damping, from.damping);
  f(to.rate_exponent, from.rate_exponent);
}
template <class A, class B, class F>
void each_number(PointLaw<A>& to, const PointLaw<B>& from, const F& f) {
  to.sole_point = from.sole_point;
  to.body = from.body;
  f(to.p_OC, from.p_OC);
  f(to.normal, from.normal);
  f(to.sinkage, from.sinkage);
  f(to.step, from.step);
  f(to.stiffness, from.stiffness);
  f(to.exponent, from.exponent);
  f(to.damping, from.damping);
  f(to.rate_exponent, from.rate_exponent);
  f(to.shear_stiffness, from.shear_stiffness);
  f(to.shear_slope, from.shear_slope);
  f(to.shear_start, from.shear_start);
  f(to.spin_slope, from.spin_slope);
  f(to.spin_start, from.spin_start);
  f(to.friction_coefficient, from.friction_coefficient);
  f(to.adhesion, from.adhesion);
  f(to.patch_radius, from.patch_radius);
  each_number(to.cell, from.cell, f);
  each_number(to.plastic, from.plastic, f);
  each_number(to.pad, from.pad, f);
  f(to.jump, from.jump);
  f(to.soil, from.soil);
}
template <class A, class B, class F>
void each_number(PointValue<A>& to, const PointValue<B>& from, const F& f) {
  f(to.gradient, from.gradient);
  f(to.curvature, from.curvature);
  f(to.spin_gradient, from.spin_gradient);
  f(to.spin_curvature, from.spin_curvature);
  f(to.normal_force, from.normal_force);
  f(to.corner_gradient, from.corner_gradient);
  f(to.corner_curvature, from.corner_curvature);
}
template <class A, class B, class F>
void each_number(PointTrial<A>& to, const PointTrial<B>& from, const F& f) {
  each_number(static_cast<PointValue<A>&>(to), static_cast<const PointValue<B>&>(from), f);
  f(to.velocity, from.velocity);
  f(to.spin, from.spin);
  f(to.balance, from.balance);
  f(to.spin_balance, from.spin_balance);
  f(to.limit_force, from.limit_force);
  f(to.caution, from.caution);
  f(to.corner_rise, from.corner_rise);
  f(to.corner_balance, from.corner_balance);
}

template <class T>
Sym3<T> get_item(const Sym3<Pack<T>>& a, int i) {
  return {get_item<T>(a.xx, i), get_item<T>(a.xy, i), get_item<T>(a.xz, i),
          get_item<T>(a.yy, i), get_item<T>(a.yz, i), get_item<T>(a.zz, i)};
}

// One point of a pack of points.
template <class T>
ContactPoint<T> get_item(const PointLaw<Pack<T>>& law, const PointTrial<Pack<T>>& trial, int i) {
  ContactPoint<T> out{};
  const auto get = [&](auto& to, const auto& from) { to = get_item<T>(from, i); };
  each_number(static_cast<PointLaw<T>&>(out), law, get);
  each_number(static_cast<PointTrial<T>&>(out), trial, get);
  for (int k = 0; k < lane_count<T>; ++k) {
    out.plastic.soil_index[k] = law.plastic.soil_index[i + k];
  }
  return out;
}

}  // namespace footfall
