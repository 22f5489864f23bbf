// Smooth forces of a step and the joint rows: actuators, servos, springs, damping, gravity
// compensation; joint limits and joint friction.
#pragma once

#include <cmath>

#include "footfall/simulate/world.hpp"

namespace footfall {

inline constexpr double kUnbounded = 1e300;

// Rows a world can have at most: a servo for each actuator, a limit and a friction for each dof.
inline int max_row_count(const RobotModel& model) {
  return static_cast<int>(model.actuators.size() + 2 * model.dofs.size());
}

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

// An actuator's force at zero joint velocity, and how it falls with it; both before clamping.
template <class T>
struct ActuatorForce {
  T force;       // at v = 0 [N or N m]
  double slope;  // −d(force)/dv ≥ 0
};

template <class T>
ActuatorForce<T> evaluate_actuator(const RobotModel& model, int index, Integrator integrator,
                                   double timestep, const Control<T>& command, const T* qpos) {
  const Actuator& a = model.actuators[index];
  const Joint& joint = model.joints[a.joint];
  T u = command.control[index];
  if (a.control_limited) u = min(max(u, T(a.control_lower)), T(a.control_upper));
  ActuatorForce<T> out{T(a.gain) * u + T(a.bias0), -a.bias2 * a.gear};
  double stiffness = -a.bias1 * a.gear;
  if (joint.type == JointType::hinge || joint.type == JointType::slide) {
    const T q = qpos[joint.q_index];
    out.force += T(a.bias1 * a.gear) * q;
    const double kp = command.kp[index] / a.gear, kd = command.kd[index] / a.gear;
    out.force += T(kp) * (command.position[index] - q) + T(kd) * command.velocity[index];
    out.slope += kd;
    stiffness += kp;
  }
  if (integrator == Integrator::implicit) out.slope += timestep * stiffness;
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

// Adds one actuator to the balance or, where its force depends on v⁺, as a row.
template <class T>
void add_actuator(const World& world, int index, const Control<T>& command, const State<T>& state,
                  MomentumBalance<T>& momentum, std::vector<JointRow<T>>& rows) {
  const Actuator& a = world.robot.actuators[index];
  const StepOptions& options = world.options;
  const double h = options.timestep;
  ActuatorForce<T> f =
      evaluate_actuator(world.robot, index, options.integrator, h, command, state.qpos.data());
  const auto [lower, upper] = actuator_range(world.robot, index);
  if (options.integrator == Integrator::euler || f.slope <= 0) {  // explicit in v
    const T force = f.force - T(f.slope) * state.qvel[a.dof];
    momentum.generalized[a.dof] += T(h * a.gear) * min(max(force, T(lower)), T(upper));
    return;
  }
  const double s = h * a.gear;
  const bool flipped = a.gear > 0;  // the row's gradient is minus the impulse
  JointRow<T> row{};
  row.dof = a.dof;
  row.offset = T(-s) * f.force;
  row.slope = T(s * f.slope);
  row.lower = T(flipped ? -s * upper : -s * lower);
  row.upper = T(flipped ? -s * lower : -s * upper);
  row.velocity = state.qvel[a.dof];
  rows.push_back(row);
}

// A joint limit: a one-sided critically damped spring at the nearer bound. Added only when a lane
// is near enough to reach it in this step; in the other lanes the row is then empty.
template <class T>
void add_limit(const World& world, const Joint& joint, const T& q, const T& v,
               std::vector<JointRow<T>>& rows) {
  const double h = world.options.timestep, tau = world.options.joint_time_constant;
  const auto at_lower = q + q < T(joint.lower + joint.upper);
  const T excess = select(at_lower, T(joint.lower) - q, q - T(joint.upper));
  const auto near = excess + T(2 * h) * abs(v) + T(1e-3) > T(0);
  if (!any(near)) return;
  const double inertia = world.joint_inertia[joint.v_index];
  const T k = select(near, T(inertia / (tau * tau)), T(0));
  const T b = select(excess > T(0), T(2 * inertia / tau), T(0));
  JointRow<T> row{};
  row.dof = joint.v_index;
  row.offset = T(h) * k * select(at_lower, -excess, excess);
  row.slope = T(h) * (T(h) * k + b);
  row.lower = select(at_lower, T(-kUnbounded), T(0));
  row.upper = select(at_lower, T(0), T(kUnbounded));
  row.velocity = v;
  rows.push_back(row);
}

// Stiffness of the bristle of joint friction [N m/rad or N/m].
inline double friction_stiffness(const World& world, int dof) {
  const double tau = world.options.joint_time_constant;
  return world.joint_inertia[dof] / (tau * tau);
}

template <class T>
JointRow<T> friction_row(const World& world, int dof, const T& displacement, const T& v) {
  const double h = world.options.timestep, k = friction_stiffness(world, dof);
  const double limit = h * world.robot.dofs[dof].friction_loss;
  JointRow<T> row{};
  row.dof = dof;
  row.offset = T(h * k) * displacement;
  row.slope = T(h * h * k + 2 * h * world.joint_inertia[dof] / world.options.joint_time_constant);
  row.lower = T(-limit);
  row.upper = T(limit);
  row.velocity = v;
  return row;
}

}  // namespace forces_detail

// Fills the momentum balance (bodies and dofs) and the joint rows of this step.
template <class T>
void compute_forces(const World& world, const State<T>& state, const Control<T>& command,
                    const RobotData<T>& data, MomentumBalance<T>& momentum,
                    std::vector<JointRow<T>>& rows) {
  using namespace forces_detail;
  const RobotModel& model = world.robot;
  const StepOptions& options = world.options;
  const double h = options.timestep;
  for (int b = 1; b < model.body_count(); ++b) {
    const Wrench<T> momentum_b = data.inertia[b] * data.V[b];
    momentum.wrench[b] =
        T(h) * (data.inertia[b] * data.A_bias[b] + cross_force(data.V[b], momentum_b)) - momentum_b;
    const double carried = model.bodies[b].gravity_compensation;
    if (carried != 0) {  // a lift of −carried·m·g at the centre of mass
      const Vec3<T> lift_over_mass = broadcast<T>((-carried) * model.gravity);
      momentum.wrench[b] -= T(h) * Wrench<T>{cross(data.inertia[b].moment, lift_over_mass),
                                             data.inertia[b].mass * lift_over_mass};
    }
  }
  for (int d = 0; d < model.velocity_size(); ++d) {
    const Dof& dof = model.dofs[d];
    momentum.diagonal[d] = T(dof.armature + h * dof.damping);
    momentum.generalized[d] = T(dof.armature) * state.qvel[d];
  }
  rows.clear();
  for (const Joint& joint : model.joints) {
    if (joint.stiffness != 0) {
      T force[6];
      spring_force(joint, state.qpos.data(), force);
      const double implicit = options.integrator == Integrator::implicit ? h * h : 0.0;
      for (int k = 0; k < velocity_count(joint.type); ++k) {
        momentum.generalized[joint.v_index + k] += T(h) * force[k];
        momentum.diagonal[joint.v_index + k] += T(implicit * joint.stiffness);
      }
    }
    if (joint.limited && options.joint_limits) {
      add_limit(world, joint, state.qpos[joint.q_index], state.qvel[joint.v_index], rows);
    }
  }
  for (int d = 0; d < model.velocity_size(); ++d) {
    if (model.dofs[d].friction_loss > 0 && options.joint_friction) {
      rows.push_back(friction_row(world, d, state.memory.joint_displacement[d], state.qvel[d]));
    }
  }
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    add_actuator(world, static_cast<int>(i), command, state, momentum, rows);
  }
}

// Remembers how far joint friction is stretched, from the velocities v⁺.
template <class T>
void commit_joints(const World& world, const std::vector<T>& qvel, ContactMemory<T>& memory) {
  const T h(world.options.timestep);
  for (int d = 0; d < world.robot.velocity_size(); ++d) {
    const double limit = world.robot.dofs[d].friction_loss;
    if (limit <= 0) continue;
    const T reach(limit / forces_detail::friction_stiffness(world, d));
    T& z = memory.joint_displacement[d];
    z = min(max(z + h * qvel[d], -reach), reach);
  }
}

}  // namespace footfall
