#include "report/picture_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

namespace footfall::picture {

namespace {

constexpr int kAround = 24;  // points around a circle

struct Placed {
  Mat3d R_WG;
  Vec3d p_WG;
  Vec3d at(double x, double y, double z) const { return p_WG + R_WG * Vec3d{x, y, z}; }
};

Placed place(const Geom& geom, const RobotData<double>& pose) {
  const Mat3d& R_WB = pose.R_WB[geom.body];
  return {R_WB * geom.rotation, pose.p_WB[geom.body] + R_WB * geom.position};
}

Color color_of(const Geom& geom) { return {geom.rgba[0], geom.rgba[1], geom.rgba[2]}; }

// Light comes from above, from the viewer's left.
Color lit(const Color& color, const Vec3d& normal) {
  const Vec3d light{-0.35, -0.45, 0.82};
  const double s = dot(normal, light);
  return s > 0 ? mix(color, {1, 1, 1}, 0.42 * s) : mix(color, {0, 0, 0}, -0.35 * s);
}

std::string outline(const Color& color) { return hex(mix(color, {0.05, 0.07, 0.1}, 0.55)); }

void add_circle(const Placed& g, double radius, double z, std::vector<Vec3d>& out) {
  for (int i = 0; i < kAround; ++i) {
    const double a = 2 * std::numbers::pi * i / kAround;
    out.push_back(g.at(radius * std::cos(a), radius * std::sin(a), z));
  }
}

std::vector<Vec3d> box_corners(const Placed& g, const Vec3d& h) {
  std::vector<Vec3d> out;
  for (const double x : {-h.x, h.x}) {
    for (const double y : {-h.y, h.y}) {
      for (const double z : {-h.z, h.z}) out.push_back(g.at(x, y, z));
    }
  }
  return out;
}

std::vector<Point> project_all(const std::vector<Vec3d>& points, const Camera& camera) {
  std::vector<Point> out;
  out.reserve(points.size());
  for (const Vec3d& p : points) out.push_back(camera.project(p));
  return out;
}

void draw_box(const Geom& geom, const Placed& g, const Camera& camera, Svg& svg) {
  const Vec3d& h = geom.size;
  const Color color = color_of(geom);
  const auto face = [&](const Vec3d& normal, const Vec3d& a, const Vec3d& b, const Vec3d& center) {
    if (dot(normal, camera.toward) <= 0) return;
    const std::vector<Vec3d> corners = {center - a - b, center + a - b, center + a + b,
                                        center - a + b};
    svg.polygon(project_all(corners, camera),
                {.fill = hex(lit(color, normal)), .stroke = outline(color), .width = 0.9});
  };
  const Vec3d x = h.x * g.R_WG.x, y = h.y * g.R_WG.y, z = h.z * g.R_WG.z;
  for (const double s : {-1.0, 1.0}) {
    face(s * g.R_WG.x, y, z, g.p_WG + s * x);
    face(s * g.R_WG.y, z, x, g.p_WG + s * y);
    face(s * g.R_WG.z, x, y, g.p_WG + s * z);
  }
}

void draw_ball(const Point& at, double radius, const Color& color, Svg& svg) {
  svg.circle(at, radius, {.fill = svg.ball_fill(color), .stroke = outline(color), .width = 0.9});
}

void draw_capsule(const Geom& geom, const Placed& g, const Camera& camera, Svg& svg) {
  const Color color = color_of(geom);
  const double width = 2 * geom.size.x * camera.scale;
  const Point a = camera.project(g.at(0, 0, -geom.size.y));
  const Point b = camera.project(g.at(0, 0, geom.size.y));
  svg.line(a, b, {.stroke = outline(color), .width = width + 1.4}, true);
  svg.line(a, b, {.stroke = hex(mix(color, {0, 0, 0}, 0.1)), .width = width - 0.4}, true);
  // a lighter stripe on the lit side
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  if (length < 1e-6) return;
  Point side{(b.y - a.y) / length, -(b.x - a.x) / length};
  if (-0.6 * side.x - side.y < 0) side = {-side.x, -side.y};
  const double shift = 0.16 * width;
  svg.line(
      {a.x + shift * side.x, a.y + shift * side.y}, {b.x + shift * side.x, b.y + shift * side.y},
      {.stroke = hex(mix(color, {1, 1, 1}, 0.35)), .width = 0.45 * width, .opacity = 0.75}, true);
}

void draw_cylinder(const Geom& geom, const Placed& g, const Camera& camera, Svg& svg) {
  const Color color = color_of(geom);
  const double near_side = dot(g.R_WG.z, camera.toward) >= 0 ? 1 : -1;
  std::vector<Vec3d> both, cap;
  add_circle(g, geom.size.x, -geom.size.y, both);
  add_circle(g, geom.size.x, geom.size.y, both);
  add_circle(g, geom.size.x, near_side * geom.size.y, cap);
  svg.polygon(convex_hull(project_all(both, camera)),
              {.fill = hex(mix(color, {0, 0, 0}, 0.16)), .stroke = outline(color), .width = 0.9});
  svg.polygon(
      project_all(cap, camera),
      {.fill = hex(lit(color, near_side * g.R_WG.z)), .stroke = outline(color), .width = 0.7});
}

// A mesh fit for a picture: where it has too many triangles, vertices that share a cell of a grid
// become one, on the coarser a grid the more remain. The outline is drawn from all vertices.
struct DrawnMesh {
  std::vector<Vec3d> vertices;
  std::set<std::array<int, 3>> triangles;  // each begins with its smallest index
};

DrawnMesh merge_vertices(const Geom& geom, const Vec3d& lower, double cell) {
  DrawnMesh out;
  std::map<std::array<int, 3>, int> taken;
  std::vector<int> merged;
  for (const Vec3d& v : geom.vertices) {
    const Vec3d p = (1 / cell) * (v - lower);
    const std::array<int, 3> at = {static_cast<int>(p.x), static_cast<int>(p.y),
                                   static_cast<int>(p.z)};
    const auto [place, is_new] = taken.emplace(at, static_cast<int>(out.vertices.size()));
    if (is_new) out.vertices.push_back(v);
    merged.push_back(place->second);
  }
  for (const auto& t : geom.triangles) {
    std::array<int, 3> n = {merged[t[0]], merged[t[1]], merged[t[2]]};
    if (n[0] == n[1] || n[1] == n[2] || n[2] == n[0]) continue;
    std::rotate(n.begin(), std::min_element(n.begin(), n.end()), n.end());
    out.triangles.insert(n);
  }
  return out;
}

DrawnMesh simplify(const Geom& geom) {
  constexpr std::size_t kMostTriangles = 1000;
  DrawnMesh out{geom.vertices, {}};
  if (geom.triangles.size() <= kMostTriangles) {
    for (const auto& t : geom.triangles) out.triangles.insert({t[0], t[1], t[2]});
    return out;
  }
  Vec3d lower = geom.vertices[0], upper = lower;
  for (const Vec3d& v : geom.vertices) {
    lower = {std::fmin(lower.x, v.x), std::fmin(lower.y, v.y), std::fmin(lower.z, v.z)};
    upper = {std::fmax(upper.x, v.x), std::fmax(upper.y, v.y), std::fmax(upper.z, v.z)};
  }
  const Vec3d size = upper - lower;
  const double length = std::fmax(std::fmax(size.x, size.y), std::fmax(size.z, 1e-12));
  for (int cells = 32; cells >= 1; cells -= cells > 8 ? 4 : 1) {
    out = merge_vertices(geom, lower, length / cells * (1 + 1e-9));
    if (out.triangles.size() <= kMostTriangles) break;
  }
  return out;
}

void draw_mesh(const Geom& geom, const Placed& g, const Camera& camera, Svg& svg) {
  const Color color = color_of(geom);
  struct Face {
    double depth;
    std::vector<Point> points;
    Vec3d normal;
  };
  std::vector<Face> faces;
  const DrawnMesh mesh = simplify(geom);
  for (const auto& t : mesh.triangles) {
    const Vec3d &u = mesh.vertices[t[0]], &v = mesh.vertices[t[1]], &w = mesh.vertices[t[2]];
    const Vec3d a = g.at(u.x, u.y, u.z), b = g.at(v.x, v.y, v.z), c = g.at(w.x, w.y, w.z);
    const Vec3d n = cross(b - a, c - a);
    const double area = norm(n);
    if (area < 1e-14 || dot(n, camera.toward) <= 0) continue;
    faces.push_back({camera.depth(a + b + c), project_all({a, b, c}, camera), (1 / area) * n});
  }
  std::sort(faces.begin(), faces.end(),
            [](const Face& a, const Face& b) { return a.depth < b.depth; });
  std::vector<Point> all;
  all.reserve(geom.vertices.size());
  for (const Vec3d& v : geom.vertices) all.push_back(camera.project(g.at(v.x, v.y, v.z)));
  svg.polygon(convex_hull(std::move(all)),
              {.fill = hex(color), .stroke = outline(color), .width = 1.2});
  for (const Face& f : faces) {
    const std::string fill = hex(lit(color, f.normal));
    svg.polygon(f.points, {.fill = fill, .stroke = fill, .width = 0.4});
  }
}

void draw_geom(const Geom& geom, const RobotData<double>& pose, const Camera& camera, Svg& svg) {
  const Placed g = place(geom, pose);
  switch (geom.type) {
  case GeomType::sphere:
    draw_ball(camera.project(g.p_WG), geom.size.x * camera.scale, color_of(geom), svg);
    break;
  case GeomType::capsule:
    draw_capsule(geom, g, camera, svg);
    break;
  case GeomType::cylinder:
    draw_cylinder(geom, g, camera, svg);
    break;
  case GeomType::box:
    draw_box(geom, g, camera, svg);
    break;
  case GeomType::ellipsoid:
    svg.polygon(
        convex_hull(project_all(surface_points(geom, pose), camera)),
        {.fill = svg.ball_fill(color_of(geom)), .stroke = outline(color_of(geom)), .width = 0.9});
    break;
  case GeomType::mesh:
    draw_mesh(geom, g, camera, svg);
    break;
  }
}

}  // namespace

Camera make_camera(double yaw, double pitch) {
  const double s = std::sin(yaw), c = std::cos(yaw);
  Camera camera;
  camera.right = {c, s, 0};
  camera.toward = {s * std::cos(pitch), -c * std::cos(pitch), std::sin(pitch)};
  camera.up = cross(camera.toward, camera.right);
  return camera;
}

std::vector<Vec3d> surface_points(const Geom& geom, const RobotData<double>& pose) {
  const Placed g = place(geom, pose);
  std::vector<Vec3d> out;
  switch (geom.type) {
  case GeomType::box:
    return box_corners(g, geom.size);
  case GeomType::cylinder:
    add_circle(g, geom.size.x, -geom.size.y, out);
    add_circle(g, geom.size.x, geom.size.y, out);
    break;
  case GeomType::sphere:
  case GeomType::capsule:
  case GeomType::ellipsoid: {
    const bool is_ellipsoid = geom.type == GeomType::ellipsoid;
    const Vec3d r = is_ellipsoid ? geom.size : Vec3d{geom.size.x, geom.size.x, geom.size.x};
    const double half = geom.type == GeomType::capsule ? geom.size.y : 0;
    for (int i = 0; i < kAround; ++i) {
      const double a = 2 * std::numbers::pi * i / kAround;
      for (int k = -4; k <= 4; ++k) {
        const double b = std::numbers::pi * k / 8, u = std::cos(b);
        const double end = k > 0 ? half : k < 0 ? -half : 0;
        out.push_back(g.at(r.x * u * std::cos(a), r.y * u * std::sin(a), r.z * std::sin(b) + end));
      }
    }
    break;
  }
  case GeomType::mesh:
    for (const Vec3d& v : geom.vertices) out.push_back(g.at(v.x, v.y, v.z));
    break;
  }
  return out;
}

// Andrew's monotone chain.
std::vector<Point> convex_hull(std::vector<Point> points) {
  if (points.size() < 3) return points;
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Point> hull;
  const auto turns_right = [&](const Point& c) {
    const Point &a = hull[hull.size() - 2], &b = hull.back();
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) <= 0;
  };
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t start = hull.size();
    for (const Point& p : points) {
      while (hull.size() >= start + 2 && turns_right(p)) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

void draw_robot(const RobotModel& robot, const RobotData<double>& pose, const Camera& camera,
                Svg& svg) {
  std::vector<std::pair<double, std::size_t>> order;  // depth, index: the same order every time
  for (std::size_t i = 0; i < robot.geoms.size(); ++i) {
    const Geom& geom = robot.geoms[i];
    if (geom.rgba[3] > 0) order.emplace_back(camera.depth(place(geom, pose).p_WG), i);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [depth, index] : order) draw_geom(robot.geoms[index], pose, camera, svg);
}

}  // namespace footfall::picture
