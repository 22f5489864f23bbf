// Free bodies of a few shapes.
#pragma once

#include <vector>

#include "footfall/robot/model.hpp"

namespace footfall::testing {

inline Geom shape(GeomType type, const Vec3d& size, const Vec3d& position = {0, 0, 0}) {
  Geom geom;
  geom.type = type;
  geom.size = size;
  geom.position = position;
  geom.body = 1;
  return geom;
}

// A shape's axis z turned towards x by an angle [rad].
inline Geom leaning(Geom geom, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  geom.rotation = {{c, 0, -s}, {0, 1, 0}, {s, 0, c}};
  return geom;
}

// A body of these shapes whose origin is `height` above the ground.
inline RobotModel free_body(const std::vector<Geom>& geoms, double mass = 1, double height = 0) {
  RobotModel robot;
  robot.name = "shapes";
  robot.bodies.resize(2);
  robot.bodies[1].name = "body";
  robot.bodies[1].parent = 0;
  robot.bodies[1].root = 1;
  robot.bodies[1].mass = mass;
  robot.bodies[1].inertia = {mass, 0, 0, mass, 0, mass};
  Joint joint;
  joint.type = JointType::free;
  joint.body = 1;
  robot.joints = {joint};
  robot.bodies[1].joint_count = 1;
  for (int d = 0; d < 6; ++d) robot.dofs.push_back({0, 1, d - 1, 0, 0, 0});
  robot.qpos0 = {0, 0, height, 1, 0, 0, 0};
  robot.geoms = geoms;
  return robot;
}

// The hull of a plate whose lower edges are cut off by `chamfer`, its lower side at z = 0.
inline Geom chamfered_plate(double length, double width, double thickness, double chamfer) {
  Geom plate = shape(GeomType::mesh, {0, 0, 0});
  const auto ring = [&](double z, double cut) {
    const double x = 0.5 * length - cut, y = 0.5 * width - cut;
    plate.vertices.insert(plate.vertices.end(), {{x, y, z}, {-x, y, z}, {-x, -y, z}, {x, -y, z}});
  };
  ring(0, chamfer);
  ring(chamfer, 0);
  ring(thickness, 0);
  plate.triangles = {{0, 2, 1}, {0, 3, 2}, {8, 9, 10}, {8, 10, 11}};
  for (int low = 0; low < 8; low += 4) {
    for (int i = 0; i < 4; ++i) {
      const int a = low + i, b = low + (i + 1) % 4;
      plate.triangles.push_back({a, b, b + 4});
      plate.triangles.push_back({a, b + 4, a + 4});
    }
  }
  return plate;
}

}  // namespace footfall::testing
