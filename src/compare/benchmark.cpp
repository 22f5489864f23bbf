#include "footfall/compare/benchmark.hpp"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>

#include "footfall/granular/learning.hpp"
#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/load.hpp"
#include "footfall/mujoco/log.hpp"
#include "footfall/mujoco/soft_world.hpp"
#include "footfall/robot/feet.hpp"
#include "input_error.hpp"
#include "io/data_folders.hpp"
#include "mujoco/build.hpp"

namespace footfall {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kPlane = "footfall_ground";
constexpr double kRestart = 0.5;  // random control starts anew after this time [s]
constexpr int kHold = 20;         // steps for which a random control is held
constexpr double kSettle = 3.0;   // time given to come to rest before standing is timed [s]

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Numbers in [−1, 1), the same for both programs.
class Noise {
 public:
  double operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1.0;
  }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15ULL;
};

// The MuJoCo geom of our geom `index`: the same place in the same body's list.
int mujoco_geom(const RobotModel& robot, const mjModel& model, int index) {
  const int body = robot.geoms[index].body;
  int place = 0;
  for (int i = 0; i < index; ++i) place += robot.geoms[i].body == body ? 1 : 0;
  return model.body_geomadr[body] + place;
}

// The robot's file with a level plane, which only the feet can touch.
MjModelPtr load_on_plane(const std::filesystem::path& file, const RobotModel& robot,
                         const std::vector<int>& feet, double timestep) {
  MjModelPtr model = from_mujoco::compile_edited(file.string(), nullptr, [](mjSpec& spec) {
    mjsGeom* plane = mjs_addGeom(mjs_findBody(&spec, "world"), nullptr);
    mjs_setName(plane->element, kPlane);
    plane->type = mjGEOM_PLANE;
    plane->size[0] = plane->size[1] = 100;
    plane->size[2] = 1;
    plane->contype = 1;
    plane->conaffinity = 0;
  });
  const int plane_id = mj_name2id(model.get(), mjOBJ_GEOM, kPlane);
  for (int g = 0; g < model->ngeom; ++g) {
    if (g != plane_id) model->geom_contype[g] = model->geom_conaffinity[g] = 0;
  }
  for (int b = 0; b < model->nbody; ++b) model->body_contype[b] = model->body_conaffinity[b] = 0;
  model->body_contype[0] = 1;
  for (const int foot : feet) {
    const int g = mujoco_geom(robot, *model, foot);
    model->geom_conaffinity[g] = model->body_conaffinity[model->geom_bodyid[g]] = 1;
  }
  model->opt.timestep = timestep;
  model->opt.cone = mjCONE_ELLIPTIC;
  model->opt.solver = mjSOL_NEWTON;
  return model;
}

// One robot and how it is driven.
struct Setup {
  World world;
  std::vector<double> pose;
  double kp, kd;
  bool random;
};

double random_control(const RobotModel& robot, int actuator, const std::vector<double>& pose,
                      double noise) {
  const Actuator& a = robot.actuators[actuator];
  if (a.bias1 != 0) return pose[robot.joints[a.joint].q_index] + noise;  // a servo: ±1 rad
  if (a.force_limited) return noise * a.force_upper;
  return noise * (a.control_limited ? a.control_upper : 30.0);
}

// Sets the command of a step: a new random one every kHold steps, or the pose to hold.
template <class T>
void command_step(const Setup& setup, int step_number, Noise& noise, Control<T>& command) {
  if (!setup.random || step_number % kHold != 0) return;
  for (std::size_t i = 0; i < command.control.size(); ++i) {
    for (int l = 0; l < lane_count<T>; ++l) {
      set_lane(command.control[i], l,
               random_control(setup.world.robot, static_cast<int>(i), setup.pose, noise()));
    }
  }
}

template <class T>
Control<T> first_command(const Setup& setup) {
  Control<T> command = make_control<T>(setup.world.robot);
  for (std::size_t i = 0; i < command.control.size(); ++i) {
    const Actuator& a = setup.world.robot.actuators[i];
    const double target = setup.pose[setup.world.robot.joints[a.joint].q_index];
    command.position[i] = T(target);
    if (a.bias1 != 0) command.control[i] = T(target);
    const bool servo = a.bias1 == 0 && !setup.random;
    command.kp[i] = servo ? setup.kp : 0;
    command.kd[i] = servo ? setup.kd : 0;
  }
  return command;
}

