// Contact with soils: points of the soles, each with the law of the soil below it.
#pragma once

#include "footfall/ground/commit.hpp"
#include "footfall/ground/robot_step.hpp"
#include "footfall/ground/soil_law.hpp"

namespace footfall {

template <class T>
struct SoilContact {
  SoilContact(const World& world, const LinkTree<T>& tree)
      : soles(world.soles, tree), law(world, soles),
        points(static_cast<int>(soles.packs.size()), static_cast<int>(tree.groups.size())) {
    if (world.terrain.is_plane) return;
    points.node_distance.resize(soles.nodes.size());
    points.node_normal.resize(soles.nodes.size());
    points.node_is_near.resize(soles.nodes.size());
    points.node_is_exact.resize(soles.nodes.size());
  }
  SolePlan<T> soles;
  SoilLaw<T> law;
  PointTerms<T> points;
};

template <class T>
void find_contacts(const World& world, const State<T>& state, const RobotStep<T>& robot,
                   SoilContact<T>& contact) {
  find_points(world, contact.law, contact.soles, robot.tree, robot.links, state.memory,
              contact.points);
}

template <class T>
SolverReport<T> solve_contacts(const World& world, const State<T>&, RobotStep<T>& robot,
                               SoilContact<T>& contact) {
  contact.points.repack();
  const SolverReport<T> report = solve_with(world, robot, contact.points, robot.rows);
  contact.points.empty_slots();
  return report;
}

template <class T>
void commit_contacts(const World& world, const RobotStep<T>& robot, const SoilContact<T>& contact,
                     ContactMemory<T>& memory) {
  commit_points(world, contact.soles, contact.points, robot.links, memory);
}

template <class T>
void list_contacts(const World&, const SoilContact<T>& contact,
                   std::vector<ContactPoint<T>>& listed) {
  list_points(contact.soles, contact.points, listed);
}

}  // namespace footfall
