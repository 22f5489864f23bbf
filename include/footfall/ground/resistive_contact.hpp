// Contact with dry grains by resistive force theory: surface elements of feet and legs (soles made of
// SolePoints::elements), each resisted as ground/resistive_terms.hpp says.
#pragma once

#include "footfall/ground/find.hpp"
#include "footfall/ground/resistive_terms.hpp"
#include "footfall/ground/robot_step.hpp"
#include "footfall/soil/cell.hpp"

namespace footfall {

template <class T>
struct ResistiveContact {
  ResistiveContact(const World& world, const LinkTree<T>& tree)
      : soles(world.soles, tree),
        elements(static_cast<int>(soles.packs.size()), static_cast<int>(tree.groups.size()),
                 std::get<ResistiveGround>(world.ground).yield_length) {}
  SolePlan<T> soles;
  ResistiveTerms<T> elements;
};

namespace resistive_detail {

// Triangles: the mean of their depth where that is positive, and its centre, where their force acts.
template <class T>
void set_triangle_depth(const SolePack<T>& sole, const Mat3<Pack<T>>& R_WL, const Pack<T>& middle,
                        ElementLaw<Pack<T>>& law) {
  using L = Pack<T>;
  std::array<Vec3<L>, 3> corner;
  std::array<L, 3> z;
  for (int k = 0; k < 3; ++k) {
    corner[k] = R_WL * spread<L>(sole.corners[k]);
    z[k] = middle - dot(law.up, corner[k]);
  }
  law.depth = mean_power(make_cell(z[0], z[1], z[2], L(0)), L(1), L(0)).force;
  const CornerShares<L> at = pressure_center(z[0], z[1], z[2], L(1));
  law.p_OC += at.a * corner[0] + at.b * corner[1] + at.c * corner[2];
}

// Fills a pack of elements; false: none is in the ground.
template <class T>
[[gnu::always_inline]] inline bool
find_elements(const World& world, const ResistiveGround& grains, const LinkData<T>& data,
              const SolePack<T>& sole, const ContactMemory<T>& memory, ElementLaw<Pack<T>>& law,
              ElementTrial<Pack<T>>& trial) {
  using L = Pack<T>;
  const double h = world.options.timestep;
  const find_detail::PackMotion<T> link = find_detail::pack_motion(sole, data);
  law.p_OC = link.p + link.R * spread<L>(sole.position);
  const Vec3<L> p_W = link.p_WO + law.p_OC;
  trial.velocity = point_velocity(link.V, law.p_OC);
  const GroundDistance<L> ground =
      ground_distance(world.terrain, p_W, [&] { return L(h) * norm(trial.velocity); });
  law.up = ground.normal;
  const Vec3<L> area = link.R * spread<L>(sole.area);
  const L size = norm(area);
  law.normal = (L(1) / max(size, L(1e-30))) * area;
  // where it will be: an element that comes in fast is met in this step
  const L middle = L(h) * max(-dot(law.up, trial.velocity), L(0)) - ground.distance;
  if (sole.kind == TouchKind::cell) {
    set_triangle_depth(sole, link.R, middle, law);
    trial.velocity = point_velocity(link.V, law.p_OC);
  } else {
    // mean of the positive part over the element, which reaches from middle − reach to middle + reach
    const L tilt = L(1) - square(dot(law.up, law.normal));
    const L reach = L(0.5) * sqrt(size * max(tilt, L(1e-12)));
    const L over = min(max(middle + reach, L(0)), L(2) * reach);
    law.depth = select(middle > reach, middle, square(over) / (L(4) * reach));
  }
  const auto inside = (law.depth > L(0)) & (L(sole.is_used) > L(0));
  if (!any(inside)) return false;
  law.weight = select(inside, L(grains.scale) * law.depth * size, L(0));
  law.step = L(h);
  law.start = gather(memory.resistance.data(), sole.source);
  law.stored = gather(memory.energy.data(), sole.source);
  const auto is_fresh = dot(law.start, law.start) <= L(0);
  trial.flow = find_flow(law, trial.velocity, gather(memory.motion.data(), sole.source), is_fresh,
                         L(grains.yield_length));
  return true;
}

}  // namespace resistive_detail

template <class T>
FOOTFALL_KERNEL void find_contacts(const World& world, const State<T>& state,
                                   const RobotStep<T>& robot, ResistiveContact<T>& contact) {
  const auto& grains = std::get<ResistiveGround>(world.ground);
  ResistiveTerms<T>& elements = contact.elements;
  int count = 0, last_group = -1;
  bool near = true;
  std::size_t i = 0;
  for (std::size_t g = 0; g < robot.tree.groups.size(); ++g) {
    elements.first_pack[g] = count;
    for (; i < contact.soles.packs.size() &&
           contact.soles.packs[i].place.group == static_cast<int>(g);
         ++i) {
      const SolePack<T>& sole = contact.soles.packs[i];
      if (sole.sole_group >= 0 && sole.sole_group != last_group) {
        last_group = sole.sole_group;
        near = find_detail::may_touch(world, robot.tree, robot.links,
                                      world.soles.groups[sole.sole_group]);
      }
      if (!near) continue;
      if (!resistive_detail::find_elements(world, grains, robot.links, sole, state.memory,
                                           elements.laws[count], elements.trials[count])) {
        continue;
      }
      elements.places[count++] = sole.place;
    }
  }
  elements.first_pack[robot.tree.groups.size()] = count;
  elements.count = count;
}

template <class T>
SolverReport<T> solve_contacts(const World& world, const State<T>&, RobotStep<T>& robot,
                               ResistiveContact<T>& contact) {
  return solve_with(world, robot, contact.elements, robot.rows);
}

// Keeps what each element resists with, what that stores, and along which way it last moved.
template <class T>
void commit_contacts(const World&, const RobotStep<T>&, const ResistiveContact<T>& contact,
                     ContactMemory<T>& memory) {
  using L = Pack<T>;
  for (Vec3<T>& r : memory.resistance) r = zero3<T>();
  for (T& f : memory.normal_force) f = T(0);
  for (T& e : memory.energy) e = T(0);
  for (int i = 0; i < contact.elements.count; ++i) {
    const ElementLaw<L>& law = contact.elements.laws[i];
    const ElementTrial<L>& trial = contact.elements.trials[i];
    const SolePack<T>& sole = contact.soles.packs[contact.elements.places[i].sole_pack];
    const Vec3<L> r = (L(1) / law.step) * trial.gradient;
    for (int k = 0; k < pack_size<T>; ++k) {
      if (sole.point[k] < 0) continue;
      memory.resistance[sole.point[k]] = get_item<T>(r, k);
      memory.motion[sole.point[k]] = get_item<T>(trial.flow.motion, k);
    }
    scatter<T>(L(0) - dot(r, law.up), sole.point, memory.normal_force.data());
    scatter<T>(stored_energy(trial.flow, r, L(contact.elements.yield_length)), sole.point,
               memory.energy.data());
  }
}

template <class T>
void list_contacts(const World&, const ResistiveContact<T>& contact,
                   std::vector<ContactPoint<T>>& listed) {
  listed.clear();
  for (int i = 0; i < contact.elements.count; ++i) {
    const ElementLaw<Pack<T>>& law = contact.elements.laws[i];
    const ElementTrial<Pack<T>>& trial = contact.elements.trials[i];
    const SolePack<T>& sole = contact.soles.packs[contact.elements.places[i].sole_pack];
    for (int k = 0; k < pack_size<T>; ++k) {
      if (sole.point[k] < 0 || !any(get_item<T>(law.depth, k) > T(0))) continue;
      ContactPoint<T>& p = listed.emplace_back();
      p.sole_point = sole.point[k];
      p.body = sole.body[k];
      p.p_OC = get_item<T>(law.p_OC, k);
      p.normal = get_item<T>(law.up, k);
      p.sinkage = get_item<T>(law.depth, k);
      p.step = get_item<T>(law.step, k);
      p.gradient = get_item<T>(trial.gradient, k);
      p.balance = get_item<T>(trial.balance, k);
      p.velocity = get_item<T>(trial.velocity, k);
      p.normal_force = (T(-1) / p.step) * dot(p.gradient, p.normal);
    }
  }
  std::stable_sort(listed.begin(), listed.end(),
                   [](const auto& a, const auto& b) { return a.sole_point < b.sole_point; });
}

}  // namespace footfall
