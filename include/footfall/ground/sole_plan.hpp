// Soles in packs: the constants of the sole points as find_contacts reads them.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>

#include "footfall/ground/world.hpp"
#include "footfall/robot/link_tree.hpp"

namespace footfall {

// Where a sole point touches, see foot/sole.hpp.
enum class TouchKind { point, ball, rim, cell };

inline TouchKind touch_kind(const SolePoint& p) {
  if (p.is_cell) return TouchKind::cell;
  if (dot(p.axis, p.axis) > 0) return TouchKind::rim;
  return p.radius > 0 ? TouchKind::ball : TouchKind::point;
}

// Sole points of one kind: several of one link, or one of each link of a group.
template <class T>
struct SolePack {
  using C = PackConstant<T>;
  TouchKind kind = TouchKind::point;
  PackPlace place;
  int sole_group = -1;                  // whose ball says whether to look closer; −1: look always
  PackIndex<T> tree{};                  // of each point
  PackIndex<T> body{};                  // of each point
  PackIndex<T> point{};                 // sole point; −1: empty
  PackIndex<T> source{};                // the same, with a valid index for empty items
  Vec3<C> position{};                   // p_LP [m]
  Vec3<C> axis{};                       // of a rim, frame L
  std::array<Vec3<C>, 3> corners{};     // of cells, from their position, frame L [m]
  std::array<PackIndex<T>, 3> nodes{};  // of SolePlan::nodes, the same
  Vec3<C> shear_offset{};               // as in SolePoint, frame L [m]
  int soil = -1;                        // as in SolePoint
  std::array<bool, pack_size<T>> is_sector{};  // likewise
  C radius{}, weight{};                        // as in SolePoint
  BearingKind bearing = BearingKind::flat;
  C size{};        // as in SolePoint
  Vec3<C> area{};  // as in SolePoint, frame L [m²]
  C friction{};    // as in SolePoint
  C is_foot{};     // 1, or 0 for points of other shapes
  C is_used{};     // 1, or 0 for empty items
};

// Packs in the order of their links' groups; in a group first those with a point of each link.
template <class T>
struct SolePlan {
  SolePlan(const Soles& soles, const LinkTree<T>& tree);
  std::vector<SolePack<T>> packs;
  // Corners of cells, each once, those of a sole group together.
  struct Nodes {
    int first = 0, end = 0;
    double reach = 0;  // longest side of a cell [m]
  };
  std::vector<Vec3d> nodes;     // frame L [m]
  std::vector<Nodes> nodes_of;  // of each sole group

