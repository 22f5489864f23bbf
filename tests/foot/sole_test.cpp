// Soles by a second route: integrals over the true shape.
#include "footfall/error.hpp"
#include "footfall/foot/sole.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "support/worlds.hpp"

namespace footfall {
namespace {

RobotModel robot_with(const Geom& geom) {
  RobotModel robot;
  robot.bodies.resize(2);
  robot.bodies[1].parent = 0;
  robot.bodies[1].root = 1;
  robot.bodies[1].mass = 1;
  robot.bodies[1].inertia = {1, 0, 0, 1, 0, 1};
  Joint joint;
  joint.type = JointType::free;
  joint.body = 1;
  robot.joints = {joint};
  robot.bodies[1].joint_count = 1;
  for (int d = 0; d < 6; ++d) robot.dofs.push_back({0, 1, d - 1, 0, 0, 0});
  robot.qpos0 = {0, 0, 1, 1, 0, 0, 0};
  Geom g = geom;
  g.body = 1;
  robot.geoms = {g};
  return robot;
}

Soles soles_of(const Geom& geom, bool body_contacts = false) {
  const RobotModel robot = robot_with(geom);
  return make_soles(robot, {0}, body_contacts, robot.qpos0);
}

// Σ share, Σ share·x² and Σ share·y² of the points of the first group.
struct Moments {
  double zero = 0, xx = 0, yy = 0, x = 0, y = 0;
};
Moments moments(const Soles& soles) {
  Moments m;
  for (int i = 0; i < soles.groups[0].point_count; ++i) {
    const SolePoint& p = soles.points[i];
    const std::vector<Vec3d> parts = reach_of(p);  // Gauss's three points of a triangle, or one
    for (const Vec3d& part : parts) {
      const double w = p.weight / static_cast<double>(parts.size());
      const Vec3d at = 0.5 * (p.position + part);
      m.zero += w;
      m.x += w * at.x;
      m.y += w * at.y;
      m.xx += w * at.x * at.x;
      m.yy += w * at.y * at.y;
    }
  }
  return m;
}

TEST(Sole, RectangleHasTheForceAndTiltingMomentOfTheWholeFace) {
  Geom box;
  box.type = GeomType::box;
  box.size = {0.025, 0.02, 0.01};
  const Soles soles = soles_of(box);
  EXPECT_EQ(soles.feet[0].shape, SoleShape::rectangle);
  EXPECT_DOUBLE_EQ(soles.feet[0].area, 0.05 * 0.04);
  const Moments m = moments(soles);
  EXPECT_NEAR(m.zero, 1, 1e-15);
  EXPECT_NEAR(m.x, 0, 1e-17);
  EXPECT_NEAR(m.xx, 0.05 * 0.05 / 12, 1e-17);  // mean of x² over the face
  EXPECT_NEAR(m.yy, 0.04 * 0.04 / 12, 1e-17);
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(soles.points[i].position.z, -0.01, 1e-17);
}

TEST(Sole, DiscHasTheForceAndTiltingMomentOfTheWholeFace) {
  Geom cylinder;
  cylinder.type = GeomType::cylinder;
  cylinder.size = {0.03, 0.05, 0};
  const Soles soles = soles_of(cylinder);
  EXPECT_EQ(soles.feet[0].shape, SoleShape::disc);
  EXPECT_NEAR(soles.feet[0].area, std::numbers::pi * 9e-4, 1e-15);
  const Moments m = moments(soles);
  EXPECT_NEAR(m.zero, 1, 1e-14);
  // a polygon of 24 sides has the disc's area, and a little more moment
  EXPECT_NEAR(m.xx, 0.03 * 0.03 / 4, 2e-3 * 0.03 * 0.03 / 4);
  EXPECT_NEAR(m.yy, 0.03 * 0.03 / 4, 2e-3 * 0.03 * 0.03 / 4);
}

TEST(Sole, LyingCylinderIsARollerAndCapsuleARowOfBalls) {
  Geom lying;
  lying.type = GeomType::cylinder;
  lying.size = {0.03, 0.05, 0};
  lying.rotation = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}};  // axis along x
  const Soles roller = soles_of(lying);
  EXPECT_EQ(roller.feet[0].shape, SoleShape::cylinder);
  EXPECT_DOUBLE_EQ(roller.feet[0].width, 0.1);
  EXPECT_NEAR(moments(roller).zero, 1, 1e-15);
  EXPECT_NEAR(moments(roller).xx, 0.1 * 0.1 / 12, 1e-17);
  EXPECT_NEAR(std::abs(roller.points[0].axis.x), 1, 1e-15);
  lying.type = GeomType::capsule;
  const Soles balls = soles_of(lying);
  EXPECT_NEAR(norm(balls.points[0].axis), 0, 1e-15);
  EXPECT_DOUBLE_EQ(balls.points[0].radius, 0.03);
}

