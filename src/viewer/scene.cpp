#include "viewer/scene.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/math/hull.hpp"
#include "footfall/math/quaternion.hpp"
#include "report/soil_color.hpp"

namespace footfall::viewer {
namespace {

constexpr double kFarEdge = 200;  // where a half-plane ends on a page [m]
constexpr int kCircleCorners = 48;
constexpr double kHeightStep = 1e-4;  // to which heights of the ground are rounded [m]

Json list_of(const Vec3d& v) { return {v.x, v.y, v.z}; }

std::vector<double> size_of(const Geom& geom) {
  switch (geom.type) {
  case GeomType::sphere:
    return {geom.size.x};
  case GeomType::capsule:
  case GeomType::cylinder:
    return {geom.size.x, geom.size.y};
  case GeomType::box:
  case GeomType::ellipsoid:
    return {geom.size.x, geom.size.y, geom.size.z};
  case GeomType::mesh:
    break;
  }
  return {};
}

Json mesh_json(const Geom& geom, ArrayStore& arrays) {
  std::vector<double> vertices, corners;
  for (const Vec3d& v : geom.vertices) vertices.insert(vertices.end(), {v.x, v.y, v.z});
  for (const auto& t : geom.triangles) corners.insert(corners.end(), t.begin(), t.end());
  return {{"vertices", arrays.add_floats(vertices, 3)},
          {"triangles", arrays.add_steps(corners, 1, 3)}};
}

Json geom_json(const Geom& geom) {
  constexpr const char* names[] = {"sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh"};
  const Quatd q = to_quaternion(geom.rotation);
  Json color = Json::array();
  for (const float c : geom.rgba) color.push_back(std::round(1000 * c) / 1000);
  return {{"body", geom.body - 1},
          {"type", names[static_cast<std::size_t>(geom.type)]},
          {"size", size_of(geom)},
          {"position", list_of(geom.position)},
          {"quaternion", {q.w, q.x, q.y, q.z}},
          {"color", color}};
}

std::string color_of(const Scene& scene, int soil) {
  if (soil >= static_cast<int>(scene.soils.size())) return "#d9ccab";
  const RunSoil& s = scene.soils[soil];
  return picture::hex(picture::soil_kind_color(s.name, s.plastic, s.stiffness, soil));
}
std::string name_of(const Scene& scene, int soil) {
  return soil < static_cast<int>(scene.soils.size()) ? scene.soils[soil].name : "";
}

Json outline_of(const Region& r) {
  Json out = Json::array();
  if (r.shape == RegionShape::rectangle) {
    return {{r.x_min, r.y_min}, {r.x_max, r.y_min}, {r.x_max, r.y_max}, {r.x_min, r.y_max}};
  }
  if (r.shape == RegionShape::circle) {
    for (int i = 0; i < kCircleCorners; ++i) {
      const double angle = 2 * std::numbers::pi * i / kCircleCorners;
      out.push_back(
          {r.center_x + r.radius * std::cos(angle), r.center_y + r.radius * std::sin(angle)});
    }
    return out;
  }
  // a x + b y >= c: a large rectangle on that side of the line
  const double length = std::hypot(r.a, r.b);
  const double nx = r.a / length, ny = r.b / length, d = r.c / length;
  const double x = d * nx, y = d * ny;
  for (const auto& [along, inward] : {std::pair{-1, 0}, {1, 0}, {1, 1}, {-1, 1}}) {
    out.push_back(
        {x + kFarEdge * (inward * nx - along * ny), y + kFarEdge * (inward * ny + along * nx)});
  }
  return out;
}

// Corners of a flat sole in order, frame B: the hull of its points in their plane.
std::vector<Vec3d> sole_outline(const RunFoot& foot) {
  const std::vector<Vec3d>& points = foot.sole;
  if (foot.radius > 0 || points.size() < 3) return {};
  Vec3d middle{0, 0, 0};
  for (const Vec3d& p : points) middle += (1.0 / static_cast<double>(points.size())) * p;
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vec3d& p : points) {
    const Eigen::Vector3d d(p.x - middle.x, p.y - middle.y, p.z - middle.z);
    spread += d * d.transpose();
  }
  // The plane of the points: across the direction in which they are spread least.
  const Eigen::Matrix3d axes =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors();
  const Vec3d u{axes(0, 2), axes(1, 2), axes(2, 2)}, v{axes(0, 1), axes(1, 1), axes(2, 1)};
  std::vector<PlanePoint> plane;
  plane.reserve(points.size());
  for (const Vec3d& p : points) plane.push_back({dot(p - middle, u), dot(p - middle, v)});
  std::vector<Vec3d> out;
  for (const PlanePoint& p : convex_hull(std::move(plane))) {
    out.push_back(middle + p.x * u + p.y * v);
  }
  return out;
}

double polygon_area(const std::vector<Vec3d>& corners) {
  Vec3d sum{0, 0, 0};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    sum += 0.5 * cross(corners[i] - corners[0], corners[(i + 1) % corners.size()] - corners[0]);
  }
  return norm(sum);
}

}  // namespace

