// Runge–Kutta of fourth order for motion without contact: flight, swinging, model checks.
//
// The classical tableau (1/6, 1/3, 1/3, 1/6). Orientations of ball and free joints move on their
// manifold: a stage's angular velocity ω, met after the rotation θ from the step's start, counts as
// θ̇ = ω + ½ θ×ω + 1/12 θ×(θ×ω) (Munthe-Kaas 1998; the next term is of order θ⁴), without which
// they would converge at second order only. As MuJoCo 4.0's RK4. All forces are explicit.
#pragma once

#include "footfall/step/step.hpp"

namespace footfall {

// Forces on the dofs from actuators, springs, damping and gravity compensation at (qpos, qvel).
template <class T>
void compute_smooth_force(const World& world, const Control<T>& command, const T* qpos,
                          const T* qvel, const RobotData<T>& data, std::vector<T>& force) {
  using namespace forces_detail;
  const RobotModel& model = world.robot;
  for (int d = 0; d < model.velocity_size(); ++d) force[d] = T(-model.dofs[d].damping) * qvel[d];
  for (const Joint& joint : model.joints) {
    if (joint.stiffness == 0) continue;
    T spring[6];
    spring_force(joint, qpos, spring);
    for (int k = 0; k < velocity_count(joint.type); ++k) force[joint.v_index + k] += spring[k];
  }
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& a = model.actuators[i];
    const ActuatorGains<double> gains = actuator_gains(model, static_cast<int>(i));
    const ActuatorCommand<T> told{command.control[i], command.position[i], command.velocity[i],
                                  T(command.kp[i]), T(command.kd[i])};
    const ActuatorForce<T> f =
        evaluate_actuator(gains, Integrator::euler, 0.0, told, qpos[model.joints[a.joint].q_index]);
    force[a.dof] += T(a.gear) * min(max(f.force - f.slope * qvel[a.dof], T(gains.force_lower)),
                                    T(gains.force_upper));
  }
  for (int b = 1; b < model.body_count(); ++b) {
    const double carried = model.bodies[b].gravity_compensation;
    if (carried == 0) continue;
    const Vec3<T> lift = broadcast<T>((-carried) * model.gravity);
    const Wrench<T> w{cross(data.inertia[b].moment, lift), data.inertia[b].mass * lift};
    for (int d = last_dof(model, b); d >= 0; d = model.dofs[d].parent) {
      force[d] += dot(data.S[d], w);
    }
  }
}

template <class T>
struct Rk4Workspace {
  explicit Rk4Workspace(const World& world)
      : data(world.robot), sweep(world.robot), force(world.robot.dofs.size()),
        qpos(world.robot.qpos0.size()), qvel(world.robot.dofs.size()),
        rate(world.robot.dofs.size()), rate_sum(world.robot.dofs.size()),
        acceleration_sum(world.robot.dofs.size()) {}
  RobotData<T> data;
  ArticulatedSweep<T> sweep;
  std::vector<T> force, qpos, qvel;
  std::vector<T> rate;  // of the coordinates about the step's start: qvel, or θ̇ of a rotation
  std::vector<T> rate_sum, acceleration_sum;
};

namespace rk4_detail {

// Turns a stage's velocities into rates about the step's start; the rates held on entry led here.
template <class T>
void compute_rates(const RobotModel& model, const T& reach, const std::vector<T>& qvel,
                   std::vector<T>& rate) {
  for (const Joint& joint : model.joints) {
    const int first = joint.v_index;
    const int count = velocity_count(joint.type);
    const int rotation = joint.type == JointType::free   ? 3
                         : joint.type == JointType::ball ? 0
                                                         : count;
    for (int k = 0; k < rotation; ++k) rate[first + k] = qvel[first + k];
    if (rotation == count) continue;
    const int r = first + rotation;
    const Vec3<T> theta = reach * Vec3<T>{rate[r], rate[r + 1], rate[r + 2]};
    const Vec3<T> omega{qvel[r], qvel[r + 1], qvel[r + 2]};
    const Vec3<T> c = cross(theta, omega);
    const Vec3<T> out = omega + T(0.5) * c + T(1.0 / 12) * cross(theta, c);
    rate[r] = out.x;
    rate[r + 1] = out.y;
    rate[r + 2] = out.z;
  }
}

}  // namespace rk4_detail

// Moves the state by one step of world.options.timestep. Contacts, joint limits and joint friction
// do not act: the caller makes sure that there are none (see require_smooth).
template <class T>
void step_rk4(const World& world, const Control<T>& command, State<T>& state, Rk4Workspace<T>& w) {
  constexpr double kReach[4] = {0.0, 0.5, 0.5, 1.0};  // how far each stage looks ahead
  constexpr double kWeight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const RobotModel& model = world.robot;
  const double h = world.options.timestep;
  const int nv = model.velocity_size();
  for (int d = 0; d < nv; ++d) w.rate[d] = w.rate_sum[d] = w.acceleration_sum[d] = T(0);
  for (int stage = 0; stage < 4; ++stage) {
    const T reach(h * kReach[stage]);
    w.qpos = state.qpos;
    integrate_positions(model, reach, w.rate.data(), w.qpos.data());
    for (int d = 0; d < nv; ++d) {
      w.qvel[d] = state.qvel[d];
      if (stage > 0) w.qvel[d] += reach * w.sweep.solution[d];
    }
    compute_positions(model, w.qpos.data(), w.data);
    compute_velocities(model, w.qvel.data(), w.data);
    compute_smooth_force(world, command, w.qpos.data(), w.qvel.data(), w.data, w.force);
    forward_dynamics(model, w.data, w.force.data(), w.sweep);
    rk4_detail::compute_rates(model, reach, w.qvel, w.rate);
    for (int d = 0; d < nv; ++d) {
      w.rate_sum[d] += T(kWeight[stage]) * w.rate[d];
      w.acceleration_sum[d] += T(kWeight[stage]) * w.sweep.solution[d];
    }
  }
  for (int d = 0; d < nv; ++d) state.qvel[d] += T(h) * w.acceleration_sum[d];
  integrate_positions(model, T(h), w.rate_sum.data(), state.qpos.data());
  state.time += T(h);
}

// Throws InputError unless the world's forces are smooth, as RK4 needs.
void require_smooth(const World& world);

// One step by the world's integrator. The report of an RK4 step says that there was nothing to solve.
template <class T>
SolverReport<T> advance(const World& world, const Control<T>& command, State<T>& state,
                        StepWorkspace<T>& workspace, Rk4Workspace<T>& rk4) {
  if (world.options.integrator != Integrator::rk4) return step(world, command, state, workspace);
  step_rk4(world, command, state, rk4);
  move_links(world.robot, workspace.tree, world.options.timestep, state.qpos.data(),
             state.qvel.data(), workspace.links);
  return {T(0) < T(1), T(0), T(0), T(0)};
}

}  // namespace footfall
