// Terms: the convex functions ℓ that the solver of a step minimises beside the robot's kinetic energy.
//
// Terms of one kind stand in a list. A law joins the solver by giving it such a list; the list keeps the
// trial velocities u of its terms, evaluates ∇ℓ (minus the impulse on the robot) and ∇²ℓ there, and
// knows where its terms act. solve.hpp calls, for every list of a step:
//
//   start()                      sets every balance λ to zero and evaluates at the trial velocities
//   add_to_slots(sweep)          adds ∇²ℓ and ∇ℓ − ∇²ℓ u of terms that act on joints
//   add_to_links(g, I, w)        the same for terms that act on the links of group g
//   take_first_step(sweep, r)    moves the trial to the sweep's solution, evaluates, measures
//   set_search_steps(sweep)      keeps Δu and Δλ from the trial to the sweep's solution
//   add_start_slope(s)           adds φ'(0)
//   add_slope(α, s)              adds φ'(α) and φ''(α)
//   take_step(α, r)              moves the trial by α of the search step, which add_slope was last asked
//                                about, evaluates, measures
//   measure_limit_change()       how far ∇ℓ would change if its limits followed the solution, squared
//   update_limits(robots)        makes them follow; both do nothing for most laws
//   rest(robots)                 these are solved: of lists in lanes, their terms may be left alone from here on; what
//                                they add does not matter, but must be finite
//
// docs/add-a-law.md shows how a law is added.
#pragma once

#include <concepts>
#include <vector>

#include "footfall/robot/link_sweep.hpp"

namespace footfall {

// φ'(α), φ''(α), and the size of the terms that φ' sums: its rounding is about 1e-16 of that.
template <class T>
struct Slope {
  T first, second, size;
};

// Largest |∇ℓ − λ|² and largest |λ|² [(N s)²].
template <class T>
struct Residual {
  T error, scale;
};

template <class List, class T>
concept TermList =
    requires(List& list, const List& fixed, LinkSweep<T>& sweep, const Pack<T>& alpha,
             Sym6<Pack<T>>& inertia, Wrench<Pack<T>>& wrench, Slope<Pack<T>>& slope,
             Residual<Pack<T>>& residual, const Mask<T>& robots) {
      list.start();
      fixed.add_to_slots(sweep);
      fixed.add_to_links(0, inertia, wrench);
      list.take_first_step(sweep, residual);
      list.set_search_steps(sweep);
      fixed.add_start_slope(slope);
      list.add_slope(alpha, slope);
      list.take_step(alpha, residual);
      { fixed.measure_limit_change() } -> std::convertible_to<T>;
      list.update_limits(robots);
      list.rest(robots);
    };

// Where a pack of terms acts: on items of a group of links.
struct PackPlace {
  int sole_pack = 0;  // index of its constants in the plan it comes from
  int group = 0;
  int item = -1;  // all terms are on this item's link; −1: term i is on item i
};

// The terms of one step in packs, those of one group of links together. Made once, never grown.
struct TermPacks {
  TermPacks(int max_packs, int group_count) : places(max_packs), first_pack(group_count + 1) {}
  int count = 0;  // of packs in use
  std::vector<PackPlace> places;
  std::vector<int> first_pack;  // of each group of links
};

// The sweep's motion of the links that a pack is on.
template <class T>
[[gnu::always_inline]] inline Twist<Pack<T>> place_motion(const LinkSweep<T>& sweep,
                                                          const PackPlace& place) {
  using L = Pack<T>;
  if (place.item < 0) return sweep.motion[place.group];
  const Twist<T> V = get_item<T>(sweep.motion[place.group], place.item);
  return {spread<L>(V.ang), spread<L>(V.lin)};
}

// Adds the packs on a group of links: add_one(i, inertia, wrench) adds pack i.
template <class T, class AddOne>
[[gnu::always_inline]] inline void add_packs(const TermPacks& packs, int group, AddOne&& add_one,
                                             Sym6<Pack<T>>& inertia, Wrench<Pack<T>>& wrench) {
  using L = Pack<T>;
  const std::vector<PackPlace>& places = packs.places;
  int i = packs.first_pack[group];
  const int end = packs.first_pack[group + 1];
  for (; i < end && places[i].item < 0; ++i) add_one(i, inertia, wrench);
  if constexpr (pack_size<T> > 1) {
    while (i < end) {  // all packs of one link, then the sum over their items
      const int item = places[i].item;
      Sym6<L> I = to_sym6(RigidInertia<L>{L(0), zero3<L>(), diagonal3(L(0))});
      Wrench<L> w = zero6<L>();
      for (; i < end && places[i].item == item; ++i) add_one(i, I, w);
      L target(0);
      target.set(item, 1.0);
      link_detail::add_placed(
          I, w, [&](const L& x) { return target * sum_of_items(x); }, inertia, wrench);
    }
  }
}

// The inertia and the moment arm of a curvature H that acts on the velocity of a point at r:
// u = lin − [r]×ang gives the coupling block [r]×H and the angular block [r]×H[r]×ᵀ.
template <class L>
[[gnu::always_inline]] inline Sym6<L> point_inertia(const Sym3<L>& H, const Vec3<L>& r) {
  const Vec3<L> gx = cross(r, Vec3<L>{H.xx, H.xy, H.xz});
  const Vec3<L> gy = cross(r, Vec3<L>{H.xy, H.yy, H.yz});
  const Vec3<L> gz = cross(r, Vec3<L>{H.xz, H.yz, H.zz});
  const Vec3<L> ax = cross(r, Vec3<L>{gx.x, gy.x, gz.x});
  const Vec3<L> ay = cross(r, Vec3<L>{gx.y, gy.y, gz.y});
  const Vec3<L> az = cross(r, Vec3<L>{gx.z, gy.z, gz.z});
  return Sym6<L>::from_blocks({ax.x, ax.y, ax.z, ay.y, ay.z, az.z}, {gx, gy, gz}, H);
}

}  // namespace footfall
