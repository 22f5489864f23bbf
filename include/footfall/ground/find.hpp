// find_points: which points of the soles may touch the ground during this step. Pure: reads poses,
// velocities and memory, fills points; the law at each is set by what the ground is made of.
#pragma once

#include "footfall/ground/point_terms.hpp"
#include "footfall/ground/sole_plan.hpp"

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

// Fills a pack of points; false: none is near the ground. law.set gives them their sinkage and law.
template <class T, class Law>
[[gnu::always_inline]] inline bool
find_pack(const World& world, const Law& law, const LinkData<T>& data, const SolePack<T>& sole,
          const ContactMemory<T>& memory, PointLaw<Pack<T>>& point, PointTrial<Pack<T>>& trial) {
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
  trial.velocity = point_velocity(link.V, point.p_OC);
  const L sinkage = -ground.distance - dot(touch, n);
  const L watch = watch_distance(abs(dot(n, trial.velocity)), h) + L(world.rim_reach);
  const auto watched = (sinkage + watch > L(0)) & (L(sole.is_used) > L(0));
  if (!any(watched)) return false;
  const auto soil = soils_under(world.terrain, p_WP);
  point.jump = world.terrain.is_plane ? L(0) : uncounted_jump<T>(memory, sole.source, sinkage, h);
  point.step = L(h);
  point.normal = n;
  trial.spin = dot(n, link.V.ang);
  law.set(world, sole, soil, link, memory, sinkage, watched, point, trial);
  return true;
}

}  // namespace find_detail

// Sinkage of points that are not watched, far below which nothing counts [m].
inline constexpr double kNotWatched = -1e3;

template <class T, class Law>
FOOTFALL_KERNEL void find_points(const World& world, const Law& law, const SolePlan<T>& soles,
                                 const LinkTree<T>& tree, const LinkData<T>& data,
                                 const ContactMemory<T>& memory, PointTerms<T>& points) {
  using namespace find_detail;
  int count = 0;
  int last_sole_group = -1;
  bool near = true;
  std::size_t i = 0;
  for (std::size_t g = 0; g < tree.groups.size(); ++g) {
    points.first_pack[g] = count;
    for (; i < soles.packs.size() && soles.packs[i].place.group == static_cast<int>(g); ++i) {
      const SolePack<T>& sole = soles.packs[i];
      if (sole.sole_group >= 0) {
        if (sole.sole_group != last_sole_group) {
          near = may_touch(world, tree, data, world.soles.groups[sole.sole_group]);
          last_sole_group = sole.sole_group;
        }
        if (!near) continue;
      }
      PointLaw<Pack<T>>& point = points.laws[count];
      if (!find_pack(world, law, data, sole, memory, point, points.trials[count])) continue;
      point.sole_point = sole.source[0];
      point.body = sole.body[0];
      points.places[count++] = sole.place;
    }
  }
  points.first_pack[tree.groups.size()] = count;
  points.count = count;
}

// Writes the packs' points one by one into `listed`, in the soles' order, for readers.
template <class T>
void list_points(const SolePlan<T>& soles, const PointTerms<T>& points,
                 std::vector<ContactPoint<T>>& listed) {
  listed.clear();
  for (int i = 0; i < points.count; ++i) {
    const SolePack<T>& sole = soles.packs[points.places[i].sole_pack];
    for (int k = 0; k < pack_size<T>; ++k) {
      if constexpr (pack_size<T> > 1) {
        if (sole.point[k] < 0 || !(points.laws[i].sinkage[k] > 0.999 * kNotWatched)) continue;
      }
      ContactPoint<T>& point =
          listed.emplace_back(get_item<T>(points.laws[i], points.trials[i], k));
      if constexpr (pack_size<T> > 1) {
        point.sole_point = sole.point[k];
        point.body = sole.body[k];
      }
    }
  }
  if constexpr (pack_size<T> > 1) {
    std::sort(listed.begin(), listed.end(),
              [](const auto& a, const auto& b) { return a.sole_point < b.sole_point; });
  }
}

}  // namespace footfall
