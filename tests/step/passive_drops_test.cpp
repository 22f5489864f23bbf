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
#include "footfall/terrain/plane.hpp"
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

// Random numbers for throws.
class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  double operator()(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  std::size_t operator()(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

 private:
  std::mt19937 random_;
};

struct Throw {
  double speed = 0.5;  // along the ground, at most [m/s]
  double time = 0.6;   // [s]
  double longest_step = 5e-3;
  double height = 0;  // of the ground below [m]
};

// Throws a sole and returns how far its energy rises while it touches, over that of a fall by 0.2 m.
double thrown_gain(const Geom& geom, Terrain terrain, Ground ground, const Throw& how, Dice& dice) {
  RobotModel robot = make_thrown(geom);
  StepOptions options;
  options.timestep = std::pow(10, dice(-3.6, std::log10(how.longest_step)));  // from 0.25 ms
  const bool grains = std::holds_alternative<ResistiveGround>(ground);
  Soles soles =
      make_soles(robot, {0}, true, robot.qpos0, grains ? SolePoints::elements : SolePoints::shares);
  const double tilt = dice(0, 0.8), lean = dice(-3, 3);
  const Quatd turn =
      integrate_quat(Quatd{1, 0, 0, 0}, Vec3d{tilt * std::cos(lean), tilt * std::sin(lean), 0});
  const std::vector<double> pose{0,      0,     how.height + dice(0.12, 0.25), turn.w, turn.x,
                                 turn.y, turn.z};
  const double scale = robot.total_mass() * 9.81 * 0.2;
  Simulation sim(make_world(std::move(robot), std::move(terrain), std::move(ground),
                            std::move(soles), options),
                 pose);
  for (int d = 0; d < 6; ++d) {
    sim.qvel()[d] = d < 2 ? dice(-how.speed, how.speed) : d < 3 ? dice(-0.5, 0.5) : dice(-2, 2);
  }
  double least = sim.energy().total(), gain = 0;
  for (int k = 0; k < static_cast<int>(how.time / options.timestep); ++k) {
    sim.step();
    const double now = sim.energy().total();
    if (touches(sim)) gain = std::fmax(gain, now - least);
    // in free flight the gyroscopic moment may add a millionth per step
    least = touches(sim) ? std::fmin(least, now) : now;
  }
  return gain / scale;
}

// The largest of each kind of throw, and what is above a limit.
class Gains {
 public:
  explicit Gains(double limit) : limit_(limit) {}
  void add(const std::string& what, double gain) {
    EXPECT_LT(gain, limit_) << what;
    worst_[what] = std::fmax(worst_[what], gain);
  }
  ~Gains() {
    for (const auto& [what, gain] : worst_) {
      if (gain > 0.1 * limit_) fmt::print("{:<50}{:.2e}\n", what, gain);
    }
  }

 private:
  double limit_;
  std::map<std::string, double> worst_;
};

std::vector<Soil> library() {
  return load_soil_library(std::string(FOOTFALL_SOURCE_DIR) + "/soils");
}

TEST(PassiveDrops, NeverGainEnergy) {
  const std::vector<Soil> soils = library();
  const auto kinds = sole_kinds();
  Dice dice(5);
  Gains gains(2e-6);
  for (int i = 0; i < 1000; ++i) {
    const auto& [kind, geom] = kinds[i % kinds.size()];
    const Soil& soil = soils[(i / kinds.size()) % soils.size()];
    gains.add(fmt::format("{:>9} {}", kind, soil.name),
              thrown_gain(geom, {}, SoilGround{{ground_soil(soil)}}, {}, dice));
  }
}

// On noise of 15 mm, as steep as 40 degrees.
TEST(PassiveDrops, NeverGainEnergyOnUnevenGround) {
  const std::vector<Soil> soils = library();
  const auto kinds = sole_kinds();
  Dice dice(6);
  Gains gains(2e-6);
  Heightfield field;
  field.nx = field.ny = 81;
  field.spacing = 0.05;
  field.origin_x = field.origin_y = -2;
  for (int i = 0; i < 81 * 81; ++i) field.heights.push_back(dice(-0.015, 0.015));
  for (int i = 0; i < 200; ++i) {
    const auto& [kind, geom] = kinds[i % kinds.size()];
    const Soil& soil = soils[(i / kinds.size()) % soils.size()];
    gains.add(fmt::format("{:>9} {}", kind, soil.name),
              thrown_gain(geom, make_terrain(field), SoilGround{{ground_soil(soil)}},
                          {.speed = 1, .height = 0.015}, dice));
  }
}

// Across borders between two soils.
TEST(PassiveDrops, NeverGainEnergyAtBorders) {
  const std::vector<Soil> soils = library();
  const auto kinds = sole_kinds();
  Dice dice(7);
  Gains gains(2e-6);
  for (int i = 0; i < 200; ++i) {
    const auto& [kind, geom] = kinds[i % kinds.size()];
    const Soil &one = soils[dice(soils.size())], &other = soils[dice(soils.size())];
    Terrain terrain;
    terrain.regions = {{.name = "beyond",
                        .soil = 1,
                        .shape = RegionShape::half_plane,
                        .a = std::cos(0.1 * i),
                        .b = std::sin(0.1 * i),
                        .c = 0.02}};
    gains.add(fmt::format("{:>9} {} {}", kind, one.name, other.name),
              thrown_gain(geom, terrain, SoilGround{{ground_soil(one), ground_soil(other)}},
                          {.speed = 1}, dice));
  }
}

// In grains by resistive force theory, whose resistance is a spring until it yields.
TEST(PassiveDrops, NeverGainEnergyInGrains) {
  const auto kinds = sole_kinds();
  Dice dice(8);
  Gains gains(2e-6);
  for (int i = 0; i < 30; ++i) {
    const auto& [kind, geom] = kinds[i % kinds.size()];
    gains.add(fmt::format("{:>9}", kind),
              thrown_gain(geom, {}, ResistiveGround{"grains", dice(0.2, 2)},
                          {.time = 0.4, .longest_step = 2e-3}, dice));
  }
}

}  // namespace
}  // namespace footfall
