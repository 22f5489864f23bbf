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
  double missed;  // by which a crest between corners may be missed [m]
};

std::vector<UnevenCase> uneven_grounds() {
  const GridExtent fine{-0.3, 0.3, -0.3, 0.3, 0.005}, coarse{-0.3, 0.3, -0.3, 0.3, 0.02};
  return {{"ridge of 10 mm", ridge(0.01, 0.01, 0.013, 0.0025), 4e-3},
          {"ridge of 20 mm", ridge(0.02, 0.01, 0.013, 0.005), 2.5e-3},
          {"ridge of 40 mm", ridge(0.04, 0.01, 0.013, 0.01), 1.5e-3},
          {"ridge of 80 mm", ridge(0.08, 0.01, 0.013, 0.02), 1e-3},
          {"stair", make_terrain(make_stairs({0.02, -0.1, 0.3, 1, 0.3}, fine)), 2.5e-3},
          {"bumps", make_terrain(make_bumps({0.005, 0.08, 0.06}, fine)), 1e-3},
          {"noise", make_terrain(make_noise({0.02, 0.1, 2, 0.5, 3}, coarse)), 1e-3}};
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
UnevenSums sum_places(const std::vector<Place>& places, const Terrain& terrain, const Mat3d& R,
                      double height, double modulus, double exponent) {
  UnevenSums sums;
  for (const Place& place : places) {
    const Vec3d p = R * place.p + Vec3d{0, 0, height};
    const GroundDistance<double> ground = ground_distance(terrain, p, [] { return 1e-3; });
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

// A law of pressure on a sole, without friction and damping.
struct Pressed {
  GroundSoil soil;
  double modulus = 0, exponent = 0;
};
Pressed pressed_soil(bool yields, double width, double area) {
  if (!yields) {
    const CompliantGround<double> spring{2e6, 1.5, 0, 0, 1, 1e6, 0, 0};
    return {{"spring", spring}, spring.stiffness / area, spring.exponent};
  }
  static const std::vector<Soil> library =
      load_soil_library(std::string(FOOTFALL_SOURCE_DIR) + "/soils");
  PlasticSoil sand = *find_soil(library, "dry-sand").plastic;
  sand.damping = sand.cohesion = sand.friction_angle = 0;
  return {{"sand", sand}, sinkage_modulus(sand, width), sand.pressure.exponent};
}

class UnevenSole : public ::testing::TestWithParam<std::string> {};

// A cell knows the ground at its corners alone, so a crest between them is missed by something: the force is that
// of a sole which is by so much higher or deeper.
TEST_P(UnevenSole, ForceAndCentreAreThoseOfTheIntegral) {
  const std::string& name = GetParam();
  const Geom geom = sole_of(name);
  std::vector<Place> places;
  for (const auto& t : lower_faces(name, geom)) add_places(t, places);
  const double area = name == "disc" ? std::numbers::pi * 0.0025 : 0.02;
  for (const UnevenCase& ground : uneven_grounds()) {
    for (const double tilt : {0.0, 5.0, 20.0}) {
      const bool yields = tilt == 5;
      const Mat3d R =
          to_matrix(integrate_quat(Quatd{1, 0, 0, 0}, tilt * std::numbers::pi / 180 *
                                                          Vec3d{-std::sin(0.7), std::cos(0.7), 0}));
      const RobotModel upright = uneven_press(geom, identity3<double>());
      Soles soles = make_soles(upright, {0}, false, upright.qpos0);
      const Pressed law = pressed_soil(yields, soles.points[0].contact_width, area);
      const auto sums_at = [&](double height) {
        return sum_places(places, ground.terrain, R, height, law.modulus, law.exponent);
      };
      double low = 0, high = 0.3;  // where it touches
      for (int k = 0; k < 9; ++k) {
        const double h = 0.5 * (low + high);
        (sums_at(h).deepest > 0 ? low : high) = h;
      }
      StepOptions options;
      Simulation sim(make_world(uneven_press(geom, R), ground.terrain, SoilGround{{law.soil}},
                                std::move(soles), options),
                     {high + 1e-3});
      for (const double depth : {5e-3, 1e-2, 2e-2}) {
        const double way = sim.qpos()[0] - high + depth;
        const int steps = std::max(1, static_cast<int>(way / 2e-4));
        sim.qvel()[0] = -way / (steps * options.timestep);
        sim.step(steps);
        const double height = sim.qpos()[0];
        const UnevenSums exact = sums_at(height);
        const FootPatch& foot = sim.feet()[0];
        SCOPED_TRACE(fmt::format("{}, {} degrees, {} m: {} N for {} N", ground.name, tilt, depth,
                                 foot.force.z, exact.force));
        EXPECT_GT(foot.force.z, 0.98 * sums_at(height + ground.missed).force);
        EXPECT_LT(foot.force.z, 1.02 * sums_at(height - ground.missed).force);
        if (depth < 1e-2) continue;
        EXPECT_LT(std::hypot(foot.center.x - exact.x / exact.force,
                             foot.center.y - exact.y / exact.force),
                  depth < 2e-2 ? 8e-3 : 3e-3);
        if (depth == 2e-2) {
          EXPECT_NEAR(foot.force.z, exact.force,
                      (ground.name == "stair" ? 0.1 : 0.03) * exact.force);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, UnevenSole, ::testing::Values("box", "disc", "mesh"),
                         [](const auto& shape) { return shape.param; });

}  // namespace
}  // namespace footfall
