// SoilLaw: gives points on a world's soils their law, compliant or plastic, with pads.
#pragma once

#include "footfall/ground/find.hpp"
#include "footfall/ground/plastic_plan.hpp"

namespace footfall {

namespace soil_detail {

// Compliant ground at a pack's points: the robot's own.
template <class T>
CompliantGround<Pack<T>> ground_under(const std::vector<CompliantGround<T>>& soils,
                                      const std::array<int, lane_count<Pack<T>>>& soil) {
  using L = Pack<T>;
  const CompliantGround<T>& s0 = soils[0];
  CompliantGround<L> out{
      L(s0.stiffness),     L(s0.exponent),        L(s0.damping),       L(s0.damping_exponent),
      L(s0.rate_exponent), L(s0.shear_stiffness), L(s0.shear_damping), L(s0.friction_coefficient)};
  if (soils.size() == 1) return out;
  for (int i = 0; i < lane_count<L>; ++i) {
    const CompliantGround<T>& s = soils[soil[i]];
    set_lane(out.stiffness, i, lane(s.stiffness, i));
    set_lane(out.exponent, i, lane(s.exponent, i));
    set_lane(out.damping, i, lane(s.damping, i));
    set_lane(out.damping_exponent, i, lane(s.damping_exponent, i));
    set_lane(out.rate_exponent, i, lane(s.rate_exponent, i));
    set_lane(out.shear_stiffness, i, lane(s.shear_stiffness, i));
    set_lane(out.shear_damping, i, lane(s.shear_damping, i));
    set_lane(out.friction_coefficient, i, lane(s.friction_coefficient, i));
  }
  return out;
}

// How much of a cell's surface looks into the ground, of its part on this soil; 1 for other points.
template <class T>
Pack<T> facing_share(const SolePack<T>& sole, const Mat3<Pack<T>>& R_WL,
                     const PointLaw<Pack<T>>& point) {
  using L = Pack<T>;
  if (!point.cell.any) return L(1);
  const Vec3<L> area = spread<L>(sole.area);
  const L faces = -dot(point.normal, R_WL * area) / max(norm(area), L(kTiny<L>));
  return point.cell.share * max(faces, L(0));
}

// Writes the law's parameters, times the point's share, and the remembered displacements.
template <class T>
void set_law(const CompliantGround<Pack<T>>& soil, const SolePack<T>& sole, double timestep,
             const Pack<T>& facing, const Vec3<Pack<T>>& shear_displacement,
             const Pack<T>& spin_displacement, PointLaw<Pack<T>>& point) {
  using L = Pack<T>;
  const L h(timestep), w = facing * L(sole.weight);
  const L depth = max(point.sinkage, L(0));
  point.stiffness = w * soil.stiffness;
  point.exponent = soil.exponent;
  point.damping = w * soil.damping * mean_depth_power(point, soil.damping_exponent);
  point.rate_exponent = soil.rate_exponent;
  point.friction_coefficient = min(soil.friction_coefficient, L(sole.friction));
  point.adhesion = L(0);
  // The shear spring is that of the surface, however it is turned. At a border it changes with the cell's
  // share s: what is remembered is √s j, so that ½ k_t j² is not changed by that.
  const L s = shear_share(point), root = sqrt(s);
  const L k_t = s * L(sole.weight) * soil.shear_stiffness;
  const L b_t = s * L(sole.weight) * soil.shear_damping;
  const Vec3<L>& j = shear_displacement;
  point.shear_stiffness = k_t;
  point.shear_slope = h * k_t + b_t;
  const L k_start = root * L(sole.weight) * soil.shear_stiffness;
  point.shear_start = k_start * (j - dot(j, point.normal) * point.normal);
  if (sole.kind != TouchKind::ball) {
    point.patch_radius = point.spin_slope = point.spin_start = L(0);
    return;
  }
  const L a2 = max((L(2) * L(sole.radius) - depth) * depth, L(0));
  point.patch_radius = sqrt(a2);
  point.spin_slope = L(0.5) * a2 * point.shear_slope;
  point.spin_start = L(kSpinRadius) * point.patch_radius * k_t * spin_displacement;
}

// Sinkage of cells that must not be counted, see uncounted_jump: as much as it takes that the ground below a
// cell stores no more than the last step left in it. That also holds where a cell comes onto this soil from
// another. `k`: its stiffness.
template <class T>
void count_cells(const ContactMemory<T>& memory, const PackIndex<T>& source, const Pack<T>& n,
                 const Pack<T>& k, double release, PointLaw<Pack<T>>& point) {
  using L = Pack<T>;
  const Vec3<L>& start = point.cell.start;
  const Cell<L> cell = make_cell(start.x, start.y, start.z, L(0));
  const L n1 = n + L(1), allowed = gather(memory.energy.data(), source) * n1 / max(k, L(kTiny<L>));
  const L all = max(point.sinkage + cell.high, L(0)), per = L(1) / n1;
  const L before = min(max(gather(memory.jump.data(), source) - L(release), L(0)), all);
  L jump = select(allowed > L(0), before, all);
  for (int i = 0; i < 30; ++i) {
    const Bearing<L> stored = mean_power(cell, n1, point.sinkage - jump);
    const auto too_much = stored.force - allowed > L(1e-9) * allowed;
    if (!any(too_much)) break;
    // The n1-th root is nearly linear, convex and falling: Newton's steps stay on this side.
    const L way = n1 * stored.force / max(stored.slope, L(kTiny<L>));
    const L part = L(1) - pow(allowed / max(stored.force, L(kTiny<L>)), per);
    jump = select(too_much, jump + way * part, jump);
  }
  point.jump = min(jump, all);
  point.sinkage -= point.jump;
}

// The pad under the feet among a pack's points: takes its part out of the sinkage.
template <class T>
void set_pad(const FootPad& pad, const SolePack<T>& sole, const ContactMemory<T>& memory,
             PointLaw<Pack<T>>& point) {
  using L = Pack<T>;
  PadPart<L>& p = point.pad;
  const L w(sole.weight);
  p.any = true;
  p.is_padded = L(sole.is_foot);
  p.compression =
      select(p.is_padded > L(0), gather(memory.pad_compression.data(), sole.source), L(0));
  p.stiffness = w * L(pad.stiffness);
  p.exponent = L(pad.exponent);
  const L power = pow(p.compression, L(pad.damping_exponent));
  p.damping = select(p.compression > L(0), w * L(pad.damping) * power, L(0));
  p.rate_exponent = L(pad.rate_exponent);
  point.sinkage -= p.compression;
}

// Where a point goes from one soil to another: what it has sunk into the first was no work on the second, so
// compliant ground counts from there until the point has left it, and soil that yields carries from there on,
// see find_point_prints. Returns the points that did: their shear is left behind too.
template <class T>
Mask<Pack<T>> cross_soils(const PlasticPlan<T>& plastic,
                          const std::array<int, lane_count<Pack<T>>>& soil,
                          const ContactMemory<T>& memory, const PackIndex<T>& source,
                          const Pack<T>& sinkage, PointLaw<Pack<T>>& point) {
  using L = Pack<T>;
  L now(0), compliant(1);
  for (int i = 0; i < lane_count<L>; ++i) {
    set_lane(now, i, soil[i]);
    const bool yields = plastic.any() && plastic.laws[soil[i]].is_plastic > 0;
    set_lane(compliant, i, yields ? 0.0 : 1.0);
  }
  const auto crossed = has_crossed(gather(memory.soil.data(), source), now);
  const L depth = select(compliant > L(0), max(sinkage, L(0)), L(0));
  point.jump = select(crossed, depth, point.jump);
  point.soil = now;
  return crossed;
}

// What kernels find in the place of a plastic soil's compliant values; the plastic ones replace it.
inline constexpr CompliantGround<double> kReplaced{1, 1, 0, 0, 1, 1, 0, 0};

}  // namespace soil_detail

template <class T>
struct SoilLaw {
  SoilLaw(const World& world, const SolePlan<T>& soles)
      : plastic(world, soles), pad(soil_ground(world.ground)->pad) {
    for (const GroundSoil& soil : soil_ground(world.ground)->soils) {
      const auto* law = std::get_if<CompliantGround<double>>(&soil.law);
      const CompliantGround<double>& s = law != nullptr ? *law : soil_detail::kReplaced;
      compliant.push_back({T(s.stiffness), T(s.exponent), T(s.damping), T(s.damping_exponent),
                           T(s.rate_exponent), T(s.shear_stiffness), T(s.shear_damping),
                           T(s.friction_coefficient)});
    }
  }
  // Whether all items of a pack are on soil that yields.
  bool is_plastic(const std::array<int, lane_count<Pack<T>>>& soil) const {
    return plastic.any() && std::all_of(soil.begin(), soil.end(),
                                        [&](int k) { return plastic.laws[k].is_plastic > 0; });
  }

