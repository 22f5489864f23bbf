// Contact: what a step computes about the ground, by its kind. Each kind has the same functions,
//
//   find_contacts(world, state, robot, contact)     where it may touch, and the law there    (pure)
//   solve_contacts(world, state, robot, contact)    the velocities at which forces balance: robot.solver
//   commit_contacts(world, robot, contact, memory)  what the ground remembers
//   list_contacts(world, contact, listed)           its points one by one, for readers
//
// and only this page names the kinds. Readers get FootPatch, see ground/foot_patch.hpp.
#pragma once

#include <type_traits>
#include <variant>

#include "footfall/error.hpp"
#include "footfall/ground/granular_contact.hpp"
#include "footfall/ground/penalty_contact.hpp"
#include "footfall/ground/resistive_contact.hpp"
#include "footfall/ground/soft_contact.hpp"
#include "footfall/ground/soil_contact.hpp"

namespace footfall {

// Nothing touches.
struct NoContact {};

template <class T>
void find_contacts(const World&, const State<T>&, const RobotStep<T>&, NoContact&) {}
template <class T>
SolverReport<T> solve_contacts(const World& world, const State<T>&, RobotStep<T>& robot,
                               NoContact&) {
  return solve_with(world, robot, robot.rows);
}
template <class T>
void commit_contacts(const World&, const RobotStep<T>&, const NoContact&, ContactMemory<T>&) {}
template <class T>
void list_contacts(const World&, const NoContact&, std::vector<ContactPoint<T>>& listed) {
  listed.clear();
}

namespace contact_detail {

template <class T>
struct Kinds {
  using Type = std::variant<NoContact, SoilContact<T>, SoftContact<T>, ResistiveContact<T>>;
};
template <>
struct Kinds<double> {
  using Type = std::variant<NoContact, SoilContact<double>, SoftContact<double>,
                            ResistiveContact<double>, PenaltyContact, GranularContact>;
};

}  // namespace contact_detail

template <class T>
using Contact = typename contact_detail::Kinds<T>::Type;

// Throws InputError where robots in lanes meet a ground that takes one robot at a time.
template <class T>
Contact<T> make_contact(const World& world, const LinkTree<T>& tree) {
  struct Maker {
    const World& world;
    const LinkTree<T>& tree;
    Contact<T> operator()(const NoGround&) const { return NoContact{}; }
    Contact<T> operator()(const SoilGround&) const { return SoilContact<T>(world, tree); }
    Contact<T> operator()(const SoftGround&) const { return SoftContact<T>(world, tree); }
    Contact<T> operator()(const ResistiveGround&) const { return ResistiveContact<T>(world, tree); }
    Contact<T> operator()(const PenaltyGround&) const {
      if constexpr (std::is_same_v<T, double>) return PenaltyContact(world, tree);
      return refuse_lanes();
    }
    Contact<T> operator()(const GranularGround&) const {
      if constexpr (std::is_same_v<T, double>) return GranularContact(world, tree);
      return refuse_lanes();
    }
    Contact<T> refuse_lanes() const {
      throw InputError(
          "contact.model = \"feedback_linearized\", \"spring_damper\" or \"wrench_space\" runs one "
          "robot at a time, not robots in lanes");
    }
  };
  return std::visit(Maker{world, tree}, world.ground);
}

// Inverse inertia of the dofs that soft constraints scale limits and friction by; null: that at qpos0.
template <class T, class SlotForces>
const Pack<T>* find_inverse_inertia(const RobotStep<T>& robot, const std::vector<SlotForces>& slots,
                                    Contact<T>& contact) {
  auto* soft = std::get_if<SoftContact<T>>(&contact);
  return soft == nullptr ? nullptr : find_dof_diagonal(robot.tree, robot.links, slots, soft->exact);
}

}  // namespace footfall
