// find_points: which points of the soles may touch the ground during this step. Pure: reads poses,
// velocities and memory, fills points; the law at each is set by what the ground is made of.
#pragma once

#include "footfall/ground/cell_on_soil.hpp"
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
  const BodyOnLink& place = tree.plan.bodies[group.body];
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

// A cell of which less faces the ground stands upright [m²].
inline constexpr double kUpright = 1e-12;

// How fast sinkage that is not counted is let go on a heightfield [m/s].
inline constexpr double kReleaseSpeed = 0.02;

// Sinkage that must not be counted. On a heightfield a point may run into another face within one
// step, and a body that turns fast moves its points a little off the straight line: they find
// themselves deeper than that step led them to expect. No work was done to press them in, so
// the ground must not push them out as if there had been: what was not expected is left out of the
// sinkage. It is let go slowly, while the ground falls away faster than expected, or when the point leaves
// it: what counts is never more than what was pressed in.
template <class T>
Pack<T> uncounted_jump(const ContactMemory<T>& memory, const PackIndex<T>& source,
                       const Pack<T>& sinkage, double release) {
  using L = Pack<T>;
  const L before = gather(memory.jump.data(), source);
  const L counted = max(gather(memory.sinkage.data(), source) - before, L(0));
  const L jump = max(sinkage - counted, before - L(release));
  return max(min(jump, max(sinkage, L(0))), L(0));
}

// Corners of cells: from their middle, how deep at the start of the step and at its end if nothing changed
// the motion, and how deep any of them may get.
template <class T>
struct CellCorners {
  std::array<Vec3<Pack<T>>, 3> corner;
  std::array<Pack<T>, 3> start, end;
  Pack<T> deepest;
  Pack<T> middle, middle_end;           // how deep the middle is at the start and at the end
  bool is_bent = false;                 // each corner has its own normal:
  std::array<Vec3<Pack<T>>, 3> normal;  // these
};

template <class T>
[[gnu::always_inline]] inline void
find_corners(double timestep, const SolePack<T>& sole, const PackMotion<T>& link,
             const Vec3<Pack<T>>& p_OP, const GroundDistance<Pack<T>>& ground,
             CellCorners<T>& out) {
  using L = Pack<T>;
  const L h(timestep);
  out.deepest = L(-1e3);
  for (int k = 0; k < 3; ++k) {
    out.corner[k] = link.R * spread<L>(sole.corners[k]);
    out.start[k] = -ground.distance - dot(ground.normal, out.corner[k]);
    const L rise = dot(ground.normal, point_velocity(link.V, p_OP + out.corner[k]));
    out.end[k] = out.start[k] - h * rise;
    out.deepest = max(out.deepest, out.start[k] + L(2) * h * abs(rise));
  }
  out.deepest += L(1e-3);
  out.middle = -ground.distance;
  out.middle_end = L(1.0 / 3) * (out.end[0] + out.end[1] + out.end[2]);
}

// Whether any cell of a pack has a corner near uneven ground.
template <class T>
bool any_node_near(const SolePack<T>& sole, const PointTerms<T>& points) {
  for (const PackIndex<T>& corner : sole.nodes) {
    for (const int i : corner) {
      if (points.node_is_near[i]) return true;
    }
  }
  return false;
}

// Uneven ground at the corners of a sole group's cells, whose packs begin with `first_pack`. Few of them are near the
// ground; the others count only as corners of a cell that is, which reaches no farther than it is long.
template <class T>
void find_nodes(const World& world, const SolePlan<T>& soles, const LinkTree<T>& tree,
                const LinkData<T>& data, std::size_t first_pack, PointTerms<T>& points) {
  const int sole_group = soles.packs[first_pack].sole_group;
  const typename SolePlan<T>::Nodes& nodes = soles.nodes_of[sole_group];
  const int link_index = tree.plan.bodies[world.soles.groups[sole_group].body].link;
  const Link& link = tree.plan.links[link_index];
  const LinkMotion<Pack<T>>& m = data.motion[link.group];
  const Mat3<T> R = get_item<T>(m.R, link.item);
  const Vec3<T> p = get_item<T>(m.p, link.item);
  const Twist<T> V = get_item<T>(m.V, link.item);
  const auto look = [&](int i, bool far) {
    const Vec3<T> p_ON = p + R * broadcast<T>(soles.nodes[i]);
    const T watched = watch_distance(norm(point_velocity(V, p_ON)), world.options.timestep);
    const T reach = (far ? T(nodes.reach) : T(world.rim_reach)) + watched;
    const GroundDistance<T> ground =
        ground_distance(world.terrain, data.origin[link.tree] + p_ON, [&] { return reach; });
    points.node_distance[i] = ground.distance;
    points.node_normal[i] = ground.normal;
    return ground.distance < reach;
  };
  for (int i = nodes.first; i < nodes.end; ++i) {
    const auto near = look(i, false);
    points.node_is_near[i] = any(near);
    points.node_is_exact[i] = all(near);
  }
  for (std::size_t k = first_pack; k < soles.packs.size(); ++k) {
    const SolePack<T>& sole = soles.packs[k];
    if (sole.sole_group != sole_group) break;
    if (sole.kind != TouchKind::cell || !any_node_near(sole, points)) continue;
    for (const PackIndex<T>& corner : sole.nodes) {
      for (const int i : corner) {
        if (points.node_is_exact[i]) continue;
        look(i, true);
        points.node_is_exact[i] = true;
      }
    }
  }
}

