#include "footfall/contact/wrench_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "footfall/robot/kinematics.hpp"

namespace footfall {
namespace {

constexpr double kSpinShare = 2.0 / 3;  // of the radius: a disc that slides under even pressure
constexpr double kPlaneTolerance = 1e-9;

// The body that has the foot's mass: its own, or the next one towards the root.
const Body& massive_body(const RobotModel& robot, int body) {
  while (body > 0 && !(robot.bodies[body].mass > 0)) body = robot.bodies[body].parent;
  return robot.bodies[body];
}

// Centre and axis of a foot's sole; `up` is W's z in the body's frame.
WrenchSole find_sole(const Soles& soles, const Foot& foot, const Vec3d& up) {
  const SoleGroup& group = soles.groups[foot.group];
  Vec3d middle{0, 0, 0}, area{0, 0, 0};
  double weight = 0, lowest = 0;
  for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
    const SolePoint& p = soles.points[i];
    middle += p.weight * p.position;
    area += p.area;
    weight += p.weight;
    const double height = dot(up, p.position);
    lowest = i == group.first_point ? height : std::fmin(lowest, height);
  }
  WrenchSole out;
  out.body = foot.body;
  out.center = (1 / weight) * middle;
  const bool flat = foot.shape == SoleShape::disc || foot.shape == SoleShape::rectangle;
  out.axis = flat ? (-1 / norm(area)) * area : up;
  if (foot.shape == SoleShape::hull) out.center += (lowest - dot(up, out.center)) * up;
  if (foot.radius > 0) out.center -= foot.radius * up;  // round: its lowest point
  out.radius = foot.radius > 0 ? foot.radius : std::sqrt(foot.area / std::numbers::pi);
  return out;
}

GrainInertia find_grains(const WrenchSpaceOptions& options, const RobotModel& robot,
                         const WrenchSole& sole) {
  const Body& body = massive_body(robot, sole.body);
  const Sym3<double>& I = body.inertia;
  const double k = options.grain_inertia_factor;
  const double along = dot(sole.axis, I * sole.axis);
  GrainInertia out{k * body.mass, k * body.mass, k * 0.5 * (I.xx + I.yy + I.zz - along), k * along};
  if (options.grain_inertia) {
    const auto& given = *options.grain_inertia;
    out = {given[0], given[1], given[2], out.spinning};
  }
  return out;
}

void check_wrench_options(const WrenchSpaceOptions& o) {
  if (o.dimensions != 2 && o.dimensions != 3) {
    throw InputError(fmt::format("dimensions = {}, expected 2 or 3", o.dimensions));
  }
  check_range("grain_inertia_factor", o.grain_inertia_factor, 0, 1e6, "0 to 1e6");
  if (o.grain_inertia) {
    for (const double m : *o.grain_inertia) {
      check_range("grain_inertia", m, 0, 1e9, "0 to 1e9 kg or kg m²");
    }
  }
  if (o.spin_radius) check_range("spin_radius_m", *o.spin_radius, 0, 10, "0 to 10 m");
}

// Throws unless all that moves a foot stays in the x–z plane.
void require_planar_robot(const RobotModel& robot, const Soles& soles,
                          const RobotData<double>& data) {
  for (const Foot& foot : soles.feet) {
    for (int b = foot.body; b > 0; b = robot.bodies[b].parent) {
      const Body& body = robot.bodies[b];
      for (int j = body.first_joint; j < body.first_joint + body.joint_count; ++j) {
        const Joint& joint = robot.joints[j];
        const double y = std::abs((data.R_WB[b] * joint.axis).y);
        const bool fits = joint.type == JointType::hinge   ? y > 1 - kPlaneTolerance
                          : joint.type == JointType::slide ? y < kPlaneTolerance
                                                           : false;
        if (fits) continue;
        throw InputError(
            fmt::format("dimensions = 2 needs a robot that moves in the x-z plane; joint "
                        "'{}' of robot '{}' moves foot '{}' out of it: use 3",
                        joint.name, robot.name, foot.name));
      }
    }
  }
}

void require_planar_ground(const Terrain& terrain) {
  bool level = std::abs(terrain.plane_normal.y) < kPlaneTolerance;
  if (!terrain.is_plane) {
    const Heightfield& field = terrain.field;
    const std::size_t nx = field.nx;
    level = true;
    for (std::size_t i = nx; i < field.heights.size(); ++i) {
      level = level && std::abs(field.heights[i] - field.heights[i % nx]) < kPlaneTolerance;
    }
  }
  if (level) return;
  throw InputError("dimensions = 2 needs ground that is level along y: use 3");
}

// Vertices of one planar set, about p_r at this tilt, moved to C, mirrored if asked for.
struct PlanarLanes {
  Lane8 force_x, force_z, torque;
};
PlanarLanes planar_lanes(const WrenchVertices& v, int first, double side, double lever_x,
                         double lever_z) {
  PlanarLanes out;
  for (int i = 0; i < kLaneCount; ++i) {
    out.force_x.set(i, v.force_x[first + i]);
    out.force_z.set(i, v.force_z[first + i]);
    out.torque.set(i, v.torque_y[first + i]);
  }
  out.torque += Lane8(lever_z) * out.force_x - Lane8(lever_x) * out.force_z;
  out.force_x *= Lane8(side);
  out.torque *= Lane8(side);
  return out;
}

// Numbers of up to eight vertices to their place in a part.
void put_lanes(Lane8 x, int count, double* to) {
  for (int i = 0; i < count; ++i) to[i] = x[i];
}

}  // namespace

