// Forces on the joints in a step: armature, damping, springs, actuators and servos; and, as rows of
// the solver, what depends on v⁺: servos, joint limits and joint friction.
#pragma once

#include <algorithm>
#include <cmath>

#include "footfall/ground/world.hpp"
#include "footfall/soft/soft_rows.hpp"

namespace footfall {

namespace forces_detail {

// The rotation vector of r⁻¹·q [rad], frame of q. Per lane: balls with springs are rare.
template <class T>
Vec3<T> rotation_from(const Quatd& r, const Quat<T>& q) {
  const Quat<T> inverse{T(r.w), T(-r.x), T(-r.y), T(-r.z)};
  const Quat<T> d = inverse * normalized(q);
  Vec3<T> out;
  for (int i = 0; i < lane_count<T>; ++i) {
    const Vec3d v{lane(d.x, i), lane(d.y, i), lane(d.z, i)};
    const double s = norm(v);
    double angle = 2 * std::atan2(s, lane(d.w, i));
    if (angle > M_PI) angle -= 2 * M_PI;
    const double k = s > 1e-15 ? angle / s : 2.0;
    set_lane(out.x, i, k * v.x);
    set_lane(out.y, i, k * v.y);
    set_lane(out.z, i, k * v.z);
  }
  return out;
}

// Force of a joint's spring on each of its dofs.
template <class T>
void spring_force(const Joint& joint, const T* qpos, T* force) {
  const T k(joint.stiffness);
  const T* q = qpos + joint.q_index;
  switch (joint.type) {
  case JointType::free:
    force[0] = k * (T(joint.spring_ref_position.x) - q[0]);
    force[1] = k * (T(joint.spring_ref_position.y) - q[1]);
    force[2] = k * (T(joint.spring_ref_position.z) - q[2]);
    q += 3;
    force += 3;
    [[fallthrough]];
  case JointType::ball: {
    const Vec3<T> r = rotation_from(joint.spring_ref_quat, Quat<T>{q[0], q[1], q[2], q[3]});
    force[0] = -k * r.x;
    force[1] = -k * r.y;
    force[2] = -k * r.z;
    break;
  }
  case JointType::hinge:
  case JointType::slide:
    force[0] = k * (T(joint.spring_ref) - q[0]);
    break;
  }
}

// An actuator's constants, C = double or of a pack of actuators.
template <class C>
struct ActuatorGains {
  C gear{}, inverse_gear{};  // 0 for empty items
  C gain{}, bias0{}, bias1{}, bias2{};
  C control_lower{}, control_upper{};
  C force_lower{}, force_upper{};
  C has_servo{};  // 1 on a hinge or slide, else 0
};

// What it is told: as in Control.
template <class L>
struct ActuatorCommand {
  L control, position, velocity, kp, kd;
};

// An actuator's force at zero joint velocity, and how it falls with it; both before clamping.
template <class L>
struct ActuatorForce {
  L force;  // at v = 0 [N or N m]
  L slope;  // −d(force)/dv ≥ 0
};

template <class L, class C>
ActuatorForce<L> evaluate_actuator(const ActuatorGains<C>& a, Integrator integrator,
                                   double timestep, const ActuatorCommand<L>& command, const L& q) {
  const L servo = L(a.inverse_gear) * L(a.has_servo);
  const L kp = servo * command.kp, kd = servo * command.kd;
  const L u = min(max(command.control, L(a.control_lower)), L(a.control_upper));
  const L spring = L(a.bias1) * L(a.gear) * L(a.has_servo);
  ActuatorForce<L> out{L(a.gain) * u + L(a.bias0) + spring * q + kp * (command.position - q) +
                           kd * command.velocity,
                       kd - L(a.bias2) * L(a.gear)};
  if (integrator == Integrator::implicit) {
    out.slope += L(timestep) * (kp - L(a.bias1) * L(a.gear));
  }
  return out;
}

// The bounds of an actuator's force, its own and its joint's.
struct ForceRange {
  double lower = -kUnbounded, upper = kUnbounded;
};

inline ForceRange actuator_range(const RobotModel& model, int index) {
  const Actuator& a = model.actuators[index];
  const Joint& joint = model.joints[a.joint];
  ForceRange range;
  if (a.force_limited) range = {a.force_lower, a.force_upper};
  if (joint.actuator_force_limited) {  // a limit on the joint's torque, here of one actuator
    const double x = joint.actuator_force_lower / a.gear, y = joint.actuator_force_upper / a.gear;
    range.lower = std::fmax(range.lower, std::fmin(x, y));
    range.upper = std::fmin(range.upper, std::fmax(x, y));
  }
  return range;
}

inline ActuatorGains<double> actuator_gains(const RobotModel& model, int index) {
  const Actuator& a = model.actuators[index];
  const JointType type = model.joints[a.joint].type;
  const ForceRange range = actuator_range(model, index);
  ActuatorGains<double> out;
  out.gear = a.gear;
  out.inverse_gear = 1 / a.gear;
  out.gain = a.gain;
  out.bias0 = a.bias0;
  out.bias1 = a.bias1;
  out.bias2 = a.bias2;
  out.control_lower = a.control_limited ? a.control_lower : -kUnbounded;
  out.control_upper = a.control_limited ? a.control_upper : kUnbounded;
  out.force_lower = range.lower;
  out.force_upper = range.upper;
  out.has_servo = type == JointType::hinge || type == JointType::slide ? 1.0 : 0.0;
  return out;
}

// Stiffness of the bristle of joint friction, and of a joint limit [N m/rad or N/m].
template <class C>
C joint_stiffness(const World& world, const C& inertia) {
  const double tau = world.options.joint_time_constant;
  return inertia * C(1 / (tau * tau));
}

}  // namespace forces_detail

// Constants of the forces on one slot's dofs, see LinkTree::slots.
template <class T>
struct SlotForces {
  using C = PackConstant<T>;
  PackIndex<T> q_index{};  // of hinges and slides
  bool has_spring = false, is_limited = false, has_friction = false;
  C stiffness{}, spring_ref{};
  C lower{}, upper{};  // of the joint's limits; unbounded where it has none
  C friction_loss{};
  C inertia{};  // of the dof at qpos0
};

// Actuators on dofs of one slot, at most one on each.
template <class T>
struct ActuatorPack {
  int slot = 0;
  PackIndex<T> index{};  // of the actuator; of empty items that of another, with gains of 0
  PackIndex<T> q_index{};
  forces_detail::ActuatorGains<PackConstant<T>> gains{};
};

// Every force element of the robot, with the number of solver rows it can add.
template <class T>
struct ForcePlan {
  ForcePlan(const World& world, const LinkTree<T>& tree);
  std::vector<SlotForces<T>> slots;
  std::vector<ActuatorPack<T>> actuators;
  std::vector<int> round_springs;       // free and ball joints with a spring
  std::vector<SoftSlotForces<T>> soft;  // of each slot; empty without soft constraints
  int max_rows() const { return static_cast<int>(3 * slots.size() + actuators.size()); }
};

namespace forces_detail {

template <class T>
void set_gains(const ActuatorGains<double>& from, int item, ActuatorGains<PackConstant<T>>& to) {
  using link_detail::set_constant;
  set_constant<T>(to.gear, item, from.gear);
  set_constant<T>(to.inverse_gear, item, from.inverse_gear);
  set_constant<T>(to.gain, item, from.gain);
  set_constant<T>(to.bias0, item, from.bias0);
  set_constant<T>(to.bias1, item, from.bias1);
  set_constant<T>(to.bias2, item, from.bias2);
  set_constant<T>(to.control_lower, item, from.control_lower);
  set_constant<T>(to.control_upper, item, from.control_upper);
  set_constant<T>(to.force_lower, item, from.force_lower);
  set_constant<T>(to.force_upper, item, from.force_upper);
  set_constant<T>(to.has_servo, item, from.has_servo);
}

// Puts an actuator at its dof's item in a pack of its slot, a new one where that place is taken.
template <class T>
void place_actuator(const RobotModel& model, const LinkTree<T>& tree, int index,
                    std::vector<ActuatorPack<T>>& packs) {
  const Actuator& a = model.actuators[index];
  const DofPlace place = find_dof(tree, a.dof);
  const auto is_free = [&](const ActuatorPack<T>& p) {
    return p.slot == place.slot && lane(p.gains.gear, place.item) == 0.0;
  };
  auto pack = std::find_if(packs.begin(), packs.end(), is_free);
  if (pack == packs.end()) {
    ActuatorPack<T> fresh;
    fresh.slot = place.slot;
    fresh.index.fill(index);
    fresh.q_index.fill(model.joints[a.joint].q_index);
    pack = packs.insert(packs.end(), fresh);
  }
  pack->index[place.item] = index;
  pack->q_index[place.item] = model.joints[a.joint].q_index;
  set_gains<T>(actuator_gains(model, index), place.item, pack->gains);
}

template <class T>
SlotForces<T> make_slot_forces(const World& world, const LinkGroup<T>& group,
                               const DofSlot<T>& slot) {
  using link_detail::set_constant;
  SlotForces<T> out;
  out.q_index = group.q_index;
  const bool is_single = velocity_count(group.type) == 1;
  for (int item = 0; item < pack_size<T>; ++item) {
    const bool empty = slot.dof[item] < 0;
    const Dof& dof = world.robot.dofs[slot.source[item]];
    const Joint& joint = world.robot.joints[dof.joint];
    const bool limited = is_single && !empty && joint.limited;
    const double stiffness = is_single && !empty ? joint.stiffness : 0;
    const double friction = empty ? 0 : dof.friction_loss;
    out.has_spring = out.has_spring || stiffness != 0;
    out.is_limited = out.is_limited || limited;
    out.has_friction = out.has_friction || friction > 0;
    set_constant<T>(out.stiffness, item, stiffness);
    set_constant<T>(out.spring_ref, item, joint.spring_ref);
    set_constant<T>(out.lower, item, limited ? joint.lower : -kUnbounded);
    set_constant<T>(out.upper, item, limited ? joint.upper : kUnbounded);
    set_constant<T>(out.friction_loss, item, friction);
    set_constant<T>(out.inertia, item, world.joint_inertia[slot.source[item]]);
  }
  return out;
}

// Adds a pack of actuators to the balance or, where their force depends on v⁺, as a row.
template <class T>
void add_actuators(const World& world, const ActuatorPack<T>& pack, const Control<T>& command,
                   const T* qpos, const Pack<T>& v, JointBalance<T>& balance, JointRows<T>& rows) {
  using L = Pack<T>;
  const double h = world.options.timestep;
  const Integrator integrator = world.options.integrator;
  const ActuatorCommand<L> told{
      gather(command.control.data(), pack.index), gather(command.position.data(), pack.index),
      gather(command.velocity.data(), pack.index), gather_constant<T>(command.kp, pack.index),
      gather_constant<T>(command.kd, pack.index)};
  const ActuatorForce<L> f =
      evaluate_actuator(pack.gains, integrator, h, told, gather(qpos, pack.q_index));
  const L lower(pack.gains.force_lower), upper(pack.gains.force_upper);
  const L s = L(h) * L(pack.gains.gear);
  const bool is_explicit = integrator == Integrator::euler || splits_step(world);
  const auto depends = f.slope > L(is_explicit ? kUnbounded : 0);
  if (!all(depends)) {  // explicit in v
    const L force = f.force - f.slope * v;
    const L impulse = s * min(max(force, lower), upper);
    balance.generalized[pack.slot] += select(depends, L(0), impulse);
    if (splits_step(world) && integrator != Integrator::euler) {
      const auto free = (force > lower) & (force < upper);
      balance.late_damping[pack.slot] += select(free, s * f.slope, L(0));
    }
  }
  if (!any(depends)) return;
  const L a = -s * upper, b = -s * lower;  // the row's gradient is minus the impulse
  JointRow<L>& row = rows.next();
  row.slot = pack.slot;
  row.offset = select(depends, -s * f.force, L(0));
  row.slope = select(depends, s * f.slope, L(0));
  row.lower = select(depends, min(a, b), L(0));
  row.upper = select(depends, max(a, b), L(0));
  row.velocity = v;
}

// The rows of limits and friction that one slot's soft constraints make.
template <class T>
void add_soft_rows(const World& world, const ForcePlan<T>& plan, int s, const T* qpos,
                   const Pack<T>& v, const Pack<T>* inverse_inertia, JointRows<T>& rows) {
  using L = Pack<T>;
  const double h = world.options.timestep;
  const SlotForces<T>& joint = plan.slots[s];
  const SoftSlotForces<T>& soft = plan.soft[s];
  const L A = inverse_inertia == nullptr ? L(soft.inverse_inertia) : inverse_inertia[s];
  if (joint.has_friction && world.options.joint_friction) {
    add_soft_friction(soft, A, L(joint.friction_loss), h, s, v, rows);
  }
  if (!joint.is_limited || !world.options.joint_limits) return;
  const L q = gather(qpos, joint.q_index);
  add_soft_limit(soft, A, 1, q - L(joint.lower), h, s, v, rows);
  add_soft_limit(soft, A, -1, L(joint.upper) - q, h, s, v, rows);
}

// A joint limit: a one-sided critically damped spring at the nearer bound. Added only when a joint
// is near enough to reach it in this step; for the others the row is then empty.
template <class T>
void add_limits(const World& world, const SlotForces<T>& joint, int slot, const Pack<T>& q,
                const Pack<T>& v, JointRows<T>& rows) {
  using L = Pack<T>;
  const double h = world.options.timestep, tau = world.options.joint_time_constant;
  const L lower(joint.lower), upper(joint.upper);
  const auto at_lower = q + q < lower + upper;
  const L excess = select(at_lower, lower - q, q - upper);
  const auto near = excess + L(2 * h) * abs(v) + L(1e-3) > L(0);
  if (!any(near)) return;
  const L inertia(joint.inertia);
  const L k = select(near, joint_stiffness(world, inertia), L(0));
  const L b = select(excess > L(0), L(2 / tau) * inertia, L(0));
  JointRow<L>& row = rows.next();
  row.slot = slot;
  row.offset = L(h) * k * select(at_lower, -excess, excess);
  row.slope = L(h) * (L(h) * k + b);
  row.lower = select(at_lower, L(-kUnbounded), L(0));
  row.upper = select(at_lower, L(0), L(kUnbounded));
  row.velocity = v;
}

template <class T>
void add_friction(const World& world, const SlotForces<T>& joint, int slot,
                  const Pack<T>& displacement, const Pack<T>& v, JointRows<T>& rows) {
  using L = Pack<T>;
  const double h = world.options.timestep, tau = world.options.joint_time_constant;
  const L inertia(joint.inertia);
  const L k = joint_stiffness(world, inertia);
  const L limit = L(h) * L(joint.friction_loss);
  JointRow<L>& row = rows.next();
  row.slot = slot;
  row.offset = L(h) * k * displacement;
  row.slope = L(h * h) * k + L(2 * h / tau) * inertia;
  row.lower = -limit;
  row.upper = limit;
  row.velocity = v;
}

}  // namespace forces_detail

template <class T>
ForcePlan<T>::ForcePlan(const World& world, const LinkTree<T>& tree) {
  using namespace forces_detail;
  for (const DofSlot<T>& slot : tree.slots) {
    slots.push_back(make_slot_forces(world, tree.groups[slot.group], slot));
    if (const SoftModel* model = soft_constraints(world.ground)) {
      soft.push_back(make_soft_slot(*model, world.robot, world.options.timestep, slot));
    }
  }
  for (std::size_t i = 0; i < world.robot.actuators.size(); ++i) {
    place_actuator(world.robot, tree, static_cast<int>(i), actuators);
  }
  for (std::size_t j = 0; j < world.robot.joints.size(); ++j) {
    const Joint& joint = world.robot.joints[j];
    if (joint.stiffness != 0 && velocity_count(joint.type) > 1) {
      round_springs.push_back(static_cast<int>(j));
    }
  }
}

// Fills the balance of the dofs and the joint rows of this step; `qvel` by slots.
// `inverse_inertia`: Â of the slots for soft constraints; null: that at qpos0.
template <class T>
FOOTFALL_KERNEL void
compute_joint_forces(const World& world, const LinkTree<T>& tree, const ForcePlan<T>& plan,
                     const State<T>& state, const std::vector<Pack<T>>& qvel,
                     const Control<T>& command, JointBalance<T>& balance, JointRows<T>& rows,
                     const Pack<T>* inverse_inertia = nullptr) {
  using namespace forces_detail;
  using L = Pack<T>;
  const StepOptions& options = world.options;
  const double h = options.timestep;
  const double implicit = options.integrator == Integrator::implicit ? h * h : 0.0;
  const bool splits = splits_step(world);
  rows.clear();
  for (std::size_t i = 0; i < tree.slots.size(); ++i) {
    const int s = static_cast<int>(i);
    const DofSlot<T>& slot = tree.slots[i];
    const SlotForces<T>& joint = plan.slots[i];
    L diagonal = L(slot.armature) + L(h) * L(slot.damping);
    L generalized = L(slot.armature) * qvel[i];
    if (splits) {
      diagonal = L(slot.armature);
      generalized -= L(h) * L(slot.damping) * qvel[i];
      balance.late_damping[i] = L(h) * L(slot.damping);
    }
    if (joint.has_spring || joint.is_limited) {
      const L q = gather(state.qpos.data(), joint.q_index);
      generalized += L(h) * L(joint.stiffness) * (L(joint.spring_ref) - q);
      diagonal += L(implicit) * L(joint.stiffness);
      if (joint.is_limited && options.joint_limits && plan.soft.empty()) {
        add_limits(world, joint, s, q, qvel[i], rows);
      }
    }
    if (!plan.soft.empty()) {
      add_soft_rows(world, plan, s, state.qpos.data(), qvel[i], inverse_inertia, rows);
    } else if (joint.has_friction && options.joint_friction) {
      const L z = gather(state.memory.joint_displacement.data(), slot.source);
      add_friction(world, joint, s, z, qvel[i], rows);
    }
    balance.diagonal[i] = diagonal;
    balance.generalized[i] = generalized;
  }
  for (int j : plan.round_springs) {
    const Joint& joint = world.robot.joints[j];
    T force[6];
    spring_force(joint, state.qpos.data(), force);
    for (int k = 0; k < velocity_count(joint.type); ++k) {
      const DofPlace place = find_dof(tree, joint.v_index + k);
      add_item<T>(balance.generalized[place.slot], place.item, T(h) * force[k]);
      add_item<T>(balance.diagonal[place.slot], place.item, T(implicit * joint.stiffness));
    }
  }
  for (const ActuatorPack<T>& pack : plan.actuators) {
    add_actuators(world, pack, command, state.qpos.data(), qvel[pack.slot], balance, rows);
  }
}

// Remembers how far joint friction is stretched, from the velocities v⁺.
template <class T>
void commit_joints(const World& world, const LinkTree<T>& tree, const ForcePlan<T>& plan,
                   const std::vector<Pack<T>>& qvel, ContactMemory<T>& memory) {
  using L = Pack<T>;
  if (!plan.soft.empty()) return;  // soft friction has no memory
  for (std::size_t s = 0; s < plan.slots.size(); ++s) {
    const SlotForces<T>& joint = plan.slots[s];
    if (!joint.has_friction) continue;
    const L reach =
        L(joint.friction_loss) / forces_detail::joint_stiffness(world, L(joint.inertia));
    const L z = gather(memory.joint_displacement.data(), tree.slots[s].source) +
                L(world.options.timestep) * qvel[s];
    scatter<T>(min(max(z, -reach), reach), tree.slots[s].dof, memory.joint_displacement.data());
  }
}

}  // namespace footfall