// The same as find_corners where the ground is uneven. `normal`: the mean.
template <class T>
FOOTFALL_APART void find_uneven_corners(double timestep, const SolePack<T>& sole,
                                        const PackMotion<T>& link, const Vec3<Pack<T>>& p_OP,
                                        const PointTerms<T>& points, Vec3<Pack<T>>& normal,
                                        CellCorners<T>& out) {
  using L = Pack<T>;
  const L h(timestep);
  out.deepest = L(-1e3);
  for (int k = 0; k < 3; ++k) {
    out.corner[k] = link.R * spread<L>(sole.corners[k]);
    out.start[k] = -gather(points.node_distance.data(), sole.nodes[k]);
    out.normal[k] = gather(points.node_normal.data(), sole.nodes[k]);
    const L rise = dot(out.normal[k], point_velocity(link.V, p_OP + out.corner[k]));
    out.end[k] = out.start[k] - h * rise;
    out.deepest = max(out.deepest, out.start[k] + L(2) * h * abs(rise));
  }
  out.deepest += L(1e-3);
  out.middle = L(1.0 / 3) * (out.start[0] + out.start[1] + out.start[2]);
  out.middle_end = L(1.0 / 3) * (out.end[0] + out.end[1] + out.end[2]);
  const Vec3<L>& n = out.normal[0];
  const Vec3<L> to_b = out.normal[1] - n, to_c = out.normal[2] - n;
  out.is_bent = any(dot(to_b, to_b) + dot(to_c, to_c) > L(1e-24));
  normal = n;
}

// The normals of a cell whose corners have their own, and their mean, by the pressure.
template <class T>
void set_normals(const CellCorners<T>& corners, const CornerShares<Pack<T>>& at,
                 PointLaw<Pack<T>>& point) {
  using L = Pack<T>;
  point.cell.normals = corners.normal;
  const Vec3<L> sum =
      at.a * corners.normal[0] + at.b * corners.normal[1] + at.c * corners.normal[2];
  const L size = norm(sum);
  const auto known = size > L(1e-6);  // not where they look against each other
  const L per = L(1) / max(size, L(1e-6));
  const Vec3<L>& n = corners.normal[0];
  point.normal = {select(known, per * sum.x, n.x), select(known, per * sum.y, n.y),
                  select(known, per * sum.z, n.z)};
}

// Cells of which only a part is on the soil that they stand for: their corners become those of that part. Returns
// its share. `p_WP`: middles.
template <class T>
Pack<T> keep_part_on_soil(const Terrain& terrain, const SolePack<T>& sole,
                          const Vec3<Pack<T>>& p_WP, const Pack<T>& exponent,
                          CellCorners<T>& corners) {
  using L = Pack<T>;
  L share(1);
  if (sole.soil < 0) return share;
  bool any_cut = false;
  std::array<Vec3<L>, 3> at{{{L(1), L(0), L(0)}, {L(0), L(1), L(0)}, {L(0), L(0), L(1)}}};
  for (int i = 0; i < lane_count<L>; ++i) {
    std::array<PlanePoint, 3> plan;
    std::array<double, 3> z;
    for (int k = 0; k < 3; ++k) {
      plan[k] = {lane(p_WP.x, i) + lane(corners.corner[k].x, i),
                 lane(p_WP.y, i) + lane(corners.corner[k].y, i)};
      z[k] = lane(corners.end[k], i);
    }
    const bool is_sector = sole.is_sector[pack_size<T> == 1 ? 0 : i];
    const CellOnSoil part =
        find_cell_on_soil(terrain, sole.soil, plan, z, lane(exponent, i), is_sector);
    set_lane(share, i, part.share);
    if (part.share == 0 || part.share == 1) continue;
    any_cut = true;
    for (int k = 0; k < 3; ++k) {
      set_lane(at[k].x, i, part.at[k].x);
      set_lane(at[k].y, i, part.at[k].y);
      set_lane(at[k].z, i, part.at[k].z);
    }
  }
  if (!any_cut) return share;
  const auto mix = [&](auto& values) {
    const auto before = values;
    for (int k = 0; k < 3; ++k) {
      values[k] = at[k].x * before[0] + at[k].y * before[1] + at[k].z * before[2];
    }
  };
  mix(corners.corner);
  mix(corners.start);
  mix(corners.end);
  if (corners.is_bent) mix(corners.normal);
  return share;
}