struct Timing {
  double step_time = 0;  // per robot [s]
  double iterations = 0;
  double contacts = 0;
  std::array<double, kStageCount> stages{};
  double qp = 0;
  double whole = 0;  // of all stages, median over steps [s]
};

template <class T>
double touching_feet(const World& world, const ContactMemory<T>& memory) {
  int count = 0, last = -1;
  for (std::size_t i = 0; i < world.soles.points.size(); ++i) {
    const int foot = world.soles.points[i].foot;
    if (foot != last && lane(memory.normal_force[i], 0) > 0) {
      ++count;
      last = foot;
    }
  }
  return count;
}

template <class T>
Timing time_ours(const Setup& setup, int steps, bool stages) {
  const World& world = setup.world;
  const double h = world.options.timestep;
  const State<T> start = make_state<T>(world, setup.pose);
  State<T> state = start;
  StepWorkspace<T> workspace(world);
  Control<T> command = first_command<T>(setup);
  Noise noise;
  if (!setup.random) {
    for (int k = 0; k < kSettle / h; ++k) step(world, command, state, workspace);
  }
  workspace.times.on = stages;
  GranularContact* grains = nullptr;
  if constexpr (std::is_same_v<T, double>) {
    grains = std::get_if<GranularContact>(&workspace.contact);
  }
  if (grains != nullptr) grains->timed = stages;
  const int restart = static_cast<int>(kRestart / h);
  Timing timing;
  std::array<std::vector<double>, kStageCount> stage_times;  // of each step [s]
  std::vector<double> qp_times{0}, whole_times{0};
  if (stages) {
    for (std::vector<double>& times : stage_times) times.reserve(steps);
  }
  const Clock::time_point begin = Clock::now();
  for (int k = 0; k < steps; ++k) {
    if (setup.random && k % restart == 0) state = start;
    command_step(setup, k, noise, command);
    const SolverReport<T> report = step(world, command, state, workspace);
    timing.iterations += lane(report.iterations, 0) / steps;
    if (stages) {
      timing.contacts += touching_feet(world, state.memory) / steps;
      for (int s = 0; s < kStageCount; ++s) {
        stage_times[s].push_back(workspace.times.seconds[s] / lane_count<T>);
      }
      if (grains != nullptr) qp_times.push_back(grains->qp_seconds);
      whole_times.push_back(
          std::accumulate(workspace.times.seconds.begin(), workspace.times.seconds.end(), 0.0) /
          lane_count<T>);
    }
  }
  timing.step_time = seconds_since(begin) / steps / lane_count<T>;
  if (stages) {
    for (int s = 0; s < kStageCount; ++s) timing.stages[s] = median(std::move(stage_times[s]));
    timing.qp = median(std::move(qp_times));
    timing.whole = median(std::move(whole_times));
  }
  return timing;
}

Timing time_mujoco(const Setup& setup, const mjModel& model, mjData& data, int steps) {
  const RobotModel& robot = setup.world.robot;
  const auto reset = [&] {
    mj_resetData(&model, &data);
    std::copy(setup.pose.begin(), setup.pose.end(), data.qpos);
  };
  const auto hold = [&] {
    for (int i = 0; i < model.nu; ++i) {
      const Actuator& a = robot.actuators[i];
      const Joint& joint = robot.joints[a.joint];
      const double target = setup.pose[joint.q_index];
      data.ctrl[i] = a.bias1 != 0 ? target
                                  : (setup.kp * (target - data.qpos[joint.q_index]) -
                                     setup.kd * data.qvel[joint.v_index]) /
                                        (a.gear * a.gain);
    }
  };
  reset();
  Noise noise;
  if (!setup.random) {
    for (int k = 0; k < kSettle / model.opt.timestep; ++k) {
      hold();
      mj_step(&model, &data);
    }
  }
  const int restart = static_cast<int>(kRestart / model.opt.timestep);
  Timing timing;
  const Clock::time_point begin = Clock::now();
  for (int k = 0; k < steps; ++k) {
    if (!setup.random) {
      hold();
    } else {
      if (k % restart == 0) reset();
      if (k % kHold == 0) {
        for (int i = 0; i < model.nu; ++i) {
          data.ctrl[i] = random_control(robot, i, setup.pose, noise());
        }
      }
    }
    mj_step(&model, &data);
    timing.iterations += static_cast<double>(data.solver_niter[0]) / steps;
    timing.contacts += static_cast<double>(data.ncon) / steps;
  }
  timing.step_time = seconds_since(begin) / steps;
  return timing;
}

