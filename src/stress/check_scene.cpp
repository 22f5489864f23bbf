#include "stress/check_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compare/random_scenes.hpp"
#include "footfall/step/batch.hpp"
#include "footfall/step/measure.hpp"
#include "footfall/step/rk4.hpp"

namespace footfall::stress_scenes {
namespace {

// What a step may give by rounding and by the solver's tolerance, over weight times a metre.
constexpr double kEnergyOfAStep = 1e-7;
// What a whole scene may give: the ground's springs are measured where the soles are after the step, which has turned
// them by more than its linearised motion says.
constexpr double kEnergyOfAScene = 1e-3;
constexpr double kMomentum = 1e-9;  // over the largest force's impulse
// Hard ground's points share what their friction cones cut in rounds, which end at the solver's tolerance, 1e-8.
constexpr double kMomentumOfRounds = 1e-7;
constexpr double kRounding = 1e-12;  // of the momentum itself
// Friction's limits follow the normal forces to a thousandth of the largest force (SolverOptions::friction_tolerance), in lanes
// by other ways than alone: over a step the velocities of light links differ by some times that share.
constexpr double kLaneDifference = 1e-2;

// Motors are told something new every 50 ms.
void drive(const Scene& scene, const World& world, std::int64_t step, SceneRandom& random,
           Control<double>& control) {
  if (scene.is_passive) return;
  const auto every = static_cast<std::int64_t>(std::ceil(0.05 / world.options.timestep));
  if (step % every != 1) return;
  const double torque = 0.05 * world.force_scale;
  for (std::size_t i = 0; i < control.control.size(); ++i) {
    const bool is_servo = world.robot.actuators[i].bias1 != 0;
    control.control[i] = is_servo ? random.uniform(-1, 1) : random.uniform(-torque, torque);
  }
}

// A world, its robot and everything that a run of it needs.
class Runner {
 public:
  Runner(const Scene& scene, const Scenario& scenario, const RunSetup& setup, unsigned seed)
      : state(setup.state), control(setup.controller.start), workspace(setup.world), scene_(scene),
        world_(setup.world), random_(seed), pusher_(world_.robot, scenario.pushes), rk4_(world_) {}

  // Step n, counted from 1.
  void step(std::int64_t n) {
    pusher_.push(world_.robot, state.time, world_.options.timestep, state.qpos, state.qvel);
    drive(scene_, world_, n, random_, control);
    before = state;
    report = advance(world_, control, state, workspace, rk4_);
    state.time = static_cast<double>(n) * world_.options.timestep;
  }

  State<double> state, before;
  Control<double> control;
  SolverReport<double> report{};
  StepWorkspace<double> workspace;

 private:
  const Scene& scene_;
  const World& world_;
  SceneRandom random_;
  Pusher pusher_;
  Rk4Workspace<double> rk4_;
};

// The same step in the air: what the ground has done is the difference.
class AirStep {
 public:
  explicit AirStep(const World& world)
      : world_(make_world(world.robot, Terrain{}, NoGround{}, world.soles, world.options)),
        workspace_(world_), rk4_(world_), state_(make_state<double>(world_, world.robot.qpos0)) {}

  // Kinetic energy that contact has added to the robot in the pose before the step [J].
  double kinetic_gain(const Control<double>& control, const State<double>& before,
                      const State<double>& after) {
    place(before.qpos, before.qvel, before.time);
    advance(world_, control, state_, workspace_, rk4_);
    const std::vector<double> in_air = state_.qvel;
    const double air = kinetic(before, in_air), ground = kinetic(before, after.qvel);
    double damped = 0;  // that slower joints have not lost
    for (std::size_t d = 0; d < in_air.size(); ++d) {
      damped +=
          0.5 * world_.options.timestep * world_.robot.dofs[d].damping * in_air[d] * in_air[d];
    }
    return ground - air - damped;
  }

 private:
  void place(const std::vector<double>& qpos, const std::vector<double>& qvel, double time) {
    state_.time = time;
    state_.qpos = qpos;
    state_.qvel = qvel;
  }
  double kinetic(const State<double>& pose, const std::vector<double>& qvel) {
    place(pose.qpos, qvel, pose.time);
    return measure_energy(world_, state_, workspace_).kinetic;
  }

