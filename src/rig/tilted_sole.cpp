#include "footfall/rig/tilted_sole.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "footfall/math/quaternion.hpp"
#include "footfall/robot/assemble.hpp"
#include "footfall/soil/resistive.hpp"
#include "footfall/step/step.hpp"

namespace footfall {
namespace {

constexpr double kSpeed = 0.02;  // downwards [m/s]
constexpr double kStep = 5e-4;   // [s]
constexpr double kMass = 1e9;    // that no soil slows down [kg]

struct Shape {
  Geom geom;
  std::vector<std::array<Vec3d, 3>> faces;   // seen from outside against the clock, frame B [m]
  std::vector<std::array<Vec3d, 3>> others;  // the rest of its surface
  double width = 0;                          // b [m]
  double area = 0;                           // [m²]
};

// The side above an edge of the lower face, which is seen from above against the clock. Nothing is pressed in
// so far that its upper face counts.
void add_side(const Vec3d& a, const Vec3d& b, Shape& out) {
  const Vec3d up{0, 0, 0.04};
  out.others.push_back({a, b, b + up});
  out.others.push_back({a, b + up, a + up});
}

Shape make_plate() {
  Shape out;
  out.geom.type = GeomType::box;
  out.geom.size = {0.1, 0.05, 0.02};
  const Vec3d a{-0.1, -0.05, -0.02}, b{-0.1, 0.05, -0.02}, c{0.1, 0.05, -0.02},
      d{0.1, -0.05, -0.02};
  out.faces = {{a, b, c}, {a, c, d}};
  const std::array bottom{a, d, c, b};
  for (int i = 0; i < 4; ++i) add_side(bottom[i], bottom[(i + 1) % 4], out);
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
  for (int i = 0; i < kSides; ++i) {
    out.faces.push_back({Vec3d{0, 0, -0.02}, rim(i + 1), rim(i)});
    add_side(rim(i), rim(i + 1), out);
  }
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

// Pressure is modulus·zⁿ on the plan, or on the surface itself.
struct Pressure {
  double modulus, exponent;
  bool is_on_surface = false;
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
  const Vec3d area = 0.5 * cross(t[1] - t[0], t[2] - t[0]);
  const double plan = pressure.is_on_surface ? norm(area) : -area.z;
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

// One face, where it is in the ground and on one side of the border: side −1 before, 1 beyond.
void add_face(std::vector<Vec3d> wet, const Pressure& pressure, double border_x, double side,
              int times, Sums& sums) {
  wet = keep_side(wet, {0, 0, -1}, 0);
  wet = keep_side(wet, {side, 0, 0}, -side * border_x);
  for (std::size_t i = 1; i + 1 < wet.size(); ++i) {
    add_split({wet[0], wet[i], wet[i + 1]}, pressure, times, sums);
  }
}

std::vector<Vec3d> place(const std::array<Vec3d, 3>& face, const Mat3d& R, double height) {
  std::vector<Vec3d> out;
  out.reserve(face.size());
  for (const Vec3d& p : face) out.push_back(R * p + Vec3d{0, 0, height});
  return out;
}

int split_times(const Shape& shape) { return shape.faces.size() > 100 ? 1 : 4; }

// The integral over all parts of the surface that look down.
Sums integrate_side(const Shape& shape, const Mat3d& R, double height, double border_x, double side,
                    const Pressure& pressure) {
  Sums sums;
  for (const auto& faces : {shape.faces, shape.others}) {
    for (const std::array<Vec3d, 3>& face : faces) {
      const std::vector<Vec3d> at = place(face, R, height);
      if (cross(at[1] - at[0], at[2] - at[0]).z >= 0) continue;  // looks up
      add_face(at, pressure, border_x, side, split_times(shape), sums);
    }
  }
  return sums;
}

// Over the whole surface, as grains resist it when it moves straight down.
Sums integrate_in_grains(const Shape& shape, const Mat3d& R, double height, double scale) {
  Sums sums;
  for (const auto& faces : {shape.faces, shape.others}) {
    for (const std::array<Vec3d, 3>& face : faces) {
      const std::vector<Vec3d> at = place(face, R, height);
      const Vec3d area = cross(at[1] - at[0], at[2] - at[0]);
      const ResistiveFlow<double> flow =
          resistive_flow<double>((1 / norm(area)) * area, Vec3d{0, 0, 1}, Vec3d{0, 0, -1});
      const Pressure pressure{-scale * flow.size * flow.direction.z, 1, true};
      add_face(at, pressure, 1e3, -1, split_times(shape), sums);
    }
  }
  return sums;
}

Mat3d tilt_of(const TiltedPress& press) {
  return to_matrix(
      integrate_quat(Quatd{1, 0, 0, 0}, Vec3d{-press.tilt * std::sin(press.direction),
                                              press.tilt * std::cos(press.direction), 0}));
}

// What the engine found: all points, of the sole and of the other sides.
Sums sum_points(const World& world, const StepWorkspace<double>& work) {
  Sums sums;
  for (const ContactPoint<double>& p : work.points) {
    const double f = -p.gradient.z / world.options.timestep;
    const Vec3d p_WC = tree_origin(world.robot, work.data, p.body) + p.p_OC;
    sums.force += f;
    sums.x += f * p_WC.x;
    sums.y += f * p_WC.y;
  }
  return sums;
}

// Presses a shape down and compares; `exact` integrates at a height.
template <class Exact>
std::vector<TiltedSample> compare_presses(const TiltedPress& press, const Shape& shape,
                                          const Terrain& terrain, const Ground& ground,
                                          SolePoints points, const Exact& exact) {
  const Mat3d R = tilt_of(press);
  RobotModel robot = make_press(shape.geom, R);
  const RobotModel upright = make_press(shape.geom, identity3<double>());
  double lowest = 1e300;
  for (const auto& t : shape.faces) {
    for (const Vec3d& p : t) lowest = std::fmin(lowest, (R * p).z);
  }
  StepOptions options;
  options.timestep = kStep;
  Soles soles = make_soles(upright, {0}, true, upright.qpos0, points);
  const World world = make_world(std::move(robot), terrain, ground, std::move(soles), options);
  State<double> state = make_state<double>(world, {-lowest + 1e-4});
  StepWorkspace<double> work(world);
  const Control<double> command = make_control<double>(world.robot);
  std::vector<TiltedSample> samples;
  for (const double depth : press.depths) {
    const double way = state.qpos[0] + lowest + depth;
    const int steps = std::max(1, static_cast<int>(std::lround(way / (kSpeed * kStep))));
    state.qvel[0] = -way / (steps * kStep);
    for (int k = 0; k < steps; ++k) step(world, command, state, work);
    list_results(world, work);
    const Sums sums = exact(R, state.qpos[0]), found = sum_points(world, work);
    const Vec3d middle = R * Vec3d{0, 0, -0.02};
    TiltedSample sample{.depth = depth, .force = found.force, .exact_force = sums.force};
    sample.center_error = std::hypot(found.x / found.force - sums.x / sums.force,
                                     found.y / found.force - sums.y / sums.force);
    const double exact_x = sums.x - sums.force * middle.x, exact_y = sums.y - sums.force * middle.y;
    sample.exact_moment = std::hypot(exact_x, exact_y);
    sample.moment_error = std::hypot(found.x - found.force * middle.x - exact_x,
                                     found.y - found.force * middle.y - exact_y);
    samples.push_back(sample);
  }
  return samples;
}

}  // namespace

std::vector<TiltedSample> press_tilted(const TiltedPress& press, const Soil& soil,
                                       const Soil& beyond_border) {
  const Shape shape = make_shape(press.shape);
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
  const Pressure here = pressure_of(soil, shape), there = pressure_of(beyond_border, shape);
  const auto exact = [&](const Mat3d& R, double height) {
    Sums sums = integrate_side(shape, R, height, press.border_x, -1, here);
    if (!has_border) return sums;
    const Sums more = integrate_side(shape, R, height, press.border_x, 1, there);
    return Sums{sums.force + more.force, sums.x + more.x, sums.y + more.y};
  };
  return compare_presses(press, shape, terrain, ground, SolePoints::shares, exact);
}

std::vector<TiltedSample> press_tilted_in_grains(const TiltedPress& press, double scale) {
  const Shape shape = make_shape(press.shape);
  const auto exact = [&](const Mat3d& R, double height) {
    return integrate_in_grains(shape, R, height, scale);
  };
  constexpr double kYieldLength = 1e-7;  // at once, as in the theory [m]
  return compare_presses(press, shape, {}, ResistiveGround{"grains", scale, kYieldLength},
                         SolePoints::elements, exact);
}

}  // namespace footfall
