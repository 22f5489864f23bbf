#include "foot/surface_elements.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "foot/hull.hpp"

namespace footfall {
namespace {

constexpr double kHalfTurn = std::numbers::pi;
constexpr int kPerSide = 6;      // elements along the longest side
constexpr int kAround = 16;      // around a capsule
constexpr int kEndSides = 24;    // of the prism that stands for a cylinder
constexpr int kOnASphere = 128;  // on a whole sphere

int pieces(double length, double longest) {
  return std::max(2, static_cast<int>(std::ceil(kPerSide * length / longest)));
}

// Seen from outside against the clock.
void add_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c,
                  std::vector<SurfaceElement>& out) {
  out.push_back({(1.0 / 3) * (a + b + c), 0.5 * cross(b - a, c - a), true, {a, b, c}});
}

// A rectangle with sides 2 half_u along u and 2 half_v along v about `centre`,
// whose outside is u × v.
void add_face(const Vec3d& centre, const Vec3d& u, double half_u, const Vec3d& v, double half_v,
              double longest, std::vector<SurfaceElement>& out) {
  const int nu = pieces(2 * half_u, longest), nv = pieces(2 * half_v, longest);
  const auto at = [&](int i, int k) {
    return centre + (half_u * (2.0 * i / nu - 1)) * u + (half_v * (2.0 * k / nv - 1)) * v;
  };
  for (int i = 0; i < nu; ++i) {
    for (int k = 0; k < nv; ++k) {
      add_triangle(at(i, k), at(i + 1, k), at(i + 1, k + 1), out);
      add_triangle(at(i, k), at(i + 1, k + 1), at(i, k + 1), out);
    }
  }
}

void add_box(const Vec3d& half, std::vector<SurfaceElement>& out) {
  const double longest = 2 * std::max({half.x, half.y, half.z});
  for (int n = 0; n < 3; ++n) {
    const int u = (n + 1) % 3, v = (n + 2) % 3;
    for (const double side : {-1.0, 1.0}) {
      add_face(unit(n, side * component(half, n)), unit(u, side), component(half, u), unit(v, 1),
               component(half, v), longest, out);
    }
  }
}

// Points spread evenly over the unit sphere between two heights (a Fibonacci spiral), with equal areas.
template <class Add>
void spread_over_sphere(double low, double high, Add&& add) {
  const int count = std::max(8, static_cast<int>(std::lround(kOnASphere * (high - low) / 2)));
  const double area = 2 * kHalfTurn * (high - low) / count;
  for (int i = 0; i < count; ++i) {
    const double z = low + (high - low) * (i + 0.5) / count;
    const double a = kHalfTurn * (3 - std::sqrt(5.0)) * i, r = std::sqrt(std::fmax(1 - z * z, 0.0));
    add(Vec3d{r * std::cos(a), r * std::sin(a), z}, area);
  }
}

void add_sphere_part(const Vec3d& centre, double radius, double low, double high,
                     std::vector<SurfaceElement>& out) {
  spread_over_sphere(low, high, [&](const Vec3d& n, double area) {
    out.push_back({centre + radius * n, (radius * radius * area) * n});
  });
}

// x = S n on an ellipsoid with half axes S: its area element is det S · S⁻¹ n.
void add_ellipsoid(const Vec3d& half, std::vector<SurfaceElement>& out) {
  spread_over_sphere(-1, 1, [&](const Vec3d& n, double area) {
    out.push_back({{half.x * n.x, half.y * n.y, half.z * n.z},
                   {area * half.y * half.z * n.x, area * half.z * half.x * n.y,
                    area * half.x * half.y * n.z}});
  });
}

void add_tube(double radius, double half, std::vector<SurfaceElement>& out) {
  const int along = pieces(2 * half, std::max(2 * half, 2 * radius));
  const double area = 2 * kHalfTurn * radius * 2 * half / (kAround * along);
  for (int i = 0; i < kAround; ++i) {
    const double a = 2 * kHalfTurn * (i + 0.5) / kAround;
    const Vec3d n{std::cos(a), std::sin(a), 0};
    for (int k = 0; k < along; ++k) {
      const double z = half * ((2 * k + 1.0) / along - 1);
      out.push_back({radius * n + Vec3d{0, 0, z}, area * n});
    }
  }
}

// A cylinder is a prism whose ends have the same area: in each a fan to half the radius and a ring about it.
void add_prism(double radius, double half, std::vector<SurfaceElement>& out) {
  const double angle = 2 * kHalfTurn / kEndSides;
  const double outer = radius * std::sqrt(angle / std::sin(angle));
  const auto at = [&](double r, int i, double z) {
    return Vec3d{r * std::cos(angle * i), r * std::sin(angle * i), z};
  };
  const int along = pieces(2 * half, std::max(2 * half, 2 * radius));
  for (int i = 0; i < kEndSides; ++i) {
    for (int k = 0; k < along; ++k) {
      const double low = half * (2.0 * k / along - 1), high = half * (2.0 * (k + 1) / along - 1);
      add_triangle(at(outer, i, low), at(outer, i + 1, low), at(outer, i + 1, high), out);
      add_triangle(at(outer, i, low), at(outer, i + 1, high), at(outer, i, high), out);
      for (std::size_t e = out.size() - 2; e < out.size(); ++e) {  // on the cylinder
        Vec3d& p = out[e].position;
        const double scale = radius / std::hypot(p.x, p.y);
        p = {scale * p.x, scale * p.y, p.z};
      }
    }
    for (const double side : {-1.0, 1.0}) {
      const int first = side > 0 ? i : i + 1, next = side > 0 ? i + 1 : i;
      const double z = side * half;
      const Vec3d a = at(outer, first, z), b = at(outer, next, z), c = at(0.5 * outer, first, z),
                  d = at(0.5 * outer, next, z);
      add_triangle({0, 0, z}, c, d, out);
      add_triangle(c, a, b, out);
      add_triangle(c, b, d, out);
    }
  }
}

void split_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, double longest,
                    std::vector<SurfaceElement>& out) {
  const double ab = norm(b - a), bc = norm(c - b), ca = norm(a - c);
  if (std::max({ab, bc, ca}) <= longest) {
    add_triangle(a, b, c, out);
  } else if (ab >= bc && ab >= ca) {
    const Vec3d m = 0.5 * (a + b);
    split_triangle(a, m, c, longest, out);
    split_triangle(m, b, c, longest, out);
  } else {
    split_triangle(b, c, a, longest, out);
  }
}