WrenchSpace::WrenchSpace(WrenchModel model, const WrenchSpaceOptions& options,
                         const RobotModel& robot, const Soles& soles, const Terrain& terrain,
                         const std::vector<double>& pose)
    : model_(std::move(model)), options_(options) {
  check_wrench_options(options);
  RobotData<double> data(robot);
  compute_positions(robot, pose.data(), data);
  if (is_planar()) {
    require_planar_robot(robot, soles, data);
    require_planar_ground(terrain);
  }
  for (const Foot& foot : soles.feet) {
    WrenchSole sole = find_sole(soles, foot, transpose_times(data.R_WB[foot.body], {0, 0, 1}));
    sole.spin_radius = options.spin_radius.value_or(kSpinShare * sole.radius);
    sole.grains = find_grains(options, robot, sole);
    soles_.push_back(sole);
  }
  for (int k = 0; k < kAzimuthPlanes; ++k) {
    // written so that planes on both sides of the x–z plane have the same numbers
    const int fold = std::min(k, kAzimuthPlanes - k);
    const double angle = std::numbers::pi * fold / kAzimuthPlanes;
    plane_cosine_[k] = 2 * fold == kAzimuthPlanes ? 0 : std::cos(angle) * (fold == k ? 1 : -1);
    plane_sine_[k] = std::sin(angle);
  }
}

Wrench<double> WrenchSpace::unit_wrench(int p) const {
  constexpr int kPlanar[3] = {0, 2, 4};
  const int part = is_planar() ? kPlanar[p] : p;
  Wrench<double> out = zero6<double>();
  Vec3d& v = part < 3 ? out.lin : out.ang;
  (part % 3 == 0 ? v.x : part % 3 == 1 ? v.y : v.z) = 1;
  return out;
}

double WrenchSpace::grain_inertia(const WrenchSole& sole, int p) const {
  const GrainInertia& g = sole.grains;
  if (is_planar()) return p == 0 ? g.horizontal : p == 1 ? g.vertical : g.tilting;
  return p < 2 ? g.horizontal : p == 2 ? g.vertical : p < 5 ? g.tilting : g.spinning;
}

SolePlace WrenchSpace::locate(const Terrain& terrain, const WrenchSole& sole, const Mat3d& R_WB,
                              const Vec3d& p_WB) const {
  SolePlace out;
  out.p_WC = p_WB + R_WB * sole.center;
  const GroundDistance<double> ground = ground_distance(terrain, out.p_WC, [] { return 1e-3; });
  const Vec3d& n = ground.normal;
  const double length = std::sqrt(n.x * n.x + n.z * n.z);
  const Vec3d x{n.z / length, 0, -n.x / length};  // as slope_frame at heading 0
  out.R_WC = {x, cross(n, x), n};
  out.depth = -ground.distance;
  const Vec3d axis = R_WB * sole.axis;
  const Vec3d lean{dot(axis, x), dot(axis, out.R_WC.y), 0};
  const double up = dot(axis, n);
  if (is_planar()) {
    out.tilt = std::atan2(lean.x, up);
    return out;
  }
  const double level = std::sqrt(lean.x * lean.x + lean.y * lean.y);
  out.tilt = std::atan2(level, up);
  if (level > 0) out.lean = (1 / level) * lean;
  return out;
}

