// Soles of any shape: the lower faces of a mesh, split into elements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "foot/hull.hpp"
#include "footfall/error.hpp"
#include "footfall/foot/foot_sole.hpp"

namespace footfall {
namespace {

constexpr size_t kMostElements = 4'000'000;

struct Triangle {
  Vec3d a, b, c;
  Vec3d area() const { return 0.5 * cross(b - a, c - a); }  // along the outer normal [m²]
};

// Halves the longest edge until it is short enough.
void split(const Triangle& t, double spacing, std::vector<SoleElement>& elements) {
  const double ab = norm(t.b - t.a), bc = norm(t.c - t.b), ca = norm(t.a - t.c);
  if (bc > ab && bc >= ca) return split({t.b, t.c, t.a}, spacing, elements);
  if (ca > ab) return split({t.c, t.a, t.b}, spacing, elements);
  if (ab > spacing) {
    const Vec3d middle = 0.5 * (t.a + t.b);
    split({t.a, middle, t.c}, spacing, elements);
    split({middle, t.b, t.c}, spacing, elements);
    return;
  }
  if (elements.size() >= kMostElements) {
    throw InputError(
        fmt::format("spacing = {} m splits the sole's mesh into more than {} elements: "
                    "make it larger",
                    spacing, kMostElements));
  }
  const Vec3d area = t.area();
  elements.push_back({(1.0 / 3) * (t.a + t.b + t.c), -area.z, norm(area)});
}

std::vector<Triangle> lower_faces(const std::vector<Vec3d>& vertices,
                                  const std::vector<std::array<int, 3>>& faces) {
  std::vector<Triangle> lower;
  for (const std::array<int, 3>& face : faces) {
    for (const int i : face) {
      if (i < 0 || static_cast<size_t>(i) >= vertices.size()) {
        throw InputError(fmt::format("a face of the sole's mesh has vertex {}, expected 0 to {}", i,
                                     static_cast<int>(vertices.size()) - 1));
      }
      const Vec3d& p = vertices[i];
      if (!std::isfinite(p.x + p.y + p.z)) {
        throw InputError(fmt::format("vertex {} of the sole's mesh is ({}, {}, {}) m, expected "
                                     "finite numbers",
                                     i, p.x, p.y, p.z));
      }
    }
    const Triangle t{vertices[face[0]], vertices[face[1]], vertices[face[2]]};
    if (t.area().z < 0) lower.push_back(t);
  }
  if (lower.empty()) {
    throw InputError("the sole's mesh has no face that looks down, expected at least one: check "
                     "the order of the vertices");
  }
  return lower;
}

}  // namespace

FootSole make_mesh(const std::vector<Vec3d>& vertices, const std::vector<std::array<int, 3>>& faces,
                   double spacing) {
  if (!(spacing > 0 && std::isfinite(spacing))) {
    throw InputError(fmt::format("spacing = {} m, expected above 0", spacing));
  }
  FootSole sole{.shape = SoleShape::hull, .elements = {}};
  double lowest = std::numeric_limits<double>::infinity();
  std::vector<PlanePoint> plan;
  for (const Triangle& t : lower_faces(vertices, faces)) {
    split(t, spacing, sole.elements);
    for (const Vec3d& p : {t.a, t.b, t.c}) {
      lowest = std::min(lowest, p.z);
      plan.push_back({p.x, p.y});
    }
  }
  for (SoleElement& e : sole.elements) e.position.z = std::max(e.position.z - lowest, 0.0);
  std::sort(sole.elements.begin(), sole.elements.end(),
            [](const SoleElement& a, const SoleElement& b) { return a.position.z < b.position.z; });
  sole.width = least_width(convex_hull(std::move(plan)));
  if (!(sole.width >= 1e-6 && sole.width <= 100)) {
    throw InputError(fmt::format("the sole's mesh is {} m wide, expected 1e-6 to 100 m: check its "
                                 "unit",
                                 sole.width));
  }
  return sole;
}

}  // namespace footfall