  World world_;
  StepWorkspace<double> workspace_;
  Rk4Workspace<double> rk4_;
  State<double> state_;
};

// Everything that is looked at after a step.
class StepChecks {
 public:
  StepChecks(const Scene& scene, const RunSetup& setup)
      : world_(setup.world), feet_(world_.soles.feet.size()), body_(make_body_contacts(world_)) {
    // the ground's forces are all there are on a robot that nothing else holds
    is_free_ = world_.robot.joints[0].type == JointType::free &&
               soft_constraints(world_.ground) == nullptr;
    if (!scene.gives_no_energy) return;
    air_.emplace(world_);
    StepWorkspace<double> workspace(world_);
    last_ground_ = measure_energy(world_, setup.state, workspace).ground;
  }

  // The check that fails, and how; empty: none.
  std::pair<const char*, std::string> find_fault(Runner& run) {
    if (!is_finite(run.state)) {
      return {"finite", describe_failure(world_, run.before, run.state, run.workspace)};
    }
    list_results(world_, run.workspace);
    summarize_body(world_, run.workspace, body_);
    summarize_feet(world_, run.state, run.workspace, feet_);
    if (std::string text = momentum_fault(run); !text.empty()) return {"momentum", text};
    if (std::string text = pull_fault(); !text.empty()) return {"no pull", text};
    if (std::string text = memory_fault(run.state.memory.plastic); !text.empty()) {
      return {"memory", text};
    }
    if (air_) {
      if (std::string text = energy_fault(run); !text.empty()) return {"energy", text};
    }
    return {};
  }
  double energy_rise() const { return rise_; }

 private:
  std::string momentum_fault(Runner& run) {
    if (!is_free_) return {};
    const Momentum m = measure_momentum(world_, run.before, run.state, run.workspace.data);
    const double h = world_.options.timestep;
    Vec3d forces = body_.force + world_.robot.total_mass() * world_.robot.gravity;
    double largest = world_.force_scale + norm(body_.force);
    for (const FootPatch& p : feet_) {
      forces += p.force;
      largest = std::fmax(largest, norm(p.force));
    }
    const double error = norm(m.change - h * forces);
    const bool in_rounds = std::holds_alternative<PenaltyGround>(world_.ground);
    const double allowed = (in_rounds ? kMomentumOfRounds : kMomentum) * h * largest;
    if (error <= allowed + kRounding * norm(m.linear)) return {};
    return fmt::format(
        "the forces leave {:.3g} N s of the momentum's change unexplained, the largest "
        "is {:.3g} N",
        error, largest);
  }

  std::string pull_fault() const {
    const double least = -1e-9 * world_.force_scale;
    for (std::size_t i = 0; i < feet_.size(); ++i) {
      if (feet_[i].normal_force >= least || keeps_pulling()) continue;
      return fmt::format("foot '{}' is pulled down with {:.3g} N", world_.soles.feet[i].name,
                         -feet_[i].normal_force);
    }
    return {};
  }
  // Grains on surface elements hold a foot that is pulled out, so the theory has it.
  bool keeps_pulling() const {
    return std::holds_alternative<ResistiveGround>(world_.ground) ||
           wrench_space(world_.ground) != nullptr;
  }

  std::string memory_fault(const PlasticMemory<double>& p) const {
    const SoilGround* soils = soil_ground(world_.ground);
    const bool has_rims =
        soils != nullptr && soils->ruts.rim_share > 0;  // a print on one lies high
    for (std::size_t i = 0; i < p.plastic_sinkage.size(); ++i) {
      const double now = p.plastic_sinkage[i], most = p.sinkage_max[i];
      const bool shallow = has_rims || now >= -1e-12;
      if (std::isfinite(now) && shallow && now <= most + 1e-9 * std::abs(most) + 1e-12) continue;
      return fmt::format("point {} has a footprint {:.6g} m deep, its greatest depth was {:.6g} m",
                         i, now, most);
    }
    return {};
  }

