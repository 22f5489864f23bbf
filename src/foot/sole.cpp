#include "footfall/foot/sole.hpp"

#include <cmath>
#include <numbers>

#include "foot/hull.hpp"
#include "foot/shape_sole.hpp"
#include "foot/surface_elements.hpp"

namespace footfall {

namespace {

constexpr double kSimpson[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};

// A geom's frame in its body, with the direction that points down when the robot stands.
struct Placed {
  const Geom& geom;
  Vec3d down;  // frame G, unit
  SolePoints points = SolePoints::shares;
  int hull_directions = 128;  // in which a mesh's outermost points are taken
};

// Simpson's shares, or halves at the ends.
double line_share(SolePoints points, int i) {
  return points == SolePoints::shares ? kSimpson[i] : i == 1 ? 0.0 : 0.5;
}

Vec3d in_body(const Geom& g, const Vec3d& p_G) { return g.position + g.rotation * p_G; }

class SoleBuilder {
 public:
  SoleBuilder(const Geom& geom, std::vector<SolePoint>& points) : geom_(geom), points_(points) {}

  // A point of a flat side `width` wide; its area points out of that side.
  void add_flat(const Vec3d& p_G, double weight, const Vec3d& area_G, double width) {
    SolePoint& point = points_.emplace_back();
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

  // A triangle of a flat side `width` wide, seen from outside against the clock.
  void add_cell(const Vec3d& a, const Vec3d& b, const Vec3d& c, double weight, double width) {
    add_flat((1.0 / 3) * (a + b + c), weight, 0.5 * cross(b - a, c - a), width);
    last().is_cell = true;
    last().corners = {in_body(geom_, a), in_body(geom_, b), in_body(geom_, c)};
  }

  SolePoint& last() { return points_.back(); }

 private:
  void add_round(const Vec3d& p_G, double weight, double radius, const Vec3d& axis_G,
                 BearingKind bearing, double size, double width) {
    SolePoint& point = points_.emplace_back();
    point.position = in_body(geom_, p_G);
    point.axis = geom_.rotation * axis_G;
    point.radius = radius;
    point.weight = weight;
    point.bearing = bearing;
    point.size = size;
    point.contact_width = width;
  }

  const Geom& geom_;
  std::vector<SolePoint>& points_;
};

// ---- soles of feet ----

// Cells about the middle of a flat side: between it and each two neighbours on its outline, which is seen
// from outside against the clock.
void add_fan(const Vec3d& middle, const std::vector<Vec3d>& outline, double width,
             SoleBuilder& out) {
  const double share = 1.0 / static_cast<double>(outline.size());
  for (std::size_t i = 0; i < outline.size(); ++i) {
    out.add_cell(middle, outline[i], outline[(i + 1) % outline.size()], share, width);
  }
}

// The lower face of a box.
SoleShape add_rectangle(const Placed& p, SoleBuilder& out, Foot& foot) {
  const Vec3d& half = p.geom.size;
  const int n = largest_axis(p.down), u = (n + 1) % 3, v = (n + 2) % 3;
  const double side = component(p.down, n) > 0 ? 1 : -1;
  const double hu = side * component(half, u), hv = component(half, v);
  foot.area = 4 * std::abs(hu * hv);
  const double width = 2 * std::fmin(std::abs(hu), hv);
  const Vec3d middle = unit(n, side * component(half, n));
  const auto at = [&](double s, double t) { return middle + unit(u, s * hu) + unit(v, t * hv); };
  if (p.points == SolePoints::corners) {
    for (const double s : {-1.0, 1.0}) {
      for (const double t : {-1.0, 1.0}) {
        out.add_flat(at(s * side, t), 0.25, unit(n, 0.25 * side * foot.area), width);
      }
    }
    return SoleShape::rectangle;
  }
  add_fan(middle,
          {at(1, 0), at(1, 1), at(0, 1), at(-1, 1), at(-1, 0), at(-1, -1), at(0, -1), at(1, -1)},
          width, out);
  return SoleShape::rectangle;
}

// Corner `i` of a polygon of `count` sides around the axis of a cylinder.
Vec3d on_rim(double radius, int i, int count, double z) {
  const double a = 2 * std::numbers::pi * i / count;
  return {radius * std::cos(a), radius * std::sin(a), z};
}

double polygon_radius(double disc_radius) {
  const double turn = 2 * std::numbers::pi / kDiscSides;
  return disc_radius * std::sqrt(turn / std::sin(turn));
}

// The lower end of an upright cylinder.
SoleShape add_disc(const Placed& p, SoleBuilder& out, Foot& foot) {
  constexpr int kCorners = 8;
  const double r = p.geom.size.x, side = p.down.z > 0 ? 1 : -1, z = side * p.geom.size.y;
  foot.area = std::numbers::pi * r * r;
  if (p.points == SolePoints::corners) {
    const Vec3d area{0, 0, side * foot.area / kCorners};
    for (int i = 0; i < kCorners; ++i) {
      out.add_flat(on_rim(r, i, kCorners, z), 1.0 / kCorners, area, r);
    }
    return SoleShape::disc;
  }
  const int turn = side > 0 ? 1 : -1;
  for (int i = 0; i < kDiscSides; ++i) {
    const Vec3d a = on_rim(polygon_radius(r), turn * i, kDiscSides, z),
                b = on_rim(polygon_radius(r), turn * (i + 1), kDiscSides, z);
    out.add_cell({0, 0, z}, a, b, 1.0 / kDiscSides, r);
    out.last().is_sector = true;
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

// Halves a triangle by its longest edge until no part is larger than `largest` [m²].
void add_split(const std::array<Vec3d, 3>& t, double largest, double whole, double width,
               SoleBuilder& out) {
  const auto& [a, b, c] = t;
  const double area = 0.5 * norm(cross(b - a, c - a));
  if (area <= largest) return out.add_cell(a, b, c, area / whole, width);
  const double ab = norm(b - a), bc = norm(c - b), ca = norm(a - c);
  if (bc > ab && bc >= ca) return add_split({b, c, a}, largest, whole, width, out);
  if (ca > ab) return add_split({c, a, b}, largest, whole, width, out);
  const Vec3d middle = 0.5 * (a + b);
  add_split({a, middle, c}, largest, whole, width, out);
  add_split({middle, b, c}, largest, whole, width, out);
}

// A mesh: the faces of its hull, none larger than an eighth of the sole. Their shares are by the plan that they have from below, or, for those
// that look up, from above.
SoleShape add_hull(const Placed& p, SoleBuilder& out, Foot& foot) {
  const HullFaces hull = hull_faces(p.geom, p.hull_directions);
  const HullOutline plan = make_hull_plan(hull.points, p.down);
  foot.area = plan.area;
  for (const std::array<int, 3>& face : hull.faces) {
    const Vec3d &a = hull.points[face[0]], &b = hull.points[face[1]], &c = hull.points[face[2]];
    const double area = 0.5 * norm(cross(b - a, c - a));
    if (area > 1e-7 * foot.area) {  // slivers carry nothing
      add_split({a, b, c}, 0.126 * foot.area, foot.area, plan.width, out);
    }
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
    if (!e.is_triangle) continue;
    out.last().is_cell = true;
    for (int k = 0; k < 3; ++k) out.last().corners[k] = in_body(g, e.corners[k]);
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

void add_cylinder_end(const Geom& g, double z, SoleBuilder& out) {
  const double r = g.size.x;
  for (int i = 0; i < 4; ++i) {
    const double a = std::numbers::pi * (2 * i + 1) / 4;
    out.add_flat({r * std::cos(a), r * std::sin(a), z}, 0.125,
                 {0, 0, std::copysign(std::numbers::pi * r * r / 4, z)}, r);
  }
}

// Both ends of a cylinder: four points on each rim and a roller point, so that it stands and rolls.
void add_cylinder_ends(const Geom& g, SoleBuilder& out) {
  const double r = g.size.x, half = g.size.y;
  for (const double z : {-half, half}) {
    out.add_rim({0, 0, z}, 0.5, r, {0, 0, 1}, half, 2 * half);
    add_cylinder_end(g, z, out);
  }
}

void add_body_hull(const Geom& g, SoleBuilder& out) {
  const std::vector<Vec3d> points = hull_points(g);
  std::vector<Vec3d> area(points.size(), {0, 0, 0});
  double width = 1e300;
  for (const Vec3d& view : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
    for (const double side : {-1.0, 1.0}) {
      const HullOutline plan = make_hull_plan(points, side * view);
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

// The other sides of a foot, for one that is tilted and a robot that has fallen: cells between the first corner and
// each two others. They press as the sole does: with its width, and with the ground's stiffness by area.
void add_side(const std::vector<Vec3d>& outline, const Vec3d& outwards, double sole_area,
              double width, SoleBuilder& out) {
  for (std::size_t i = 1; i + 1 < outline.size(); ++i) {
    Vec3d a = outline[i], b = outline[i + 1];
    const Vec3d area = 0.5 * cross(a - outline[0], b - outline[0]);
    if (dot(area, outwards) < 0) std::swap(a, b);
    out.add_cell(outline[0], a, b, norm(area) / sole_area, width);
  }
}

void add_box_sides(const Vec3d& half, int n, double up, SoleBuilder& out) {
  const double hu = component(half, (n + 1) % 3), hv = component(half, (n + 2) % 3);
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const double side : {-1.0, 1.0}) {
      if (axis == n && side != up) continue;  // the sole
      const Vec3d middle = unit(axis, side * component(half, axis));
      const Vec3d du = unit(u, component(half, u)), dv = unit(v, component(half, v));
      add_side({middle - du - dv, middle + du - dv, middle + du + dv, middle - du + dv}, middle,
               4 * hu * hv, 2 * std::fmin(hu, hv), out);
    }
  }
}

void add_cylinder_sides(double r, double half, double up, SoleBuilder& out) {
  const auto rim = [&](int i, double z) { return on_rim(polygon_radius(r), i, kDiscSides, z); };
  const double sole = std::numbers::pi * r * r;
  std::vector<Vec3d> end;
  for (int i = 0; i < kDiscSides; ++i) {
    if (i % 2 == 0) end.push_back(rim(i, up * half));
    const Vec3d low = rim(i, -half), next = rim(i + 1, -half);
    add_side({low, next, rim(i + 1, half), rim(i, half)}, low + next, sole, r, out);
  }
  add_side(end, {0, 0, up}, sole, r, out);
}

void add_foot_back(const Placed& p, SoleBuilder& out) {
  const Geom& g = p.geom;
  const int n = largest_axis(p.down);
  const double up = component(p.down, n) > 0 ? -1 : 1;
  if (g.type == GeomType::box) {
    add_box_sides(g.size, n, up, out);
  } else if (g.type == GeomType::cylinder) {
    add_cylinder_sides(g.size.x, g.size.y, up, out);
  } else {
    out.add_ball({0, 0, up * g.size.y}, 0.5, g.size.x);  // a capsule's other end
  }
}

// Does the sole leave a side of the geom out?
bool has_back(const Geom& g, SoleShape shape) {
  return shape == SoleShape::rectangle || shape == SoleShape::disc ||
         (g.type == GeomType::capsule && shape == SoleShape::sphere);
}

// A limb beside a foot: its length in parts, each as deep as it lies, so that one that leans into the
// soil carries with what is in it. `level`: cosine of its angle to the ground where it leans.
void add_limb(const Geom& g, double level, SoleBuilder& out) {
  constexpr int kParts = 8;
  const double r = g.size.x, half = g.size.y, length = 2 * half / kParts;
  const bool round = g.type == GeomType::capsule;
  const double ends = round ? std::numbers::pi * r / (std::numbers::pi * r + 4 * half) : 0;
  for (int i = 0; i < kParts; ++i) {
    out.add_rim({0, 0, half * ((2 * i + 1.0) / kParts - 1)}, (1 - ends) / kParts, r,
                {0, 0, round ? 0.0 : 1.0}, length * level, 2 * r);
  }
  for (const double z : {-half, half}) {
    if (round) {
      out.add_ball({0, 0, z}, 0.5 * ends, r);
      out.last().size = 0.5;  // the other half is in the limb
    } else {
      add_cylinder_end(g, z, out);
    }
  }
}

// The points that `add` gives the builder of one geom.
template <class Add>
std::vector<SolePoint> build_points(const RobotModel& model, int geom, const Add& add) {
  std::vector<SolePoint> points;
  SoleBuilder builder(model.geoms[geom], points);
  add(builder);
  // a vertex that stands for no part of the surface carries nothing
  std::erase_if(points, [](const SolePoint& p) { return !(p.weight > 0); });
  return points;
}

ShapeSole make_standing_shape(const RobotModel& model, int geom, const Placed& placed) {
  ShapeSole out;
  out.geom = geom;
  out.points = build_points(model, geom, [&](SoleBuilder& builder) {
    out.size.shape = add_foot(placed, builder, out.size);
  });
  if (placed.points == SolePoints::elements) {  // its shape is what it is with any points
    out.points =
        build_points(model, geom, [&](SoleBuilder& builder) { add_surface(placed.geom, builder); });
  }
  return out;
}

}  // namespace

ShapeSole make_foot_shape(const RobotModel& model, int geom, const Vec3d& down, SolePoints points) {
  return make_standing_shape(model, geom, {model.geoms[geom], down, points});
}

ShapeSole make_body_shape(const RobotModel& model, int geom, SolePoints points) {
  ShapeSole out;
  out.geom = geom;
  const Geom& g = model.geoms[geom];
  out.points = build_points(model, geom, [&](SoleBuilder& builder) {
    if (points == SolePoints::elements) {
      add_surface(g, builder);
    } else {
      add_body_geom(g, builder);
    }
  });
  return out;
}

ShapeSole make_limb(const RobotModel& model, int geom, const Vec3d& down, SolePoints points) {
  constexpr double kLeaning = 0.5;  // steeper limbs touch with their ends first
  constexpr int kCoarse = 24;       // directions: a limb carries little
  const Geom& g = model.geoms[geom];
  if (g.type == GeomType::mesh) return make_standing_shape(model, geom, {g, down, points, kCoarse});
  const bool is_long = g.type == GeomType::capsule || g.type == GeomType::cylinder;
  const double level = std::sqrt(std::fmax(1 - down.z * down.z, 0.0));
  if (!is_long || level < kLeaning || points != SolePoints::shares) {
    return make_body_shape(model, geom, points);
  }
  ShapeSole out;
  out.geom = geom;
  out.points =
      build_points(model, geom, [&](SoleBuilder& builder) { add_limb(g, level, builder); });
  return out;
}

ShapeSole make_back(const RobotModel& model, const ShapeSole& sole, const Vec3d& down,
                    SolePoints points) {
  ShapeSole out;
  out.geom = sole.geom;
  const Geom& g = model.geoms[sole.geom];
  if (points == SolePoints::elements || !has_back(g, sole.size.shape)) return out;
  out.points = build_points(model, sole.geom,
                            [&](SoleBuilder& builder) { add_foot_back({g, down}, builder); });
  return out;
}

}  // namespace footfall
