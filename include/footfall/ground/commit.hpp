// commit_points: the one place where soils remember.
#pragma once

#include "footfall/ground/find.hpp"
#include "footfall/ground/prints.hpp"

namespace footfall {

namespace commit_detail {

// What the shear and spin springs come to, see ContactMemory.
template <class L>
struct ShearMemory {
  Vec3<L> shear;  // [m]
  L spin;         // [m]
};

// The shear spring of a point that held moves with it; of one that slid it goes to the length that
// the friction limit allows. On plastic soil shear over κ is the mobilised share of the strength.
template <class L>
ShearMemory<L> commit_shear(const PointLaw<L>& p, const PointTrial<L>& trial_point) {
  const L h = p.step;
  const L k_t = p.shear_stiffness;
  const L limit = shear_limit(p, trial_point.limit_force);
  const L scale = shear_scale(p, limit);
  const Vec3<L> u_t = tangential_velocity(p, trial_point.velocity);
  const L kept = p.plastic.any ? kept_shear(p, limit) : L(1);
  const Vec3<L> trial =
      kept * p.shear_start + p.shear_slope * u_t;  // of the spring, or spring and damper
  const Vec3<L> y = scale * shear_trial(p, u_t, limit).force;
  const L y2 = dot(y, y);
  L ratio(1);
  if (any(y2 > limit * limit)) ratio = min(limit / sqrt(max(y2, L(kTiny<L>))), L(1));
  const L spin_limit = L(2.0 / 3.0) * p.patch_radius * limit;
  const L spin_trial = scale * (kept * p.spin_start + p.spin_slope * trial_point.spin);
  const L moment = min(max(spin_trial, -spin_limit), spin_limit);
  // Spring and damper share the force ratio·y and move at one rate, so the spring takes up
  // h k_t/(h k_t + b_t) of its change: all of the foot's way if it held, none if it just slides.
  const L taken = h * k_t / max(p.shear_slope, L(kTiny<L>));  // a cell that looks up has no spring
  const Vec3<L> spring = p.shear_start + taken * (ratio * trial - p.shear_start);
  const auto touches = trial_point.normal_force > L(0);  // in the air there is nothing to remember
  const L radius = L(kSpinRadius) * p.patch_radius;
  const L spin_spring = p.spin_start + taken * (moment - p.spin_start);
  const L per_k = sqrt(shear_share(p)) / max(k_t, L(kTiny<L>));
  ShearMemory<L> out{select(touches, per_k, L(0)) * spring,
                     select(touches, spin_spring, L(0)) / max(radius * k_t, L(kTiny<L>))};
  if (!p.plastic.any) return out;
  const auto plastic = p.plastic.is_plastic > L(0);
  const L kappa = select(touches, p.plastic.shear_length, L(0));
  const L unit_spin = radius * limit;  // moment of spin/κ = 1
  out.shear = select(plastic, (kappa * ratio) * trial, out.shear);
  out.spin = select(plastic, kappa * moment / max(unit_spin, L(kTiny<L>)), out.spin);
  return out;
}

// What compliant ground stores below a cell at the end of the step [J].
template <class L>
L stored_energy(const PointLaw<L>& p, const PointTrial<L>& trial, const L& ground_rate) {
  Cell<L> cell = p.cell;
  L depth = p.sinkage + p.step * ground_rate;
  if (!p.pad.any) {
    const Vec3<L> end = p.cell.start - p.step * trial.corner_rise;
    cell = make_cell(end.x, end.y, end.z, L(0));
    depth = p.sinkage;
  }
  const L n1 = p.exponent + L(1);
  return p.stiffness * mean_power(cell, n1, depth).force / n1;
}

// How much a pad that carries nothing expands in a step: as fast as its own damping lets it [m].
template <class L>
L relaxed_compression(const PointLaw<L>& p) {
  const PadPart<L>& pad = p.pad;
  const L spring = pad.stiffness * pow(pad.compression, pad.exponent);
  const L rate = pow(spring / max(pad.damping, L(1e-30)), L(1) / pad.rate_exponent);
  return min(p.step * rate, pad.compression);
}

}  // namespace commit_detail

// Forgets what points remembered: those near the ground are written anew.
template <class T>
void forget_points(ContactMemory<T>& memory) {
  for (Vec3<T>& j : memory.shear_displacement) j = zero3<T>();
  for (T& s : memory.spin_displacement) s = T(0);
  for (T& f : memory.normal_force) f = T(0);
  for (T& d : memory.sinkage) d = T(-1e3);
  for (T& d : memory.jump) d = T(0);
  for (T& e : memory.energy) e = T(0);
  for (T& i : memory.soil) i = T(-1);
  for (T& d : memory.pad_compression) d = T(0);
  for (T& g : memory.plastic.gap) g = T(1e3);
  for (T& strength : memory.plastic.strength) strength = T(0);
}

// What points remember under any law: force, sinkage to expect, and what of it was not counted.
template <class T>
void commit_place(const SolePack<T>& sole, const PointLaw<Pack<T>>& p,
                  const PointTrial<Pack<T>>& trial, ContactMemory<T>& memory) {
  using L = Pack<T>;
  if (!memory.jump.empty()) scatter<T>(p.jump, sole.point, memory.jump.data());
  if (!memory.sinkage.empty()) {
    L expected = p.sinkage + p.step * sink_rate(p, trial) + p.jump;
    if (p.cell.any) expected += p.step * p.cell.turn_rate - p.cell.offset;
    if (p.pad.any) expected += p.pad.compression;
    if (p.plastic.any) expected -= p.plastic.rim_height;
    scatter<T>(expected, sole.point, memory.sinkage.data());
  }
  scatter<T>(trial.normal_force, sole.point, memory.normal_force.data());
}

template <class T>
FOOTFALL_KERNEL void commit_points(const World& world, const SolePlan<T>& soles,
                                   const PointTerms<T>& points, const LinkData<T>& data,
                                   ContactMemory<T>& memory) {
  using L = Pack<T>;
  forget_points(memory);
  for (int i = 0; i < points.count; ++i) {
    const PointLaw<L>& p = points.laws[i];
    const PointTrial<L>& trial = points.trials[i];
    const SolePack<T>& sole = soles.packs[points.places[i].sole_pack];
    const L rate = sink_rate(p, trial);
    L ground_rate = rate;
    if (p.pad.any) {
      ground_rate = solve_ground_rate(p, rate);
      const auto holds = trial.normal_force > L(0);
      const L change =
          select(holds, p.step * (rate - ground_rate), -commit_detail::relaxed_compression(p));
      const L compression = max(p.pad.compression + change, L(0));
      scatter<T>(select(p.pad.is_padded > L(0), compression, L(0)), sole.point,
                 memory.pad_compression.data());
    }
    if (!memory.soil.empty()) scatter<T>(p.soil, sole.point, memory.soil.data());
    commit_place(sole, p, trial, memory);
    if (p.cell.any && !p.plastic.any) {
      scatter<T>(commit_detail::stored_energy(p, trial, ground_rate), sole.point,
                 memory.energy.data());
    }
    const commit_detail::ShearMemory<L> kept = commit_detail::commit_shear(p, trial);
    scatter<T>(kept.spin, sole.point, memory.spin_displacement.data());
    for (int k = 0; k < pack_size<T>; ++k) {
      if (sole.point[k] >= 0) memory.shear_displacement[sole.point[k]] = get_item<T>(kept.shear, k);
    }
    if (p.plastic.any) {
      scatter<T>(shear_limit(p, trial.limit_force), sole.point, memory.plastic.strength.data());
      Vec3<L> p_WC = gather(data.origin.data(), sole.tree) + p.p_OC;
      if (p.cell.any) p_WC += p.cell.to_middle;
      const Mat3<L> R_WL = find_detail::pack_motion(sole, data).R;
      press_footprints<T>(world, sole, p, trial, ground_rate, R_WL, p_WC, kept.shear,
                          memory.plastic);
    }
  }
  if (!memory.ruts.empty()) commit_ruts(world, soles, points, data, memory);
}

}  // namespace footfall
