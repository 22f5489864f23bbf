#include "footfall/compare/compare.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>

#include "compare/keep_largest.hpp"
#include "compare/random_state.hpp"
#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/log.hpp"
#include "footfall/robot/dynamics.hpp"
#include "footfall/step/step.hpp"

namespace footfall {
namespace {

double relative_error(const std::vector<double>& ours, const std::vector<double>& theirs) {
  double error = 0;
  double scale = 1e-300;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double difference = std::abs(ours[i] - theirs[i]);
    keep_largest(difference, error);
    scale = std::max(scale, std::abs(theirs[i]));
  }
  return error / scale;
}

// Everything that both programs compute at one state.
struct Dynamics {
  std::vector<double> mass_matrix;   // nv × nv
  std::vector<double> bias_force;    // nv
  std::vector<double> jacobian;      // (bodies − 1) × 6 × nv
  std::vector<double> acceleration;  // nv
};

void set_state(const RandomState& state, const mjModel& m, mjData& d) {
  mj_resetData(&m, &d);
  std::copy(state.qpos.begin(), state.qpos.end(), d.qpos);
  std::copy(state.qvel.begin(), state.qvel.end(), d.qvel);
  std::copy(state.control.begin(), state.control.end(), d.ctrl);
  std::copy(state.applied_force.begin(), state.applied_force.end(), d.qfrc_applied);
}

Dynamics evaluate_theirs(const mjModel& m, const RandomState& state, mjData& d) {
  set_state(state, m, d);
  mj_forward(&m, &d);
  const auto nv = static_cast<std::size_t>(m.nv);
  Dynamics out;
  out.mass_matrix.resize(nv * nv);
  mj_fullM(&m, &d, out.mass_matrix.data());
  out.bias_force.assign(d.qfrc_bias, d.qfrc_bias + nv);
  out.acceleration.assign(d.qacc, d.qacc + nv);
  for (int b = 1; b < m.nbody; ++b) {
    std::vector<double> linear(3 * nv);
    std::vector<double> angular(3 * nv);
    mjtNum p_WC[3];
    mju_mulMatVec3(p_WC, d.xmat + 9 * b, &state.p_BC[b].x);
    mju_addTo3(p_WC, d.xpos + 3 * b);
    mj_jac(&m, &d, linear.data(), angular.data(), p_WC, b);
    out.jacobian.insert(out.jacobian.end(), angular.begin(), angular.end());
    out.jacobian.insert(out.jacobian.end(), linear.begin(), linear.end());
  }
  return out;
}

// q̈ from the forces of our step. The step's balance holds impulses and momentum; over a step of
// 1 s, with what the step treats implicitly or as momentum taken out again, these are the forces at
// the state itself.
std::vector<double> evaluate_acceleration(const World& world, const RandomState& random) {
  using L = Pack<double>;
  const RobotModel& model = world.robot;
  State<double> state = make_state<double>(world, random.qpos);
  state.qvel = random.qvel;
  Control<double> command = make_control<double>(model);
  command.control = random.control;
  StepWorkspace<double> w(world);
  move_links(model, w.tree, world.options.timestep, state.qpos.data(), state.qvel.data(), w.links);
  compute_joint_forces(world, w.tree, w.forces, state, w.links.qvel, command, w.balance, w.rows);

  LinkSweep<double>& sweep = w.solver.sweep;
  for (std::size_t g = 0; g < w.tree.groups.size(); ++g) {
    w.links.wrench[g] += w.links.inertia[g] * w.links.motion[g].V;
  }
  for (std::size_t s = 0; s < w.tree.slots.size(); ++s) {
    const DofSlot<double>& slot = w.tree.slots[s];
    sweep.diagonal[s] = slot.armature;
    sweep.generalized[s] = w.balance.generalized[s] -
                           (slot.armature + slot.damping) * w.links.qvel[s] +
                           gather(random.applied_force.data(), slot.source);
  }
  solve_links(w.tree, w.links, [](int, Sym6<L>&, Wrench<L>&) {}, sweep);
  std::vector<double> acceleration(model.dofs.size());
  for (std::size_t s = 0; s < w.tree.slots.size(); ++s) {
    scatter<double>(sweep.solution[s], w.tree.slots[s].dof, acceleration.data());
  }
  return acceleration;
}

Dynamics evaluate_ours(const World& world, const RandomState& state) {
  const RobotModel& model = world.robot;
  const std::size_t nv = model.dofs.size();
  RobotData<double> data(model);
  compute_positions(model, state.qpos.data(), data);
  compute_velocities(model, state.qvel.data(), data);

  Dynamics out;
  out.mass_matrix.resize(nv * nv);
  std::vector<RigidInertia<double>> composite(model.bodies.size());
  mass_matrix(model, data, composite, out.mass_matrix.data());
  out.bias_force.resize(nv);
  std::vector<Wrench<double>> wrench(model.bodies.size(), zero6<double>());
  bias_force(model, data, wrench, out.bias_force.data());
  out.jacobian.resize(6 * nv * (model.bodies.size() - 1));
  for (int b = 1; b < model.body_count(); ++b) {
    const Vec3d p_WC = data.p_WB[b] + data.R_WB[b] * state.p_BC[b];
    point_jacobian(model, data, b, p_WC, out.jacobian.data() + 6 * nv * (b - 1));
  }
  out.acceleration = evaluate_acceleration(world, state);
  return out;
}

}  // namespace

double DynamicsComparison::largest() const {
  double all = 0;
  for (double error : {mass_matrix, bias_force, jacobian, forward_dynamics}) {
    keep_largest(error, all);
  }
  return all;
}

DynamicsComparison compare_dynamics(const RobotModel& ours, const mjModel_& theirs,
                                    int random_states, unsigned seed) {
  const MujocoLogScope log;
  const MjModelPtr m(mj_copyModel(nullptr, &theirs));
  m->opt.disableflags |= mjDSBL_CONSTRAINT;  // no contacts, limits, dry friction
  const MjDataPtr d = make_mujoco_data(*m);

  World world;
  world.robot = ours;
  world.options.timestep = 1;
  world.options.integrator = Integrator::euler;
  world.options.joint_limits = false;
  world.options.joint_friction = false;
  world.joint_inertia.assign(ours.dofs.size(), 1.0);

  DynamicsComparison result;
  RandomStates states(ours, seed);
  for (; result.states < random_states; ++result.states) {
    const RandomState state = states.next();
    const Dynamics a = evaluate_ours(world, state);
    const Dynamics b = evaluate_theirs(*m, state, *d);
    keep_largest(relative_error(a.mass_matrix, b.mass_matrix), result.mass_matrix);
    keep_largest(relative_error(a.bias_force, b.bias_force), result.bias_force);
    keep_largest(relative_error(a.jacobian, b.jacobian), result.jacobian);
    keep_largest(relative_error(a.acceleration, b.acceleration), result.forward_dynamics);
  }
  return result;
}

}  // namespace footfall