  std::string energy_fault(Runner& run) {
    const double ground = measure_energy(world_, run.state, run.workspace).ground;
    const double gain =
        air_->kinetic_gain(run.control, run.before, run.state) + ground - last_ground_;
    last_ground_ = ground;
    if (gain <= kEnergyOfAStep * world_.force_scale) return {};
    rise_ += gain / world_.force_scale;
    if (rise_ <= kEnergyOfAScene) return {};
    return fmt::format("the ground has given {:.3g} J, {:.3g} of them in this step; the robot's "
                       "weight over a metre is {:.3g} J",
                       rise_ * world_.force_scale, gain, world_.force_scale);
  }

  const World& world_;
  std::vector<FootPatch> feet_;
  BodyContacts body_;
  bool is_free_ = false;
  std::optional<AirStep> air_;
  double last_ground_ = 0;  // energy of the ground's springs [J]
  double rise_ = 0;         // over weight times a metre
};

bool same_bits(const State<double>& a, const State<double>& b) {
  return a.qpos == b.qpos && a.qvel == b.qvel && a.memory.normal_force == b.memory.normal_force &&
         a.memory.plastic.plastic_sinkage == b.memory.plastic.plastic_sinkage;
}

// Eight of the same robot in lanes against one alone, for a step from a state in the middle of the scene.
std::optional<Fault> find_lane_fault(const RunSetup& setup, const State<double>& start,
                                     const Control<double>& control) {
  const auto world = std::make_shared<const BatchWorld>(setup.world, start);
  Batch lanes(std::vector(8, world), {.threads = 1});
  if (!lanes.lanes()) return std::nullopt;
  Batch alone(std::vector(1, world), {.threads = 1, .lanes = false});
  for (Batch* batch : {&lanes, &alone}) {
    BatchArrays& a = batch->arrays();
    for (int k = 0; k < batch->size(); ++k) {
      std::copy(control.control.begin(), control.control.end(),
                a.control.begin() + k * static_cast<std::ptrdiff_t>(control.control.size()));
    }
    batch->step(1);
  }
  const std::vector<double>&x = alone.arrays().qvel, &y = lanes.arrays().qvel;
  double largest = norm(setup.world.robot.gravity) * setup.world.options.timestep;
  for (const double v : x) largest = std::fmax(largest, std::abs(v));
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double wanted = x[i % x.size()];
    if (std::abs(y[i] - wanted) <= kLaneDifference * largest) continue;
    return Fault{"lanes",
                 fmt::format("after a step velocity {} is {:.9g} in lane {}, {:.9g} alone",
                             i % x.size(), y[i], i / x.size(), wanted),
                 {}};
  }
  return std::nullopt;
}

}  // namespace

SceneResult check_scene(const Scene& scene, const Scenario& scenario, unsigned seed) {
  const RunSetup setup = prepare_run(scenario);
  const std::int64_t total = step_count(scenario), half = total / 2;
  SceneResult result;
  Runner run(scene, scenario, setup, seed);
  StepChecks checks(scene, setup);
  State<double> middle;
  Control<double> told;
  for (std::int64_t n = 1; n <= total; ++n) {
    run.step(n);
    ++result.steps;
    const auto [check, what] = checks.find_fault(run);
    result.energy_rise = checks.energy_rise();
    if (!what.empty()) {
      result.fault = Fault{check, what, StepRecord{n, run.before, run.control, "footfall stress"}};
      return result;
    }
    if (n == half) {
      middle = run.state;
      told = run.control;
    }
  }
  // again: the first half from the start, the second from what was saved, with nothing else kept
  Runner again(scene, scenario, setup, seed);
  for (std::int64_t n = 1; n <= total; ++n) {
    again.step(n);
    if (n != half) continue;
    if (!same_bits(again.state, middle)) {
      result.fault = Fault{"repeat", "a second run has other bits in its middle", {}};
      return result;
    }
    again.state = middle;
    again.workspace = StepWorkspace<double>(setup.world);
  }
  if (!same_bits(again.state, run.state)) {
    result.fault = Fault{
        "restore", "a run that was saved and restored in its middle ends with other bits", {}};
    return result;
  }
  if (half > 0) result.fault = find_lane_fault(setup, middle, told);
  return result;
}

}  // namespace footfall::stress_scenes