// Cells: where they touch, the centre of the pressure that the end of the step would bring if nothing
// changed the motion; so the force that the step finds acts where it will be. Returns the sinkage there.
template <class T, class Law>
[[gnu::always_inline]] inline Pack<T>
find_cells(const World& world, const Law& law, const SolePack<T>& sole, const PackMotion<T>& link,
           const Vec3<Pack<T>>& p_OP, const std::array<int, lane_count<Pack<T>>>& soil,
           CellCorners<T>& corners, PointLaw<Pack<T>>& point) {
  using L = Pack<T>;
  const L h(world.options.timestep);
  const L n = law.exponent(soil);
  point.cell.share = keep_part_on_soil(world.terrain, sole, link.p_WO + p_OP, n, corners);
  const auto& corner = corners.corner;
  const auto &start = corners.start, &end = corners.end;
  const CornerShares<L> at = pressure_center(end[0], end[1], end[2], n);
  const Vec3<L> touch = at.a * corner[0] + at.b * corner[1] + at.c * corner[2];
  const L sinkage = at.a * start[0] + at.b * start[1] + at.c * start[2];
  const L last = at.a * end[0] + at.b * end[1] + at.c * end[2];
  static_cast<Cell<L>&>(point.cell) = make_cell(end[0], end[1], end[2], last);
  const L wet = wet_share(static_cast<const Cell<L>&>(point.cell), last);
  point.p_OC = p_OP + touch + wet * (link.R * spread<L>(sole.shear_offset));
  point.cell.is_bent = corners.is_bent;
  if (corners.is_bent) set_normals(corners, at, point);
  point.cell.offset = sinkage - corners.middle;
  point.cell.turn_rate = (corners.middle_end - last + point.cell.offset) / h;
  point.cell.to_middle = p_OP - point.p_OC;
  point.cell.share_of_corner = {at.a, at.b, at.c};
  point.cell.start = {start[0] - sinkage, start[1] - sinkage, start[2] - sinkage};
  for (int k = 0; k < 3; ++k) point.cell.corners[k] = p_OP + corner[k];
  return sinkage;
}

