// Boxes and discs on ridges, stairs and bumps: what they rest on, when they tip over, and that no step gives them
// energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "footfall/io/soil_library.hpp"
#include "footfall/math/quaternion.hpp"
#include "footfall/robot/assemble.hpp"
#include "footfall/step/simulation.hpp"
#include "footfall/terrain/plane.hpp"
#include "footfall/terrain/procedural.hpp"
#include "support/made_robots.hpp"
#include "support/shapes.hpp"

namespace footfall {
namespace {

// A free body of 3 kg with one geom, which is a foot.
RobotModel make_loose(const Geom& geom) {
  RobotModel robot;
  robot.name = "loose";
  robot.bodies = {testing::make_body("world", 0, 0, {0, 0, 0}),
                  testing::make_body("sole", 0, 3, {0, 0, 0})};
  robot.bodies[1].inertia = {0.006, 0, 0, 0.012, 0, 0.014};
  robot.joints = {{.name = "free", .type = JointType::free, .body = 1}};
  robot.dofs.resize(6);
  robot.geoms = {geom};
  robot.geoms[0].name = "sole";
  robot.qpos0 = {0, 0, 0, 1, 0, 0, 0};
  const std::optional<RobotFault> fault = assemble_robot(robot);
  EXPECT_FALSE(fault) << fault->message();
  return robot;
}

GroundSoil soil_named(const std::string& name) {
  const std::vector<Soil> library = load_soil_library(std::string(FOOTFALL_SOURCE_DIR) + "/soils");
  const Soil& soil = find_soil(library, name);
  if (soil.plastic) return {soil.name, *soil.plastic};
  return {soil.name, *soil.compliant};
}

Simulation put(const Geom& geom, const Terrain& terrain, std::vector<GroundSoil> soils,
               const std::vector<double>& pose, double timestep = 1e-3) {
  RobotModel robot = make_loose(geom);
  Soles soles = make_soles(robot, {0}, true, robot.qpos0);
  StepOptions options;
  options.timestep = timestep;
  return Simulation(make_world(std::move(robot), terrain, SoilGround{std::move(soils)},
                               std::move(soles), options),
                    pose);
}

// Height of the ground as a function of x alone.
template <class Height>
Terrain along_x(double spacing, const Height& height) {
  Heightfield field;
  field.spacing = spacing;
  field.nx = field.ny = static_cast<int>(std::lround(0.8 / spacing)) + 1;
  field.origin_x = field.origin_y = -0.4;
  for (int i = 0; i < field.nx * field.ny; ++i) {
    field.heights.push_back(height(field.origin_x + spacing * (i % field.nx)));
  }
  return make_terrain(std::move(field));
}

const Geom& box() {
  static const Geom geom = testing::shape(GeomType::box, {0.1, 0.05, 0.02});
  return geom;
}

double lean_of(Simulation& sim) {  // of the body's z from the vertical [rad]
  const std::vector<double>& q = sim.qpos();
  return std::acos(std::clamp(to_matrix(Quatd{q[3], q[4], q[5], q[6]}).z.z, -1.0, 1.0));
}

// A ridge of 10 mm below the middle carries the box: it does not pass through, wherever it lies.
TEST(UnevenGround, ABoxRestsOnARidge) {
  for (const double width : {0.02, 0.04, 0.08}) {
    for (const double middle : {0.0, 0.003, 0.0071}) {
      const double spacing = width / 4;
      const auto height = [&](double x) {
        return 0.01 * std::fmax(1 - std::abs(x - middle) / (0.5 * width), 0.0);
      };
      const Terrain terrain = along_x(spacing, height);
      const double crest =
          *std::max_element(terrain.field.heights.begin(), terrain.field.heights.end());
      Simulation sim =
          put(box(), terrain, {soil_named("concrete")}, {middle, 0, crest + 0.0205, 1, 0, 0, 0});
      double lowest = 1;
      for (int k = 0; k < 100; ++k) {
        sim.step();
        lowest = std::fmin(lowest, sim.qpos()[2] - 0.02);
      }
      EXPECT_GT(lowest, crest - 2e-3) << width << " " << middle;  // what corners miss of it
    }
  }
}

// At the edge of a stair it stays while its centre of mass is on the tread, and falls when it is not.
TEST(UnevenGround, ABoxFallsOffAStairWhenItsCentreIsBeyondTheEdge) {
  for (const double spacing : {0.01, 0.02, 0.05}) {
    const Terrain terrain = make_terrain(make_stairs(
        {0, -0.1, 0.4, 1, 0}, {-0.4, 0.4, -0.4, 0.4, spacing}));  // the edge is at x = 0
    for (const double beyond : {-0.02, -0.008, -0.004, 0.004, 0.008, 0.02}) {
      if (std::abs(beyond) < 0.35 * spacing && spacing > 0.02) continue;  // cells of 25 mm
      Simulation sim =
          put(box(), terrain, {soil_named("concrete")}, {beyond, 0, 0.0202, 1, 0, 0, 0});
      sim.step(600);
      SCOPED_TRACE(beyond);
      if (beyond < 0) {
        EXPECT_LT(lean_of(sim), 1e-3);
        EXPECT_NEAR(sim.qpos()[2], 0.02, 1e-4);
      } else {
        EXPECT_GT(lean_of(sim), 0.5);
      }
    }
  }
}

// On soft soil that yields at the edge it tips earlier, but not when it stands well on the tread.
TEST(UnevenGround, TheEdgeOfAStairOfClayGivesWay) {
  const Terrain terrain = along_x(0.01, [](double x) { return x < 0.001 ? 0 : -0.1; });
  for (const double beyond : {-0.02, 0.004}) {
    Simulation sim =
        put(box(), terrain, {soil_named("heavy-clay")}, {beyond, 0, 0.0202, 1, 0, 0, 0});
    sim.step(600);
    EXPECT_EQ(lean_of(sim) > 0.2, beyond > 0) << lean_of(sim);
  }
}

// The lean at which springs below a box balance its weight: those of a slab for x < −edge, softer ones beyond.
double balanced_lean(double weight, double edge, double slab, double soil) {
  constexpr int kStrips = 2000;
  struct Sums {
    double force = 0, moment = 0;
  };
  const auto sums_at = [&](double depth, double lean) {
    Sums sums;
    for (int i = 0; i < kStrips; ++i) {
      const double x = 0.2 * ((i + 0.5) / kStrips - 0.5);
      const double f = (x < -edge ? slab : soil) / kStrips * std::fmax(depth + lean * x, 0.0);
      sums.force += f;
      sums.moment += f * x;
    }
    return sums;
  };
  double low = 0, high = 0.01;
  for (int k = 0; k < 40; ++k) {
    const double lean = 0.5 * (low + high);
    double up = -0.1 * lean, down = 0.1 * lean + 0.01;
    for (int i = 0; i < 50; ++i) {
      const double depth = 0.5 * (up + down);
      (sums_at(depth, lean).force < weight ? up : down) = depth;
    }
    (sums_at(0.5 * (up + down), lean).moment < 0 ? low : high) = lean;
  }
  return 0.5 * (low + high);
}

// Beside a slab of concrete in clay, with the centre of mass 20 mm off the slab, it leans as the balance of both says.
TEST(UnevenGround, ABoxBesideASlabTips) {
  for (const double edge : {0.02, 0.0471}) {
    Terrain terrain;
    Region slab;
    slab.soil = 1;
    slab.shape = RegionShape::half_plane;
    slab.a = -1;
    slab.c = edge;  // −x ≥ edge
    terrain.regions = {slab};
    Simulation sim = put(box(), terrain, {soil_named("loose-clay"), soil_named("concrete")},
                         {0, 0, 0.0202, 1, 0, 0, 0});
    sim.step(1500);
    const double lean = balanced_lean(3 * 9.81, edge, 3.4e9, 3.4e5);
    EXPECT_NEAR(lean_of(sim), lean, 0.01 * lean) << edge;
  }
}

TEST(UnevenGround, NoDropGainsEnergy) {
  const GridExtent extent{-0.5, 0.5, -0.5, 0.5, 0.02};
  const std::vector<std::pair<const char*, Terrain>> grounds = {
      {"stairs", make_terrain(make_stairs({-0.1, 0.03, 0.1, 3, 0.4}, extent))},
      {"bumps", make_terrain(make_bumps({0.01, 0.15, 0.1}, extent))},
      {"noise", make_terrain(make_noise({0.04, 0.2, 3, 0.5, 4}, extent))}};
  std::mt19937 random(7);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (const std::string soil : {"concrete", "loose-clay", "dry-sand", "heavy-clay"}) {
    for (const auto& [name, terrain] : grounds) {
      for (const bool is_box : {true, false}) {
        double gain = 0;
        for (int i = 0; i < 2; ++i) {
          const Geom geom = is_box ? box() : testing::shape(GeomType::cylinder, {0.05, 0.02, 0});
          const double tilt = uniform(0, 0.5), lean = uniform(-3, 3), h = i == 0 ? 1e-3 : 2e-3;
          const Quatd turn = integrate_quat(Quatd{1, 0, 0, 0},
                                            Vec3d{tilt * std::cos(lean), tilt * std::sin(lean), 0});
          Simulation sim = put(
              geom, terrain, {soil_named(soil)},
              {uniform(-0.05, 0.05), uniform(-0.05, 0.05), 0.2, turn.w, turn.x, turn.y, turn.z}, h);
          for (int d = 0; d < 6; ++d) sim.qvel()[d] = d < 3 ? uniform(-0.5, 0.5) : uniform(-2, 2);
          const double scale = 3 * 9.81 * 0.2;
          double least = sim.energy().total();
          for (int k = 0; k < static_cast<int>(0.4 / h); ++k) {
            sim.step();
            const double now = sim.energy().total();
            gain = std::fmax(gain, (now - least) / scale);
            least = std::fmin(least, now);
          }
        }
        EXPECT_LT(gain, 1e-6) << soil << ", " << name << (is_box ? ", box" : ", disc");
      }
    }
  }
}

}  // namespace
}  // namespace footfall
