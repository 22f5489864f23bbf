#include "viewer/lower_side.hpp"

#include <algorithm>
#include <cmath>

namespace footfall::viewer {
namespace {

// The part of a line p + t d that is inside; empty where from > to.
struct Interval {
  double from = -1e300, to = 1e300;
  bool is_empty() const { return !(from <= to); }
  void cut(const Interval& other) {
    from = std::max(from, other.from);
    to = std::min(to, other.to);
  }
};
constexpr Interval kNothing{1, 0};

// a t² + 2 b t + c ≤ 0
Interval below_zero(double a, double b, double c) {
  if (a <= 1e-18) return c <= 0 ? Interval{} : kNothing;
  const double root = b * b - a * c;
  if (root < 0) return kNothing;
  return {(-b - std::sqrt(root)) / a, (-b + std::sqrt(root)) / a};
}

// |p + t d| ≤ half
Interval slab(double p, double d, double half) {
  if (std::fabs(d) < 1e-12) return std::fabs(p) <= half ? Interval{} : kNothing;
  const double a = (-half - p) / d, b = (half - p) / d;
  return {std::min(a, b), std::max(a, b)};
}

Interval in_ball(const Vec3d& p, const Vec3d& d, double radius) {
  return below_zero(dot(d, d), dot(p, d), dot(p, p) - radius * radius);
}

Interval in_cylinder(const Vec3d& p, const Vec3d& d, double radius, double half) {
  Interval out = below_zero(d.x * d.x + d.y * d.y, p.x * d.x + p.y * d.y,
                            p.x * p.x + p.y * p.y - radius * radius);
  out.cut(slab(p.z, d.z, half));
  return out;
}

Interval in_capsule(const Vec3d& p, const Vec3d& d, double radius, double half) {
  Interval out = kNothing;
  for (const Interval& part :
       {in_cylinder(p, d, radius, half), in_ball(p - Vec3d{0, 0, half}, d, radius),
        in_ball(p + Vec3d{0, 0, half}, d, radius)}) {
    if (part.is_empty()) continue;
    out =
        out.is_empty() ? part : Interval{std::min(out.from, part.from), std::max(out.to, part.to)};
  }
  return out;
}

Interval in_hull(const Geom& geom, const Vec3d& p, const Vec3d& d) {
  Interval out;
  Vec3d middle{0, 0, 0};
  for (const Vec3d& v : geom.vertices) {
    middle += (1.0 / static_cast<double>(geom.vertices.size())) * v;
  }
  for (const auto& t : geom.triangles) {
    const Vec3d &a = geom.vertices[t[0]], &b = geom.vertices[t[1]], &c = geom.vertices[t[2]];
    Vec3d n = cross(b - a, c - a);
    if (dot(n, middle - a) > 0) n = -1.0 * n;
    const double height = dot(n, p - a), slope = dot(n, d);  // inside: height + t slope ≤ 0
    if (std::fabs(slope) < 1e-15 * norm(n)) {
      if (height > 0) return kNothing;
    } else if (slope < 0) {
      out.from = std::max(out.from, -height / slope);
    } else {
      out.to = std::min(out.to, -height / slope);
    }
  }
  return geom.triangles.empty() ? kNothing : out;
}

Interval inside(const Geom& geom, const Vec3d& p, const Vec3d& d) {
  const Vec3d& s = geom.size;
  switch (geom.type) {
  case GeomType::sphere:
    return in_ball(p, d, s.x);
  case GeomType::capsule:
    return in_capsule(p, d, s.x, s.y);
  case GeomType::cylinder:
    return in_cylinder(p, d, s.x, s.y);
  case GeomType::ellipsoid:
    return in_ball({p.x / s.x, p.y / s.y, p.z / s.z}, {d.x / s.x, d.y / s.y, d.z / s.z}, 1);
  case GeomType::box: {
    Interval out = slab(p.x, d.x, s.x);
    out.cut(slab(p.y, d.y, s.y));
    out.cut(slab(p.z, d.z, s.z));
    return out;
  }
  case GeomType::mesh:
    return in_hull(geom, p, d);
  }
  return kNothing;
}

}  // namespace

PlanBox plan_box(const PlacedGeom& placed) {
  const Geom& geom = *placed.geom;
  const Mat3d& R = placed.R_WG;
  const Vec3d& s = geom.size;
  const Vec3d& c = placed.p_WG;
  if (geom.type == GeomType::mesh) {
    PlanBox box{1e300, -1e300, 1e300, -1e300};
    for (const Vec3d& v : geom.vertices) {
      const Vec3d p = c + R * v;
      box = {std::min(box.x_min, p.x), std::max(box.x_max, p.x), std::min(box.y_min, p.y),
             std::max(box.y_max, p.y)};
    }
    return box;
  }
  Vec3d half = s;  // of a box around the geom, along its own axes
  if (geom.type == GeomType::sphere) half = {s.x, s.x, s.x};
  if (geom.type == GeomType::capsule) half = {s.x, s.x, s.x + s.y};
  if (geom.type == GeomType::cylinder) half = {s.x, s.x, s.y};
  const double x =
      std::fabs(R.x.x) * half.x + std::fabs(R.y.x) * half.y + std::fabs(R.z.x) * half.z;
  const double y =
      std::fabs(R.x.y) * half.x + std::fabs(R.y.y) * half.y + std::fabs(R.z.y) * half.z;
  return {c.x - x, c.x + x, c.y - y, c.y + y};
}

std::optional<double> lower_side_height(const PlacedGeom& placed, double x, double y) {
  const Vec3d start = Vec3d{x, y, 0} - placed.p_WG;  // heights are from z = 0 on
  const Interval part = inside(*placed.geom, transpose_times(placed.R_WG, start),
                               transpose_times(placed.R_WG, Vec3d{0, 0, 1}));
  if (part.is_empty()) return std::nullopt;
  return part.from;
}

}  // namespace footfall::viewer
