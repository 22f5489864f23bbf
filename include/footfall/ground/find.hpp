// find_contacts: which points of the soles may touch the ground during this step, and with what
// law. Pure: reads poses, velocities and memory, fills the problem's points.
#pragma once

#include "footfall/ground/plastic_plan.hpp"

namespace footfall {

namespace find_detail {

// How far above the ground a point at this speed is still watched: twice its way in a step and a
// millimetre. A point that comes faster is caught one step later.
template <class T>
T watch_distance(const T& speed, double timestep) {
  return T(2 * timestep) * speed + T(1e-3);
}

// Which soil lies at each item of a pack.
template <class L>
std::array<int, lane_count<L>> soils_under(const Terrain& terrain, const Vec3<L>& p_W) {
  std::array<int, lane_count<L>> soil{};
  if (terrain.regions.empty()) return soil;
  for (int i = 0; i < lane_count<L>; ++i) {
    soil[i] = soil_at(terrain, lane(p_W.x, i), lane(p_W.y, i));
  }
  return soil;
}

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

// From the centres of sole points to where they touch ground of normal n.
template <class T>
Vec3<Pack<T>> touch_offset(const SolePack<T>& sole, const Mat3<Pack<T>>& R_WL,
                           const Vec3<Pack<T>>& n) {
  using L = Pack<T>;
  if (sole.kind == TouchKind::point) return zero3<L>();
  const L r(sole.radius);
  if (sole.kind == TouchKind::ball) return (-r) * n;
  const Vec3<L> axis = R_WL * spread<L>(sole.axis);
  const Vec3<L> down = dot(axis, n) * axis - n;
  return (r / max(norm(down), L(1e-9))) * down;
}

// Writes the law's parameters, times the point's share, and the remembered displacements.
template <class T>
void set_law(const CompliantGround<Pack<T>>& soil, const SolePack<T>& sole, double timestep,
             const Vec3<Pack<T>>& shear_displacement, const Pack<T>& spin_displacement,
             ContactPoint<Pack<T>>& point) {
  using L = Pack<T>;
  const L h(timestep), w(sole.weight);
  const L depth = max(point.sinkage, L(0));
  point.step = h;
  point.stiffness = w * soil.stiffness;
  point.exponent = soil.exponent;
  point.damping = select(depth > L(0), w * soil.damping * pow(depth, soil.damping_exponent), L(0));
  point.rate_exponent = soil.rate_exponent;
  point.friction_coefficient = soil.friction_coefficient;
  point.adhesion = L(0);
  const L k_t = w * soil.shear_stiffness;
  const L b_t = w * soil.shear_damping;
  const Vec3<L>& j = shear_displacement;
  point.shear_stiffness = k_t;
  point.shear_slope = h * k_t + b_t;
  point.shear_start = k_t * (j - dot(j, point.normal) * point.normal);
  if (sole.kind != TouchKind::ball) {
    point.patch_radius = point.spin_slope = point.spin_start = L(0);
    return;
  }
  const L a2 = max((L(2) * L(sole.radius) - depth) * depth, L(0));
  point.patch_radius = sqrt(a2);
  point.spin_slope = L(0.5) * a2 * point.shear_slope;
  point.spin_start = L(0.5) * a2 * k_t * spin_displacement;
}

// The same with a penalty law: it has no memory, and of the soil only friction counts.
template <class T>
void set_penalty_law(const PenaltyModel& model, const Pack<T>& friction_coefficient,
                     double timestep, ContactPoint<Pack<T>>& point) {
  using L = Pack<T>;
  const L zero(0);
  point.step = L(timestep);
  point.stiffness = L(model.stiffness);
  point.exponent = point.rate_exponent = L(1);
  point.damping = L(model.damping);
  point.friction_coefficient = friction_coefficient;
  point.adhesion = point.shear_stiffness = point.shear_slope = zero;
  point.shear_start = zero3<L>();
  point.patch_radius = point.spin_slope = point.spin_start = point.limit_force = zero;
}

// The pad under the feet among a pack's points: takes its part out of the sinkage.
template <class T>
void set_pad(const FootPad& pad, const SolePack<T>& sole, const ContactMemory<T>& memory,
             ContactPoint<Pack<T>>& point) {
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

// Motion of the links that a pack's points are on, and O's of their trees.
template <class T>
struct PackMotion {
  Mat3<Pack<T>> R;  // R_WL
  Vec3<Pack<T>> p;  // p_OL
  Twist<Pack<T>> V;
  Vec3<Pack<T>> p_WO;
};

template <class T>
[[gnu::always_inline]] inline PackMotion<T> pack_motion(const SolePack<T>& sole,
                                                        const LinkData<T>& data) {
  using L = Pack<T>;
  const LinkMotion<L>& m = data.motion[sole.place.group];
  const int item = sole.place.item;
  const Vec3<L> p_WO = gather(data.origin.data(), sole.tree);
  if (item < 0) return {m.R, m.p, m.V, p_WO};
  const auto spread_item = [&](const Vec3<L>& a) { return spread<L>(get_item<T>(a, item)); };
  return {{spread_item(m.R.x), spread_item(m.R.y), spread_item(m.R.z)},
          spread_item(m.p),
          {spread_item(m.V.ang), spread_item(m.V.lin)},
          p_WO};
}

// Whether any point of a geom may be near the ground, by a ball around them all.
template <class T>
bool may_touch(const World& world, const LinkTree<T>& tree, const LinkData<T>& data,
               const SoleGroup& group) {
  const BodyPlace& place = tree.plan.bodies[group.body];
  const Link& link = tree.plan.links[place.link];
  const LinkMotion<Pack<T>>& m = data.motion[link.group];
  const Vec3<T> p_OC =
      get_item<T>(m.p, link.item) +
      get_item<T>(m.R, link.item) * broadcast<T>(place.position + place.rotation * group.center);
  const Vec3<T> center = data.origin[link.tree] + p_OC;
  const Twist<T> V = get_item<T>(m.V, link.item);
  const T speed = norm(point_velocity(V, p_OC)) + T(group.radius) * norm(V.ang);
  const T reach = T(group.radius + world.rim_reach) + watch_distance(speed, world.options.timestep);
  if (!world.terrain.is_plane) return any(center.z - T(world.terrain_top) < reach);
  const GroundPoint<T> ground = sample_ground(world.terrain, center.x, center.y);
  return any((center.z - ground.height) * ground.normal.z < reach);
}

// Sinkage that must not be counted. On a heightfield a point may run into another face within one
// step and find itself deeper than that step led it to expect. No work was done to press it in, so
// the ground must not push it out as if there had been: what was not expected is left out of the
// sinkage, and is let go at a slow speed.
template <class T>
Pack<T> uncounted_jump(const ContactMemory<T>& memory, const PackIndex<T>& source,
                       const Pack<T>& sinkage, double timestep) {
  using L = Pack<T>;
  constexpr double kReleaseSpeed = 0.02;  // [m/s]
  const L expected = max(gather(memory.sinkage.data(), source), L(0));
  const L before = gather(memory.jump.data(), source);
  const L jump = max(sinkage - expected, L(0)) + before - L(kReleaseSpeed * timestep);
  return max(min(jump, max(sinkage, L(0))), L(0));
}

// The same where a point goes from one soil to another: what it has sunk into the first was no work
// on the second, so compliant ground counts from there until the point has left it. Plastic soil has
// its own way, see set_plastic.
template <class T>
void cross_soils(const World& world, const std::array<int, lane_count<Pack<T>>>& soil,
                 const ContactMemory<T>& memory, const PackIndex<T>& source, const Pack<T>& sinkage,
                 ContactPoint<Pack<T>>& point) {
  using L = Pack<T>;
  L now(0), compliant(1);
  for (int i = 0; i < lane_count<L>; ++i) {
    set_lane(now, i, soil[i]);
    const bool yields = !world.plastic_soils.empty() && world.plastic_soils[soil[i]];
    set_lane(compliant, i, yields ? 0.0 : 1.0);
  }
  const L before = gather(memory.soil.data(), source);
  const L depth = max(sinkage, L(0));
  const auto crossed = (before >= L(0)) & ((before < now) | (before > now));
  if (world.terrain.is_plane) {
    point.jump = min(gather(memory.jump.data(), source), depth);
  }
  point.jump = select(compliant > L(0), select(crossed, depth, point.jump), L(0));
  point.soil = now;
}

// Fills a pack of points; false: none is near the ground.
template <class T>
[[gnu::always_inline]] inline bool
find_pack(const World& world, const std::vector<CompliantGround<T>>& soils,
          const PlasticPlan<T>& plastic, const LinkData<T>& data, const SolePack<T>& sole,
          const ContactMemory<T>& memory, ContactPoint<Pack<T>>& point) {
  using L = Pack<T>;
  const double h = world.options.timestep;
  const PackMotion<T> link = pack_motion(sole, data);
  const Vec3<L> p_OP = link.p + link.R * spread<L>(sole.position);
  const Vec3<L> p_WP = link.p_WO + p_OP;
  const GroundDistance<L> ground = ground_distance(world.terrain, p_WP, [&] {
    return L(sole.radius) + watch_distance(norm(point_velocity(link.V, p_OP)), h);
  });
  const Vec3<L>& n = ground.normal;
  const Vec3<L> touch = touch_offset(sole, link.R, n);
  point.p_OC = p_OP + touch;
  point.velocity = point_velocity(link.V, point.p_OC);
  const L sinkage = -ground.distance - dot(touch, n);
  const L watch = watch_distance(abs(dot(n, point.velocity)), h) + L(world.rim_reach);
  const auto watched = (sinkage + watch > L(0)) & (L(sole.is_used) > L(0));
  if (!any(watched)) return false;
  const auto soil = soils_under(world.terrain, p_WP);
  point.jump = world.terrain.is_plane ? L(0) : uncounted_jump<T>(memory, sole.source, sinkage, h);
  if (!memory.soil.empty()) cross_soils<T>(world, soil, memory, sole.source, sinkage, point);
  point.sinkage = select(watched, sinkage - point.jump, L(-1e3));
  point.normal = n;
  point.spin = dot(n, link.V.ang);
  if (world.penalty) {
    set_penalty_law<T>(*world.penalty, ground_under(soils, soil).friction_coefficient, h, point);
    return true;
  }
  const Vec3<L> shear = gather(memory.shear_displacement.data(), sole.source);
  const L spin = gather(memory.spin_displacement.data(), sole.source);
  if (world.pad) set_pad(*world.pad, sole, memory, point);
  set_law(ground_under(soils, soil), sole, h, shear, spin, point);
  if (plastic.any()) {
    set_plastic(plastic, sole, soil, memory, link.R, link.p_WO + point.p_OC, shear, spin, point);
  }
  const L last_force = gather(memory.normal_force.data(), sole.source);
  point.limit_force = select(watched, last_force, L(0));
  return true;
}

}  // namespace find_detail

template <class T>
FOOTFALL_KERNEL void find_contacts(const World& world, const std::vector<CompliantGround<T>>& soils,
                                   const PlasticPlan<T>& plastic, const SolePlan<T>& soles,
                                   const LinkTree<T>& tree, const LinkData<T>& data,
                                   const ContactMemory<T>& memory, ContactProblem<T>& problem) {
  using namespace find_detail;
  int count = 0;
  int last_sole_group = -1;
  bool near = true;
  std::size_t i = 0;
  for (std::size_t g = 0; g < tree.groups.size(); ++g) {
    problem.first_pack[g] = count;
    for (; i < soles.packs.size() && soles.packs[i].place.group == static_cast<int>(g); ++i) {
      const SolePack<T>& sole = soles.packs[i];
      if (sole.sole_group >= 0) {
        if (sole.sole_group != last_sole_group) {
          near = may_touch(world, tree, data, world.soles.groups[sole.sole_group]);
          last_sole_group = sole.sole_group;
        }
        if (!near) continue;
      }
      ContactPoint<Pack<T>>& point = problem.packs()[count];
      if (!find_pack(world, soils, plastic, data, sole, memory, point)) continue;
      point.sole_point = sole.source[0];
      point.body = sole.body[0];
      problem.places[count++] = sole.place;
    }
  }
  problem.first_pack[tree.groups.size()] = count;
  problem.pack_count = count;
  problem.point_count = 0;  // until list_points
}

// Writes the packs' points one by one into problem.points, in the soles' order, for readers.
template <class T>
void list_points(const SolePlan<T>& soles, ContactProblem<T>& problem) {
  problem.point_count = problem.pack_count;
  if constexpr (pack_size<T> > 1) {
    int count = 0;
    for (int i = 0; i < problem.pack_count; ++i) {
      const SolePack<T>& sole = soles.packs[problem.places[i].sole_pack];
      for (int k = 0; k < pack_size<T>; ++k) {
        if (sole.point[k] < 0 || !(problem.packs()[i].sinkage[k] > -999)) continue;
        ContactPoint<T>& point = problem.points[count++];
        point = get_item<T>(problem.packs()[i], k);
        point.sole_point = sole.point[k];
        point.body = sole.body[k];
      }
    }
    problem.point_count = count;
    std::sort(problem.points.begin(), problem.points.begin() + count,
              [](const auto& a, const auto& b) { return a.sole_point < b.sole_point; });
  }
}

}  // namespace footfall
