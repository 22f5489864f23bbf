#include "footfall/step/soft_forces.hpp"

#include <algorithm>

namespace footfall {
namespace {

using L = Pack<double>;

// Sets the trial velocities of contacts and rows to v = qvel + h·acceleration, and evaluates.
void evaluate_at(const World& world, const State<double>& state,
                 const std::vector<double>& acceleration, StepWorkspace<double>& w,
                 SoftContact<double>& soft) {
  const double h = world.options.timestep;
  std::vector<double> v(state.qvel);
  for (std::size_t d = 0; d < v.size(); ++d) v[d] += h * acceleration[d];
  RobotData<double>& data = w.data;
  compute_positions(world.robot, state.qpos.data(), data);
  compute_velocities(world.robot, v.data(), data);
  for (int i = 0; i < soft.terms.count; ++i) {
    SoftPoint<L>& c = soft.terms.contacts[i];
    const SoftPack<double>& pack = soft.plan.packs[soft.terms.places[i].sole_pack];
    Twist<L> V = zero6<L>();
    for (int k = 0; k < pack_size<double>; ++k) {
      if (pack.candidate[k] < 0) continue;
      const int body = soft.plan.pairings[soft.plan.candidates[pack.candidate[k]].pairing].body;
      set_item<double>(V.ang, k, data.V[body].ang);
      set_item<double>(V.lin, k, data.V[body].lin);
    }
    c.velocity = row_velocity(c, V);
    const SoftValue<L> value = evaluate_soft(c, c.velocity);
    c.gradient = value.gradient;
    c.curvature = value.curvature;
  }
  for (JointRow<L>& row : w.rows) {
    row.velocity = gather(v.data(), w.tree.slots[row.slot].source);
    evaluate_row(row);
  }
}

// Adds Jᵀ(moment, force) of a wrench at a point of a body.
void add_wrench(const RobotModel& robot, const RobotData<double>& data, int body, const Vec3d& p_W,
                const Vec3d& moment, const Vec3d& force, std::vector<double>& generalized) {
  const std::size_t nv = robot.dofs.size();
  std::vector<double> jacobian(6 * nv);
  point_jacobian(robot, data, body, p_W, jacobian.data());
  const double wrench[6] = {moment.x, moment.y, moment.z, force.x, force.y, force.z};
  for (std::size_t d = 0; d < nv; ++d) {
    for (std::size_t k = 0; k < 6; ++k) generalized[d] += wrench[k] * jacobian[k * nv + d];
  }
}

// M a + C, less springs, damping and gravity compensation.
std::vector<double> smooth_inverse(const RobotModel& robot, const State<double>& state,
                                   const std::vector<double>& acceleration,
                                   const RobotData<double>& data) {
  const std::size_t nv = robot.dofs.size();
  std::vector<RigidInertia<double>> composite(robot.bodies.size());
  std::vector<double> M(nv * nv), out(nv);
  mass_matrix(robot, data, composite, M.data());
  std::vector<Wrench<double>> wrench(robot.bodies.size(), zero6<double>());
  bias_force(robot, data, wrench, out.data());
  for (std::size_t d = 0; d < nv; ++d) {
    out[d] += robot.dofs[d].damping * state.qvel[d];
    for (std::size_t e = 0; e < nv; ++e) out[d] += M[d * nv + e] * acceleration[e];
  }
  for (const Joint& joint : robot.joints) {
    if (joint.stiffness == 0) continue;
    double force[6];
    forces_detail::spring_force(joint, state.qpos.data(), force);
    for (int k = 0; k < velocity_count(joint.type); ++k) out[joint.v_index + k] -= force[k];
  }
  for (int b = 1; b < robot.body_count(); ++b) {
    const Body& body = robot.bodies[b];
    if (body.gravity_compensation == 0) continue;
    add_wrench(robot, data, b, data.p_WB[b] + data.R_WB[b] * body.com, {0, 0, 0},
               (body.gravity_compensation * body.mass) * robot.gravity, out);
  }
  return out;
}

}  // namespace

SoftForces list_soft_forces(const World& world, const StepWorkspace<double>& w) {
  SoftForces out;
  const auto& soft = std::get<SoftContact<double>>(w.contact);
  std::vector<std::pair<int, SoftContactForce>> found;  // by slot
  for (int i = 0; i < soft.terms.count; ++i) {
    const SoftPoint<L>& c = soft.terms.contacts[i];
    const SoftPack<double>& pack = soft.plan.packs[soft.terms.places[i].sole_pack];
    for (int k = 0; k < pack_size<double>; ++k) {
      if (pack.candidate[k] < 0 || c.is_used[k] == 0) continue;
      const SoftCandidate& candidate = soft.plan.candidates[pack.candidate[k]];
      const SoftPairing& pairing = soft.model.pairings[candidate.pairing];
      const int tree = w.tree.plan.links[soft.plan.pairings[candidate.pairing].link].tree;
      const double s = -1 / c.step[k];
      SoftContactForce contact;
      contact.geom = pairing.geom;
      contact.plane = pairing.plane;
      contact.position = w.links.origin[tree] + get_item<double>(c.p_OC, k);
      contact.R_WC = get_item<double>(c.R_WC, k);
      contact.distance = c.distance[k];
      contact.force = s * get_item<double>(c.gradient.lin, k);
      contact.moment = s * get_item<double>(c.gradient.ang, k);
      found.emplace_back(pack.candidate[k], contact);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [slot, contact] : found) out.contacts.push_back(contact);
  out.joint_force.assign(world.robot.dofs.size(), 0.0);
  for (const JointRow<L>& row : w.rows) {
    for (int k = 0; k < pack_size<double>; ++k) {
      const int dof = w.tree.slots[row.slot].dof[k];
      if (dof >= 0) out.joint_force[dof] -= row.gradient[k] / world.options.timestep;
    }
  }
  return out;
}

SoftInverse force_from_acceleration(const World& world, const State<double>& state,
                                    const std::vector<double>& acceleration,
                                    StepWorkspace<double>& w) {
  const RobotModel& robot = world.robot;
  const auto nv = robot.dofs.size();
  // actuators are no constraints: without them the rows are limits and friction alone
  const Control<double> nothing = make_control<double>(robot);
  ForcePlan<double> plan = w.forces;
  plan.actuators.clear();
  move_links(robot, w.tree, world.options.timestep, state.qpos.data(), state.qvel.data(), w.links);
  auto& soft = std::get<SoftContact<double>>(w.contact);
  compute_joint_forces(world, w.tree, plan, state, w.links.qvel, nothing, w.balance, w.rows,
                       find_dof_diagonal(w.tree, w.links, w.forces.slots, soft.exact));
  find_contacts(world, state, w, soft);
  evaluate_at(world, state, acceleration, w, soft);
  SoftInverse out;
  out.constraints = list_soft_forces(world, w);
  out.constraint_force = out.constraints.joint_force;
  RobotData<double>& data = w.data;
  compute_velocities(robot, state.qvel.data(), data);
  for (const SoftContactForce& c : out.constraints.contacts) {
    add_wrench(robot, data, robot.geoms[c.geom].body, c.position, c.R_WC * c.moment,
               c.R_WC * c.force, out.constraint_force);
  }
  out.applied_force = smooth_inverse(robot, state, acceleration, data);
  for (std::size_t d = 0; d < nv; ++d) out.applied_force[d] -= out.constraint_force[d];
  return out;
}

}  // namespace footfall
