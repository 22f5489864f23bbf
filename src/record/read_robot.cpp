#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/math/quaternion.hpp"
#include "footfall/record/run_data.hpp"
#include "input_error.hpp"
#include "placed.hpp"

namespace footfall {

namespace {

// A constant of a run file, with its rows checked.
class ConstantTable {
 public:
  ConstantTable(const RunContents& run, const std::string& name, std::size_t rows, int width)
      : column_(run.constant(name)), file_(run.file) {
    if (column_.width != width || column_.values.size() != rows * width) {
      throw input_error("{}: {} has {} numbers, expected {}", file_, column_.name,
                        column_.values.size(), rows * width);
    }
  }
  double number(std::size_t row, int k = 0) const {
    return column_.values[row * column_.width + k];
  }
  // An index or a count: whole, from lowest to highest.
  int index(std::size_t row, int lowest, std::size_t highest, int k = 0) const {
    const double value = number(row, k);
    if (!(value >= lowest && value <= static_cast<double>(highest))) {
      throw input_error("{}: {} is {} in row {}, expected {} to {}", file_, column_.name, value,
                        row, lowest, highest);
    }
    return static_cast<int>(value);
  }
  Vec3d vector(std::size_t row) const { return column_.vector(static_cast<int>(row)); }
  Mat3d matrix(std::size_t row) const {
    return {{number(row, 0), number(row, 3), number(row, 6)},
            {number(row, 1), number(row, 4), number(row, 7)},
            {number(row, 2), number(row, 5), number(row, 8)}};
  }

