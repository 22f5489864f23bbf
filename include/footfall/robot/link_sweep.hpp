// Numbers of the articulated sweep of link_solve.hpp.
#pragma once

#include "footfall/robot/dynamics.hpp"
#include "footfall/robot/link_kinematics.hpp"
#include "footfall/robot/link_solve.hpp"

namespace footfall {

template <class T>
struct LinkSweep {
  using L = Pack<T>;
  explicit LinkSweep(const LinkTree<T>& tree)
      : diagonal(tree.slots.size()), generalized(tree.slots.size()), motion(tree.groups.size()),
        solution(tree.slots.size()), inertia(tree.groups.size()), wrench(tree.groups.size()),
        gain(tree.slots.size()), inverse(tree.slots.size()), offset(tree.slots.size()) {}

  // input
  std::vector<L> diagonal;     // of each slot, added to M's
  std::vector<L> generalized;  // of each slot: impulse or force
  // output
  std::vector<Twist<L>> motion;  // of each group: Σ S x
  std::vector<L> solution;       // of each slot: x
  // scratch
  std::vector<Sym6<L>> inertia;   // of each group, as its parent feels it; of a free root whole
  std::vector<Wrench<L>> wrench;  // likewise
  std::vector<Spatial<L>> gain;   // U/D of each slot
  std::vector<L> inverse;         // 1/D of each slot; not of a free root's
  std::vector<L> offset;          // u/D of each slot
};

}  // namespace footfall
