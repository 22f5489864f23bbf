// Minimum-norm forces against Eigen's complete orthogonal decomposition, on matrices of every rank and
// points of every arrangement; the wanted velocity and the friction cone of ground/penalty.hpp.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "footfall/ground/penalty.hpp"
#include "footfall/solver/minimum_norm.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix random_matrix(int rows, int columns, testing::Random& random) {
  return Matrix::NullaryExpr(rows, columns, [&] { return random(); });
}

TEST(MinimumNorm, PivotedCholeskyIsThePseudoInverse) {
  testing::Random random(1);
  PivotedCholesky cholesky(12);  // one for all: nothing of one solve is left for the next
  for (int n = 1; n <= 12; ++n) {
    for (int rank = 0; rank <= n; ++rank) {
      const Eigen::HouseholderQR<Eigen::MatrixXd> qr(random_matrix(n, n, random));
      Eigen::VectorXd values = Eigen::VectorXd::Zero(n);
      for (int i = 0; i < rank; ++i) values(i) = std::pow(10, random() - 1);
      const Eigen::MatrixXd U = qr.householderQ();
      const Matrix Z = U * values.asDiagonal() * U.transpose();
      EXPECT_EQ(cholesky.factor(Z.data(), n, n), rank) << n;
      const Eigen::VectorXd b = random_matrix(n, 1, random);
      Eigen::VectorXd x = b;
      cholesky.solve(x.data());
      Eigen::JacobiSVD<Eigen::MatrixXd> svd(Z, Eigen::ComputeThinU | Eigen::ComputeThinV);
      svd.setThreshold(1e-10);
      Eigen::VectorXd expected = Eigen::VectorXd::Zero(n);
      if (rank > 0) expected = svd.solve(b);
      EXPECT_LE((x - expected).norm(), 1e-11 * (1 + expected.norm())) << n << ", rank " << rank;
    }
  }
}

// The basis as a matrix Q, its wrenches, and the map G from a twist about O to the points' velocities.
struct Written {
  Matrix Q, wrenches, G;
};
Written write_out(const PointBasis& basis, const std::vector<Vec3d>& p) {
  const int m = static_cast<int>(p.size()), rank = basis.rank();
  Written out{Matrix(3 * m, rank), Matrix(6, rank), Matrix(3 * m, 6)};
  for (int i = 0; i < m; ++i) {
    for (int k = 0; k < rank; ++k) {
      double x[6] = {0, 0, 0, 0, 0, 0};
      x[k] = 1;
      const Vec3d u = point_vector(basis, p[i], x);
      out.Q.col(k).segment<3>(3 * i) << u.x, u.y, u.z;
    }
    for (int k = 0; k < 6; ++k) {
      Twist<double> V = zero6<double>();
      (&(k < 3 ? V.ang : V.lin).x)[k % 3] = 1;
      const Vec3d u = point_velocity(V, p[i]);
      out.G.col(k).segment<3>(3 * i) << u.x, u.y, u.z;
    }
  }
  for (int k = 0; k < rank; ++k) {
    const Wrench<double> w = basis_wrench(basis, k);
    out.wrenches.col(k) << w.ang.x, w.ang.y, w.ang.z, w.lin.x, w.lin.y, w.lin.z;
  }
  return out;
}

