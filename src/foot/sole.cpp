#include "footfall/foot/sole.hpp"

#include <cmath>
#include <numbers>

#include "foot/hull.hpp"
#include "foot/surface_elements.hpp"
#include "footfall/robot/kinematics.hpp"

namespace footfall {

namespace {

constexpr double kSimpson[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};

// A geom's frame in its body, with the direction that points down when the robot stands.
struct Placed {
  const Geom& geom;
  Vec3d down;  // frame G, unit
  SolePoints points = SolePoints::shares;
};

// Simpson's shares, or halves at the ends.
double line_share(SolePoints points, int i) {
  return points == SolePoints::shares ? kSimpson[i] : i == 1 ? 0.0 : 0.5;
}

Vec3d in_body(const Geom& g, const Vec3d& p_G) { return g.position + g.rotation * p_G; }

class SoleBuilder {
 public:
  SoleBuilder(Soles& soles, const RobotModel& model, int geom, int foot)
      : soles_(soles), geom_(model.geoms[geom]), geom_index_(geom), foot_(foot) {
    first_ = static_cast<int>(soles.points.size());
    group_ = static_cast<int>(soles.groups.size());
  }

  // A point of a flat side `width` wide; its area points out of that side.
  void add_flat(const Vec3d& p_G, double weight, const Vec3d& area_G, double width) {
    SolePoint& point = soles_.points.emplace_back();
    point.foot = foot_;
    point.group = group_;
    point.position = in_body(geom_, p_G);
    point.weight = weight;
    point.bearing = BearingKind::flat;
    point.area = geom_.rotation * area_G;
    point.contact_width = width;
  }
  void add_ball(const Vec3d& p_G, double weight, double radius) {
    add_round(p_G, weight, radius, {0, 0, 0}, BearingKind::ball, 1, radius);
  }
  // A point that bears for `part` of a roller's width; with an axis it touches as a rim does.
  void add_rim(const Vec3d& p_G, double weight, double radius, const Vec3d& axis_G, double part,
               double width) {
    add_round(p_G, weight, radius, axis_G, BearingKind::rim, part, width);
  }

  SolePoint& last() { return soles_.points.back(); }

  // Closes the group: the ball about the geom's centre that holds all points.
  int finish() {
    SoleGroup group{
        geom_.body,     foot_, first_,     static_cast<int>(soles_.points.size()) - first_,
        geom_.position, 0,     geom_index_};
    for (int i = first_; i < first_ + group.point_count; ++i) {
      const SolePoint& p = soles_.points[i];
      group.radius = std::fmax(group.radius, norm(p.position - group.center) + p.radius);
    }
    soles_.groups.push_back(group);
    return group_;
  }

 private:
  void add_round(const Vec3d& p_G, double weight, double radius, const Vec3d& axis_G,
                 BearingKind bearing, double size, double width) {
    SolePoint& point = soles_.points.emplace_back();
    point.foot = foot_;
    point.group = group_;
    point.position = in_body(geom_, p_G);
    point.axis = geom_.rotation * axis_G;
    point.radius = radius;
    point.weight = weight;
    point.bearing = bearing;
    point.size = size;
    point.contact_width = width;
  }

  Soles& soles_;
  const Geom& geom_;
  int geom_index_;
  int foot_;
  int first_, group_;
};

// ---- soles of feet ----

// The lower face of a box: Simpson's rule in both directions.
SoleShape add_rectangle(const Placed& p, SoleBuilder& out, Foot& foot) {
  const Vec3d& half = p.geom.size;
  const int n = largest_axis(p.down), u = (n + 1) % 3, v = (n + 2) % 3;
  const double side = component(p.down, n) > 0 ? 1 : -1;
  const double hu = component(half, u), hv = component(half, v);
  foot.area = 4 * hu * hv;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double share = line_share(p.points, i) * line_share(p.points, k);
      if (share == 0) continue;
      out.add_flat(unit(n, side * component(half, n)) + unit(u, (i - 1) * hu) +
                       unit(v, (k - 1) * hv),
                   share, unit(n, side * share * foot.area), 2 * std::fmin(hu, hv));
    }
  }
  return SoleShape::rectangle;
}

// The lower end of an upright cylinder.
SoleShape add_disc(const Placed& p, SoleBuilder& out, Foot& foot) {
  const double r = p.geom.size.x, z = (p.down.z > 0 ? 1 : -1) * p.geom.size.y;
  foot.area = std::numbers::pi * r * r;
  const Vec3d area{0, 0, std::copysign(foot.area, z)};
  const bool has_center = p.points == SolePoints::shares;
  const double share = has_center ? 1.0 / 16 : 1.0 / 8;
  if (has_center) out.add_flat({0, 0, z}, 0.5, 0.5 * area, r);
  for (int i = 0; i < 8; ++i) {
    const double a = std::numbers::pi * i / 4;
    out.add_flat({r * std::cos(a), r * std::sin(a), z}, share, share * area, r);
  }
  return SoleShape::disc;
}

