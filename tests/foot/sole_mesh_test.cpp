// Soles from meshes converge to the closed forms of their shapes.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "footfall/foot/foot_sole.hpp"
#include "support/table_6.hpp"

namespace footfall {
namespace {

using testing::dry_sand;
using testing::table_6;

constexpr double kMeshPi = std::numbers::pi;

struct Mesh {
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> faces;
  FootSole sole(double spacing) const { return make_mesh(vertices, faces, spacing); }
};

// All six faces of a box, turned by 0.3 rad about z, 0.4 m above nothing in particular.
Mesh box(double length, double width, double height) {
  Mesh mesh;
  for (const double z : {0.0, height}) {
    for (const auto& [sx, sy] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
      const double x = 0.5 * length * sx, y = 0.5 * width * sy;
      mesh.vertices.push_back(
          {x * std::cos(0.3) - y * std::sin(0.3), x * std::sin(0.3) + y * std::cos(0.3), z + 0.4});
    }
  }
  mesh.faces = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  return mesh;
}

// The lower half of a sphere: rings by angle from the lowest point.
Mesh bowl(double radius, int rings) {
  Mesh mesh;
  for (int i = 0; i <= rings; ++i) {
    for (int j = 0; j <= 4 * rings; ++j) {
      const double t = 0.5 * kMeshPi * i / rings, a = 2 * kMeshPi * j / (4 * rings);
      mesh.vertices.push_back({radius * std::sin(t) * std::cos(a),
                               radius * std::sin(t) * std::sin(a), -radius * std::cos(t)});
    }
  }
  for (int i = 0; i < rings; ++i) {
    for (int j = 0; j < 4 * rings; ++j) {
      const int a = i * (4 * rings + 1) + j, b = a + 1, c = a + 4 * rings + 1, d = c + 1;
      mesh.faces.push_back({a, b, c});
      mesh.faces.push_back({b, d, c});
    }
  }
  return mesh;
}

// The lower half of a cylinder along y.
Mesh trough(double radius, double width, int strips) {
  Mesh mesh;
  for (int i = 0; i <= strips; ++i) {
    const double t = kMeshPi * (static_cast<double>(i) / strips - 0.5);
    for (const double y : {0.5 * width, -0.5 * width}) {
      mesh.vertices.push_back({radius * std::sin(t), y, -radius * std::cos(t)});
    }
  }
  for (int i = 0; i < strips; ++i) {
    const int a = 2 * i;
    mesh.faces.push_back({a, a + 2, a + 1});
    mesh.faces.push_back({a + 1, a + 2, a + 3});
  }
  return mesh;
}

TEST(SoleMesh, BoxIsItsRectangle) {
  const Mesh mesh = box(0.12, 0.05, 0.03);
  for (const double spacing : {1.0, 0.02, 0.003}) {
    const FootSole sole = mesh.sole(spacing);
    EXPECT_NEAR(contact_width(sole), 0.05, 1e-15);
    EXPECT_NEAR(contact_area(sole, 0.001), 0.006, 1e-15);
    EXPECT_NEAR(plan_area(sole, 0.001), 0.006, 1e-15);
    EXPECT_NEAR(cohesive_area(sole, 0.001), 0.006, 1e-15);
    for (const PlasticSoil& soil : table_6()) {
      const Bearing<double> expected = normal_force(make_rectangle(0.12, 0.05), soil, 0.01);
      const Bearing<double> found = normal_force(sole, soil, 0.01);
      EXPECT_NEAR(found.force, expected.force, 1e-12 * expected.force);
      EXPECT_NEAR(found.slope, expected.slope, 1e-12 * expected.slope);
    }
  }
}

TEST(SoleMesh, ElementsAreNoLargerThanAskedAndStandByHeight) {
  const FootSole sole = bowl(0.05, 10).sole(0.002);
  double last = 0;
  for (const SoleElement& e : sole.elements) {
    EXPECT_GE(e.position.z, last);
    EXPECT_GT(e.plan_area, 0);
    EXPECT_GE(e.surface_area, e.plan_area * (1 - 1e-12));
    EXPECT_LE(e.surface_area, 0.002 * 0.002 * std::sqrt(3) / 4 * (1 + 1e-9));
    last = e.position.z;
  }
}

// Relative error of the force at a quarter and at the whole of the radius.
template <class MakeMesh>
double force_error(const MakeMesh& make, const FootSole& smooth, int count, double spacing) {
  double worst = 0;
  for (const double n : {0.4, 1.1}) {
    PlasticSoil soil = dry_sand();
    soil.pressure = {.law = PressureLaw::bernstein, .exponent = n, .sinkage_modulus = 1e6};
    const FootSole sole = make(count).sole(spacing);
    for (const double d : {0.25 * smooth.radius, smooth.radius}) {
      const double exact = normal_force(smooth, soil, d).force;
      worst = std::max(worst, std::abs(normal_force(sole, soil, d).force / exact - 1));
    }
  }
  return worst;
}

TEST(SoleMesh, BowlConvergesToTheSphere) {
  const auto make = [](int count) { return bowl(0.05, count); };
  const FootSole ball = make_sphere(0.05);
  const double coarse = force_error(make, ball, 25, 0.006),
               fine = force_error(make, ball, 100, 0.0015);
  EXPECT_LT(fine, 6e-4);
  EXPECT_GT(coarse / fine, 8);  // second order but for the waterline's elements
}

TEST(SoleMesh, TroughConvergesToTheCylinder) {
  const auto make = [](int count) { return trough(0.05, 0.08, count); };
  const FootSole rim = make_cylinder(0.05, 0.08);
  const double coarse = force_error(make, rim, 50, 0.1), fine = force_error(make, rim, 400, 0.1);
  EXPECT_LT(fine, 6e-4);
  EXPECT_GT(coarse / fine, 8);
}

TEST(SoleMesh, WidthAndAreasAreThoseOfTheShape) {
  const FootSole ball = bowl(0.05, 60).sole(0.005), rim = trough(0.05, 0.08, 200).sole(0.004);
  EXPECT_NEAR(contact_width(ball), 0.1, 2e-4);
  EXPECT_NEAR(contact_width(rim), 0.08, 1e-12);
  EXPECT_NEAR(contact_area(ball, 1), 2 * kMeshPi * 0.0025, 1e-5);
  EXPECT_NEAR(plan_area(ball, 1), kMeshPi * 0.0025, 1e-5);
  EXPECT_NEAR(contact_area(rim, 0.02), contact_area(make_cylinder(0.05, 0.08), 0.02), 3e-4);
}

TEST(SoleMesh, SinkageIsTheInverseOfForce) {
  const SoleLaw law = make_sole_law(bowl(0.05, 20).sole(0.005), dry_sand());
  for (const double load : {1e-6, 0.1, 20.0, 500.0}) {
    EXPECT_NEAR(normal_force(law, find_sinkage(law, load)).force, load, 1e-10 * load);
  }
}

TEST(SoleMesh, RefusesWhatIsNoSole) {
  const Mesh mesh = box(0.12, 0.05, 0.03);
  EXPECT_THROW(mesh.sole(0), InputError);
  EXPECT_THROW(mesh.sole(NAN), InputError);
  EXPECT_THROW(mesh.sole(1e-7), InputError);  // too many elements
  EXPECT_THROW(make_mesh(mesh.vertices, {{0, 1, 8}}, 0.01), InputError);
  EXPECT_THROW(make_mesh(mesh.vertices, {{0, 1, -1}}, 0.01), InputError);
  EXPECT_THROW(make_mesh(mesh.vertices, {{4, 5, 6}}, 0.01), InputError);  // looks up
  EXPECT_THROW(make_mesh(mesh.vertices, {}, 0.01), InputError);
  Mesh broken = mesh;
  broken.vertices[0].x = NAN;
  EXPECT_THROW(broken.sole(0.01), InputError);
}

}  // namespace
}  // namespace footfall
