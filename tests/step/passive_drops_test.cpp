// A thousand random drops of every kind of sole on every soil: energy, that of the ground included, never
// rises.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "footfall/io/soil_library.hpp"
#include "footfall/robot/assemble.hpp"
#include "footfall/step/simulation.hpp"
#include "support/made_robots.hpp"

namespace footfall {
namespace {

// A free body of 3 kg with one geom, which is a foot.
RobotModel make_thrown(const Geom& geom) {
  RobotModel robot;
  robot.name = "thrown";
  robot.bodies = {testing::make_body("world", 0, 0, {0, 0, 0}),
                  testing::make_body("sole", 0, 3, {0, 0, 0})};
  robot.bodies[1].inertia = {0.006, 0, 0, 0.012, 0, 0.014};
  // A ball rolls for long: without a gyroscopic moment, which is explicit and may add energy.
  if (geom.type == GeomType::sphere) robot.bodies[1].inertia = {0.01, 0, 0, 0.01, 0, 0.01};
  robot.joints = {{.name = "free", .type = JointType::free, .body = 1}};
  robot.dofs.resize(6);
  robot.geoms = {geom};
  robot.geoms[0].name = "sole";
  robot.geoms[0].body = 1;
  robot.qpos0 = {0, 0, 0, 1, 0, 0, 0};
  const std::optional<RobotFault> fault = assemble_robot(robot);
  EXPECT_FALSE(fault) << fault->message();
  return robot;
}

std::vector<std::pair<const char*, Geom>> sole_kinds() {
  std::vector<std::pair<const char*, Geom>> kinds;
  const auto add = [&](const char* name, GeomType type, Vec3d size) {
    Geom geom;
    geom.type = type;
    geom.size = size;
    kinds.emplace_back(name, geom);
  };
  add("sphere", GeomType::sphere, {0.05, 0, 0});
  add("box", GeomType::box, {0.1, 0.05, 0.02});
  add("disc", GeomType::cylinder, {0.05, 0.02, 0});
  add("capsule", GeomType::capsule, {0.03, 0.05, 0});
  add("ellipsoid", GeomType::ellipsoid, {0.08, 0.05, 0.03});
  return kinds;
}

GroundSoil ground_soil(const Soil& soil) {
  if (soil.plastic) return {soil.name, *soil.plastic};
  return {soil.name, *soil.compliant};
}

bool touches(const Simulation& sim) {
  const std::vector<double>& force = sim.save().memory.normal_force;
  return std::any_of(force.begin(), force.end(), [](double f) { return f > 0; });
}

TEST(PassiveDrops, NeverGainEnergy) {
  const std::vector<Soil> soils = load_soil_library(std::string(FOOTFALL_SOURCE_DIR) + "/soils");
  const auto kinds = sole_kinds();
  std::mt19937 random(5);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  std::map<std::string, double> worst;
  constexpr int kDrops = 1000;
  for (int i = 0; i < kDrops; ++i) {
    const auto& [kind, geom] = kinds[i % kinds.size()];
    const Soil& soil = soils[(i / kinds.size()) % soils.size()];
    RobotModel robot = make_thrown(geom);
    StepOptions options;
    options.timestep = std::pow(10, uniform(-3.6, -2.3));  // 0.25 to 5 ms
    Soles soles = make_soles(robot, {0}, true, robot.qpos0);
    std::vector<double> pose = robot.qpos0;
    const double tilt = uniform(0, 0.8), lean = uniform(-3, 3);
    const Quatd turn =
        integrate_quat(Quatd{1, 0, 0, 0}, Vec3d{tilt * std::cos(lean), tilt * std::sin(lean), 0});
    pose = {0, 0, uniform(0.12, 0.25), turn.w, turn.x, turn.y, turn.z};
    const double weight = robot.total_mass() * 9.81;
    Simulation sim(make_world(std::move(robot), {}, SoilGround{{ground_soil(soil)}},
                              std::move(soles), options),
                   pose);
    for (int d = 0; d < 6; ++d) sim.qvel()[d] = d < 3 ? uniform(-0.5, 0.5) : uniform(-2, 2);
    double least = sim.energy().total();
    const double scale = weight * 0.2;
    double gain = 0;
    for (int k = 0; k < static_cast<int>(0.6 / options.timestep); ++k) {
      sim.step();
      const double now = sim.energy().total();
      if (touches(sim)) gain = std::fmax(gain, now - least);
      // in free flight the gyroscopic moment may add a millionth per step
      least = touches(sim) ? std::fmin(least, now) : now;
    }
    const std::string what = fmt::format("{:>9} {}", kind, soil.name);
    worst[what] = std::fmax(worst[what], gain / scale);
    EXPECT_LT(gain, 2e-6 * scale) << what << ", step " << options.timestep;
  }
  for (const auto& [what, gain] : worst) {
    if (gain > 1e-8) fmt::print("{:<32}{:.2e}\n", what, gain);
  }
}

}  // namespace
}  // namespace footfall