// Fills a pack of points; false: none is near the ground. law.set gives them their sinkage and law.
template <class T, class Law>
[[gnu::always_inline]] inline bool
find_pack(const World& world, const Law& law, const LinkData<T>& data, const SolePack<T>& sole,
          const ContactMemory<T>& memory, const PointTerms<T>& points, PointLaw<Pack<T>>& point,
          PointTrial<Pack<T>>& trial) {
  using L = Pack<T>;
  const double h = world.options.timestep;
  const bool by_nodes = sole.kind == TouchKind::cell && !points.node_distance.empty();
  if (by_nodes && !any_node_near(sole, points)) return false;
  const PackMotion<T> link = pack_motion(sole, data);
  const Vec3<L> p_OP = link.p + link.R * spread<L>(sole.position);
  const Vec3<L> p_WP = link.p_WO + p_OP;
  GroundDistance<L> ground;
  if (!by_nodes) {
    ground = ground_distance(world.terrain, p_WP, [&] {
      return L(sole.radius) + watch_distance(norm(point_velocity(link.V, p_OP)), h);
    });
  }
  const Vec3<L>& n = ground.normal;
  auto soil = soils_under(world.terrain, p_WP);
  if (sole.soil >= 0) soil.fill(sole.soil);
  L sinkage, deepest, middle;  // at the point, what it may reach, at a cell's middle
  point.cell.any = false;
  point.normal = n;
  if constexpr (requires { law.exponent(soil); }) {
    if (sole.kind == TouchKind::cell) {
      CellCorners<T> corners;
      if (by_nodes) find_uneven_corners(h, sole, link, p_OP, points, ground.normal, corners);
      point.normal = n;
      // none of them looks into the ground
      const Vec3<L> area = link.R * spread<L>(sole.area);
      if (!corners.is_bent && all(dot(n, area) >= L(-kUpright))) return false;
      if (!by_nodes) find_corners(h, sole, link, p_OP, ground, corners);
      deepest = corners.deepest;
      if (!any(deepest + L(world.rim_reach) > L(0))) return false;
      sinkage = find_cells(world, law, sole, link, p_OP, soil, corners, point);
      if (corners.is_bent && all(dot(point.normal, area) >= L(-kUpright))) return false;
      trial.velocity = point_velocity(link.V, point.p_OC);
      trial.corner_rise = corner_rise(point, link.V);
      middle = corners.middle;
    }
  }
  if (!point.cell.any) {
    const Vec3<L> touch = touch_offset(sole, link.R, n);
    point.p_OC = p_OP + touch;
    trial.velocity = point_velocity(link.V, point.p_OC);
    sinkage = middle = -ground.distance - dot(touch, n);
    deepest = sinkage + watch_distance(abs(dot(n, trial.velocity)), h);
  }
  auto watched = (deepest + L(world.rim_reach) > L(0)) & (L(sole.is_used) > L(0));
  if (point.cell.any) watched = watched & (point.cell.share > L(0));
  if (!any(watched)) return false;
  point.jump = world.terrain.is_plane
                   ? L(0)
                   : uncounted_jump<T>(memory, sole.source, middle, kReleaseSpeed * h);
  point.step = L(h);
  trial.spin = dot(n, link.V.ang);
  law.set(world, sole, soil, link, memory, sinkage, watched, point, trial);
  return true;
}

}  // namespace find_detail

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
          if (near && !points.node_distance.empty()) {
            find_nodes(world, soles, tree, data, i, points);
          }
        }
        if (!near) continue;
      }
      PointLaw<Pack<T>>& point = points.laws[count];
      if (!find_pack(world, law, data, sole, memory, points, point, points.trials[count])) continue;
      point.sole_point = sole.source[0];
      point.body = sole.body[0];
      points.places[count++] = sole.place;
    }
  }
  points.first_pack[tree.groups.size()] = count;
  points.count = count;
}

// For readers a cell is one point: the force on its corners acts at their centre of pressure, and shear,
// which acts elsewhere, there too, with a couple.
template <class T>
void join_corners(ContactPoint<T>& p) {
  const Vec3<T>& b = p.corner_balance;
  const T sum = b.x + b.y + b.z;
  const auto pushes = sum < T(0);
  const auto share = [&](const T& part, const T& otherwise) {
    return select(pushes, part / min(sum, T(-kTiny<T>)), otherwise);
  };
  const Vec3<T>& before = p.cell.share_of_corner;
  const Vec3<T> at{share(b.x, before.x), share(b.y, before.y), share(b.z, before.z)};
  const auto& c = p.cell.corners;
  const Vec3<T> center = at.x * c[0] + at.y * c[1] + at.z * c[2];
  const Vec3<T> pushes_of[3] = {b.x * corner_normal(p, 0), b.y * corner_normal(p, 1),
                                b.z * corner_normal(p, 2)};
  p.couple = cross(p.p_OC - center, p.balance);
  for (int k = 0; k < 3; ++k) p.couple += cross(c[k] - center, pushes_of[k]);
  p.p_OC = center;
  const T depth = dot(at, p.cell.start);
  p.sinkage += depth;
  p.cell.low -= depth;
  p.cell.mid -= depth;
  p.cell.high -= depth;
  p.cell.start -= depth * Vec3<T>{T(1), T(1), T(1)};
  p.plastic.plastic_sinkage += depth;
  p.cell.share_of_corner = at;
  const Vec3<T>& g = p.corner_gradient;
  p.balance += pushes_of[0] + pushes_of[1] + pushes_of[2];
  p.gradient += g.x * corner_normal(p, 0) + g.y * corner_normal(p, 1) + g.z * corner_normal(p, 2);
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
      if (point.cell.any) join_corners(point);
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