// Ours alone: all times are medians over steps, which a busy machine disturbs least.
BenchmarkCase run_alone(const Setup& setup, const BenchmarkOptions& options) {
  BenchmarkCase out;
  out.name = setup.random ? "random control" : "standing";
  std::vector<double> whole, qp;
  std::array<std::vector<double>, kStageCount> stages;
  for (int r = 0; r < options.repeats; ++r) {
    const Timing timing = time_ours<double>(setup, options.steps, true);
    whole.push_back(timing.whole);
    qp.push_back(timing.qp);
    for (int s = 0; s < kStageCount; ++s) stages[s].push_back(timing.stages[s]);
    out.solver_iterations = timing.iterations;
    out.touching_feet = timing.contacts;
  }
  out.step_time = median(whole);
  out.qp_time = median(qp);
  for (int s = 0; s < kStageCount; ++s) out.stages[s] = median(stages[s]);
  return out;
}

BenchmarkCase run_case(const Setup& setup, const mjModel& model, mjData& data,
                       const BenchmarkOptions& options) {
  BenchmarkCase out;
  out.name = setup.random ? "random control" : "standing";
  std::vector<double> ours, lanes, mujoco;
  for (int r = 0; r < options.repeats; ++r) {  // in turns, so that a slow spell hits all alike
    const Timing a = time_ours<double>(setup, options.steps, false);
    const Timing b = time_mujoco(setup, model, data, options.steps);
    ours.push_back(a.step_time);
    mujoco.push_back(b.step_time);
    if (!options.feedback_linearized) {
      lanes.push_back(time_ours<Lane8>(setup, options.steps / 2, false).step_time);
    }
    out.solver_iterations = a.iterations;
    out.mujoco_solver_iterations = b.iterations;
    out.mujoco_contacts = b.contacts;
  }
  const Timing staged = time_ours<double>(setup, options.steps, true);
  out.stages = staged.stages;
  out.touching_feet = staged.contacts;
  if (!setup.random && out.touching_feet > 0 && out.mujoco_contacts == 0) {
    throw input_error("{}: stands on {:.1f} feet here but touches nothing in MuJoCo, so the race "
                      "would not be fair",
                      setup.world.robot.name, out.touching_feet);
  }
  out.step_time = median(ours);
  out.mujoco_step_time = median(mujoco);
  out.ratio = out.mujoco_step_time / out.step_time;
  if (lanes.empty()) return out;
  out.lanes_step_time = median(lanes);
  out.lanes_ratio = out.mujoco_step_time / out.lanes_step_time;
  return out;
}

void check_gain(const char* name, double value) {
  if (!(value >= 0 && std::isfinite(value))) {
    throw input_error("{} = {}, expected 0 or more", name, value);
  }
}

}  // namespace

Benchmark benchmark_robot(const std::filesystem::path& file, const BenchmarkOptions& options) {
  check_gain("kp", options.kp);
  check_gain("kd", options.kd);
  require_mujoco_file(file);
  const MujocoLogScope quiet;
  RobotModel robot = load_robot(file);
  const std::vector<int> feet = find_feet(robot);
  if (feet.empty()) throw input_error("{}: found no feet, so nothing to stand on", file.string());
  const std::vector<double> pose = standing_pose(robot);
  if (options.soft_constraints + options.feedback_linearized + !options.wrench_database.empty() >
      1) {
    throw InputError("soft constraints, feedback linearisation or wrench spaces, only one of them");
  }
  Soles soles = make_soles(robot, feet, false, pose,
                           options.feedback_linearized ? SolePoints::corners
                           : options.soft_constraints  ? SolePoints::geoms
                                                       : SolePoints::shares);
  // Ding 2013, Table 4, loose clay; friction as MuJoCo's feet have it in the shipped robots
  const CompliantGround<double> clay{3.4e5, 1, 1.8e3, 0, 1, 2.6e5, 1.5e3, 0.8};
  StepOptions step_options;
  step_options.timestep = options.timestep;
  if (options.soft_constraints) step_options.integrator = Integrator::euler;
  const MjModelPtr model = load_on_plane(file, robot, feet, options.timestep);
  const MjDataPtr data = make_mujoco_data(*model);
  Benchmark out;
  out.robot = robot.name;
  out.options = options;
  for (const Foot& foot : soles.feet) out.feet.push_back(foot.name);
  const double share = robot.total_mass() / 15.0;  // of the shipped quadruped's mass
  Ground ground = SoilGround{{{"loose-clay", clay}}};
  if (options.soft_constraints) ground = SoftGround{"soft constraints", build_soft_model(*model)};
  if (options.feedback_linearized) {
    ground = PenaltyGround{PenaltyModel{}, {{"loose-clay", clay.friction_coefficient}}};
  }
  if (!options.wrench_database.empty()) {
    const WrenchDatabase database =
        read_wrench_database(find_file(medium_files(), options.wrench_database, "", "--database"));
    ground =
        GranularGround{database.medium,
                       std::make_shared<WrenchSpace>(learn_wrenches(database), WrenchSpaceOptions{},
                                                     robot, soles, Terrain{}, pose)};
    out.medium = database.medium;
  }
  Setup setup{make_world(std::move(robot), {}, std::move(ground), std::move(soles), step_options),
              pose, options.kp > 0 ? options.kp : 100 * share,
              options.kd > 0 ? options.kd : 2 * share, false};
  for (const bool random : {false, true}) {
    setup.random = random;
    out.cases.push_back(!out.medium.empty() ? run_alone(setup, options)
                                            : run_case(setup, *model, *data, options));
  }
  return out;
}

