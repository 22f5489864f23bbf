// SoftPlan: a robot's soft constraints as the step reads them, and find_soft_contacts, which says
// where they act in a step. Pure: reads poses and velocities, fills the soft contacts.
#pragma once

#include <algorithm>
#include <bit>
#include <tuple>

#include "footfall/foot/sole.hpp"
#include "footfall/soft/soft_terms.hpp"
#include "footfall/soft/soft_touch.hpp"

namespace footfall {

// One of the contacts that a pairing can have.
struct SoftCandidate {
  int pairing = 0;
  int index = 0;        // among the pairing's contacts
  int sole_point = -1;  // that stands for it in reports; −1: none
};

// The constants of a pack's contacts. Items without a candidate have those of another.
template <class L>
struct SoftPackLaw {
  SoftLaw<L> normal;    // of the normal row, or of all edges of a pyramid
  L friction_damping;   // B of an elliptic contact's other rows [1/s]
  L margin;             // [m]
  L inverse_inertia;    // Â of the normal, or of a pyramid's first edge [1/kg]
  Mat3<L> R_WC;         // of contacts that have no tangent of their own
  Spatial<L> friction;  // as in SoftPoint
  Spatial<L> weight;    // as in SoftPoint, for R = 1
  L friction_coefficient;
  bool turns = false;
};

// Candidates of one link, or one of each link of a group; of robots in lanes one.
template <class T>
struct SoftPack {
  PackPlace place;
  PackIndex<T> candidate{};  // −1: empty
  SoftPackLaw<Pack<T>> law;
};

// A pairing's constants.
struct SoftPairingPlan {
  int body = 0;
  int link = 0;
  Vec3d p_LG{0, 0, 0};
  Mat3d R_LG = identity3<double>();
  Mat3d R_WC = identity3<double>();  // of contacts that have no tangent of their own
  SoftLaw<double> normal{};          // of the normal row, or of all edges of a pyramid
  double friction_damping = 0;       // B of an elliptic contact's other rows [1/s]
};

template <class T>
struct SoftPlan {
  SoftPlan(const SoftModel& soft, const RobotModel& robot, const Soles& soles, double timestep,
           const LinkTree<T>& tree);
  std::vector<SoftPairingPlan> pairings;
  std::vector<SoftCandidate> candidates;
  std::vector<SoftPack<T>> packs;  // in the order of their links' groups, single ones first
};

// Where each pairing touches now, robot by robot. Filled by find_soft_contacts.
template <class T>
using SoftPairingTouches = std::vector<std::array<SoftTouches, lane_count<T>>>;

namespace soft_detail {

// Puts candidates of one link in packs of their own; a single one left over beside those of other links.
template <class T>
void add_link_candidates(const std::vector<int>& candidates, const Link& link,
                         std::vector<SoftPack<T>>& packs) {
  std::size_t i = 0;
  while (i < candidates.size() && (candidates.size() - i > 1 || pack_size<T> == 1)) {
    SoftPack<T> pack;
    pack.place.group = link.group;
    pack.place.item = pack_size<T> > 1 ? link.item : -1;
    pack.candidate.fill(-1);
    for (int k = 0; k < pack_size<T> && i < candidates.size(); ++k)
      pack.candidate[k] = candidates[i++];
    packs.push_back(pack);
  }
  if (i == candidates.size()) return;
  for (SoftPack<T>& pack : packs) {
    if (pack.place.group == link.group && pack.place.item < 0 && pack.candidate[link.item] < 0) {
      pack.candidate[link.item] = candidates[i];
      return;
    }
  }
  SoftPack<T> pack;
  pack.place.group = link.group;
  pack.place.item = -1;
  pack.candidate.fill(-1);
  pack.candidate[link.item] = candidates[i];
  packs.push_back(pack);
}

// The point of a geom's sole that reports show in the place of its contact number `index`.
inline int reported_point(const Soles& soles, int geom, int index) {
  for (const SoleGroup& group : soles.groups) {
    if (group.geom == geom) return group.first_point + std::min(index, group.point_count - 1);
  }
  return -1;
}

template <class T>
Vec3d lane_of(const Vec3<T>& a, int i) {
  return {lane(a.x, i), lane(a.y, i), lane(a.z, i)};
}
template <class T>
Mat3d lane_of(const Mat3<T>& a, int i) {
  return {lane_of(a.x, i), lane_of(a.y, i), lane_of(a.z, i)};
}
template <class T>
void set_lane_of(Vec3<T>& a, int i, const Vec3d& value) {
  set_lane(a.x, i, value.x);
  set_lane(a.y, i, value.y);
  set_lane(a.z, i, value.z);
}

// D of a contact's rows from Â of its normal, or of its first edge.
template <class L>
void set_weights(const SoftModel& soft, const L& inverse_inertia, SoftPoint<L>& c) {
  const L used = c.is_used;
  const L R = evaluate_regularizer(c.impedance, inverse_inertia);
  const L mu = L(1) / sqrt(L(std::max(soft.impratio, kMinDenominator)));
  const Spatial<L> f = c.friction;  // of the rows that are there
  const L slide = max(c.friction_coefficient, L(kMinFriction));
  const auto has_friction = f.lin.y > L(0);
  c.friction.lin.x = select(has_friction, mu * slide, L(1));
  if (soft.cone == SoftCone::pyramidal) {
    const L D = used / (L(2) * square(c.friction.lin.x) * R);
    const auto row = [&](const L& x) { return select(x > L(0), D, L(0)); };
    c.weight = {{row(f.ang.x), row(f.ang.y), row(f.ang.z)},
                {select(has_friction, L(0), used / R), row(f.lin.y), row(f.lin.z)}};
    return;
  }
  // R μ² is the same for all rows of friction
  const L D = used * L(std::max(soft.impratio, kMinDenominator)) / (R * square(slide));
  c.weight = {{D * square(f.ang.x), D * square(f.ang.y), D * square(f.ang.z)},
              {used / R, D * square(f.lin.y), D * square(f.lin.z)}};
}

// The constants of a pairing's contacts, at lane i of a pack.
template <class L>
void set_law(const SoftModel& soft, const SoftPairing& pairing, const SoftPairingPlan& plan, int i,
             SoftPackLaw<L>& to) {
  const SoftLaw<double>& law = plan.normal;
  set_lane(to.normal.stiffness, i, law.stiffness);
  set_lane(to.normal.damping, i, law.damping);
  set_lane(to.normal.d0, i, law.d0);
  set_lane(to.normal.d_width, i, law.d_width);
  set_lane(to.normal.width, i, law.width);
  set_lane(to.normal.midpoint, i, law.midpoint);
  set_lane(to.normal.power, i, law.power);
  set_lane(to.friction_damping, i, plan.friction_damping);
  set_lane(to.margin, i, pairing.law.margin);
  set_lane_of(to.R_WC.x, i, plan.R_WC.x);
  set_lane_of(to.R_WC.y, i, plan.R_WC.y);
  set_lane_of(to.R_WC.z, i, plan.R_WC.z);
  const auto& f = pairing.law.friction;
  const int n = pairing.law.condim;
  set_lane_of(to.friction.lin, i, {1, n > 1 ? f[0] : 0, n > 1 ? f[1] : 0});
  set_lane_of(to.friction.ang, i, {n > 3 ? f[2] : 0, n > 4 ? f[3] : 0, n > 4 ? f[4] : 0});
  set_lane(to.friction_coefficient, i, f[0]);
  to.turns = to.turns || n > 3;
  const bool edge = soft.cone == SoftCone::pyramidal && n > 1;
  set_lane(to.inverse_inertia, i,
           edge ? pyramid_inverse_inertia(pairing.inverse_inertia, f[0]) : pairing.inverse_inertia);
}

// The constants of a whole pack.
template <class T>
void make_pack_law(const SoftModel& soft, const SoftPlan<T>& plan, SoftPack<T>& pack) {
  using L = Pack<T>;
  const int some = *std::max_element(pack.candidate.begin(), pack.candidate.end());
  for (int j = 0; j < lane_count<L>; ++j) {
    const int candidate = pack.candidate[pack_size<T> > 1 ? j : 0];
    const int p = plan.candidates[candidate < 0 ? some : candidate].pairing;
    set_law(soft, soft.pairings[p], plan.pairings[p], j, pack.law);
  }
  SoftPoint<L> unit;
  unit.is_used = L(1);
  unit.impedance = L(0.5);  // with Â = 1: R = 1
  unit.friction = pack.law.friction;
  unit.friction_coefficient = pack.law.friction_coefficient;
  set_weights(soft, L(1), unit);
  pack.law.friction = unit.friction;
  pack.law.weight = unit.weight;
}

template <class T>
void find_all_touches(const SoftModel& soft, const RobotModel& robot, const SoftPlan<T>& plan,
                      const LinkTree<T>& tree, const LinkData<T>& data,
                      SoftPairingTouches<T>& touches) {
  for (std::size_t p = 0; p < plan.pairings.size(); ++p) {
    const SoftPairing& pairing = soft.pairings[p];
    const SoftPairingPlan& place = plan.pairings[p];
    const Link& link = tree.plan.links[place.link];
    const LinkMotion<Pack<T>>& m = data.motion[link.group];
    const Mat3<T> R_WL = get_item<T>(m.R, link.item);
    const Vec3<T> p_WL = data.origin[link.tree] + get_item<T>(m.p, link.item);
    const SoftPlane& plane = soft.planes[pairing.plane];
    const double cutoff = pairing.law.margin + pairing.law.gap;
    for (int i = 0; i < lane_count<T>; ++i) {
      SoftTouches& found = touches[p][i];
      found.count = 0;
      const Mat3d R = lane_of(R_WL, i);
      const Vec3d p_WG = lane_of(p_WL, i) + R * place.p_LG;
      if (dot(plane.normal, p_WG - plane.point) > pairing.reach + cutoff) continue;
      const SoftHull* hull = pairing.hull >= 0 ? &soft.hulls[pairing.hull] : nullptr;
      find_touches(robot.geoms[pairing.geom], hull, plane, p_WG, R * place.R_LG, cutoff, found);
    }
  }
}

// Where the contacts of a pack are; false: nothing touches.
template <class T>
bool locate_pack(const SoftModel& soft, const SoftPlan<T>& plan, const LinkTree<T>& tree,
                 const LinkData<T>& data, const SoftPairingTouches<T>& all_touches,
                 const SoftPack<T>& pack, SoftPoint<Pack<T>>& c) {
  using L = Pack<T>;
  std::array<double, lane_count<L>> used{}, distance{}, x{}, y{},
      z{};  // lane by lane, read at once
  bool any_contact = false;
  c.R_WC = pack.law.R_WC;
  for (int j = 0; j < lane_count<L>; ++j) {
    const int candidate = pack.candidate[pack_size<T> > 1 ? j : 0];
    if (candidate < 0) continue;
    const int p = plan.candidates[candidate].pairing, index = plan.candidates[candidate].index;
    const int robot = pack_size<T> > 1 ? 0 : j;
    const SoftTouches& touches = all_touches[p][robot];
    if (index >= touches.count) continue;
    const SoftTouch& touch = touches.touches[index];
    const SoftPairing& pairing = soft.pairings[p];
    if (touch.distance >= pairing.law.margin) continue;  // in the gap: listed, without force
    any_contact = true;
    const int origin = tree.plan.links[plan.pairings[p].link].tree;
    const Vec3d p_OC = touch.position - lane_of(data.origin[origin], robot);
    used[j] = 1;
    distance[j] = touch.distance;
    x[j] = p_OC.x;
    y[j] = p_OC.y;
    z[j] = p_OC.z;
    if (dot(touch.tangent, touch.tangent) == 0) continue;
    const Mat3d R = contact_frame(soft.planes[pairing.plane].normal, touch.tangent);
    set_lane_of(c.R_WC.y, j, R.y);
    set_lane_of(c.R_WC.z, j, R.z);
  }
  c.is_used = std::bit_cast<L>(used);
  c.distance = std::bit_cast<L>(distance);
  c.p_OC = {std::bit_cast<L>(x), std::bit_cast<L>(y), std::bit_cast<L>(z)};
  return any_contact;
}

// Fills a pack; false: nothing touches.
template <class T>
bool fill_pack(const SoftModel& soft, double h, const SoftPlan<T>& plan, const LinkTree<T>& tree,
               const LinkData<T>& data, const SoftPairingTouches<T>& touches,
               const SoftPack<T>& pack, SoftPoint<Pack<T>>& c) {
  using L = Pack<T>;
  if (!locate_pack(soft, plan, tree, data, touches, pack, c)) return false;
  const SoftPackLaw<L>& law = pack.law;
  c.cone = soft.cone;
  c.turns = law.turns;
  c.step = L(h);
  c.friction = law.friction;
  c.friction_coefficient = law.friction_coefficient;
  c.violation = c.distance - law.margin;
  c.impedance = evaluate_impedance(law.normal, c.violation).value;
  const L R = evaluate_regularizer(c.impedance, law.inverse_inertia);
  c.weight = (c.is_used / R) * law.weight;
  const L push = law.normal.stiffness * c.impedance * c.violation;
  const LinkMotion<L>& m = data.motion[pack.place.group];
  Twist<L> V = m.V;
  if (pack.place.item >= 0) {
    const Twist<T> V_item = get_item<T>(m.V, pack.place.item);
    V = {spread<L>(V_item.ang), spread<L>(V_item.lin)};
  }
  const Spatial<L> u = row_velocity(c, V);
  c.velocity = u;
  const L keep = L(1) - L(h) * law.friction_damping;
  c.target = {
      keep * u.ang,
      {u.lin.x - L(h) * (law.normal.damping * u.lin.x + push), keep * u.lin.y, keep * u.lin.z}};
  return true;
}

}  // namespace soft_detail

template <class T>
SoftPlan<T>::SoftPlan(const SoftModel& soft, const RobotModel& robot, const Soles& soles,
                      double timestep, const LinkTree<T>& tree) {
  const SoftSafety safety{timestep, soft.refsafe};
  std::vector<std::vector<int>> link_candidates(tree.plan.links.size());
  for (std::size_t p = 0; p < soft.pairings.size(); ++p) {
    const SoftPairing& pairing = soft.pairings[p];
    const Geom& geom = robot.geoms[pairing.geom];
    const BodyOnLink& place = tree.plan.bodies[geom.body];
    const SoftPair& law = pairing.law;
    SoftPairingPlan& out = pairings.emplace_back();
    out.body = geom.body;
    out.link = place.link;
    out.p_LG = place.position + place.rotation * geom.position;
    out.R_LG = place.rotation * geom.rotation;
    out.R_WC = contact_frame(soft.planes[pairing.plane].normal, {0, 0, 0});
    out.normal = make_soft_law(law.solref, law.solimp, safety);
    out.friction_damping =
        soft.cone == SoftCone::elliptic
            ? make_soft_friction_law(law.solref, law.solreffriction, law.solimp, safety).damping
            : out.normal.damping;
    for (int i = 0; i < max_touches(geom); ++i) {
      link_candidates[place.link].push_back(static_cast<int>(candidates.size()));
      candidates.push_back(
          {static_cast<int>(p), i, soft_detail::reported_point(soles, pairing.geom, i)});
    }
  }
  for (std::size_t i = 0; i < link_candidates.size(); ++i) {
    soft_detail::add_link_candidates(link_candidates[i], tree.plan.links[i], packs);
  }
  std::stable_sort(packs.begin(), packs.end(), [](const SoftPack<T>& a, const SoftPack<T>& b) {
    return std::tuple(a.place.group, a.place.item) < std::tuple(b.place.group, b.place.item);
  });
  for (std::size_t i = 0; i < packs.size(); ++i) {
    packs[i].place.sole_pack = static_cast<int>(i);
    soft_detail::make_pack_law(soft, *this, packs[i]);
  }
}

template <class T>
FOOTFALL_KERNEL void find_soft_contacts(const SoftModel& soft, const RobotModel& robot,
                                        double timestep, const SoftPlan<T>& plan,
                                        const LinkTree<T>& tree, const LinkData<T>& data,
                                        SoftPairingTouches<T>& touches, SoftTerms<T>& terms) {
  soft_detail::find_all_touches(soft, robot, plan, tree, data, touches);
  terms.count = 0;
  std::size_t i = 0;
  for (std::size_t g = 0; g < tree.groups.size(); ++g) {
    terms.first_pack[g] = terms.count;
    for (; i < plan.packs.size() && plan.packs[i].place.group == static_cast<int>(g); ++i) {
      SoftPoint<Pack<T>>& contact = terms.contacts[terms.count];
      if (!soft_detail::fill_pack(soft, timestep, plan, tree, data, touches, plan.packs[i],
                                  contact)) {
        continue;
      }
      terms.places[terms.count++] = plan.packs[i].place;
    }
  }
  terms.first_pack[tree.groups.size()] = terms.count;
}

}  // namespace footfall
