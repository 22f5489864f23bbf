// The law of a surface element in dry grains: slope and curvature of one convex function, the theory's force
// in steady motion, whatever force holds at rest.
#include <gtest/gtest.h>

#include <cmath>

#include "footfall/granular/resistive_force.hpp"
#include "footfall/ground/resistive_terms.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using testing::Random;

constexpr double kYieldLength = 5e-4, kElementStep = 1e-3;

Vec3d random_unit(Random& random) {
  for (;;) {
    const Vec3d v{random(), random(), random()};
    if (norm(v) > 0.1 && norm(v) < 1) return (1 / norm(v)) * v;
  }
}

ElementLaw<double> random_law(Random& random) {
  return {{0.1, 0.2, 0.3},
          random_unit(random),
          {0, 0, 1},
          0.03,
          1.2e-6 * (1.5 + random()),
          kElementStep,
          Vec3d{random(), random(), random()},
          1e30};
}

TEST(ResistiveElement, CurvatureIsTheSlopeOfTheGradient) {
  Random random(3);
  int yielding = 0, holding = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const ElementLaw<double> law = random_law(random);
    const Vec3d motion = random_unit(random);
    const ElementFlow<double> flow = find_flow(law, motion, motion, true, kYieldLength);
    if (flow.strength < 0.05) continue;  // does not lead
    const Vec3d u = (trial % 2 == 0 ? 0.3 : 1e-2) * random_unit(random);
    const auto at = [&](const Vec3d& v) {
      return evaluate_element(law, flow, v, kYieldLength, 0.0).gradient;
    };
    const ElementValue<double> value = evaluate_element(law, flow, u, kYieldLength, 0.0);
    const double epsilon = 1e-6 * norm(u);
    for (const Vec3d& e : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
      const Vec3d slope = (1 / (2 * epsilon)) * (at(u + epsilon * e) - at(u - epsilon * e));
      const Vec3d found = value.curvature * e;
      EXPECT_LT(norm(slope - found), 1e-5 * (norm(found) + 1e-3)) << trial;
    }
    const bool elastic = norm(value.gradient) * 1.0001 <
                         norm(evaluate_element(law, flow, 2.0 * u, kYieldLength, 0.0).gradient);
    (elastic ? holding : yielding) += 1;
  }
  EXPECT_GT(yielding, 50);
  EXPECT_GT(holding, 50);
}

TEST(ResistiveElement, ResistanceIsMonotone) {
  Random random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    const ElementLaw<double> law = random_law(random);
    const Vec3d motion = random_unit(random);
    const ElementFlow<double> flow = find_flow(law, motion, motion, true, kYieldLength);
    const Vec3d a = 0.2 * random_unit(random), b = 0.05 * random_unit(random);
    const Vec3d ga = evaluate_element(law, flow, a, kYieldLength, 0.0).gradient;
    const Vec3d gb = evaluate_element(law, flow, b, kYieldLength, 0.0).gradient;
    EXPECT_GE(dot(ga - gb, a - b), -1e-15);
  }
}

// Against ½ rᵀ(k M)⁻¹ r with M put together and divided by Cramer's rule; and no other way, depth or tilt makes
// more of it.
TEST(ResistiveElement, WhatIsStoredIsAFunctionOfTheResistanceAndNeverGrowsByAnotherFlow) {
  Random random(7);
  int cut = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    ElementLaw<double> law = random_law(random);
    const Vec3d motion = random_unit(random);
    const ElementFlow<double> flow = find_flow(law, motion, motion, true, kYieldLength);
    if (flow.strength < 0.05) continue;  // does not lead
    const Vec3d &a = flow.motion, &b = flow.direction, &r = law.start;
    const auto column = [&](const Vec3d& e, double per_c) {
      return (per_c * dot(b, e)) * b + e - dot(a, e) * a;
    };
    const Vec3d x = column({1, 0, 0}, 1 / flow.cosine), y = column({0, 1, 0}, 1 / flow.cosine),
                z = column({0, 0, 1}, 1 / flow.cosine);
    const double determinant = dot(x, cross(y, z));
    const Vec3d u =
        (1 / determinant) * Vec3d{dot(r, cross(y, z)), dot(x, cross(r, z)), dot(x, cross(y, r))};
    law.stored = stored_energy(flow, r, kYieldLength);
    EXPECT_NEAR(law.stored, 0.5 * kYieldLength / flow.strength * dot(r, u), 1e-9 * law.stored);
    law.normal = random_unit(random);
    law.weight *= 1 + 0.9 * random();
    const Vec3d other = random_unit(random);
    const ElementFlow<double> next = find_flow(law, other, other, true, kYieldLength);
    EXPECT_LE(stored_energy(next, next.start, kYieldLength), law.stored * (1 + 1e-12));
    cut += norm(next.start) < 0.999 * norm(r) ? 1 : 0;
  }
  EXPECT_GT(cut, 100);
}

TEST(ResistiveElement, SteadyMotionMeetsTheTheory) {
  Random random(7);
  for (int trial = 0; trial < 500; ++trial) {
    const ElementLaw<double> law = random_law(random);
    const Vec3d motion = random_unit(random);
    ElementFlow<double> flow = find_flow(law, 0.1 * motion, motion, true, kYieldLength);
    if (flow.strength < 0.05) continue;
    EXPECT_GT(flow.cosine, 0);
    for (int k = 0; k < 400; ++k) {
      flow.start = (1 / kElementStep) *
                   evaluate_element(law, flow, 0.1 * motion, kYieldLength, 0.0).gradient;
    }
    EXPECT_LT(norm(flow.start - flow.strength * flow.direction), 1e-6 * flow.strength) << trial;
  }
}

// The plane theory as the wrench databases have it, which came first.
TEST(ResistiveFlow, IsThePlaneTheoryInEveryVerticalPlane) {
  constexpr double kPi = 3.141592653589793;
  for (int i = -5; i <= 5; ++i) {
    for (int k = -5; k <= 5; ++k) {
      const double beta = i * kPi / 11, gamma = k * kPi / 11;
      const ResistiveStress plane = evaluate_resistive_stress(beta, gamma);
      for (const double heading : {0.0, 0.7, 2.5, -1.9}) {
        const Vec3d e{std::cos(heading), std::sin(heading), 0};
        const Vec3d u = std::cos(gamma) * e + Vec3d{0, 0, -std::sin(gamma)};
        Vec3d n = -std::sin(beta) * e + Vec3d{0, 0, std::cos(beta)};
        if (dot(n, u) < 0) n = -n;
        if (dot(n, u) < 0.01) continue;  // along itself: both sides count half
        const ResistiveFlow<double> flow = resistive_flow(n, {0, 0, 1}, u);
        const Vec3d expected = plane.x * e - Vec3d{0, 0, plane.z};
        if (dot(expected, u) < 0.06 * norm(expected)) continue;  // the fit would give energy
        EXPECT_LT(norm(flow.size * flow.direction - expected), 2e-6 * norm(expected))
            << beta << " " << gamma;
      }
    }
  }
}

}  // namespace
}  // namespace footfall
