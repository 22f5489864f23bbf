#include "footfall/rig/tilted_sole.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "footfall/math/quaternion.hpp"
#include "footfall/robot/assemble.hpp"
#include "footfall/step/simulation.hpp"

namespace footfall {
namespace {

constexpr double kSpeed = 0.02;  // downwards [m/s]
constexpr double kStep = 5e-4;   // [s]
constexpr double kMass = 1e9;    // that no soil slows down [kg]

struct Shape {
  Geom geom;
  std::vector<std::array<Vec3d, 3>> faces;  // seen from outside against the clock, frame B [m]
  double width = 0;                         // b [m]
  double area = 0;                          // [m²]
};

Shape make_plate() {
  Shape out;
  out.geom.type = GeomType::box;
  out.geom.size = {0.1, 0.05, 0.02};
  const Vec3d a{-0.1, -0.05, -0.02}, b{-0.1, 0.05, -0.02}, c{0.1, 0.05, -0.02},
      d{0.1, -0.05, -0.02};
  out.faces = {{a, b, c}, {a, c, d}};
  out.width = 0.1;
  out.area = 0.02;
  return out;
}

Shape make_round_plate() {
  constexpr int kSides = 720;
  constexpr double kRadius = 0.05;
  Shape out;
  out.geom.type = GeomType::cylinder;
  out.geom.size = {kRadius, 0.02, 0};
  const auto rim = [&](int i) {
    const double a = 2 * std::numbers::pi * i / kSides;
    return Vec3d{kRadius * std::cos(a), kRadius * std::sin(a), -0.02};
  };
  for (int i = 0; i < kSides; ++i) out.faces.push_back({Vec3d{0, 0, -0.02}, rim(i + 1), rim(i)});
  out.width = kRadius;
  out.area = std::numbers::pi * kRadius * kRadius;
  return out;
}

// Its eight corners below, four of the flat sole and four where the cut edges meet the sides, and above.
Shape make_cut_plate() {
  Shape out;
  out.geom.type = GeomType::mesh;
  std::vector<Vec3d>& v = out.geom.vertices;
  for (const auto& [x, y, z] :
       {std::array{0.09, 0.04, -0.02}, {0.1, 0.05, -0.015}, {0.1, 0.05, 0.02}}) {
    v.insert(v.end(), {{-x, -y, z}, {x, -y, z}, {x, y, z}, {-x, y, z}});
  }
  auto& t = out.geom.triangles;
  const auto add = [&](int a, int b, int c, int d) {
    t.push_back({a, b, c});
    t.push_back({a, c, d});
  };
  add(0, 3, 2, 1);
  add(8, 9, 10, 11);
  for (int low = 0; low < 8; low += 4) {
    for (int i = 0; i < 4; ++i) {
      const int k = (i + 1) % 4;
      add(low + i, low + k, low + 4 + k, low + 4 + i);
    }
  }
  for (const std::array<int, 3>& face : t)
    out.faces.push_back({v[face[0]], v[face[1]], v[face[2]]});
  out.width = 0.1;
  out.area = 0.02;
  return out;
}

Shape make_shape(TiltedShape shape) {
  switch (shape) {
  case TiltedShape::plate:
    return make_plate();
  case TiltedShape::disc:
    return make_round_plate();
  case TiltedShape::mesh:
    break;
  }
  return make_cut_plate();
}

// A heavy body that slides down with the shape fixed to it.
RobotModel make_press(const Geom& geom, const Mat3d& R_WB) {
  RobotModel robot;
  robot.name = "press";
  robot.gravity = {0, 0, 0};
  robot.bodies.resize(2);
  robot.bodies[0].name = "world";
  Body& body = robot.bodies[1];
  body.name = "sole";
  body.mass = kMass;
  body.inertia = {kMass, 0, 0, kMass, 0, kMass};
  robot.joints.resize(1);
  body.rotation = R_WB;
  body.quat = to_quaternion(R_WB);
  robot.joints[0] = {.name = "down",
                     .type = JointType::slide,
                     .body = 1,
                     .axis = transpose_times(R_WB, {0, 0, 1})};
  robot.dofs.resize(1);
  robot.geoms = {geom};
  robot.geoms[0].name = "sole";
  robot.geoms[0].body = 1;
  robot.qpos0 = {0};
  if (const std::optional<RobotFault> fault = assemble_robot(robot)) {
    throw InputError(fault->message());
  }
  return robot;
}

// Pressure is modulus·zⁿ on the plan.
struct Pressure {
  double modulus, exponent;
};
Pressure pressure_of(const Soil& soil, const Shape& shape) {
  if (soil.plastic) {
    return {sinkage_modulus(*soil.plastic, shape.width), soil.plastic->pressure.exponent};
  }
  if (soil.compliant) return {soil.compliant->stiffness / shape.area, soil.compliant->exponent};
  throw InputError(fmt::format("soil '{}' has neither pressure nor stiffness", soil.name));
}

GroundSoil without_damping(const Soil& soil) {
  if (soil.plastic) {
    PlasticSoil still = *soil.plastic;
    still.damping = 0;
    return {soil.name, still};
  }
  CompliantGround<double> still = *soil.compliant;
  still.damping = 0;
  return {soil.name, still};
}

// Force along z and its moments about x and y.
struct Sums {
  double force = 0, x = 0, y = 0;
};

// Gauss's seven points, exact to degree 5.
void add_rule(const std::array<Vec3d, 3>& t, const Pressure& pressure, double plan, Sums& sums) {
  constexpr double kA = 0.059715871789770, kB = 0.470142064105115, kC = 0.797426985353087,
                   kD = 0.101286507323456;
  constexpr double kPoints[7][4] = {
      {1.0 / 3, 1.0 / 3, 1.0 / 3, 0.225}, {kA, kB, kB, 0.132394152788506},
      {kB, kA, kB, 0.132394152788506},    {kB, kB, kA, 0.132394152788506},
      {kC, kD, kD, 0.125939180544827},    {kD, kC, kD, 0.125939180544827},
      {kD, kD, kC, 0.125939180544827}};
  for (const auto& p : kPoints) {
    const Vec3d at = p[0] * t[0] + p[1] * t[1] + p[2] * t[2];
    const double f =
        p[3] * plan * pressure.modulus * std::pow(std::fmax(-at.z, 0.0), pressure.exponent);
    sums.force += f;
    sums.x += f * at.x;
    sums.y += f * at.y;
  }
}

void add_split(const std::array<Vec3d, 3>& t, const Pressure& pressure, int times, Sums& sums) {
  const double plan = -0.5 * cross(t[1] - t[0], t[2] - t[0]).z;
  if (times == 0) return add_rule(t, pressure, plan, sums);
  const Vec3d ab = 0.5 * (t[0] + t[1]), bc = 0.5 * (t[1] + t[2]), ca = 0.5 * (t[2] + t[0]);
  for (const std::array<Vec3d, 3>& part :
       {std::array{t[0], ab, ca}, {ab, t[1], bc}, {ca, bc, t[2]}, {ab, bc, ca}}) {
    add_split(part, pressure, times - 1, sums);
  }
}

// The part of a polygon where a·x + d ≥ 0.
std::vector<Vec3d> keep_side(const std::vector<Vec3d>& polygon, const Vec3d& a, double d) {
  std::vector<Vec3d> out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3d &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double at_p = dot(a, p) + d, at_q = dot(a, q) + d;
    if (at_p >= 0) out.push_back(p);
    if ((at_p >= 0) != (at_q >= 0)) out.push_back(p + (at_p / (at_p - at_q)) * (q - p));
  }
  return out;
}

// The integral over all parts that look down and are on one side of the border: side −1 before, 1 beyond.
Sums integrate_side(const std::vector<std::array<Vec3d, 3>>& faces, const Mat3d& R, double height,
                    double border_x, double side, const Pressure& pressure) {
  const int times = faces.size() > 100 ? 1 : 4;
  Sums sums;
  for (const std::array<Vec3d, 3>& t : faces) {
    std::vector<Vec3d> wet;
    for (const Vec3d& p : t) wet.push_back(R * p + Vec3d{0, 0, height});
    if (cross(wet[1] - wet[0], wet[2] - wet[0]).z >= 0) continue;  // looks up
    wet = keep_side(wet, {0, 0, -1}, 0);
    wet = keep_side(wet, {side, 0, 0}, -side * border_x);
    for (std::size_t i = 1; i + 1 < wet.size(); ++i) {
      add_split({wet[0], wet[i], wet[i + 1]}, pressure, times, sums);
    }
  }
  return sums;
}

}  // namespace

