#include "footfall/step/measure.hpp"

#include <cmath>
#include <numeric>

#include "footfall/ground/describe_feet.hpp"

namespace footfall {

void summarize_feet(const World& world, const State<double>& state,
                    StepWorkspace<double>& workspace, std::vector<FootPatch>& patches) {
  list_results(world, workspace);
  describe_feet(world, state, workspace.data, workspace.points, workspace.contact, patches);
}

void summarize_body(const World& world, const StepWorkspace<double>& workspace,
                    BodyContacts& contacts) {
  describe_body_contacts(world, workspace.data, workspace.points, workspace.contact, contacts);
}

namespace {

Vec3d sum_momentum(const RobotModel& model, const RobotData<double>& data) {
  Vec3d sum{0, 0, 0};
  for (int b = 1; b < model.body_count(); ++b) sum += (data.inertia[b] * data.V[b]).lin;
  return sum;
}

// Its rate if no joint were accelerated.
Vec3d sum_momentum_rate(const RobotModel& model, const RobotData<double>& data) {
  Vec3d sum{0, 0, 0};
  for (int b = 1; b < model.body_count(); ++b) {
    const Twist<double>& V = data.V[b];
    const Wrench<double> momentum = data.inertia[b] * V;
    const Twist<double> A = data.A_bias[b] - data.A_bias[0];  // without gravity
    sum += (data.inertia[b] * A).lin + cross(V.ang, momentum.lin);
  }
  return sum;
}

}  // namespace

Momentum measure_momentum(const World& world, const State<double>& before,
                          const State<double>& after, RobotData<double>& data) {
  const RobotModel& model = world.robot;
  const bool moves_once = world.options.integrator != Integrator::rk4;
  Momentum out;
  compute_positions(model, before.qpos.data(), data);
  compute_velocities(model, before.qvel.data(), data);
  const Vec3d start = sum_momentum(model, data);
  if (moves_once) {
    const Vec3d drift = world.options.timestep * sum_momentum_rate(model, data);
    compute_velocities(model, after.qvel.data(), data);
    out.change = sum_momentum(model, data) + drift - start;
  }
  compute_positions(model, after.qpos.data(), data);
  compute_velocities(model, after.qvel.data(), data);
  out.linear = sum_momentum(model, data);
  if (!moves_once) out.change = out.linear - start;
  return out;
}

Energy measure_energy(const World& world, const State<double>& state,
                      StepWorkspace<double>& workspace) {
  const RobotModel& model = world.robot;
  RobotData<double>& data = workspace.data;
  compute_positions(model, state.qpos.data(), data);
  compute_velocities(model, state.qvel.data(), data);
  Energy energy;
  for (int b = 1; b < model.body_count(); ++b) {
    energy.kinetic += 0.5 * dot(data.V[b], data.inertia[b] * data.V[b]);
    const Vec3d com = data.p_WB[b] + data.R_WB[b] * model.bodies[b].com;
    const double weight_share = 1 - model.bodies[b].gravity_compensation;
    energy.gravity -= weight_share * model.bodies[b].mass * dot(model.gravity, com);
  }
  for (int d = 0; d < model.velocity_size(); ++d) {
    energy.kinetic += 0.5 * model.dofs[d].armature * state.qvel[d] * state.qvel[d];
  }
  for (const Joint& joint : model.joints) {
    if (joint.stiffness == 0) continue;
    double force[6];
    forces_detail::spring_force(joint, state.qpos.data(), force);
    for (int k = 0; k < velocity_count(joint.type); ++k) {
      energy.springs += 0.5 * force[k] * force[k] / joint.stiffness;
    }
  }
  move_links(model, workspace.tree, world.options.timestep, state.qpos.data(), state.qvel.data(),
             workspace.links);
  const ContactMemory<double>& memory = state.memory;
  if (std::holds_alternative<ResistiveContact<double>>(workspace.contact)) {
    energy.ground = std::accumulate(memory.energy.begin(), memory.energy.end(), 0.0);
  }
  auto* soils = std::get_if<SoilContact<double>>(&workspace.contact);
  if (soils == nullptr) return energy;  // no other ground stores any
  find_contacts(world, state, workspace, *soils);
  list_contacts(world, *soils, workspace.points);
  for (const ContactPoint<double>& p : workspace.points) {
    const int i = p.sole_point;
    const bool crossed = !memory.soil.empty() && !p.cell.any && has_crossed(memory.soil[i], p.soil);
    const double shear = norm(memory.shear_displacement[i]), spin = memory.spin_displacement[i];
    energy.ground += elastic_energy(p, crossed ? 0 : std::hypot(shear, spin));
  }
  return energy;
}

}  // namespace footfall