PredictedAt WrenchSpace::predict(const WrenchSole& sole, const SolePlace& place, double scale,
                                 WrenchVertices& scratch, VertexSet& set) const {
  const int m = model_.vertex_count();
  const double r = model_.foot().reference_height;
  const double largest = std::fmin(model_.largest_tilt(), std::numbers::pi / 2);
  const double tilt = std::clamp(place.tilt, -largest, largest);
  PredictedAt at{};
  if (is_planar()) {
    at = model_.predict({place.depth, tilt}, scratch);
    const double lever_x = r * std::sin(tilt), lever_z = r * std::cos(tilt);
    for (int k = 0; k < m; k += kLaneCount) {
      const PlanarLanes v = planar_lanes(scratch, k, 1, lever_x, lever_z);
      const int count = std::min(m - k, kLaneCount);
      put_lanes(Lane8(scale) * v.force_x, count, set.part(0) + k);
      put_lanes(Lane8(scale) * v.force_z, count, set.part(1) + k);
      put_lanes(Lane8(scale) * v.torque, count, set.part(2) + k);
    }
  } else {
    at = predict_planes(place, tilt, scale, scratch, set);
    const int spin = kAzimuthPlanes * m;
    double largest_force = 0;
    for (int k = 0; k < spin; ++k) {
      const double fx = set.part(0)[k], fy = set.part(1)[k];
      largest_force = std::fmax(largest_force, fx * fx + fy * fy);
    }
    set.part(5)[spin] = sole.spin_radius * std::sqrt(largest_force);
    set.part(5)[spin + 1] = -set.part(5)[spin];
  }
  at.configuration.tilt = tilt;
  at.tilt_clamped = at.tilt_clamped || tilt != place.tilt;
  return at;
}

// All planes; planes at the same tilt, or at the mirrored one, share a prediction.
PredictedAt WrenchSpace::predict_planes(const SolePlace& place, double tilt, double scale,
                                        WrenchVertices& scratch, VertexSet& set) const {
  const int m = model_.vertex_count();
  const double r = model_.foot().reference_height;
  PredictedAt at{};
  double tilts[kAzimuthPlanes];
  bool done[kAzimuthPlanes] = {};
  for (int a = 0; a < kAzimuthPlanes; ++a) {
    tilts[a] = tilt * (plane_cosine_[a] * place.lean.x + plane_sine_[a] * place.lean.y);
  }
  for (int a = 0; a < kAzimuthPlanes; ++a) {
    if (done[a]) continue;
    const double size = std::abs(tilts[a]);
    at = model_.predict({place.depth, size}, scratch);
    const double lever_x = r * std::sin(size), lever_z = r * std::cos(size);
    for (int b = a; b < kAzimuthPlanes; ++b) {
      if (std::abs(tilts[b]) != size) continue;
      done[b] = true;
      const Lane8 c(scale * plane_cosine_[b]), s(scale * plane_sine_[b]);
      for (int k = 0; k < m; k += kLaneCount) {
        const PlanarLanes v = planar_lanes(scratch, k, tilts[b] < 0 ? -1 : 1, lever_x, lever_z);
        const int count = std::min(m - k, kLaneCount), to = b * m + k;
        put_lanes(c * v.force_x, count, set.part(0) + to);
        put_lanes(s * v.force_x, count, set.part(1) + to);
        put_lanes(Lane8(scale) * v.force_z, count, set.part(2) + to);
        put_lanes(-s * v.torque, count, set.part(3) + to);
        put_lanes(c * v.torque, count, set.part(4) + to);
      }
    }
  }
  return at;
}

}  // namespace footfall
