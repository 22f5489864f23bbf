#include "footfall/step/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "footfall/step/measure.hpp"

namespace footfall {
namespace {

void check_values(const char* what, const std::vector<double>& values, std::size_t size) {
  if (values.size() != size) {
    throw InputError(fmt::format("{} has {} numbers, expected {}", what, values.size(), size));
  }
  const auto bad =
      std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); });
  if (bad != values.end()) {
    throw InputError(
        fmt::format("{}[{}] = {}, expected a finite number", what, bad - values.begin(), *bad));
  }
}

State<double> start_state(const World& world, const std::vector<double>& qpos) {
  const std::vector<double>& pose = qpos.empty() ? world.robot.qpos0 : qpos;
  check_values("qpos", pose, world.robot.qpos0.size());
  return make_state<double>(world, pose);
}

}  // namespace

struct Simulation::Parts {
  Parts(World w, const std::vector<double>& qpos)
      : world(std::move(w)), state(start_state(world, qpos)),
        control(make_control<double>(world.robot)), workspace(world),
        feet(world.soles.feet.size()) {}
  const World world;
  State<double> state;
  Control<double> control;
  StepWorkspace<double> workspace;
  std::vector<FootPatch> feet;
  bool feet_are_stale = false;
};

Simulation::Simulation(World world, const std::vector<double>& qpos)
    : parts_(std::make_unique<Parts>(std::move(world), qpos)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const World& Simulation::world() const { return parts_->world; }
double Simulation::time() const { return parts_->state.time; }
std::vector<double>& Simulation::qpos() { return parts_->state.qpos; }
std::vector<double>& Simulation::qvel() { return parts_->state.qvel; }
Control<double>& Simulation::control() { return parts_->control; }

SolverReport<double> Simulation::step(int count) {
  Parts& p = *parts_;
  const RobotModel& robot = p.world.robot;
  check_values("qpos", p.state.qpos, robot.qpos0.size());
  check_values("qvel", p.state.qvel, robot.dofs.size());
  check_values("control", p.control.control, robot.actuators.size());
  check_values("control.position", p.control.position, robot.actuators.size());
  check_values("control.velocity", p.control.velocity, robot.actuators.size());
  SolverReport<double> report = nothing_to_solve<double>();
  for (int k = 0; k < count; ++k) {
    report = footfall::step(p.world, p.control, p.state, p.workspace);
    p.feet_are_stale = true;
  }
  return report;
}

const std::vector<FootPatch>& Simulation::feet() {
  Parts& p = *parts_;
  if (p.feet_are_stale) summarize_feet(p.world, p.state, p.workspace, p.feet);
  p.feet_are_stale = false;
  return p.feet;
}

Energy Simulation::energy() {
  feet();  // measuring energy overwrites what the last step left
  return measure_energy(parts_->world, parts_->state, parts_->workspace);
}

const State<double>& Simulation::save() const { return parts_->state; }

void Simulation::restore(const State<double>& saved) {
  Parts& p = *parts_;
  check_values("qpos", saved.qpos, p.world.robot.qpos0.size());
  check_values("qvel", saved.qvel, p.world.robot.dofs.size());
  p.state = saved;
  p.feet_are_stale = false;
  std::fill(p.feet.begin(), p.feet.end(), FootPatch{});
}

}  // namespace footfall
