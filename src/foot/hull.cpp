#include "foot/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "foot/solid_hull.hpp"
#include "footfall/error.hpp"

namespace footfall {
namespace {

bool contains(const std::vector<PlanePoint>& hull, const PlanePoint& p) {
  for (std::size_t i = 0; i < hull.size(); ++i) {
    if (turn_area(hull[i], hull[(i + 1) % hull.size()], p) < 0) return false;
  }
  return true;
}

double area_of(const std::vector<PlanePoint>& hull) {
  double twice = 0;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const PlanePoint &a = hull[i], &b = hull[(i + 1) % hull.size()];
    twice += a.x * b.y - a.y * b.x;
  }
  return 0.5 * twice;
}

// For each point that has `depth` at least `middle`: the part of the plan that is nearest to it.
std::vector<double> nearest_shares(const std::vector<PlanePoint>& points,
                                   const std::vector<double>& depth, double middle,
                                   const std::vector<PlanePoint>& hull, double area) {
  constexpr int kPlaces = 101;
  std::vector<double> shares(points.size(), 0);
  double x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300;
  for (const PlanePoint& p : hull) {
    x0 = std::fmin(x0, p.x);
    x1 = std::fmax(x1, p.x);
    y0 = std::fmin(y0, p.y);
    y1 = std::fmax(y1, p.y);
  }
  double counted = 0;
  for (int i = 0; i < kPlaces * kPlaces; ++i) {
    const int row = i / kPlaces, column = i % kPlaces;
    const PlanePoint p{x0 + (x1 - x0) * (column + 0.5) / kPlaces,
                       y0 + (y1 - y0) * (row + 0.5) / kPlaces};
    if (!contains(hull, p)) continue;
    std::size_t best = 0;
    double nearest = 1e300;
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (depth[k] < middle) continue;
      const double distance = std::hypot(points[k].x - p.x, points[k].y - p.y);
      if (distance < nearest) {
        nearest = distance;
        best = k;
      }
    }
    shares[best] += 1;
    counted += 1;
  }
  for (double& share : shares) share *= area / std::fmax(counted, 1);
  return shares;
}

}  // namespace

std::vector<Vec3d> hull_points(const Geom& g, int directions) {
  const std::size_t few = static_cast<std::size_t>(directions) / 2;
  const bool ellipsoid = g.type == GeomType::ellipsoid;
  if (!ellipsoid && g.vertices.size() <= few) return g.vertices;
  std::vector<Vec3d> out;
  std::set<std::size_t> taken;
  for (int i = 0; i < directions; ++i) {
    const double z = 1 - (2.0 * i + 1) / directions, r = std::sqrt(1 - z * z);
    const double a = i * std::numbers::pi * (3 - std::sqrt(5.0));
    const Vec3d d{r * std::cos(a), r * std::sin(a), z};
    if (ellipsoid) {
      out.push_back({g.size.x * d.x, g.size.y * d.y, g.size.z * d.z});
      continue;
    }
    std::size_t best = 0;
    for (std::size_t k = 1; k < g.vertices.size(); ++k) {
      if (dot(g.vertices[k], d) > dot(g.vertices[best], d)) best = k;
    }
    if (taken.insert(best).second) out.push_back(g.vertices[best]);
  }
  return out;
}

namespace {

// An octahedron whose faces are split twice into four, on the unit sphere: 66 points, 128 faces.
HullFaces make_round_hull() {
  HullFaces hull;
  hull.points = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (int i = 0; i < 4; ++i) {
    hull.faces.push_back({i, (i + 1) % 4, 4});
    hull.faces.push_back({(i + 1) % 4, i, 5});
  }
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [at, is_new] =
        middles.try_emplace(std::minmax(a, b), static_cast<int>(hull.points.size()));
    if (is_new) {
      const Vec3d sum = hull.points[a] + hull.points[b];
      hull.points.push_back((1 / norm(sum)) * sum);
    }
    return at->second;
  };
  for (int round = 0; round < 2; ++round) {
    const std::vector<std::array<int, 3>> before = std::exchange(hull.faces, {});
    for (const auto& [a, b, c] : before) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      for (const std::array<int, 3>& face :
           {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) {
        hull.faces.push_back(face);
      }
    }
  }
  return hull;
}

}  // namespace

HullFaces hull_faces(const Geom& g, int directions) {
  if (g.type == GeomType::ellipsoid) {
    HullFaces hull = make_round_hull();
    for (Vec3d& p : hull.points) p = {g.size.x * p.x, g.size.y * p.y, g.size.z * p.z};
    return hull;
  }
  HullFaces hull;
  hull.points = hull_points(g, directions);
  hull.faces = solid_hull(hull.points);
  if (hull.faces.empty()) {
    throw InputError(fmt::format("mesh '{}' is flat, expected one with a volume", g.name));
  }
  return hull;
}

HullOutline make_hull_plan(const std::vector<Vec3d>& points, const Vec3d& direction) {
  const Vec3d side = cross(direction, unit((largest_axis(direction) + 1) % 3, 1));
  const Vec3d x = (1 / norm(side)) * side, y = cross(direction, x);
  std::vector<PlanePoint> plan;
  std::vector<double> depth;
  double deepest = -1e300, shallowest = 1e300;
  for (const Vec3d& v : points) {
    plan.push_back({dot(x, v), dot(y, v)});
    depth.push_back(dot(v, direction));
    deepest = std::fmax(deepest, depth.back());
    shallowest = std::fmin(shallowest, depth.back());
  }
  const std::vector<PlanePoint> hull = convex_hull(plan);
  HullOutline out;
  out.area = area_of(hull);
  out.width = least_width(hull);
  out.shares = nearest_shares(plan, depth, 0.5 * (deepest + shallowest), hull, out.area);
  return out;
}

namespace {

// The narrowest rectangle around a hull; one of its sides lies on one of the hull's.
struct Around {
  double width, length;  // [m]
};
Around rectangle_around(const std::vector<PlanePoint>& hull) {
  double extent = 0;
  for (const PlanePoint& p : hull) {
    extent = std::max({extent, std::abs(p.x - hull[0].x), std::abs(p.y - hull[0].y)});
  }
  Around out{extent, extent};
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const PlanePoint &a = hull[i], &b = hull[(i + 1) % hull.size()];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length < 1e-9 * extent) continue;  // two vertices but for rounding: points anywhere
    double farthest = 0, first = 0, last = 0;
    for (const PlanePoint& c : hull) {
      const double along = ((c.x - a.x) * (b.x - a.x) + (c.y - a.y) * (b.y - a.y)) / length;
      farthest = std::max(farthest, turn_area(a, b, c));
      first = std::min(first, along);
      last = std::max(last, along);
    }
    if (farthest / length < out.width) out = {farthest / length, last - first};
  }
  return out;
}

}  // namespace

double least_width(const std::vector<PlanePoint>& hull) { return rectangle_around(hull).width; }

double bearing_width(const std::vector<PlanePoint>& hull) {
  constexpr double kDisc = std::numbers::pi / 4;
  const auto [width, length] = rectangle_around(hull);
  if (!(width > 0)) return width;
  const double fill = std::clamp(area_of(hull) / (width * length), kDisc, 1.0);
  return width * (0.5 + 0.5 * (fill - kDisc) / (1 - kDisc));
}

}  // namespace footfall