 private:
  void add_nodes(const Soles& soles, const LinkPlan& plan);
};

namespace sole_detail {

template <class T>
void set_point(const Soles& soles, const LinkPlan& plan, int body, int index, int item,
               SolePack<T>& pack) {
  using link_detail::set_constant;
  const SolePoint& p = soles.points[index];
  const BodyOnLink& place = plan.bodies[body];
  pack.tree[item] = plan.links[place.link].tree;
  pack.body[item] = body;
  pack.point[item] = pack.source[item] = index;
  set_constant<T>(pack.position, item, place.position + place.rotation * p.position);
  set_constant<T>(pack.axis, item, place.rotation * p.axis);
  for (int k = 0; k < 3 && p.is_cell; ++k) {
    set_constant<T>(pack.corners[k], item, place.rotation * (p.corners[k] - p.position));
  }
  pack.is_sector[item] = p.is_sector;
  set_constant<T>(pack.shear_offset, item, place.rotation * p.shear_offset);
  set_constant<T>(pack.radius, item, p.radius);
  set_constant<T>(pack.weight, item, p.weight);
  set_constant<T>(pack.size, item, p.size);
  set_constant<T>(pack.area, item, place.rotation * p.area);
  set_constant<T>(pack.friction, item, p.friction);
  set_constant<T>(pack.is_foot, item, p.foot >= 0 ? 1.0 : 0.0);
  set_constant<T>(pack.is_used, item, 1.0);
}

// A pack that repeats one point; the copies are empty.
template <class T>
SolePack<T> start_pack(const Soles& soles, const LinkPlan& plan, int body, int index) {
  SolePack<T> pack;
  pack.kind = touch_kind(soles.points[index]);
  pack.bearing = soles.points[index].bearing;
  pack.soil = soles.points[index].soil;
  pack.place.group = plan.links[plan.bodies[body].link].group;
  for (int i = 0; i < pack_size<T>; ++i) {
    set_point(soles, plan, body, index, i, pack);
    pack.point[i] = -1;
    link_detail::set_constant<T>(pack.is_used, i, 0.0);
  }
  return pack;
}

// The only point of a geom: beside those of other links of the same group, where there is room.
template <class T>
void add_single(const Soles& soles, const LinkPlan& plan, const SoleGroup& group,
                std::vector<SolePack<T>>& packs) {
  const int index = group.first_point;
  const Link& link = plan.links[plan.bodies[group.body].link];
  const auto has_room = [&](const SolePack<T>& p) {
    return p.place.group == link.group && p.place.item < 0 && p.point[link.item] < 0 &&
           p.kind == touch_kind(soles.points[index]) && p.bearing == soles.points[index].bearing;
  };
  auto pack = std::find_if(packs.begin(), packs.end(), has_room);
  if (pack == packs.end()) {
    pack = packs.insert(packs.end(), start_pack<T>(soles, plan, group.body, index));
  }
  set_point(soles, plan, group.body, index, link.item, *pack);
}

// Whether a point can stand in a pack with others: all points of a pack touch and bear alike.
inline bool fits(const Soles& soles, int a, int b) {
  return touch_kind(soles.points[a]) == touch_kind(soles.points[b]) &&
         soles.points[a].bearing == soles.points[b].bearing &&
         soles.points[a].soil == soles.points[b].soil;
}

// Points of one geom: packs of their own.
template <class T>
void add_many(const Soles& soles, const LinkPlan& plan, int sole_group,
              std::vector<SolePack<T>>& packs) {
  const SoleGroup& group = soles.groups[sole_group];
  const int end = group.first_point + group.point_count;
  for (int first = group.first_point; first < end;) {
    SolePack<T> pack = start_pack<T>(soles, plan, group.body, first);
    pack.sole_group = sole_group;
    if (pack_size<T> > 1) pack.place.item = plan.links[plan.bodies[group.body].link].item;
    int next = first;
    for (int i = 0; i < pack_size<T> && next < end && fits(soles, first, next); ++i) {
      set_point(soles, plan, group.body, next++, i, pack);
    }
    packs.push_back(pack);
    first = next;
  }
}

}  // namespace sole_detail

template <class T>
SolePlan<T>::SolePlan(const Soles& soles, const LinkTree<T>& tree) {
  using namespace sole_detail;
  for (std::size_t i = 0; i < soles.groups.size(); ++i) {
    const SoleGroup& group = soles.groups[i];
    if (tree.plan.bodies[group.body].link < 0) continue;  // fixed in the world
    if (group.point_count == 1 && !soles.points[group.first_point].is_cell) {
      add_single(soles, tree.plan, group, packs);
    } else {
      add_many(soles, tree.plan, static_cast<int>(i), packs);
    }
  }
  std::sort(packs.begin(), packs.end(), [](const SolePack<T>& a, const SolePack<T>& b) {
    return std::tuple(a.place.group, a.place.item, a.source) <
           std::tuple(b.place.group, b.place.item, b.source);
  });
  for (std::size_t i = 0; i < packs.size(); ++i) packs[i].place.sole_pack = static_cast<int>(i);
  add_nodes(soles, tree.plan);
}

template <class T>
void SolePlan<T>::add_nodes(const Soles& soles, const LinkPlan& plan) {
  std::vector<std::array<int, 3>> node_of(soles.points.size());
  for (const SoleGroup& group : soles.groups) {
    const BodyOnLink& place = plan.bodies[group.body];
    Nodes range{static_cast<int>(nodes.size()), 0, 0};
    std::map<std::tuple<double, double, double>, int> seen;
    for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
      const SolePoint& point = soles.points[i];
      for (int k = 0; k < 3 && point.is_cell; ++k) {
        const Vec3d& corner = point.corners[k];
        const auto [at, is_new] =
            seen.try_emplace({corner.x, corner.y, corner.z}, static_cast<int>(nodes.size()));
        if (is_new) nodes.push_back(place.position + place.rotation * corner);
        node_of[i][k] = at->second;
        range.reach = std::max(range.reach, norm(point.corners[(k + 1) % 3] - corner));
      }
    }
    range.end = static_cast<int>(nodes.size());
    nodes_of.push_back(range);
  }
  for (SolePack<T>& pack : packs) {
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < pack_size<T>; ++i) pack.nodes[k][i] = node_of[pack.source[i]][k];
    }
  }
}

}  // namespace footfall
