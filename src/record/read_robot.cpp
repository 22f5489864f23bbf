#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/error.hpp"
#include "footfall/math/quaternion.hpp"
#include "footfall/record/run_data.hpp"
#include "record/read_constant.hpp"

namespace footfall {

namespace {

using record::ConstantTable;

// Exactly 1, 0, 0, 0 where nothing turns: kinematics skips such bodies.
Quatd quaternion_of(const Mat3d& r) {
  const Mat3d e = identity3<double>();
  if (norm(r.x - e.x) == 0 && norm(r.y - e.y) == 0 && norm(r.z - e.z) == 0) return {1, 0, 0, 0};
  Quatd q = to_quaternion(r);
  if (q.w == 1) q.w = std::nextafter(1.0, 0.0);
  return q;
}

void read_joints(const RunData& run, RobotModel& robot) {
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

void read_bodies(const RunData& run, RobotModel& robot) {
  const std::vector<std::string>& names = run.list("body_names");
  const std::size_t n = names.size(), joints = run.list("joint_names").size();
  if (n == 0) throw InputError(fmt::format("{}: its robot has no bodies", run.file));
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

void read_geoms(const RunData& run, RobotModel& robot) {
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

}  // namespace

RobotModel read_robot(const RunData& run) {
  RobotModel robot;
  robot.name = run.text("robot_name");
  robot.source_file = run.text("robot_file");
  read_bodies(run, robot);
  read_joints(run, robot);
  read_geoms(run, robot);
  return robot;
}

}  // namespace footfall