std::vector<TiltedSample> press_tilted(const TiltedPress& press, const Soil& soil,
                                       const Soil& beyond_border) {
  const Shape shape = make_shape(press.shape);
  const Quatd turn =
      integrate_quat(Quatd{1, 0, 0, 0}, Vec3d{-press.tilt * std::sin(press.direction),
                                              press.tilt * std::cos(press.direction), 0});
  const Mat3d R = to_matrix(turn);
  RobotModel robot = make_press(shape.geom, R);
  const RobotModel upright = make_press(shape.geom, identity3<double>());
  double lowest = 1e300;
  for (const auto& t : shape.faces) {
    for (const Vec3d& p : t) lowest = std::fmin(lowest, (R * p).z);
  }
  const bool has_border = press.border_x < 100;
  SoilGround ground{{without_damping(soil)}};
  Terrain terrain;
  if (has_border) {
    ground.soils.push_back(without_damping(beyond_border));
    Region region;
    region.name = "beyond";
    region.soil = 1;
    region.shape = RegionShape::half_plane;
    region.a = 1;
    region.c = press.border_x;
    terrain.regions = {region};
  }
  StepOptions options;
  options.timestep = kStep;
  Soles soles = make_soles(upright, {0}, false, upright.qpos0);
  Simulation sim(make_world(std::move(robot), terrain, ground, std::move(soles), options),
                 {-lowest + 1e-4});
  const Pressure here = pressure_of(soil, shape), there = pressure_of(beyond_border, shape);
  std::vector<TiltedSample> samples;
  for (const double depth : press.depths) {
    sim.qvel()[0] = -kSpeed;
    const double way = sim.qpos()[0] + lowest + depth;
    const int steps = std::max(1, static_cast<int>(std::lround(way / (kSpeed * kStep))));
    sim.qvel()[0] = -way / (steps * kStep);
    sim.step(steps);
    const double height = sim.qpos()[0];
    Sums sums = integrate_side(shape.faces, R, height, press.border_x, -1, here);
    if (has_border) {
      const Sums more = integrate_side(shape.faces, R, height, press.border_x, 1, there);
      sums = {sums.force + more.force, sums.x + more.x, sums.y + more.y};
    }
    const FootPatch& foot = sim.feet()[0];
    const Vec3d middle = R * Vec3d{0, 0, -0.02};
    TiltedSample sample{.depth = depth, .force = foot.normal_force, .exact_force = sums.force};
    sample.center_error =
        std::hypot(foot.center.x - sums.x / sums.force, foot.center.y - sums.y / sums.force);
    const double exact_x = sums.x - sums.force * middle.x, exact_y = sums.y - sums.force * middle.y;
    sample.exact_moment = std::hypot(exact_x, exact_y);
    sample.moment_error = std::hypot(foot.normal_force * (foot.center.x - middle.x) - exact_x,
                                     foot.normal_force * (foot.center.y - middle.y) - exact_y);
    samples.push_back(sample);
  }
  return samples;
}

}  // namespace footfall
