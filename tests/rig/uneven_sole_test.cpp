// Soles on ridges, stairs, bumps and noise: force and centre of pressure against fine sums of the pressure law over
// the sole, with the distance of each place to the ground.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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

constexpr double kDegree = std::numbers::pi / 180;

// A wave of one crest along y, `width` at its foot.
Terrain ridge(double width, double height, double middle, double spacing) {
  Heightfield field;
  field.spacing = spacing;
  field.nx = field.ny = static_cast<int>(std::lround(0.6 / spacing)) + 1;
  field.origin_x = field.origin_y = -0.3;
  for (int i = 0; i < field.nx * field.ny; ++i) {
    const double x = std::abs(field.origin_x + spacing * (i % field.nx) - middle);
    field.heights.push_back(
        x < 0.5 * width ? height * square(std::cos(std::numbers::pi * x / width)) : 0);
  }
  return make_terrain(std::move(field));
}

struct UnevenCase {
  std::string name;
  Terrain terrain;
  double bound;  // of the force's error, of the force
};

std::vector<UnevenCase> uneven_grounds() {
  const GridExtent fine{-0.3, 0.3, -0.3, 0.3, 0.005}, coarse{-0.3, 0.3, -0.3, 0.3, 0.02};
  return {{"ridge of 10 mm", ridge(0.01, 0.01, 0.013, 0.0025), 0.1},
          {"ridge of 20 mm", ridge(0.02, 0.01, 0.013, 0.005), 0.1},
          {"ridge of 40 mm", ridge(0.04, 0.01, 0.013, 0.01), 0.1},
          {"ridge of 80 mm", ridge(0.08, 0.01, 0.013, 0.02), 0.1},
          {"stair", make_terrain(make_stairs({0.02, -0.1, 0.3, 1, 0.3}, fine)), 0.1},
          {"bumps", make_terrain(make_bumps({0.005, 0.08, 0.06}, fine)), 0.1},
          {"noise", make_terrain(make_noise({0.02, 0.1, 2, 0.5, 3}, coarse)), 0.1}};
}

Geom sole_of(const std::string& name) {
  if (name == "box") return testing::shape(GeomType::box, {0.1, 0.05, 0.02});
  if (name == "disc") return testing::shape(GeomType::cylinder, {0.05, 0.02, 0});
  Geom plate = testing::chamfered_plate(0.2, 0.1, 0.04, 0.005);
  for (Vec3d& v : plate.vertices) v.z -= 0.02;
  return plate;
}

// The lower surface in triangles, seen from outside against the clock, frame B.
std::vector<std::array<Vec3d, 3>> lower_faces(const std::string& name, const Geom& geom) {
  std::vector<std::array<Vec3d, 3>> out;
  if (name == "mesh") {
    for (const auto& t : geom.triangles) {
      out.push_back({geom.vertices[t[0]], geom.vertices[t[1]], geom.vertices[t[2]]});
    }
    return out;
  }
  std::vector<Vec3d> rim;
  const int count = name == "box" ? 4 : 180;
  const double radius = name == "box" ? 0 : 0.05;
  for (int i = 0; i < count; ++i) {
    const double a = 2 * std::numbers::pi * (i + 0.5) / count;
    const double x = name == "box" ? std::copysign(0.1, std::cos(a)) : radius * std::cos(a);
    const double y = name == "box" ? std::copysign(0.05, std::sin(a)) : radius * std::sin(a);
    rim.push_back({x, y, -0.02});
  }
  for (int i = 0; i < count; ++i) out.push_back({Vec3d{0, 0, -0.02}, rim[(i + 1) % count], rim[i]});
  return out;
}

struct Place {
  Vec3d p, area;
};
void add_places(const std::array<Vec3d, 3>& t, std::vector<Place>& out) {
  const auto& [a, b, c] = t;
  const double ab = norm(b - a), bc = norm(c - b), ca = norm(a - c);
  if (bc > ab && bc >= ca) return add_places({b, c, a}, out);
  if (ca > ab) return add_places({c, a, b}, out);
  if (ab < 2e-3) return out.push_back({(1.0 / 3) * (a + b + c), 0.5 * cross(b - a, c - a)});
  const Vec3d m = 0.5 * (a + b);
  add_places({a, m, c}, out);
  add_places({m, b, c}, out);
}

struct UnevenSums {
  double force = 0, x = 0, y = 0, deepest = -1e3;
};
UnevenSums sum_places(const std::vector<Place>& places, const Terrain& terrain, const Mat3d& R, double height,
                double modulus, double exponent) {
  UnevenSums sums;
  for (const Place& place : places) {
    const Vec3d p = R * place.p + Vec3d{0, 0, height};
    const GroundDistance<double> ground =
        ground_distance(terrain, p, [] { return 1e-3; });
    sums.deepest = std::fmax(sums.deepest, -ground.distance);
    const double faces = -dot(ground.normal, R * place.area);
    if (ground.distance >= 0 || faces <= 0) continue;
    const double f = modulus * std::pow(-ground.distance, exponent) * faces * ground.normal.z;
    sums.force += f;
    sums.x += f * p.x;
    sums.y += f * p.y;
  }
  return sums;
}

