// What is kept of a step's soft contacts: only what reports read, for the constraints themselves
// remember nothing.
#pragma once

#include "footfall/soft/soft_exact.hpp"

namespace footfall {

template <class T>
void commit_soft_contacts(const SoftPlan<T>& plan, const SoftProblem<T>& problem,
                          ContactMemory<T>& memory) {
  for (T& f : memory.normal_force) f = T(0);
  for (int i = 0; i < problem.count; ++i) {
    const SoftPoint<Pack<T>>& c = problem.contacts[i];
    const Pack<T> force = (Pack<T>(-1) / c.step) * c.gradient.lin.x;
    const SoftPack<T>& pack = plan.packs[problem.places[i].sole_pack];
    for (int k = 0; k < pack_size<T>; ++k) {
      if (pack.slot[k] < 0) continue;
      const int point = plan.slots[pack.slot[k]].sole_point;
      if (point >= 0) memory.normal_force[point] += get_item<T>(force, k);
    }
  }
}

// Writes the contacts one by one into problem.points, in the soles' order, for readers. Contacts of
// shapes that no sole stands for are left out.
template <class T>
void list_soft_points(const SoftPlan<T>& plan, ContactProblem<T>& problem) {
  int count = 0;
  for (int i = 0; i < problem.soft.count; ++i) {
    const SoftPoint<Pack<T>>& c = problem.soft.contacts[i];
    const SoftPack<T>& pack = plan.packs[problem.soft.places[i].sole_pack];
    const Vec3<Pack<T>> gradient = c.R_WC * c.gradient.lin;
    const Vec3<Pack<T>> velocity = c.R_WC * c.velocity.lin;
    for (int k = 0; k < pack_size<T>; ++k) {
      if (pack.slot[k] < 0 || !any(get_item<T>(c.is_used, k) > T(0))) continue;
      const SoftSlot& slot = plan.slots[pack.slot[k]];
      if (slot.sole_point < 0) continue;
      ContactPoint<T>& p = problem.points[count++];
      p = ContactPoint<T>{};
      p.sole_point = slot.sole_point;
      p.body = plan.pairings[slot.pairing].body;
      p.p_OC = get_item<T>(c.p_OC, k);
      p.normal = get_item<T>(c.R_WC.x, k);
      p.sinkage = T(0) - get_item<T>(c.distance, k);
      p.step = get_item<T>(c.step, k);
      p.friction_coefficient = get_item<T>(c.friction_coefficient, k);
      p.gradient = get_item<T>(gradient, k);
      p.spin_gradient = get_item<T>(c.gradient.ang.x, k);
      p.normal_force = (T(-1) / p.step) * get_item<T>(c.gradient.lin.x, k);
      p.velocity = get_item<T>(velocity, k);
    }
  }
  problem.point_count = count;
  std::stable_sort(problem.points.begin(), problem.points.begin() + count,
                   [](const auto& a, const auto& b) { return a.sole_point < b.sole_point; });
}

}  // namespace footfall
