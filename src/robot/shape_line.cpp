#include "robot/shape_line.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {
namespace {

constexpr LineInterval kNothing{1, 0};

void cut(LineInterval& part, const LineInterval& other) {
  part.from = std::max(part.from, other.from);
  part.to = std::min(part.to, other.to);
}

// a t² + 2 b t + c ≤ 0
LineInterval below_zero(double a, double b, double c) {
  if (a <= 1e-18) return c <= 0 ? LineInterval{} : kNothing;
  const double root = b * b - a * c;
  if (root < 0) return kNothing;
  return {(-b - std::sqrt(root)) / a, (-b + std::sqrt(root)) / a};
}

// |p + t d| ≤ half
LineInterval slab(double p, double d, double half) {
  if (std::fabs(d) < 1e-12) return std::fabs(p) <= half ? LineInterval{} : kNothing;
  const double a = (-half - p) / d, b = (half - p) / d;
  return {std::min(a, b), std::max(a, b)};
}

LineInterval in_ball(const Vec3d& p, const Vec3d& d, double radius) {
  return below_zero(dot(d, d), dot(p, d), dot(p, p) - radius * radius);
}

LineInterval in_cylinder(const Vec3d& p, const Vec3d& d, double radius, double half) {
  LineInterval out = below_zero(d.x * d.x + d.y * d.y, p.x * d.x + p.y * d.y,
                                p.x * p.x + p.y * p.y - radius * radius);
  cut(out, slab(p.z, d.z, half));
  return out;
}

LineInterval in_capsule(const Vec3d& p, const Vec3d& d, double radius, double half) {
  LineInterval out = kNothing;
  for (const LineInterval& part :
       {in_cylinder(p, d, radius, half), in_ball(p - Vec3d{0, 0, half}, d, radius),
        in_ball(p + Vec3d{0, 0, half}, d, radius)}) {
    if (part.is_empty()) continue;
    out = out.is_empty() ? part
                         : LineInterval{std::min(out.from, part.from), std::max(out.to, part.to)};
  }
  return out;
}

LineInterval in_hull(const Geom& geom, const Vec3d& p, const Vec3d& d) {
  LineInterval out;
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

}  // namespace

LineInterval line_in_shape(const Geom& geom, const Vec3d& p, const Vec3d& d) {
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
    LineInterval out = slab(p.x, d.x, s.x);
    cut(out, slab(p.y, d.y, s.y));
    cut(out, slab(p.z, d.z, s.z));
    return out;
  }
  case GeomType::mesh:
    return in_hull(geom, p, d);
  }
  return kNothing;
}

}  // namespace footfall
