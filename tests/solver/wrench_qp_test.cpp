// Impulses in sets of vertices: optimality of random problems, singular ones too, problems whose solution is
// known, and the gauge of a set. tests/python/test_wrench_qp.py has another solver for a witness.
#include "footfall/solver/wrench_qp.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "footfall/solver/wrench_gauge.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using testing::Random;

struct Qp {
  Qp(int feet, int parts, int rows)
      : solver(feet, parts, rows), corrals(static_cast<std::size_t>(feet) * kMaxCorral, kNoVertex) {
    solver.start(feet, rows);
  }
  WrenchQpReport solve() {
    std::vector<const VertexSet*> pointers;
    for (const VertexSet& set : sets) pointers.push_back(&set);
    return solver.solve(pointers, corrals);
  }
  WrenchQp solver;
  std::vector<VertexSet> sets;
  std::vector<int> corrals;
};

VertexSet make_set(const std::vector<std::vector<double>>& vertices) {
  VertexSet set(static_cast<int>(vertices[0].size()), static_cast<int>(vertices.size()));
  set.resize(static_cast<int>(vertices.size()));
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    for (std::size_t p = 0; p < vertices[k].size(); ++p) {
      set.part(static_cast<int>(p))[k] = vertices[k][p];
    }
  }
  return set;
}

Qp random_qp(Random& random, int feet, int parts, int rows, bool singular) {
  Qp qp(feet, parts, rows);
  for (int f = 0; f < feet; ++f) {
    std::vector<std::vector<double>> vertices(40, std::vector<double>(parts));
    for (auto& vertex : vertices) {
      for (double& x : vertex) x = random();
      vertex[1] += 0.5;
    }
    vertices[7] = vertices[3];
    qp.sets.push_back(make_set(vertices));
    for (int p = 0; p < parts; ++p) {
      for (int r = 0; r < rows; ++r) qp.solver.column(f, p)[r] = random();
    }
  }
  for (int r = 0; r < rows; ++r) qp.solver.offset()[r] = 2 * random();
  if (singular) {
    std::copy_n(qp.solver.column(0, 0), rows, qp.solver.column(feet - 1, parts - 1));
    std::fill_n(qp.solver.column(0, 1), rows, 0.0);
  }
  return qp;
}

// By how much ½|z|² might still fall, by z as it follows from the impulses.
double optimality_gap(Qp& qp) {
  const int parts = qp.solver.parts(), rows = qp.solver.rows();
  std::vector<double> z(qp.solver.offset(), qp.solver.offset() + rows);
  for (int f = 0; f < qp.solver.feet(); ++f) {
    for (int p = 0; p < parts; ++p) {
      for (int r = 0; r < rows; ++r) {
        z[r] += qp.solver.column(f, p)[r] * qp.solver.impulse(f, p);
      }
    }
  }
  double gap = 0;
  for (int f = 0; f < qp.solver.feet(); ++f) {
    std::vector<double> gradient(parts);
    double now = 0, least = 0;
    for (int p = 0; p < parts; ++p) {
      for (int r = 0; r < rows; ++r) gradient[p] += qp.solver.column(f, p)[r] * z[r];
      now += gradient[p] * qp.solver.impulse(f, p);
    }
    for (int k = 0; k < qp.sets[f].count(); ++k) {
      double value = 0;
      for (int p = 0; p < parts; ++p) value += gradient[p] * qp.sets[f].part(p)[k];
      least = std::fmin(least, value);
    }
    gap += now - least;
  }
  return gap;
}

double size_of(const Qp& qp) {
  double sum = 0;
  for (int r = 0; r < qp.solver.rows(); ++r)
    sum += qp.solver.residual()[r] * qp.solver.residual()[r];
  return std::sqrt(sum);
}

TEST(WrenchQp, IsOptimalWhereverItStarts) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const int feet = 1 + i % 4, parts = i % 3 == 0 ? 6 : 3;
    Qp qp = random_qp(random, feet, parts, 2 + i % 19, i % 5 == 0);
    const WrenchQpReport report = qp.solve();
    EXPECT_TRUE(report.converged) << i;
    EXPECT_LT(std::abs(optimality_gap(qp)), 1e-12) << i;
    const std::vector<double> z(qp.solver.residual(), qp.solver.residual() + qp.solver.rows());
    const WrenchQpReport again = qp.solve();  // from its own corrals
    EXPECT_EQ(again.iterations, 1) << i;
    for (int& vertex : qp.corrals) vertex = static_cast<int>(20 * (random() + 1)) - 2;
    EXPECT_TRUE(qp.solve().converged) << i;  // from anywhere
    EXPECT_LT(std::abs(optimality_gap(qp)), 1e-12) << i;
    for (int r = 0; r < qp.solver.rows(); ++r) EXPECT_NEAR(qp.solver.residual()[r], z[r], 1e-12);
  }
}