namespace {

const char* contact_text(const BenchmarkOptions& options) {
  if (options.feedback_linearized) return "feedback linearisation here";
  return options.soft_constraints ? "soft constraints in both" : "compliant ground here";
}

std::string describe_alone(const Benchmark& b) {
  std::string text = fmt::format(
      "{}: {} feet in {}, step {:g} ms, medians over steps in {} repeats of {}, one core\n"
      "  {:<16}{:>10}{:>12}{:>9}{:>15}{:>8}{:>8}{:>7}   {}\n",
      b.robot, b.feet.size(), b.medium, 1e3 * b.options.timestep, b.options.repeats,
      b.options.steps, "", "step", "kinematics", "forces", "interpolation", "QP", "rest", "feet",
      "Zhu 2019: 0.343 s");
  for (const BenchmarkCase& c : b.cases) {
    const auto stage = [&](Stage s) { return c.stages[static_cast<std::size_t>(s)]; };
    const double rest =
        stage(Stage::solve) - c.qp_time + stage(Stage::integrate) + stage(Stage::commit);
    text += fmt::format("  {:<16}{:>7.2f} µs{:>9.2f} µs{:>6.2f} µs{:>12.2f} µs{:>5.2f} µs{:>5.2f} "
                        "µs{:>7.1f}   {:.0f} "
                        "times as fast\n",
                        c.name, 1e6 * c.step_time, 1e6 * stage(Stage::kinematics),
                        1e6 * stage(Stage::forces), 1e6 * stage(Stage::contacts), 1e6 * c.qp_time,
                        1e6 * rest, c.touching_feet, kZhuStepTime / c.step_time);
  }
  return text;
}

}  // namespace

std::string describe(const Benchmark& b) {
  if (!b.medium.empty()) return describe_alone(b);
  std::string text =
      fmt::format("{}: {} feet, step {:g} ms, {}, medians of {} repeats of {} steps, one core\n",
                  b.robot, b.feet.size(), 1e3 * b.options.timestep, contact_text(b.options),
                  b.options.repeats, b.options.steps);
  const bool lanes = !b.options.feedback_linearized;
  text += fmt::format("  {:<16}{:>10}{:>10}{:>12}", "", "ours", "mj_step", "ratio");
  text += lanes ? fmt::format("{:>10}{:>12}\n", "in lanes", "lanes ratio") : "\n";
  for (const BenchmarkCase& c : b.cases) {
    text += fmt::format("  {:<16}{:>7.2f} µs{:>7.2f} µs{:>11.1f}×", c.name, 1e6 * c.step_time,
                        1e6 * c.mujoco_step_time, c.ratio);
    text += lanes ? fmt::format("{:>7.2f} µs{:>11.1f}×\n", 1e6 * c.lanes_step_time, c.lanes_ratio)
                  : "\n";
  }
  for (const BenchmarkCase& c : b.cases) {
    text += fmt::format("  {}: solver iterations {:.2f} (MuJoCo {:.2f}), feet touching {:.1f} "
                        "(MuJoCo contacts {:.1f})\n    stages [ns]:",
                        c.name, c.solver_iterations, c.mujoco_solver_iterations, c.touching_feet,
                        c.mujoco_contacts);
    for (int s = 0; s < kStageCount; ++s) {
      text += fmt::format(" {} {:.0f}", kStageNames[s], 1e9 * c.stages[s]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace footfall