TEST(MinimumNorm, BasisIsOrthonormalAndSpansTheBodysMotions) {
  testing::Random random(2);
  const auto point = [&] { return Vec3d{random(), random(), random()}; };
  const Vec3d a = point(), b = point();
  const std::vector<Vec3d> foot = {
      {0.1, 0.05, -0.8}, {0.1, -0.05, -0.8}, {-0.1, -0.05, -0.8}, {-0.1, 0.05, -0.8}};
  const std::vector<std::pair<std::vector<Vec3d>, int>> cases = {
      {{a}, 3},
      {{a, a}, 3},  // two points at one place
      {{a, b}, 5},
      {{a, b, a + 0.3 * (b - a), a - 2.0 * (b - a)}, 5},  // on a line
      {{foot[0], foot[1]}, 5},
      {{foot[0], foot[1], foot[2]}, 6},
      {foot, 6},
      {{point(), point(), point(), point(), point(), point(), point()}, 6}};
  for (const auto& [p, rank] : cases) {
    const PointBasis basis = make_point_basis(p.data(), static_cast<int>(p.size()));
    ASSERT_EQ(basis.rank(), rank) << p.size();
    const Written w = write_out(basis, p);
    const Matrix one = Matrix::Identity(rank, rank);
    EXPECT_LT((w.Q.transpose() * w.Q - one).norm(), 1e-13);
    EXPECT_LT((w.Q * w.Q.transpose() * w.G - w.G).norm(), 1e-13);
    EXPECT_LT((w.G.transpose() * w.Q - w.wrenches).norm(), 1e-13);
    std::vector<Vec3d> u(p.size());
    for (Vec3d& x : u) x = point();
    double parts[6];
    project(basis, p.data(), u.data(), parts);
    const Eigen::Map<const Eigen::VectorXd> flat(&u[0].x, 3 * static_cast<int>(p.size()));
    EXPECT_LT((w.Q.transpose() * flat - Eigen::Map<Eigen::VectorXd>(parts, rank)).norm(), 1e-13);
  }
}

TEST(Penalty, WantedVelocitySolvesItsEquation) {
  testing::Random random(3);
  for (int i = 0; i < 200; ++i) {
    PenaltyModel m;
    m.k_p = i % 3 == 0 ? 0 : 1000 * (1 + random());
    m.k_v = i % 5 == 0 ? 0 : 5000 * (1 + random());
    const double h = 1e-3, p = 1e-2 * random();
    Vec3d n{random(), random(), 2};
    n = (1 / norm(n)) * n;
    const Vec3d v{random(), random(), random()};
    const Vec3d next = wanted_velocity(m, h, p, n, v);
    const double next_n = dot(n, next);
    const Vec3d acceleration = m.k_p * (m.epsilon - p - h * next_n) * n -
                               m.k_v * (next - next_n * n + std::fmin(0, next_n) * n);
    EXPECT_LT(norm(next - v - h * acceleration), 1e-14);
    const Vec3d paper =
        m.k_p * (m.epsilon - p) * n - m.k_v * (v - dot(n, v) * n + std::fmin(0, dot(n, v)) * n);
    const double tiny = 1e-9;  // its limit is the paper's acceleration
    const Vec3d limit = (1 / tiny) * (wanted_velocity(m, tiny, p, n, v) - v);
    EXPECT_LT(norm(limit - paper), 1e-4 * (1 + norm(paper)));
  }
}

TEST(Penalty, ClippingKeepsTheConeAndTheDirection) {
  testing::Random random(4);
  for (int i = 0; i < 500; ++i) {
    Vec3d n{random(), random(), random()};
    n = (1 / norm(n)) * n;
    const Vec3d f{random(), random(), random()};
    const double mu = 1 + random();
    const Vec3d radial = saturate(f, n, mu, Clipping::radial);
    const double f_n = dot(n, f), kept_n = dot(n, radial);
    EXPECT_NEAR(kept_n, std::fmax(f_n, 0), 1e-15);
    const Vec3d t = f - f_n * n, kept_t = radial - kept_n * n;
    EXPECT_LE(norm(kept_t), mu * kept_n * (1 + 1e-14) + 1e-15);
    EXPECT_LT(norm(cross(t, kept_t)), 1e-15);
    EXPECT_GE(dot(t, kept_t), 0);
    if (norm(t) <= mu * f_n) {
      EXPECT_LT(norm(radial - f), 1e-15);
    }
    // (20) with absolute values is the same, whatever the axes
    EXPECT_LT(norm(saturate(f, n, mu, Clipping::per_axis) - radial), 1e-15);
    const Vec3d pulls = saturate(f, n, mu, Clipping::radial, true);
    EXPECT_NEAR(dot(n, pulls), f_n, 1e-15);
    if (f_n < 0) {
      EXPECT_LT(norm(pulls - f_n * n), 1e-15);
    }
  }
}

}  // namespace
}  // namespace footfall
