// Vectors, rotations and six-component algebra against Eigen and against each other.
#include "footfall/math/spatial.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "math/samples.hpp"

namespace footfall {
namespace {

using test::Samples;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

constexpr int kSpatialRepeats = 200;
constexpr double kRoundOff = 1e-14;

Eigen::Vector3d to_eigen(const Vec3d& a) { return {a.x, a.y, a.z}; }
Vector6 to_eigen(const Spatial<double>& a) {
  return (Vector6() << a.ang.x, a.ang.y, a.ang.z, a.lin.x, a.lin.y, a.lin.z).finished();
}
Eigen::Matrix3d to_eigen(const Mat3d& m) {
  return (Eigen::Matrix3d() << to_eigen(m.x), to_eigen(m.y), to_eigen(m.z)).finished();
}
Eigen::Matrix3d to_eigen(const Sym3<double>& s) {
  return (Eigen::Matrix3d() << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz).finished();
}
// column by column, by its products with unit twists: however the matrix is stored
Matrix6 to_eigen(const Sym6<double>& m) {
  Matrix6 a;
  for (int i = 0; i < 6; ++i) {
    const auto unit = [i](int k) { return i == k ? 1.0 : 0.0; };
    a.col(i) =
        to_eigen(m * Twist<double>{{unit(0), unit(1), unit(2)}, {unit(3), unit(4), unit(5)}});
  }
  return a;
}
Sym6<double> zero_sym6() {
  return to_sym6(RigidInertia<double>{0, zero3<double>(), diagonal3(0.0)});
}
// a random rigid body: mass, centre of mass, inertia
RigidInertia<double> random_inertia(Samples& random) {
  const double mass = random.number(0.1, 10);
  const Vec3d c = random.vector();
  const Sym3<double> about_com =
      diagonal3(random.number(0.1, 1)) + outer(random.vector()) + outer(random.vector());
  // parallel axes: I_O = I_c + m (c·c 1 − c cᵀ)
  const Sym3<double> shift = diagonal3(mass * dot(c, c)) + (-mass) * outer(c);
  return {mass, mass * c, about_com + shift};
}

TEST(Rotation, MatrixOfAUnitQuaternionIsARotation) {
  Samples random;
  for (int i = 0; i < kSpatialRepeats; ++i) {
    const Eigen::Matrix3d r = to_eigen(to_matrix(random.unit_quat()));
    EXPECT_LT((r.transpose() * r - Eigen::Matrix3d::Identity()).norm(), kRoundOff);
    EXPECT_NEAR(r.determinant(), 1, kRoundOff);
  }
}

TEST(Rotation, MatrixAndProductAgreeWithEigen) {
  Samples random;
  for (int i = 0; i < kSpatialRepeats; ++i) {
    const Quatd p = random.unit_quat(), q = random.unit_quat();
    const Eigen::Quaterniond eigen_p(p.w, p.x, p.y, p.z), eigen_q(q.w, q.x, q.y, q.z);
    EXPECT_LT((to_eigen(to_matrix(q)) - eigen_q.toRotationMatrix()).norm(), kRoundOff);
    const Eigen::Matrix3d product = to_eigen(to_matrix(p * q));
    EXPECT_LT((product - (eigen_p * eigen_q).toRotationMatrix()).norm(), kRoundOff);
    EXPECT_LT((product - to_eigen(to_matrix(p) * to_matrix(q))).norm(), kRoundOff);
  }
}

TEST(Rotation, IntegratingAQuaternionTurnsInItsBodyFrame) {
  Samples random;
  for (const double size : {0.0, 1e-300, 1e-16, 1e-9, 1e-3, 1.0, 3.0, 30.0}) {
    const Quatd q = random.unit_quat();
    const Vec3d rotation = size * random.vector();
    const double angle = to_eigen(rotation).norm();
    const Eigen::Vector3d axis =
        angle > 0 ? Eigen::Vector3d(to_eigen(rotation) / angle) : Eigen::Vector3d::UnitX();
    const Eigen::Matrix3d expected =
        to_eigen(to_matrix(q)) * Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    EXPECT_LT((to_eigen(to_matrix(integrate_quat(q, rotation))) - expected).norm(), 3 * kRoundOff)
        << "size " << size;
  }
}

TEST(Rotation, TransposeTimesUndoesTimes) {
  Samples random;
  for (int i = 0; i < kSpatialRepeats; ++i) {
    const Mat3d r = to_matrix(random.unit_quat());
    const Vec3d a = random.vector();
    EXPECT_LT(norm(transpose_times(r, r * a) - a), kRoundOff);
  }
}

TEST(Rotation, RotatingASymmetricMatrixAgreesWithEigen) {
  Samples random;
  for (int i = 0; i < kSpatialRepeats; ++i) {
    const Mat3d r = to_matrix(random.unit_quat());
    const Sym3<double> s = outer(random.vector()) + (-2.0) * outer(random.vector());
    const Eigen::Matrix3d expected = to_eigen(r) * to_eigen(s) * to_eigen(r).transpose();
    EXPECT_LT((to_eigen(rotate(r, s)) - expected).norm(), kRoundOff);
  }
}

TEST(Vectors, CrossDotAndSelectAgreeWithEigen) {
  Samples random;
  for (int i = 0; i < kSpatialRepeats; ++i) {
    const Vec3d a = random.vector(), b = random.vector();
    EXPECT_LT((to_eigen(cross(a, b)) - to_eigen(a).cross(to_eigen(b))).norm(), kRoundOff);
    EXPECT_NEAR(dot(a, b), to_eigen(a).dot(to_eigen(b)), kRoundOff);
    EXPECT_EQ(select(i % 2 == 0, a, b).y, i % 2 == 0 ? a.y : b.y);
  }
}

// Power does not depend on the frame: (v × m)·f + m·(v ×* f) = 0.
TEST(SpatialAlgebra, CrossMotionAndCrossForceAreDual) {
  Samples random;
  for (int i = 0; i < kSpatialRepeats; ++i) {
    const Spatial<double> v = random.spatial(), m = random.spatial(), f = random.spatial();
    EXPECT_NEAR(dot(cross_motion(v, m), f) + dot(m, cross_force(v, f)), 0, kRoundOff);
    EXPECT_LT(to_eigen(cross_motion(v, v)).norm(), kRoundOff);
  }
}

TEST(SpatialAlgebra, MomentumAndEnergyOfABody) {
  Samples random;
  for (int i = 0; i < kSpatialRepeats; ++i) {
    const RigidInertia<double> inertia = random_inertia(random);
    const Twist<double> v = random.spatial();
    const Wrench<double> momentum = inertia * v;
    // m·velocity of the centre of mass, which moves at lin + ang × c
    const Vec3d c = (1 / inertia.mass) * inertia.moment;
    const Vec3d expected = inertia.mass * (v.lin + cross(v.ang, c));
    EXPECT_LT(norm(momentum.lin - expected), 10 * kRoundOff);
    EXPECT_GT(dot(v, momentum), 0);
  }
}

TEST(SpatialAlgebra, Sym6OfABodyActsLikeTheBody) {
  Samples random;
  for (int i = 0; i < kSpatialRepeats; ++i) {
    const RigidInertia<double> inertia = random_inertia(random);
    const Twist<double> v = random.spatial();
    const Spatial<double> difference = to_sym6(inertia) * v - inertia * v;
    EXPECT_LT(to_eigen(difference).norm(), 10 * kRoundOff);
  }
}

TEST(SpatialAlgebra, RigidInertiasAddLikeTheirMatrices) {
  Samples random;
  RigidInertia<double> a = random_inertia(random);
  const RigidInertia<double> b = random_inertia(random);
  Sym6<double> sum = to_sym6(a);
  sum += to_sym6(b);
  a += b;
  EXPECT_LT((to_eigen(sum) - to_eigen(to_sym6(a))).norm(), kRoundOff);
}

TEST(SpatialAlgebra, Sym6ProductAndOuterAgreeWithEigen) {
  Samples random;
  Sym6<double> m = zero_sym6();
  Matrix6 expected = Matrix6::Zero();
  for (int i = 0; i < kSpatialRepeats; ++i) {
    const double s = random.number(-1, 1);
    const Spatial<double> u = random.spatial(), v = random.spatial();
    m.add_outer(s, u);
    expected += s * to_eigen(u) * to_eigen(u).transpose();
    EXPECT_LT((to_eigen(m) - expected).norm(), 100 * kRoundOff);
    EXPECT_LT((to_eigen(m * v) - expected * to_eigen(v)).norm(), 100 * kRoundOff);
  }
}

TEST(SpatialAlgebra, SolveAgreesWithEigen) {
  Samples random;
  for (int i = 0; i < kSpatialRepeats; ++i) {
    Sym6<double> m = to_sym6(random_inertia(random));
    // from a bare body to one foot on concrete: a stiffness up to 1e9 along random directions
    for (int k = 0; k < i % 4; ++k)
      m.add_outer(std::pow(10, random.number(-2, 9)), random.spatial());
    const Spatial<double> b = random.spatial();
    const Matrix6 a = to_eigen(m);
    const Vector6 x = to_eigen(solve(m, b)), expected = a.ldlt().solve(to_eigen(b));
    const double residual = (a * x - to_eigen(b)).norm();
    EXPECT_LT(residual, 1e-14 * (a.norm() * x.norm() + 1));
    EXPECT_LT(residual, 100 * (a * expected - to_eigen(b)).norm() + 1e-13);
  }
}

TEST(SpatialAlgebra, SolveUndoesTheProductOfABody) {
  Samples random;
  for (int i = 0; i < kSpatialRepeats; ++i) {
    const Sym6<double> m = to_sym6(random_inertia(random));
    const Spatial<double> v = random.spatial();
    EXPECT_LT(to_eigen(solve(m, m * v) - v).norm(), 1e-10);
  }
}

}  // namespace
}  // namespace footfall