 private:
  const RunColumn& column_;
  const std::string& file_;
};

// Exactly 1, 0, 0, 0 where nothing turns: kinematics skips such bodies.
Quatd quaternion_of(const Mat3d& r) {
  const Mat3d e = identity3<double>();
  if (norm(r.x - e.x) == 0 && norm(r.y - e.y) == 0 && norm(r.z - e.z) == 0) return {1, 0, 0, 0};
  Quatd q = to_quaternion(r);
  if (q.w == 1) q.w = std::nextafter(1.0, 0.0);
  return q;
}

void read_joints(const RunContents& run, RobotModel& robot) {
  const std::vector<std::string>& names = run.list("joint_names");
  const std::size_t n = names.size(), bodies = robot.bodies.size();
  const ConstantTable type(run, "robot/joint_type", n, 1), body(run, "robot/joint_body", n, 1),
      q_index(run, "robot/joint_qpos_index", n, 1), v_index(run, "robot/joint_qvel_index", n, 1),
      axis(run, "robot/joint_axis", n, 3), anchor(run, "robot/joint_anchor", n, 3),
      q0(run, "robot/joint_q0", n, 1);
  int nq = 0, nv = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Joint joint;
    joint.name = names[i];
    joint.type = static_cast<JointType>(type.index(i, 0, 3));
    joint.body = body.index(i, 1, bodies - 1);
    joint.q_index = q_index.index(i, nq, nq);
    joint.v_index = v_index.index(i, nv, nv);
    joint.axis = axis.vector(i);
    joint.anchor = anchor.vector(i);
    joint.q0 = q0.number(i);
    nq += position_count(joint.type);
    for (int k = 0; k < velocity_count(joint.type); ++k) {
      robot.dofs.push_back({.joint = static_cast<int>(i), .body = joint.body, .parent = nv - 1});
      ++nv;
    }
    robot.joints.push_back(std::move(joint));
  }
  robot.qpos0.assign(static_cast<std::size_t>(nq), 0.0);
}

void read_bodies(const RunContents& run, RobotModel& robot) {
  const std::vector<std::string>& names = run.list("body_names");
  const std::size_t n = names.size(), joints = run.list("joint_names").size();
  if (n == 0) throw input_error("{}: its robot has no bodies", run.file);
  const ConstantTable parent(run, "robot/body_parent", n, 1),
      first(run, "robot/body_first_joint", n, 1), count(run, "robot/body_joint_count", n, 1),
      position(run, "robot/body_position", n, 3), rotation(run, "robot/body_rotation", n, 9),
      mass(run, "robot/body_mass", n, 1), center(run, "robot/body_center_of_mass", n, 3);
  for (std::size_t i = 0; i < n; ++i) {
    Body body;
    body.name = names[i];
    body.parent = parent.index(i, 0, i == 0 ? 0 : i - 1);
    body.root = body.parent == 0 ? static_cast<int>(i) : robot.bodies[body.parent].root;
    body.joint_count = count.index(i, 0, joints);
    const std::size_t last_start = joints - static_cast<std::size_t>(body.joint_count);
    body.first_joint = body.joint_count == 0 ? 0 : first.index(i, 0, last_start);
    body.position = position.vector(i);
    body.rotation = rotation.matrix(i);
    body.quat = quaternion_of(body.rotation);
    body.mass = mass.number(i);
    body.com = center.vector(i);
    robot.bodies.push_back(std::move(body));
  }
}

void read_geoms(const RunContents& run, RobotModel& robot) {
  const std::size_t n = run.constant("robot/geom_type").values.size();
  const std::size_t nv = run.constant("robot/vertices").values.size() / 3;
  const std::size_t nt = run.constant("robot/triangles").values.size() / 3;
  const ConstantTable type(run, "robot/geom_type", n, 1), body(run, "robot/geom_body", n, 1),
      collides(run, "robot/geom_collides", n, 1), position(run, "robot/geom_position", n, 3),
      rotation(run, "robot/geom_rotation", n, 9), size(run, "robot/geom_size", n, 3),
      rgba(run, "robot/geom_rgba", n, 4), vertex_count(run, "robot/geom_vertex_count", n, 1),
      triangle_count(run, "robot/geom_triangle_count", n, 1),
      vertices(run, "robot/vertices", nv, 3), triangles(run, "robot/triangles", nt, 3);
  std::size_t vertex = 0, triangle = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Geom geom;
    geom.name = fmt::format("geom_{}", i);
    geom.type = static_cast<GeomType>(type.index(i, 0, 5));
    geom.body = body.index(i, 0, robot.bodies.size() - 1);
    geom.collides = collides.number(i) != 0;
    geom.position = position.vector(i);
    geom.rotation = rotation.matrix(i);
    geom.size = size.vector(i);
    for (int k = 0; k < 4; ++k) geom.rgba[k] = static_cast<float>(rgba.number(i, k));
    const int own_vertices = vertex_count.index(i, 0, nv - vertex);
    for (int k = 0; k < own_vertices; ++k) geom.vertices.push_back(vertices.vector(vertex++));
    const int own_triangles = triangle_count.index(i, 0, nt - triangle);
    for (int k = 0; k < own_triangles; ++k, ++triangle) {
      const auto last = static_cast<std::size_t>(std::max(own_vertices - 1, 0));
      geom.triangles.push_back({triangles.index(triangle, 0, last, 0),
                                triangles.index(triangle, 0, last, 1),
                                triangles.index(triangle, 0, last, 2)});
    }
    robot.geoms.push_back(std::move(geom));
  }
}

void read_regions(const RunContents& run, std::vector<Region>& regions) {
  const std::vector<std::string>& names = run.list("region_names");
  const std::size_t n = names.size(), soils = run.list("soil_names").size();
  if (n == 0) return;
  const ConstantTable soil(run, "terrain/region_soil", n, 1),
      shape(run, "terrain/region_shape", n, 1), number(run, "terrain/region_numbers", n, 4);
  for (std::size_t i = 0; i < n; ++i) {
    Region r;
    r.name = names[i];
    r.soil = soil.index(i, 0, soils - 1);
    r.shape = static_cast<RegionShape>(shape.index(i, 0, 2));
    if (r.shape == RegionShape::rectangle) {
      r.x_min = number.number(i, 0);
      r.x_max = number.number(i, 1);
      r.y_min = number.number(i, 2);
      r.y_max = number.number(i, 3);
    } else if (r.shape == RegionShape::circle) {
      r.center_x = number.number(i, 0);
      r.center_y = number.number(i, 1);
      r.radius = number.number(i, 2);
    } else {
      r.a = number.number(i, 0);
      r.b = number.number(i, 1);
      r.c = number.number(i, 2);
    }
    regions.push_back(std::move(r));
  }
}

}  // namespace

