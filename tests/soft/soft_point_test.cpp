// The law of a soft contact: gradient and curvature against finite differences of the cost in every
// zone, by its own formula.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "footfall/soft/soft_point.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using Rows = std::array<double, 6>;  // normal, sliding (2), spinning, rolling (2)

Rows rows_of(const Spatial<double>& a) {
  return {a.lin.x, a.lin.y, a.lin.z, a.ang.x, a.ang.y, a.ang.z};
}
Spatial<double> spatial_of(const Rows& r) { return {{r[3], r[4], r[5]}, {r[0], r[1], r[2]}}; }

// h² s(y), written as MuJoCo's manual has the elliptic cone: the distance of y/√… from the cones.
double cost(const SoftPoint<double>& c, const Rows& u) {
  const Rows target = rows_of(c.target), D = rows_of(c.weight), mu = rows_of(c.friction);
  Rows y{};
  for (int k = 0; k < 6; ++k) y[k] = (u[k] - target[k]) / c.step;
  double s = 0;
  if (c.cone == SoftCone::pyramidal) {
    for (int k = 1; k < 6; ++k) {
      for (const double sign : {1.0, -1.0}) {
        const double edge = std::fmin(y[0] + sign * mu[k] * y[k], 0.0);
        s += 0.5 * D[k] * edge * edge;
      }
    }
    const double normal = std::fmin(y[0], 0.0);
    return c.step * c.step * (s + 0.5 * D[0] * normal * normal);
  }
  double T = 0;
  for (int k = 1; k < 6; ++k) T += mu[k] * mu[k] * y[k] * y[k];
  T = std::sqrt(T);
  const double m = mu[0], N = m * y[0];
  if (N >= m * T) return 0;
  if (m * N + T <= 0) {
    for (int k = 0; k < 6; ++k) s += 0.5 * D[k] * y[k] * y[k];
  } else {
    s = 0.5 * D[0] / (m * m * (1 + m * m)) * (N - m * T) * (N - m * T);
  }
  return c.step * c.step * s;
}

// As find_soft_contacts makes it: D μ² the same in all rows of friction.
SoftPoint<double> make_contact(SoftCone cone, int condim) {
  SoftPoint<double> c{};
  c.cone = cone;
  c.turns = condim > 3;
  c.is_used = 1;
  c.step = 0.002;
  const double impratio = 2.5, D_normal = 1.7;
  const Rows friction{0, 0.6, condim == 1 ? 0 : 0.4, 0.05, 0.02, 0.01};
  const int last = condim;  // rows 1 to last − 1 are there
  Rows mu{1, 0, 0, 0, 0, 0}, D{D_normal, 0, 0, 0, 0, 0};
  for (int k = 1; k < last; ++k) {
    mu[k] = friction[k];
    D[k] = cone == SoftCone::elliptic ? D_normal * impratio * std::pow(friction[k] / friction[1], 2)
                                      : 0.8;
  }
  if (condim > 1) {
    mu[0] = friction[1] / std::sqrt(impratio);
    if (cone == SoftCone::pyramidal) D[0] = 0;
  }
  c.friction = spatial_of(mu);
  c.weight = spatial_of(D);
  c.target = {{0.1, -0.2, 0.05}, {0.02, 0.03, -0.01}};
  return c;
}

class SoftLaw : public ::testing::TestWithParam<std::tuple<SoftCone, int>> {};
INSTANTIATE_TEST_SUITE_P(Cones, SoftLaw,
                         ::testing::Combine(::testing::Values(SoftCone::elliptic,
                                                              SoftCone::pyramidal),
                                            ::testing::Values(1, 3, 4, 6)));

TEST_P(SoftLaw, GradientAndCurvatureAreTheCostsDerivatives) {
  const auto& [cone, condim] = GetParam();
  const SoftPoint<double> c = make_contact(cone, condim);
  testing::Random random(7);
  int zones = 0;
  for (int i = 0; i < 300; ++i) {
    Rows u{};
    for (int k = 0; k < 6; ++k) u[k] = rows_of(c.target)[k] + (k < condim ? 0.1 : 0.0) * random();
    const SoftValue<double> value = evaluate_soft(c, spatial_of(u));
    const Rows gradient = rows_of(value.gradient);
    for (int k = 0; k < condim; ++k) {
      const double step = 1e-6;
      Rows plus = u, minus = u;
      plus[k] += step;
      minus[k] -= step;
      EXPECT_NEAR(gradient[k], (cost(c, plus) - cost(c, minus)) / (2 * step), 3e-7);
      const Rows g_plus = rows_of(evaluate_soft(c, spatial_of(plus)).gradient);
      const Rows g_minus = rows_of(evaluate_soft(c, spatial_of(minus)).gradient);
      Rows unit{};
      unit[k] = 1;
      const Rows H = rows_of(value.curvature * spatial_of(unit));
      for (int j = 0; j < condim; ++j) {
        const double slope = (g_plus[j] - g_minus[j]) / (2 * step);
        // away from kinks, where both sides agree
        const double one_sided = (g_plus[j] - gradient[j]) / step;
        if (std::abs(slope - one_sided) < 1e-3) {
          EXPECT_NEAR(H[j], slope, 2e-3);
        }
      }
    }
    zones |= gradient[0] == 0 ? 1 : 2;
  }
  EXPECT_EQ(zones, 3) << "free and touching";
}

// The curvature is what Newton's method leans on: never negative in any direction.
TEST_P(SoftLaw, IsConvex) {
  const auto& [cone, condim] = GetParam();
  const SoftPoint<double> c = make_contact(cone, condim);
  testing::Random random(11);
  for (int i = 0; i < 2000; ++i) {
    Rows u{}, v{};
    for (int k = 0; k < condim; ++k) {
      u[k] = 0.3 * random();
      v[k] = random();
    }
    const Spatial<double> d = spatial_of(v);
    EXPECT_GE(dot(d, evaluate_soft(c, spatial_of(u)).curvature * d), -1e-12);
  }
}

TEST(SoftLaw, ItemsWithoutContactHaveNoEffect) {
  SoftPoint<double> c = make_contact(SoftCone::elliptic, 6);
  c.is_used = 0;
  const SoftValue<double> value = evaluate_soft(c, {{1, 1, 1}, {-1, 1, 1}});
  EXPECT_EQ(dot(value.gradient, value.gradient), 0);
  EXPECT_EQ(value.curvature.linear.xx, 0);
}

}  // namespace
}  // namespace footfall