// Faces of a prism, seen from outside against the clock: `corners` below go round seen from above.
Geom make_prism(const std::vector<Vec3d>& below, const Vec3d& up) {
  Geom mesh;
  mesh.type = GeomType::mesh;
  mesh.name = "prism";
  const int n = static_cast<int>(below.size());
  mesh.vertices = below;
  for (const Vec3d& p : below) mesh.vertices.push_back(p + up);
  for (int i = 0; i < n; ++i) {
    const int k = (i + 1) % n;
    mesh.triangles.push_back({i, k, n + k});
    mesh.triangles.push_back({i, n + k, n + i});
    if (i == 0 || k == 0) continue;
    mesh.triangles.push_back({0, k, i});
    mesh.triangles.push_back({n, n + i, n + k});
  }
  return mesh;
}

TEST(Sole, HullHasTheFacesOfItsMeshSplit) {
  const Geom mesh =
      make_prism({{-0.1, -0.1, -0.02}, {0.1, -0.1, -0.02}, {0.1, 0.1, -0.02}, {-0.1, 0.1, -0.02}},
                 {0, 0, 0.04});
  const Soles soles = soles_of(mesh);
  EXPECT_EQ(soles.feet[0].shape, SoleShape::hull);
  EXPECT_NEAR(soles.feet[0].area, 0.2 * 0.2, 1e-15);
  Vec3d sum{0, 0, 0}, below{0, 0, 0};
  for (const SolePoint& p : soles.points) {
    EXPECT_TRUE(p.is_cell);
    EXPECT_LE(norm(p.area), 0.126 * soles.feet[0].area);
    sum += p.area;
    if (p.area.z < 0) below += p.area;
  }
  EXPECT_NEAR(norm(sum), 0, 1e-15);  // a closed surface
  EXPECT_NEAR(below.z, -0.04, 1e-15);
  Geom bare = mesh;  // its corners are enough
  bare.triangles.clear();
  EXPECT_NEAR(soles_of(bare).feet[0].area, 0.2 * 0.2, 1e-15);
}

// A hexagonal prism, turned about two axes in its geom: the area stays that of the hexagon.
TEST(Sole, HullHasTheAreaOfItsLowerFaceHoweverItIsTurned) {
  const Mat3d R = to_matrix(normalized(Quatd{0.8, 0.3, -0.5, 0.1}));
  std::vector<Vec3d> below;
  for (int i = 0; i < 6; ++i) {
    const double a = std::numbers::pi * i / 3;
    below.push_back(transpose_times(R, Vec3d{0.05 * std::cos(a), 0.05 * std::sin(a), -0.03}));
  }
  Geom mesh = make_prism(below, transpose_times(R, Vec3d{0, 0, 0.06}));
  mesh.rotation = R;
  EXPECT_NEAR(soles_of(mesh).feet[0].area, 1.5 * std::sqrt(3.0) * 0.05 * 0.05, 1e-14);
}

TEST(Sole, BodyContactsNeverDoubleTheSole) {
  for (const GeomType type : {GeomType::box, GeomType::cylinder, GeomType::capsule}) {
    Geom geom;
    geom.type = type;
    geom.size = {0.03, 0.03, 0.03};
    const Soles soles = soles_of(geom, true);
    ASSERT_GE(soles.groups.size(), 2U);
    for (int i = 0; i < soles.groups[1].point_count; ++i) {
      const SolePoint& p = soles.points[soles.groups[1].first_point + i];
      EXPECT_TRUE(p.is_cell ? p.area.z > -1e-12 : p.position.z > 0);  // back and sides only
    }
  }
}

TEST(Sole, GroupsHoldTheirPoints) {
  for (const char* name : {"quadruped", "humanoid", "robosimian"}) {
    const RobotModel robot = load_robot(testing::robot_file(name));
    const Soles soles = make_soles(robot, find_feet(robot), true, standing_pose(robot));
    for (const SoleGroup& group : soles.groups) {
      for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
        const SolePoint& p = soles.points[i];
        EXPECT_LE(norm(p.position - group.center) + p.radius, group.radius + 1e-12);
        EXPECT_EQ(p.foot, group.foot);
      }
    }
  }
}

}  // namespace
}  // namespace footfall