  // n of the pressure law of the soils under a pack.
  Pack<T> exponent(const std::array<int, lane_count<Pack<T>>>& soil) const {
    using L = Pack<T>;
    L n(0);
    for (int i = 0; i < lane_count<L>; ++i) {
      const bool yields = plastic.any() && plastic.laws[soil[i]].is_plastic > 0;
      set_lane(n, i,
               yields ? plastic.laws[soil[i]].exponent : lane(L(compliant[soil[i]].exponent), i));
    }
    return n;
  }

  std::vector<CompliantGround<T>> compliant;  // of each soil; lanes may be given others
  PlasticPlan<T> plastic;
  std::optional<FootPad> pad;  // under every foot

  [[gnu::always_inline]] void set(const World& world, const SolePack<T>& sole,
                                  const std::array<int, lane_count<Pack<T>>>& soil,
                                  const find_detail::PackMotion<T>& link,
                                  const ContactMemory<T>& memory, const Pack<T>& sinkage,
                                  const Mask<Pack<T>>& watched, PointLaw<Pack<T>>& point,
                                  PointTrial<Pack<T>>& trial) const {
    using namespace soil_detail;
    using L = Pack<T>;
    Vec3<L> shear = gather(memory.shear_displacement.data(), sole.source);
    L spin = gather(memory.spin_displacement.data(), sole.source);
    if (point.cell.any) {
      point.jump = L(0);
    } else if (world.terrain.is_plane && !is_plastic(soil)) {
      point.jump = find_detail::uncounted_jump<T>(memory, sole.source, sinkage, 0);
    }
    if (!memory.soil.empty() && !point.cell.any) {
      const auto crossed = cross_soils<T>(plastic, soil, memory, sole.source, sinkage, point);
      const L stays = select(crossed, L(0), L(1));
      shear = stays * shear;
      spin *= stays;
    }
    point.sinkage = select(watched, sinkage - point.jump, L(kNotWatched));
    if (pad) set_pad(*pad, sole, memory, point);
    const L facing = facing_share(sole, link.R, point);
    if (point.cell.any && !is_plastic(soil)) {
      const L k = facing * L(sole.weight) * ground_under(compliant, soil).stiffness;
      const double release =
          world.terrain.is_plane ? 0 : find_detail::kReleaseSpeed * world.options.timestep;
      count_cells<T>(memory, sole.source, exponent(soil), k, release, point);
    }
    set_law(ground_under(compliant, soil), sole, world.options.timestep, facing, shear, spin,
            point);
    if (plastic.any()) {
      set_plastic(plastic, sole, soil, memory, link.R, link.p_WO + point.p_OC, shear, spin, point,
                  trial);
    }
    const L last_force = gather(memory.normal_force.data(), sole.source);
    trial.limit_force = select(watched, last_force, L(0));
  }
};

}  // namespace footfall
