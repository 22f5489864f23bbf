// Worlds on plastic soil for tests: soils of soils/, robots whose feet stay level, slow loading.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "footfall/foot/foot_sole.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/step/measure.hpp"
#include "support/worlds.hpp"

namespace footfall::testing {

// The soils of soils/ that yield.
inline const std::vector<Soil>& plastic_library() {
  static const std::vector<Soil> soils = [] {
    std::vector<Soil> all = load_soil_library(std::string(FOOTFALL_SOURCE_DIR) + "/soils");
    std::erase_if(all, [](const Soil& s) { return !s.plastic; });
    return all;
  }();
  return soils;
}
// Their names, for the parameters of tests, which are made before main: no file can be read then.
inline constexpr const char* kPlasticSoils[] = {
    "clayed-soil", "dry-sand",    "heavy-clay", "lete-sand",     "sandy-loam-michigan",
    "sandy-loam",  "snow-sweden", "snow-us",    "standard-sand", "upland-sandy-loam"};
inline PlasticSoil plastic_soil(const std::string& name) {
  return *find_soil(plastic_library(), name).plastic;
}
// A soil's name as a part of a test's name.
inline std::string test_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

struct PlasticWorldOptions {
  double timestep = 1e-3;
  Terrain terrain{};
  bool body_contacts = false;
  std::optional<FootPad> pad{};
  // Moment of inertia added to the trunk, a flywheel that keeps it upright [kg m²]. On soft soil a
  // biped that only stands tips over: the ground resists tilting with less than weight × height.
  double flywheel = 0;
};

// Position servos of the robot's own are made stiff, so that its feet stay level under load.
inline World make_plastic_world(const std::string& robot_name, const PlasticSoil& soil,
                                const PlasticWorldOptions& o = {}) {
  RobotModel robot = load_robot(robot_file(robot_name));
  for (Actuator& a : robot.actuators) {
    if (a.bias1 == 0) continue;
    a.gain *= 1e3;
    a.bias1 *= 1e3;
    a.bias2 *= 1e3;
  }
  Sym3<double>& inertia = robot.bodies[1].inertia;
  inertia.xx += o.flywheel;
  inertia.yy += o.flywheel;
  inertia.zz += o.flywheel;
  Soles soles = make_soles(robot, find_feet(robot), o.body_contacts, standing_pose(robot));
  StepOptions options;
  options.timestep = o.timestep;
  return make_world(std::move(robot), o.terrain, SoilGround{{{"soil", soil}}, o.pad},
                    std::move(soles), options);
}

// A foot of the world as the exact laws know it.
inline FootSole sole_of(const World& world, int foot) {
  const Foot& f = world.soles.feet[foot];
  const double width = world.soles.points[world.soles.groups[f.group].first_point].contact_width;
  switch (f.shape) {
  case SoleShape::sphere:
    return make_sphere(f.radius);
  case SoleShape::cylinder:
    return make_cylinder(f.radius, f.width);
  case SoleShape::disc:
    return make_disc(width);
  case SoleShape::rectangle:
  case SoleShape::hull:
    break;
  }
  return make_rectangle(f.area / width, width);
}

// The sinkage at rest after slow loading: on the virgin curve; only where that is steeper than the
// line to its force at a millimetre (n < 1 and hardly a mark) on that line, see kLeastDepth.
inline double rest_sinkage(const FootSole& sole, const PlasticSoil& soil, double load) {
  const bool measured = soil.unload_modulus > 0 || soil.unload_modulus_slope > 0;
  const double rebound = measured ? kMostRebound : kNoRebound;
  const double line = load * rebound * kLeastDepth / normal_force(sole, soil, kLeastDepth).force;
  const double virgin = find_sinkage(sole, soil, load);
  return virgin < kLeastDepth ? std::fmax(virgin, line) : virgin;
}

// One robot in a world, with its workspace. `world` may be changed between steps, in its gravity.
struct Stand {
  explicit Stand(World w)
      : world(std::move(w)), gravity(world.robot.gravity), pose(standing_pose(world.robot)),
        state(make_state<double>(world, pose)), command(hold<double>(world, pose, 1e5, 1e3)),
        workspace(world), feet(world.soles.feet.size()) {
    for (std::size_t i = 0; i < command.kp.size(); ++i) {  // height is for the ground to decide
      if (world.robot.joints[world.robot.actuators[i].joint].name == "root_z") {
        command.kp[i] = command.kd[i] = 0;
      }
    }
  }

  double& height() { return state.qpos[height_index(world)]; }
  double sunk() { return pose[height_index(world)] - height(); }

  void step_once() {
    const SolverReport<double> report = step(world, command, state, workspace);
    ASSERT_TRUE(report.converged) << state.time << " s, residual " << report.residual << " N";
  }
  void run(double seconds) {
    const int steps = static_cast<int>(std::lround(seconds / world.options.timestep));
    for (int k = 0; k < steps && !::testing::Test::HasFatalFailure(); ++k) step_once();
  }
  // Gravity from `from` to `to` times its own, without a jerk.
  void load(double from, double to, double seconds) {
    const double h = world.options.timestep;
    const int steps = static_cast<int>(std::lround(seconds / h));
    for (int k = 1; k <= steps && !::testing::Test::HasFatalFailure(); ++k) {
      const double x = static_cast<double>(k) / steps;
      const double smooth = x * x * x * (10 + x * (6 * x - 15));
      world.robot.gravity = (from + (to - from) * smooth) * gravity;
      step_once();
    }
  }
  const std::vector<FootPatch>& look() {
    summarize_feet(world, state, workspace, feet);
    return feet;
  }
  double speed() const {
    double sum = 0;
    for (const double v : state.qvel) sum += v * v;
    return std::sqrt(sum / static_cast<double>(state.qvel.size()));
  }

  World world;
  Vec3d gravity;
  std::vector<double> pose;
  State<double> state;
  Control<double> command;
  StepWorkspace<double> workspace;
  std::vector<FootPatch> feet;
};

}  // namespace footfall::testing