void add_mesh(const Geom& geom, std::vector<SurfaceElement>& out) {
  Vec3d low = geom.vertices[0], high = low, centre{0, 0, 0};
  for (const Vec3d& v : geom.vertices) {
    low = {std::fmin(low.x, v.x), std::fmin(low.y, v.y), std::fmin(low.z, v.z)};
    high = {std::fmax(high.x, v.x), std::fmax(high.y, v.y), std::fmax(high.z, v.z)};
    centre += (1.0 / static_cast<double>(geom.vertices.size())) * v;
  }
  const double longest = std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / kPerSide;
  for (const auto& t : geom.triangles) {
    const std::size_t first = out.size();
    split_triangle(geom.vertices[t[0]], geom.vertices[t[1]], geom.vertices[t[2]], longest, out);
    for (std::size_t i = first; i < out.size(); ++i) {  // out of the hull, however it is wound
      if (dot(out[i].area, out[i].position - centre) < 0) out[i].area = -out[i].area;
    }
  }
}

}  // namespace

std::vector<SurfaceElement> surface_elements(const Geom& geom) {
  std::vector<SurfaceElement> out;
  const double radius = geom.size.x, half = geom.size.y;
  switch (geom.type) {
  case GeomType::sphere:
    add_sphere_part({0, 0, 0}, radius, -1, 1, out);
    break;
  case GeomType::capsule:
    add_tube(radius, half, out);
    add_sphere_part({0, 0, half}, radius, 0, 1, out);
    add_sphere_part({0, 0, -half}, radius, -1, 0, out);
    break;
  case GeomType::cylinder:
    add_prism(radius, half, out);
    break;
  case GeomType::box:
    add_box(geom.size, out);
    break;
  case GeomType::ellipsoid:
    add_ellipsoid(geom.size, out);
    break;
  case GeomType::mesh:
    add_mesh(geom, out);
    break;
  }
  return out;
}

}  // namespace footfall