RobotModel read_robot(const RunContents& run) {
  RobotModel robot;
  robot.name = run.text("robot_name");
  robot.source_file = run.text("robot_file");
  read_bodies(run, robot);
  read_joints(run, robot);
  read_geoms(run, robot);
  return robot;
}

Terrain read_terrain(const RunContents& run) {
  Terrain terrain;
  read_regions(run, terrain.regions);
  terrain.is_plane = run.find_constant("terrain/plane_point") != nullptr;
  if (terrain.is_plane) {
    const ConstantTable point(run, "terrain/plane_point", 3, 1),
        normal(run, "terrain/plane_normal", 3, 1);
    terrain.plane_point = {point.number(0), point.number(1), point.number(2)};
    terrain.plane_normal = {normal.number(0), normal.number(1), normal.number(2)};
  } else {
    const RunColumn& heights = run.constant("terrain/heights");
    const ConstantTable origin(run, "terrain/origin", 2, 1), spacing(run, "terrain/spacing", 1, 1);
    Heightfield& field = terrain.field;
    field.nx = heights.width;
    field.ny = heights.width > 0 ? static_cast<int>(heights.values.size()) / heights.width : 0;
    field.origin_x = origin.number(0);
    field.origin_y = origin.number(1);
    field.spacing = spacing.number(0);
    field.heights = heights.values;
  }
  placed(run.file + ": its ground: ", [&] { check_terrain(terrain); });
  return terrain;
}

std::vector<RunFoot> read_feet(const RunContents& run, const RobotModel& robot) {
  const std::vector<std::string>& names = run.list("foot_names");
  const std::size_t n = names.size();
  std::vector<RunFoot> feet(n);
  if (n == 0) return feet;
  if (robot.geoms.empty()) throw input_error("{}: its feet have no geoms", run.file);
  const std::size_t points = run.constant("robot/sole_point_foot").values.size();
  const ConstantTable geom(run, "robot/foot_geom", n, 1), shape(run, "robot/foot_shape", n, 1),
      radius(run, "robot/foot_radius", n, 1), owner(run, "robot/sole_point_foot", points, 1),
      position(run, "robot/sole_point_position", points, 3);
  for (std::size_t i = 0; i < n; ++i) {
    feet[i].name = names[i];
    feet[i].geom = geom.index(i, 0, robot.geoms.size() - 1);
    feet[i].body = robot.geoms[feet[i].geom].body;
    feet[i].geoms = {feet[i].geom};
    feet[i].shape = static_cast<SoleShape>(shape.index(i, 0, 4));
    feet[i].radius = radius.number(i);
  }
  if (run.find_constant("robot/geom_foot") != nullptr) {
    const ConstantTable foot(run, "robot/geom_foot", robot.geoms.size(), 1);
    for (std::size_t g = 0; g < robot.geoms.size(); ++g) {
      const int f = foot.index(g, -1, n - 1);
      if (f >= 0 && feet[f].geom != static_cast<int>(g)) {
        feet[f].geoms.push_back(static_cast<int>(g));
      }
    }
  }
  for (std::size_t i = 0; i < points; ++i) {
    feet[owner.index(i, 0, n - 1)].sole.push_back(position.vector(i));
  }
  return feet;
}

std::vector<RunSoil> read_soils(const RunContents& run) {
  const std::vector<std::string>& names = run.list("soil_names");
  std::vector<RunSoil> soils;
  if (names.empty()) return soils;
  const ConstantTable plastic(run, "terrain/soil_plastic", names.size(), 1),
      stiffness(run, "terrain/soil_stiffness", names.size(), 1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    soils.push_back({names[i], plastic.number(i) != 0, stiffness.number(i)});
  }
  return soils;
}

}  // namespace footfall
