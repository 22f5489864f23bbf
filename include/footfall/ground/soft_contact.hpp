// Contact by MuJoCo's soft constraints, in its order of things: constraint forces first, then damping
// (soft/late_damping.hpp), then the gyroscopic moment of lone bodies (soft/lone_bodies.hpp).
#pragma once

#include "footfall/ground/point.hpp"
#include "footfall/ground/robot_step.hpp"
#include "footfall/soft/late_damping.hpp"
#include "footfall/soft/lone_bodies.hpp"
#include "footfall/soft/soft_exact.hpp"

namespace footfall {

template <class T>
struct SoftContact {
  SoftContact(const World& world, const LinkTree<T>& tree)
      : model(*soft_constraints(world.ground)),
        plan(model, world.robot, world.soles, world.options.timestep, tree), exact(model, tree),
        lone(world.robot), touches(plan.pairings.size()),
        terms(static_cast<int>(plan.packs.size()), static_cast<int>(tree.groups.size())),
        undamped_qvel(tree.slots.size()) {}
  SoftModel model;
  SoftPlan<T> plan;
  ExactDiagonal<T> exact;
  LoneBodies<T> lone;
  SoftPairingTouches<T> touches;
  SoftTerms<T> terms;
  std::vector<Pack<T>> undamped_qvel;  // what late damping started from
};

template <class T>
void find_contacts(const World& world, const State<T>&, const RobotStep<T>& robot,
                   SoftContact<T>& contact) {
  find_soft_contacts(contact.model, world.robot, world.options.timestep, contact.plan, robot.tree,
                     robot.links, contact.touches, contact.terms);
  set_exact_weights(contact.model, robot.tree, contact.exact, contact.terms);
}

namespace soft_detail {

// Whether no force depends on v⁺, but for damping that is applied after the others are known.
template <class T>
bool is_unconstrained(const World& world, const RobotStep<T>& robot,
                      const SoftContact<T>& contact) {
  return splits_step(world) && contact.terms.count == 0 && robot.rows.size() == 0;
}

}  // namespace soft_detail

template <class T>
SolverReport<T> solve_contacts(const World& world, const State<T>& state, RobotStep<T>& robot,
                               SoftContact<T>& contact) {
  SolverReport<T> report = nothing_to_solve<T>();
  if (!soft_detail::is_unconstrained(world, robot, contact)) {
    report = solve_with(world, robot, robot.rows, contact.terms);
  }
  if (!splits_step(world)) return report;
  apply_late_damping(robot.tree, robot.links, robot.balance, robot.rows, contact.terms,
                     robot.solver, contact.undamped_qvel);
  if (world.options.integrator == Integrator::implicitfast) {
    turn_lone_bodies(robot.tree, robot.links, robot.balance, T(world.options.timestep),
                     state.qpos.data(), contact.lone, robot.solver);
  }
  return report;
}

// The velocities that the last step found before damping, for readers. Call it before the next step.
template <class T>
const std::vector<Pack<T>>& undamped_velocities(const World& world, RobotStep<T>& robot,
                                                SoftContact<T>& contact) {
  if (!splits_step(world)) return robot.solver.qvel;
  if (soft_detail::is_unconstrained(world, robot, contact)) {
    solve_with(world, robot, robot.rows, contact.terms);
    contact.undamped_qvel = robot.solver.qvel;
  }
  return contact.undamped_qvel;
}

// Keeps what reports read; the constraints themselves remember nothing.
template <class T>
void commit_contacts(const World&, const RobotStep<T>&, const SoftContact<T>& contact,
                     ContactMemory<T>& memory) {
  for (T& f : memory.normal_force) f = T(0);
  for (int i = 0; i < contact.terms.count; ++i) {
    const SoftPoint<Pack<T>>& c = contact.terms.contacts[i];
    const Pack<T> force = (Pack<T>(-1) / c.step) * c.gradient.lin.x;
    const SoftPack<T>& pack = contact.plan.packs[contact.terms.places[i].sole_pack];
    for (int k = 0; k < pack_size<T>; ++k) {
      if (pack.candidate[k] < 0) continue;
      const int point = contact.plan.candidates[pack.candidate[k]].sole_point;
      if (point >= 0) memory.normal_force[point] += get_item<T>(force, k);
    }
  }
}

// Contacts of shapes that no sole stands for are left out.
template <class T>
void list_contacts(const World&, const SoftContact<T>& contact,
                   std::vector<ContactPoint<T>>& listed) {
  listed.clear();
  for (int i = 0; i < contact.terms.count; ++i) {
    const SoftPoint<Pack<T>>& c = contact.terms.contacts[i];
    const SoftPack<T>& pack = contact.plan.packs[contact.terms.places[i].sole_pack];
    const Vec3<Pack<T>> gradient = c.R_WC * c.gradient.lin;
    const Vec3<Pack<T>> balance = c.R_WC * c.balance.lin;
    const Vec3<Pack<T>> velocity = c.R_WC * c.velocity.lin;
    for (int k = 0; k < pack_size<T>; ++k) {
      if (pack.candidate[k] < 0 || !any(get_item<T>(c.is_used, k) > T(0))) continue;
      const SoftCandidate& candidate = contact.plan.candidates[pack.candidate[k]];
      if (candidate.sole_point < 0) continue;
      ContactPoint<T>& p = listed.emplace_back();
      p.sole_point = candidate.sole_point;
      p.body = contact.plan.pairings[candidate.pairing].body;
      p.p_OC = get_item<T>(c.p_OC, k);
      p.normal = get_item<T>(c.R_WC.x, k);
      p.sinkage = T(0) - get_item<T>(c.distance, k);
      p.step = get_item<T>(c.step, k);
      p.friction_coefficient = get_item<T>(c.friction_coefficient, k);
      p.gradient = get_item<T>(gradient, k);
      p.spin_gradient = get_item<T>(c.gradient.ang.x, k);
      p.balance = get_item<T>(balance, k);
      p.spin_balance = get_item<T>(c.balance.ang.x, k);
      p.normal_force = (T(-1) / p.step) * get_item<T>(c.gradient.lin.x, k);
      p.velocity = get_item<T>(velocity, k);
    }
  }
  std::stable_sort(listed.begin(), listed.end(),
                   [](const auto& a, const auto& b) { return a.sole_point < b.sole_point; });
}

}  // namespace footfall
