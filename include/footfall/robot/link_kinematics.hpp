// Where a robot's links are, how they move, and what momentum they carry: one pass from the root.
//
// The same mechanics as robot/kinematics.hpp, group by group: pose, joint twist, twist, bias
// acceleration, inertia and momentum of a link in one go, while its numbers are at hand.
#pragma once

#include "footfall/robot/kinematics.hpp"
#include "footfall/robot/link_motion.hpp"
#include "footfall/robot/link_tree.hpp"

namespace footfall {

namespace link_detail {

// Motion of the parents of a group whose items stand elsewhere.
template <class T>
LinkMotion<Pack<T>> gather_parents(const LinkGroup<T>& group, const Vec3d& gravity,
                                   const LinkData<T>& data) {
  using L = Pack<T>;
  using Motion = LinkMotion<L>;
  Motion world{identity3<L>(), zero3<L>(), zero6<L>(), {zero3<L>(), -broadcast<L>(gravity)}};
  for (int i = 0; i < pack_size<T>; ++i) {
    if (group.parent_group[i] < 0) set_item<T>(world.p, i, -data.origin[group.tree[i]]);
  }
  if (group.parent_kind == ParentKind::world) return world;
  const Motion* parent[pack_size<T>];
  PackIndex<T> item = group.parent_item;
  for (int i = 0; i < pack_size<T>; ++i) {
    const bool is_link = group.parent_group[i] >= 0;
    parent[i] = is_link ? &data.motion[group.parent_group[i]] : &world;
    if (!is_link) item[i] = i;
  }
  const auto number = [&](auto&& number_of) {
    L out(0);
    for (int i = 0; i < pack_size<T>; ++i) {
      set_item<T>(out, i, get_item<T>(number_of(*parent[i]), item[i]));
    }
    return out;
  };
  const auto vector = [&](auto&& vector_of) {
    return Vec3<L>{number([&](const Motion& m) -> const L& { return vector_of(m).x; }),
                   number([&](const Motion& m) -> const L& { return vector_of(m).y; }),
                   number([&](const Motion& m) -> const L& { return vector_of(m).z; })};
  };
  return {{vector([](const Motion& m) -> auto& { return m.R.x; }),
           vector([](const Motion& m) -> auto& { return m.R.y; }),
           vector([](const Motion& m) -> auto& { return m.R.z; })},
          vector([](const Motion& m) -> auto& { return m.p; }),
          {vector([](const Motion& m) -> auto& { return m.V.ang; }),
           vector([](const Motion& m) -> auto& { return m.V.lin; })},
          {vector([](const Motion& m) -> auto& { return m.A.ang; }),
           vector([](const Motion& m) -> auto& { return m.A.lin; })}};
}

// One parent's motion, for all items.
template <class T>
LinkMotion<Pack<T>> spread_parent(const LinkMotion<Pack<T>>& m, int item) {
  using L = Pack<T>;
  const auto spread_vector = [&](const Vec3<L>& v) { return spread<L>(get_item<T>(v, item)); };
  return {{spread_vector(m.R.x), spread_vector(m.R.y), spread_vector(m.R.z)},
          spread_vector(m.p),
          {spread_vector(m.V.ang), spread_vector(m.V.lin)},
          {spread_vector(m.A.ang), spread_vector(m.A.lin)}};
}

// Where the top body of each tree is: the point O.
template <class T>
void find_origins(const RobotModel& model, const LinkPlan& plan, const T* qpos,
                  std::vector<Vec3<T>>& origin) {
  for (std::size_t t = 0; t < plan.roots.size(); ++t) {
    const Body& body = model.bodies[plan.roots[t]];
    if (body.joint_count == 1 && model.joints[body.first_joint].type == JointType::free) {
      const T* q = qpos + model.joints[body.first_joint].q_index;
      origin[t] = {q[0], q[1], q[2]};
      continue;
    }
    Mat3<T> R = broadcast<T>(body.rotation);
    Vec3<T> p = broadcast<T>(body.position);
    Twist<T> S[6];
    for (int j = body.first_joint; j < body.first_joint + body.joint_count; ++j) {
      kinematics_detail::apply_joint(model.joints[j], qpos, zero3<T>(), R, p, S);
    }
    origin[t] = p;
  }
}

}  // namespace link_detail

// Motion, inertia and momentum of all links at (qpos, qvel), for a step of h.
template <class T>
FOOTFALL_KERNEL void move_links(const RobotModel& model, const LinkTree<T>& tree, double h,
                                const T* qpos, const T* qvel, LinkData<T>& data) {
  using namespace link_detail;
  using L = Pack<T>;
  find_origins(model, tree.plan, qpos, data.origin);
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    data.qvel[s] = gather(qvel, tree.slots[s].source);
  }
  for (std::size_t g = 0; g < tree.groups.size(); ++g) {
    const LinkGroup<T>& group = tree.groups[g];
    const LinkMotion<L>* parent = nullptr;
    LinkMotion<L> elsewhere;
    if (group.parent_kind == ParentKind::same_items) {
      parent = &data.motion[group.parent_group[0]];
    } else {
      elsewhere = group.parent_kind == ParentKind::one_item
                      ? spread_parent<T>(data.motion[group.parent_group[0]], group.parent_item[0])
                      : gather_parents(group, model.gravity, data);
      parent = &elsewhere;
    }
    move_group(group, qpos, &data.qvel[group.first_slot], *parent, data.motion[g],
               &data.S[group.first_slot]);
    weigh_group(group, data.motion[g], model.gravity, h, data.inertia[g], data.wrench[g]);
  }
}

// The same body by body, as compute_positions and compute_velocities would have it.
template <class T>
void list_bodies(const RobotModel& model, const LinkTree<T>& tree, const LinkData<T>& links,
                 RobotData<T>& data) {
  data.A_bias[0] = {zero3<T>(), -broadcast<T>(model.gravity)};
  for (int b = 1; b < model.body_count(); ++b) {
    const BodyOnLink& place = tree.plan.bodies[b];
    Mat3<T> R = broadcast<T>(place.rotation);
    Vec3<T> p = broadcast<T>(place.position);
    data.V[b] = zero6<T>();
    data.A_bias[b] = data.A_bias[0];
    if (place.link >= 0) {
      const Link& link = tree.plan.links[place.link];
      const LinkMotion<Pack<T>>& m = links.motion[link.group];
      const Mat3<T> R_WL = get_item<T>(m.R, link.item);
      p = links.origin[link.tree] + get_item<T>(m.p, link.item) + R_WL * p;
      R = R_WL * R;
      data.V[b] = get_item<T>(m.V, link.item);
      data.A_bias[b] = get_item<T>(m.A, link.item);
    }
    data.R_WB[b] = R;
    data.p_WB[b] = p;
    data.inertia[b] =
        kinematics_detail::inertia_about(model.bodies[b], R, p - tree_origin(model, data, b));
  }
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    for (int item = 0; item < pack_size<T>; ++item) {
      const int dof = tree.slots[s].dof[item];
      if (dof >= 0) data.S[dof] = get_item<T>(links.S[s], item);
    }
  }
}

}  // namespace footfall