// A lying cylinder (rollers) or capsule (balls): three round points along its axis.
SoleShape add_roller(const Placed& p, SoleBuilder& out, Foot& foot) {
  const double r = p.geom.size.x, half = p.geom.size.y;
  const Vec3d axis{0, 0, p.geom.type == GeomType::cylinder ? 1.0 : 0.0};
  for (int i = 0; i < 3; ++i) {
    const double share = line_share(p.points, i);
    if (share > 0) out.add_rim({0, 0, (i - 1) * half}, share, r, axis, share * 2 * half, 2 * half);
  }
  foot.radius = r;
  foot.width = 2 * half;
  return SoleShape::cylinder;
}

// A mesh: points of its hull. A point's share of the foot and its area are the part of the plan that
// is nearest to it, seen from below or, for the upper points, from above.
SoleShape add_hull(const Placed& p, SoleBuilder& out, Foot& foot) {
  const std::vector<Vec3d> points = hull_points(p.geom);
  const HullPlan below = make_hull_plan(points, p.down), above = make_hull_plan(points, -p.down);
  foot.area = below.area;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double share = std::fmax(below.shares[i], above.shares[i]) / foot.area;
    out.add_flat(points[i], share, (below.shares[i] - above.shares[i]) * p.down, below.width);
  }
  return SoleShape::hull;
}

// The whole surface; shares are by area.
void add_surface(const Geom& g, SoleBuilder& out) {
  const std::vector<SurfaceElement> elements = surface_elements(g);
  double area = 0;
  for (const SurfaceElement& e : elements) area += norm(e.area);
  for (const SurfaceElement& e : elements) {
    out.add_flat(e.position, norm(e.area) / area, e.area, std::sqrt(norm(e.area)));
    out.last().is_element = true;
  }
}

SoleShape add_foot(const Placed& p, SoleBuilder& out, Foot& foot) {
  switch (p.geom.type) {
  case GeomType::sphere:
    foot.radius = p.geom.size.x;
    out.add_ball({0, 0, 0}, 1, p.geom.size.x);
    return SoleShape::sphere;
  case GeomType::box:
    return add_rectangle(p, out, foot);
  case GeomType::cylinder:
    return std::abs(p.down.z) > 0.7 ? add_disc(p, out, foot) : add_roller(p, out, foot);
  case GeomType::capsule:
    if (std::abs(p.down.z) <= 0.7) return add_roller(p, out, foot);
    foot.radius = p.geom.size.x;
    out.add_ball({0, 0, std::copysign(p.geom.size.y, p.down.z)}, 1, p.geom.size.x);
    return SoleShape::sphere;
  case GeomType::ellipsoid:
  case GeomType::mesh:
    break;
  }
  return add_hull(p, out, foot);
}

// ---- everything else that may lie on the ground ----

// Each corner has a quarter of its three sides.
void add_box_corners(const Geom& g, SoleBuilder& out) {
  const Vec3d& h = g.size;
  const double width = 2 * std::fmin(h.x, std::fmin(h.y, h.z));
  for (int i = 0; i < 8; ++i) {
    const double x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1, z = i & 4 ? 1 : -1;
    out.add_flat({x * h.x, y * h.y, z * h.z}, 0.25, {x * h.y * h.z, y * h.z * h.x, z * h.x * h.y},
                 width);
  }
}

// Both ends of a cylinder: four points on each rim and a roller point, so that it stands and rolls.
void add_cylinder_ends(const Geom& g, SoleBuilder& out) {
  const double r = g.size.x, half = g.size.y;
  for (const double z : {-half, half}) {
    out.add_rim({0, 0, z}, 0.5, r, {0, 0, 1}, half, 2 * half);
    for (int i = 0; i < 4; ++i) {
      const double a = std::numbers::pi * (2 * i + 1) / 4;
      out.add_flat({r * std::cos(a), r * std::sin(a), z}, 0.125,
                   {0, 0, std::copysign(std::numbers::pi * r * r / 4, z)}, r);
    }
  }
}

void add_body_hull(const Geom& g, SoleBuilder& out) {
  const std::vector<Vec3d> points = hull_points(g);
  std::vector<Vec3d> area(points.size(), {0, 0, 0});
  double width = 1e300;
  for (const Vec3d& view : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
    for (const double side : {-1.0, 1.0}) {
      const HullPlan plan = make_hull_plan(points, side * view);
      width = std::fmin(width, plan.width);
      for (std::size_t i = 0; i < points.size(); ++i) area[i] += side * plan.shares[i] * view;
    }
  }
  for (std::size_t i = 0; i < points.size(); ++i) out.add_flat(points[i], 0.25, area[i], width);
}

