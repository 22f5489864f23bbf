// Slots: points of several robots in lanes, packed anew for the solve.
//
// A pack found for robots in lanes is one point of each of them, and robots seldom touch with the same points:
// one robot in a quarter of its lanes, say. The solver takes time for every pack. So the points that may touch are
// moved to packs of their own, side by side whichever robot they are of; a LaneMap knows whose they are. They stand robot by
// robot: a pack whose robots the solve has finished with is left alone while it goes on with others.
#pragma once

#include "footfall/ground/point.hpp"

namespace footfall {

// Of one pack. Slots of one robot stand side by side, so sums over them take as many steps as it takes to double one to
// their number.
template <class L>
struct LaneMap {
  static constexpr int kSlots = lane_count<L>;
  static constexpr int kDoublings = 3;
  LaneIndex<kSlots> robot;        // of each slot
  std::array<int, kSlots> found;  // the pack that each was found in; −1: empty, a copy of another
  int rounds = 0;                 // slots of the robot that has most
  std::array<LaneIndex<kSlots>, kSlots> slot;  // of each robot, its first, second, …
  std::array<L, kSlots> has;                   // 1, or 0 for robots that have so many not
  std::array<L, kDoublings> same;  // 1 for slots of the same robot as that 1, 2, 4 further on
  bool rests = false;              // the solve is done with its robots

  void clear() {
    rounds = 0;
    rests = false;
    same.fill(L(0));
  }
  void add(int s, int robot_lane, int found_pack) {
    robot.from[s] = robot_lane;
    found[s] = found_pack;
    if (found_pack < 0) return;
    int round = 0;
    while (round < rounds && has[round][robot_lane] > 0) ++round;
    if (round == rounds) {
      has[rounds] = L(0);
      slot[rounds++] = {};
    }
    has[round].set(robot_lane, 1.0);
    slot[round].from[robot_lane] = s;
    for (int k = 0; k < kDoublings && (1 << k) <= round; ++k) same[k].set(s - (1 << k), 1.0);
  }
  // From robots to slots, and back.
  L spread(const L& x) const { return permute(x, robot); }
  L sum(L x) const {
    static_assert(1 << kDoublings == kSlots);
    for (int k = 0; (1 << k) < rounds; ++k) {
      x += select(same[k] > L(0), permute(x, kFurther[k]), L(0));
    }
    return rounds == 0 ? L(0) : select(has[0] > L(0), permute(x, slot[0]), L(0));
  }
  // A number that is none stays with its robot.
  void raise(L& largest, const L& x) const {
    for (int k = 0; k < rounds; ++k) {
      largest = select(has[k] > L(0), max(largest, permute(x, slot[k])), largest);
    }
  }

 private:
  static constexpr std::array<LaneIndex<8>, kDoublings> kFurther{
      {{{1, 2, 3, 4, 5, 6, 7, 7}}, {{2, 3, 4, 5, 6, 7, 7, 7}}, {{4, 5, 6, 7, 7, 7, 7, 7}}}};
};

namespace slot_detail {

template <class L>
void move_lane(L& to, int slot, const L& from, int lane) {
  to.set(slot, from[lane]);
}
template <class L>
void move_lane(Vec3<L>& to, int slot, const Vec3<L>& from, int lane) {
  move_lane(to.x, slot, from.x, lane);
  move_lane(to.y, slot, from.y, lane);
  move_lane(to.z, slot, from.z, lane);
}
template <class L>
void move_lane(Sym3<L>& to, int slot, const Sym3<L>& from, int lane) {
  move_lane(to.xx, slot, from.xx, lane);
  move_lane(to.xy, slot, from.xy, lane);
  move_lane(to.xz, slot, from.xz, lane);
  move_lane(to.yy, slot, from.yy, lane);
  move_lane(to.yz, slot, from.yz, lane);
  move_lane(to.zz, slot, from.zz, lane);
}

}  // namespace slot_detail

// One lane of a law or of a trial.
template <class Numbers>
void copy_lane(Numbers& to, int slot, const Numbers& from, int lane) {
  each_number(to, from, [&](auto& a, const auto& b) { slot_detail::move_lane(a, slot, b, lane); });
  if constexpr (requires { to.plastic; }) {
    to.plastic.soil_index[slot] = from.plastic.soil_index[lane];
  }
}

// Whether points of two packs follow laws of one kind.
template <class L>
bool alike(const PointLaw<L>& a, const PointLaw<L>& b) {
  return a.cell.any == b.cell.any && (!a.cell.any || a.cell.is_bent == b.cell.is_bent) &&
         a.pad.any == b.pad.any && a.plastic.any == b.plastic.any &&
         (!a.plastic.any || a.plastic.kind == b.plastic.kind);
}

}  // namespace footfall