Scene read_scene(const RunContents& run) {
  RobotModel robot = read_robot(run);
  std::vector<RunFoot> feet = read_feet(run, robot);
  return {std::move(robot), read_terrain(run), std::move(feet), read_soils(run)};
}

Json robot_json(const RobotModel& robot, ArrayStore& arrays) {
  Json bodies = Json::array(), geoms = Json::array(), meshes = Json::array();
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    bodies.push_back({{"name", robot.bodies[b].name}});
  }
  for (const Geom& geom : robot.geoms) {
    if (geom.body == 0) continue;
    Json g = geom_json(geom);
    if (geom.type == GeomType::mesh) {
      g["mesh"] = meshes.size();
      meshes.push_back(mesh_json(geom, arrays));
    }
    geoms.push_back(std::move(g));
  }
  return {{"bodies", bodies}, {"geoms", geoms}, {"meshes", meshes}};
}

Json ground_json(const Scene& scene, ArrayStore& arrays) {
  const Terrain& terrain = scene.terrain;
  Json out{{"kind", terrain.is_plane ? "plane" : "heightfield"}};
  if (terrain.is_plane) {
    out["point"] = list_of(terrain.plane_point);
    out["normal"] = list_of(terrain.plane_normal);
  } else {
    const Heightfield& field = terrain.field;
    out["origin"] = {field.origin_x, field.origin_y};
    out["spacing"] = {field.spacing, field.spacing};
    out["columns"] = field.nx;
    out["heights"] = arrays.add_steps(field.heights, kHeightStep, field.nx);
  }
  out["soil"] = name_of(scene, 0);
  out["color"] = color_of(scene, 0);
  Json regions = Json::array();
  for (const Region& r : terrain.regions) {
    regions.push_back({{"name", r.name},
                       {"soil", name_of(scene, r.soil)},
                       {"color", color_of(scene, r.soil)},
                       {"outline", outline_of(r)}});
  }
  out["regions"] = std::move(regions);
  return out;
}

Json feet_json(const Scene& scene) {
  Json out = Json::array();
  for (std::size_t i = 0; i < scene.feet.size(); ++i) {
    const RunFoot& foot = scene.feet[i];
    Json corners = Json::array();
    for (const Vec3d& p : sole_outline(foot)) corners.push_back(list_of(p));
    Json one{{"name", foot.name}, {"body", foot.body - 1}, {"outline", corners}, {"color", i}};
    if (foot.radius > 0) one["radius"] = foot.radius;
    out.push_back(std::move(one));
  }
  return out;
}

double sole_area(const Scene& scene, int foot) {
  const RunFoot& f = scene.feet[foot];
  const double area =
      f.radius > 0 ? std::numbers::pi * f.radius * f.radius : polygon_area(sole_outline(f));
  return std::max(area, 1e-6);
}

}  // namespace footfall::viewer