void add_body_geom(const Geom& g, SoleBuilder& out) {
  switch (g.type) {
  case GeomType::sphere:
    out.add_ball({0, 0, 0}, 1, g.size.x);
    break;
  case GeomType::capsule:
    out.add_ball({0, 0, -g.size.y}, 0.5, g.size.x);
    out.add_ball({0, 0, g.size.y}, 0.5, g.size.x);
    break;
  case GeomType::cylinder:
    add_cylinder_ends(g, out);
    break;
  case GeomType::box:
    add_box_corners(g, out);
    break;
  case GeomType::ellipsoid:
  case GeomType::mesh:
    add_body_hull(g, out);
    break;
  }
}

// The other side of a foot, for a robot that has fallen.
void add_foot_back(const Placed& p, SoleBuilder& out) {
  const Geom& g = p.geom;
  const int n = largest_axis(p.down), u = (n + 1) % 3, v = (n + 2) % 3;
  const double up = component(p.down, n) > 0 ? -1 : 1;
  if (g.type == GeomType::box) {
    const double hu = component(g.size, u), hv = component(g.size, v);
    for (int i = 0; i < 4; ++i) {
      out.add_flat(unit(n, up * component(g.size, n)) + unit(u, (i & 1 ? 1 : -1) * hu) +
                       unit(v, (i & 2 ? 1 : -1) * hv),
                   0.25, unit(n, up * hu * hv), 2 * std::fmin(hu, hv));
    }
  } else if (g.type == GeomType::cylinder) {
    const double r = g.size.x;
    for (int i = 0; i < 8; ++i) {
      const double a = std::numbers::pi * i / 4;
      out.add_flat({r * std::cos(a), r * std::sin(a), up * g.size.y}, 0.125,
                   {0, 0, up * std::numbers::pi * r * r / 8}, r);
    }
  } else {
    out.add_ball({0, 0, up * g.size.y}, 0.5, g.size.x);  // a capsule's other end
  }
}

// Does the sole leave a side of the geom out?
bool has_back(const Geom& g, SoleShape shape) {
  return shape == SoleShape::rectangle || shape == SoleShape::disc ||
         (g.type == GeomType::capsule && shape == SoleShape::sphere);
}

}  // namespace

Soles make_soles(const RobotModel& model, const std::vector<int>& foot_geoms, bool body_contacts,
                 const std::vector<double>& qpos, SolePoints points) {
  RobotData<double> data(model);
  compute_positions(model, qpos.data(), data);
  Soles soles;
  std::vector<int> foot_of_geom(model.geoms.size(), -1);
  for (const int index : foot_geoms) {
    const Geom& g = model.geoms[index];
    const Mat3d R_WG = data.R_WB[g.body] * g.rotation;
    const int number = static_cast<int>(soles.feet.size());
    foot_of_geom[index] = number;
    Foot foot;
    foot.name = g.name.empty() ? model.bodies[g.body].name : g.name;
    foot.body = g.body;
    foot.geom = index;
    const Placed placed{g, transpose_times(R_WG, {0, 0, -1}), points};
    SoleBuilder builder(soles, model, index, number);
    if (points == SolePoints::elements) {
      Soles unused;  // its shape is what it is with any points
      SoleBuilder aside(unused, model, index, number);
      foot.shape = add_foot(placed, aside, foot);
      add_surface(g, builder);
    } else {
      foot.shape = add_foot(placed, builder, foot);
    }
    foot.group = builder.finish();
    soles.feet.push_back(foot);
  }
  if (!body_contacts) return soles;
  for (std::size_t i = 0; i < model.geoms.size(); ++i) {
    const Geom& g = model.geoms[i];
    if (!g.collides) continue;
    const int foot = foot_of_geom[i];
    if (points == SolePoints::elements) {
      if (foot >= 0) continue;  // its whole surface is there already
      SoleBuilder builder(soles, model, static_cast<int>(i), -1);
      add_surface(g, builder);
      builder.finish();
      continue;
    }
    if (foot >= 0 && !has_back(g, soles.feet[foot].shape)) continue;
    SoleBuilder builder(soles, model, static_cast<int>(i), -1);
    if (foot >= 0) {
      add_foot_back({g, transpose_times(data.R_WB[g.body] * g.rotation, {0, 0, -1})}, builder);
    } else {
      add_body_geom(g, builder);
    }
    builder.finish();
  }
  return soles;
}

}  // namespace footfall