TEST(WrenchQp, StopsWhatItCanAndNoMore) {
  // one foot, unit mass in each direction; the set is a box of half widths 1, 2, 3
  std::vector<std::vector<double>> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? 1. : -1., i & 2 ? 2. : -2., i & 4 ? 3. : -3.});
  for (const auto& [free, left] :
       {std::pair<std::array<double, 3>, std::array<double, 3>>{{0.3, -1.7, 2.9}, {0, 0, 0}},
        {{1.5, -1.7, -4}, {0.5, 0, -1}},
        {{-5, 6, 7}, {-4, 4, 4}}}) {
    Qp qp(1, 3, 3);
    qp.sets.push_back(make_set(corners));
    for (int p = 0; p < 3; ++p) {
      qp.solver.column(0, p)[p] = 1;
      qp.solver.offset()[p] = free[p];
    }
    EXPECT_TRUE(qp.solve().converged);
    for (int p = 0; p < 3; ++p) {
      EXPECT_NEAR(qp.solver.residual()[p], left[p], 1e-15);
      EXPECT_NEAR(qp.solver.impulse(0, p), left[p] - free[p], 1e-14);
    }
  }
}

TEST(WrenchQp, MassesAreInertiaThatMovesAlong) {
  // a body of mass 2 and grains of mass m, impulse c ≤ 1 against v: whatever m is, the body stops if it
  // can; two directions that are coupled weigh against each other by m
  Random random(5);
  Qp qp = random_qp(random, 2, 3, 5, false);
  std::vector<double> masses = {1, 2, 0, 0.5, 3, 4};
  const int rows = qp.solver.rows();
  std::vector<double> B, b(qp.solver.offset(), qp.solver.offset() + rows);
  for (int c = 0; c < 6; ++c) {
    B.insert(B.end(), qp.solver.column(c / 3, c % 3), qp.solver.column(c / 3, c % 3) + rows);
  }
  const auto energy = [&](const std::array<double, 6>& c) {
    std::vector<double> z = b;
    double sum = 0;
    for (int k = 0; k < 6; ++k) {
      for (int r = 0; r < rows; ++r) z[r] += B[k * rows + r] * c[k];
    }
    for (int r = 0; r < rows; ++r) sum += 0.5 * z[r] * z[r];
    for (int k = 0; k < 6; ++k) {
      double u = 0;
      for (int r = 0; r < rows; ++r) u += B[k * rows + r] * z[r];
      sum += 0.5 * masses[k] * u * u;
    }
    return sum;
  };
  qp.solver.add_masses(masses);
  EXPECT_TRUE(qp.solve().converged);
  std::array<double, 6> c{};
  for (int k = 0; k < 6; ++k) c[k] = qp.solver.impulse(k / 3, k % 3);
  EXPECT_NEAR(energy(c), 0.5 * size_of(qp) * size_of(qp), 1e-13);
  EXPECT_LT(std::abs(optimality_gap(qp)), 1e-12);
}

TEST(WrenchGauge, IsOneOnTheBoundary) {
  std::vector<std::vector<double>> corners;  // a box from −1 to 2 along the first axis, ±1 else
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? 2. : -1., i & 2 ? 1. : -1., i & 4 ? 1e3 : -1e3});
  const VertexSet set = make_set(corners);
  WrenchQp qp(1, 3, 3);
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const double w[3] = {3 * random(), 2 * random(), 500 * random()};
    const double expected =
        std::fmax(std::fmax(w[0] / 2, -w[0]), std::fmax(std::abs(w[1]), std::abs(w[2]) / 1e3));
    EXPECT_NEAR(measure_gauge(set, w, qp), expected, 1e-12);
  }
  EXPECT_EQ(measure_gauge(set, std::array<double, 3>{}, qp), 0);
}

}  // namespace
}  // namespace footfall
