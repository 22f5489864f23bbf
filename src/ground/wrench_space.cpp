#include "footfall/ground/wrench_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "footfall/error.hpp"
#include "footfall/robot/kinematics.hpp"

namespace footfall {
namespace {

constexpr double kSpinShare = 2.0 / 3;  // of the radius: a disc that slides under even pressure
constexpr double kPlaneTolerance = 1e-9;
constexpr double kSameTilt = 1e-9;  // [rad]

// The body that has the foot's mass: its own, or the next one towards the root.
const Body& massive_body(const RobotModel& robot, int body) {
  while (body > 0 && !(robot.bodies[body].mass > 0)) body = robot.bodies[body].parent;
  return robot.bodies[body];
}

// Centre and axis of a foot's sole; `up` is W's z in the body's frame. Only what is fixed to the foot's
// body counts.
WrenchSole find_sole(const Soles& soles, const Foot& foot, const Vec3d& up) {
  Vec3d middle{0, 0, 0}, area{0, 0, 0};
  double weight = 0, lowest = 1e300;
  const PointRange sole = sole_points_of(soles, foot);
  for (int i = sole.first; i < sole.end; ++i) {
    const SolePoint& p = soles.points[i];
    if (soles.groups[p.group].body != foot.body) continue;
    const bool looks_down = !p.is_cell || dot(up, p.area) < 0;
    for (const Vec3d& reach : reach_of(p)) {
      lowest = std::fmin(lowest, dot(up, reach) - p.radius);
    }
    if (!looks_down) continue;
    middle += p.weight * p.position;
    area += p.area;
    weight += p.weight;
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

Lane8 load_lanes(const std::vector<double>& from, int first) {
  Lane8 x;
  std::memcpy(&x, from.data() + first, sizeof x);
  return x;
}
void store_lanes(Lane8 x, std::vector<double>& to, int first) {
  std::memcpy(to.data() + first, &x, sizeof x);
}
// Those of up to eight vertices that are there.
void put_lanes(Lane8 x, int count, double* to) {
  if (count >= kLaneCount) {
    std::memcpy(to, &x, sizeof x);
  } else {
    for (int i = 0; i < count; ++i) to[i] = x[i];
  }
}

// Of the first vertices; the two behind them have no force.
double largest_horizontal(const VertexSet& set, int count) {
  Lane8 most(0);
  for (int k = 0; k < count; k += kLaneCount) {
    Lane8 x, y;
    std::memcpy(&x, set.part(0) + k, sizeof x);
    std::memcpy(&y, set.part(1) + k, sizeof y);
    const Lane8 square = x * x + y * y;
    most = select(square > most, square, most);
  }
  double out = 0;
  for (int i = 0; i < kLaneCount; ++i) out = most[i] > out ? most[i] : out;
  return std::sqrt(out);
}

// A planar wrench of one direction.
template <class T>
struct Planar {
  T force_x, force_z, torque;
};

}  // namespace

WrenchSpace::WrenchSpace(const WrenchExpansion& medium, const WrenchSpaceOptions& options,
                         const RobotModel& robot, const Soles& soles, const Terrain& terrain,
                         const std::vector<double>& pose)
    : model_(medium), options_(options) {
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
  study_directions(medium.directions);
}

// Which direction mirrors which, and how much of each is vertical.
void WrenchSpace::study_directions(const std::vector<PlanarVelocity>& directions) {
  PlanarVelocity most;
  for (const PlanarVelocity& v : directions) {
    most.x = std::fmax(most.x, std::abs(v.x));
    most.z = std::fmax(most.z, std::abs(v.z));
    most.tilt = std::fmax(most.tilt, std::abs(v.tilt));
  }
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  const auto gap = [&](const PlanarVelocity& a, const PlanarVelocity& b) {
    return std::fmax(
        std::fmax(std::abs(share(a.x + b.x, most.x)), std::abs(share(a.z - b.z, most.z))),
        std::abs(share(a.tilt + b.tilt, most.tilt)));
  };
  const std::size_t room = model_.make_vertices().force_x.size();
  down_.assign(room, 0.0);
  up_.assign(room, 0.0);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const PlanarVelocity& v = directions[i];
    const double x = share(v.x, most.x), z = share(v.z, most.z), t = share(v.tilt, most.tilt);
    const double b2 = z * z / std::fmax(x * x + z * z + t * t, 1e-300);
    (z < 0 ? down_ : up_)[i] = b2;
    int& straight = z < 0 ? straight_down_ : straight_up_;
    if (b2 > 0.999) straight = static_cast<int>(i);
    for (std::size_t k = 0; k < directions.size(); ++k) {
      if (gap(v, directions[k]) < 1e-6) {
        mirror_.push_back(static_cast<int>(k));
        break;
      }
    }
  }
  if (mirror_.size() != directions.size()) mirror_.clear();
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

SolePose WrenchSpace::locate(const Terrain& terrain, const WrenchSole& sole, const Mat3d& R_WB,
                             const Vec3d& p_WB) const {
  SolePose out;
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

PlanarWrenches WrenchSpace::make_scratch() const {
  const WrenchVertices v = model_.make_vertices();
  return {v, v, v};
}

// The planar set about C.
PredictedAt WrenchSpace::predict_planar(const FootConfiguration& at, WrenchVertices& v) const {
  const PredictedAt found = model_.predict(at, v);
  const double r = model_.foot().reference_height, tilt = found.configuration.tilt;
  const Lane8 lever_x(r * std::sin(tilt)), lever_z(r * std::cos(tilt));
  for (int k = 0; k < model_.vertex_count(); k += kLaneCount) {
    const Lane8 torque = load_lanes(v.torque_y, k) + lever_z * load_lanes(v.force_x, k) -
                         lever_x * load_lanes(v.force_z, k);
    store_lanes(torque, v.torque_y, k);
  }
  return found;
}

// Three sets, at φ, 0 and −φ, as a parabola.
PredictedAt WrenchSpace::predict_parabola(double depth, double tilt, PlanarWrenches& w) const {
  const PredictedAt at = predict_planar({depth, tilt}, w.odd);
  if (tilt == 0) {
    w.middle = w.odd;
    for (WrenchVertices* v : {&w.even, &w.odd}) {
      for (auto* part : {&v->force_x, &v->force_z, &v->torque_y}) {
        std::fill(part->begin(), part->end(), 0.0);
      }
    }
    return at;
  }
  const int m = model_.vertex_count();
  if (mirror_.empty()) {
    predict_planar({depth, -tilt}, w.even);
  } else {
    for (int k = 0; k < m; ++k) {
      w.even.force_x[k] = -w.odd.force_x[mirror_[k]];
      w.even.force_z[k] = w.odd.force_z[mirror_[k]];
      w.even.torque_y[k] = -w.odd.torque_y[mirror_[k]];
    }
  }
  predict_planar({depth, 0}, w.middle);
  const auto combine = [&](std::vector<double> WrenchVertices::* part) {
    for (int k = 0; k < m; k += kLaneCount) {
      const Lane8 plus = load_lanes(w.odd.*part, k), minus = load_lanes(w.even.*part, k);
      store_lanes(Lane8(0.5) * (plus + minus) - load_lanes(w.middle.*part, k), w.even.*part, k);
      store_lanes(Lane8(0.5) * (plus - minus), w.odd.*part, k);
    }
  };
  combine(&WrenchVertices::force_x);
  combine(&WrenchVertices::force_z);
  combine(&WrenchVertices::torque_y);
  return at;
}

void WrenchSpace::fill_plane(int plane, const SolePose& place, double scale,
                             const PlanarWrenches& w, VertexSet& set) const {
  const int m = model_.vertex_count();
  const double ca = plane_cosine_[plane], sa = plane_sine_[plane];
  const double c = ca * place.lean.x + sa * place.lean.y;
  const auto at = [&](double x, int k) {  // w(φ x) of one direction
    const auto part = [&](std::vector<double> WrenchVertices::* p) {
      return (w.middle.*p)[k] + x * (x * (w.even.*p)[k] + (w.odd.*p)[k]);
    };
    return Planar<double>{part(&WrenchVertices::force_x), part(&WrenchVertices::force_z),
                          part(&WrenchVertices::torque_y)};
  };
  // of straight motion: that of the plane of tilt less that of this plane, as wrenches of space
  double more[2][5] = {};
  for (int side = 0; side < 2; ++side) {
    const int k = side == 0 ? straight_down_ : straight_up_;
    if (k < 0) continue;
    const Planar<double> there = at(1, k), here = at(c, k);
    more[side][0] = there.force_x * place.lean.x - here.force_x * ca;
    more[side][1] = there.force_x * place.lean.y - here.force_x * sa;
    more[side][2] = there.force_z - here.force_z;
    more[side][3] = -there.torque * place.lean.y + here.torque * sa;
    more[side][4] = there.torque * place.lean.x - here.torque * ca;
  }
  const Lane8 h(scale), hc(scale * ca), hs(scale * sa);
  for (int k = 0; k < m; k += kLaneCount) {
    const auto part = [&](std::vector<double> WrenchVertices::* p) {
      return load_lanes(w.middle.*p, k) +
             Lane8(c) * (Lane8(c) * load_lanes(w.even.*p, k) + load_lanes(w.odd.*p, k));
    };
    const Lane8 fx = part(&WrenchVertices::force_x), fz = part(&WrenchVertices::force_z),
                t = part(&WrenchVertices::torque_y);
    const Lane8 down = h * load_lanes(down_, k), up = h * load_lanes(up_, k);
    const Lane8 parts[5] = {hc * fx, hs * fx, h * fz, -hs * t, hc * t};
    const int count = std::min(m - k, kLaneCount), to = plane * m + k;
    for (int p = 0; p < 5; ++p) {
      put_lanes(parts[p] + down * Lane8(more[0][p]) + up * Lane8(more[1][p]), count,
                set.part(p) + to);
    }
  }
}

PredictedAt WrenchSpace::predict(const WrenchSole& sole, const SolePose& place, double scale,
                                 PlanarWrenches& scratch, VertexSet& set) const {
  const int m = model_.vertex_count();
  const double largest = std::fmin(model_.largest_tilt(), std::numbers::pi / 2);
  const double tilt = std::clamp(place.tilt, -largest, largest);
  PredictedAt at{};
  if (is_planar()) {
    at = predict_planar({place.depth, tilt}, scratch.middle);
    const WrenchVertices& v = scratch.middle;
    for (int k = 0; k < m; k += kLaneCount) {
      const int count = std::min(m - k, kLaneCount);
      put_lanes(Lane8(scale) * load_lanes(v.force_x, k), count, set.part(0) + k);
      put_lanes(Lane8(scale) * load_lanes(v.force_z, k), count, set.part(1) + k);
      put_lanes(Lane8(scale) * load_lanes(v.torque_y, k), count, set.part(2) + k);
    }
  } else {
    at = predict_parabola(place.depth, tilt, scratch);
    for (int plane = 0; plane < kAzimuthPlanes; ++plane) {
      fill_plane(plane, place, scale, scratch, set);
    }
    const int spin = kAzimuthPlanes * m;
    set.part(5)[spin] = sole.spin_radius * largest_horizontal(set, spin);
    set.part(5)[spin + 1] = -set.part(5)[spin];
  }
  at.tilt_clamped = at.tilt_clamped || std::abs(tilt - place.tilt) > kSameTilt;
  return at;
}

double WrenchSpace::friction() const {
  WrenchVertices v = model_.make_vertices();
  model_.predict({0.5 * model_.deepest(), 0}, v);
  double horizontal = 0, vertical = 0;
  for (int k = 0; k < model_.vertex_count(); ++k) {
    horizontal = std::fmax(horizontal, std::abs(v.force_x[k]));
    vertical = std::fmax(vertical, v.force_z[k]);
  }
  return vertical > 0 ? std::fmin(horizontal / vertical, 10.0) : 0;
}

}  // namespace footfall
