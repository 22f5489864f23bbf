#include "foot/surface_elements.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "foot/hull.hpp"

namespace footfall {
namespace {

constexpr double kHalfTurn = std::numbers::pi;
constexpr int kPerSide = 8;      // elements along the longest side
constexpr int kAround = 16;      // around a cylinder
constexpr int kOnASphere = 128;  // on a whole sphere

int pieces(double length, double longest) {
  return std::max(2, static_cast<int>(std::ceil(kPerSide * length / longest)));
}

// A rectangle with sides 2 half_u along u and 2 half_v along v about `centre`.
void add_face(const Vec3d& centre, const Vec3d& normal, const Vec3d& u, double half_u,
              const Vec3d& v, double half_v, double longest, std::vector<SurfaceElement>& out) {
  const int nu = pieces(2 * half_u, longest), nv = pieces(2 * half_v, longest);
  const double area = 4 * half_u * half_v / (nu * nv);
  for (int i = 0; i < nu; ++i) {
    for (int k = 0; k < nv; ++k) {
      const double s = (2 * i + 1.0) / nu - 1, t = (2 * k + 1.0) / nv - 1;
      out.push_back({centre + (s * half_u) * u + (t * half_v) * v, area * normal});
    }
  }
}

void add_box(const Vec3d& half, std::vector<SurfaceElement>& out) {
  const double longest = 2 * std::max({half.x, half.y, half.z});
  for (int n = 0; n < 3; ++n) {
    const int u = (n + 1) % 3, v = (n + 2) % 3;
    for (const double side : {-1.0, 1.0}) {
      add_face(unit(n, side * component(half, n)), unit(n, side), unit(u, 1), component(half, u),
               unit(v, 1), component(half, v), longest, out);
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

// Rings of equal width; an element lies where its part of the ring has its centre.
void add_disc_end(double radius, double z, double side, std::vector<SurfaceElement>& out) {
  constexpr int kRings = 4;
  for (int ring = 0; ring < kRings; ++ring) {
    const double inner = radius * ring / kRings, outer = radius * (ring + 1) / kRings;
    const int count = 4 * (2 * ring + 1);
    const double angle = 2 * kHalfTurn / count;
    const double area = 0.5 * angle * (outer * outer - inner * inner);
    const double centre =
        2 * std::sin(angle / 2) * (std::pow(outer, 3) - std::pow(inner, 3)) / (3 * area);
    for (int i = 0; i < count; ++i) {
      const double a = angle * (i + 0.5);
      out.push_back({{centre * std::cos(a), centre * std::sin(a), z}, {0, 0, side * area}});
    }
  }
}

void split_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, double longest,
                    std::vector<SurfaceElement>& out) {
  const double ab = norm(b - a), bc = norm(c - b), ca = norm(a - c);
  if (std::max({ab, bc, ca}) <= longest) {
    out.push_back({(1.0 / 3) * (a + b + c), 0.5 * cross(b - a, c - a)});
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
    add_tube(radius, half, out);
    add_disc_end(radius, half, 1, out);
    add_disc_end(radius, -half, -1, out);
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