RobotModel uneven_press(const Geom& geom, const Mat3d& R_WB) {
  RobotModel robot;
  robot.name = "press";
  robot.gravity = {0, 0, 0};
  robot.bodies = {testing::make_body("world", 0, 0, {0, 0, 0}),
                  testing::make_body("sole", 0, 1e9, {0, 0, 0})};
  robot.bodies[1].rotation = R_WB;
  robot.bodies[1].quat = to_quaternion(R_WB);
  robot.joints = {{.name = "down",
                   .type = JointType::slide,
                   .body = 1,
                   .axis = transpose_times(R_WB, Vec3d{0, 0, 1})}};
  robot.dofs.resize(1);
  robot.geoms = {geom};
  robot.geoms[0].name = "sole";
  robot.qpos0 = {0};
  const std::optional<RobotFault> fault = assemble_robot(robot);
  EXPECT_FALSE(fault) << fault->message();
  return robot;
}

TEST(UnevenSole, ForceAndCentreAreThoseOfTheIntegral) {
  const std::vector<Soil> library =
      load_soil_library(std::string(FOOTFALL_SOURCE_DIR) + "/soils");
  const CompliantGround<double> spring{2e6, 1.5, 0, 0, 1, 1e6, 0, 0};
  PlasticSoil sand = *find_soil(library, "dry-sand").plastic;
  sand.damping = sand.cohesion = sand.friction_angle = 0;
  for (const std::string name : {"box", "disc", "mesh"}) {
    if (std::getenv("ONLY") && name != std::getenv("ONLY")) continue;
    const Geom geom = sole_of(name);
    std::vector<Place> places;
    for (const auto& t : lower_faces(name, geom)) add_places(t, places);
    const double area = name == "disc" ? std::numbers::pi * 0.0025 : 0.02;
    for (const UnevenCase& ground : uneven_grounds()) {
      if (std::getenv("GROUND") && ground.name != std::getenv("GROUND")) continue;
      for (const bool yields : {false, true}) {
        double worst_force = 0, worst_center = 0;
        int cells = 0;
        for (const double tilt : {0.0, 5.0, 20.0}) {
          const double lean = 0.7;
          const Mat3d R = to_matrix(integrate_quat(
              Quatd{1, 0, 0, 0},
              tilt * kDegree * Vec3d{-std::sin(lean), std::cos(lean), 0}));
          const RobotModel upright = uneven_press(geom, identity3<double>());
          Soles soles = make_soles(upright, {0}, false, upright.qpos0);
          const double width = soles.points[0].contact_width;
          const double modulus = yields ? sinkage_modulus(sand, width) : spring.stiffness / area;
          const double exponent = yields ? sand.pressure.exponent : spring.exponent;
          SoilGround soil{{yields ? GroundSoil{"sand", sand} : GroundSoil{"spring", spring}}};
          double low = 0, high = 0.3;  // where it touches
          for (int k = 0; k < 9; ++k) {
            const double h = 0.5 * (low + high);
            (sum_places(places, ground.terrain, R, h, modulus, exponent).deepest > 0 ? low : high) = h;
          }
          StepOptions options;
          options.timestep = 1e-3;
          Simulation sim(make_world(uneven_press(geom, R), ground.terrain, soil, std::move(soles),
                                    options),
                         {high + 1e-3});
          cells = static_cast<int>(sim.world().soles.points.size());
          for (const double depth : {2e-3, 5e-3, 1e-2, 2e-2}) {
            const double way = sim.qpos()[0] - high + depth;
            const int steps = std::max(1, static_cast<int>(way / 2e-4));
            sim.qvel()[0] = -way / (steps * 1e-3);
            sim.step(steps);
            const UnevenSums exact =
                sum_places(places, ground.terrain, R, sim.qpos()[0], modulus, exponent);
            const FootPatch& foot = sim.feet()[0];
            const double error = foot.force.z / exact.force - 1;
            const double center = std::hypot(foot.center.x - exact.x / exact.force,
                                             foot.center.y - exact.y / exact.force);
            if (depth > 4e-3) {
              worst_force = std::fmax(worst_force, std::abs(error));
              worst_center = std::fmax(worst_center, center);
            }
            if (std::getenv("VERBOSE"))
              fmt::print("   tilt {:4} depth {:5} force {:10.3f} exact {:10.3f} {:6.2f} % centre {:.2f} mm\n",
                         tilt, depth, foot.force.z, exact.force, 100 * error, 1e3 * center);
          }
        }
        fmt::print("{:5} {:16} {:7} cells {:5}: force {:6.2f} %, centre {:5.2f} mm\n", name, ground.name,
                   yields ? "sand" : "spring", cells, 100 * worst_force, 1e3 * worst_center);
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace
}  // namespace footfall
