// The compliant law by a second route: its curvature by finite differences of its gradient, in
// every regime, and what must hold whatever the numbers: it is monotone and it never pulls.
#include "footfall/ground/evaluate.hpp"

#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace footfall {
namespace {

using testing::Random;

struct Law {
  const char* name;
  double k, n, b, p, q;
};
const Law kTable5[] = {{"hunt_crossley", 1e4, 1.3, 500, 0.3, 1.1},
                       {"simplified_hunt_crossley", 1e5, 1.5, 2e5, 1.5, 1},
                       {"linear", 3.4e5, 1, 1.8e3, 0, 1},
                       {"hertz", 1e6, 1.5, 0, 0, 1},
                       {"spring", 1e4, 1, 0, 0, 1}};

ContactPoint<double> make_point(const Law& law, double sinkage, const Vec3d& normal) {
  ContactPoint<double> p{};
  p.normal = normal;
  p.sinkage = sinkage;
  p.step = 1e-3;
  p.stiffness = law.k;
  p.exponent = law.n;
  p.damping = sinkage > 0 ? law.b * std::pow(sinkage, law.p) : 0;
  p.rate_exponent = law.q;
  p.shear_stiffness = 1e4;
  p.shear_slope = p.step * 1e4 + 20;
  p.friction_coefficient = 0.6;
  p.patch_radius = 0.01;
  p.spin_slope = 0.5 * 1e-4 * p.shear_slope;
  return p;
}

double component(const Vec3d& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }
Vec3d axis(int i) { return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0}; }
Vec3d column(const Sym3<double>& m, int i) { return m * axis(i); }

class CompliantLaw : public ::testing::TestWithParam<Law> {};
INSTANTIATE_TEST_SUITE_P(Table5, CompliantLaw, ::testing::ValuesIn(kTable5),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(CompliantLaw, CurvatureIsTheDerivativeOfTheGradient) {
  Random random(7);
  int sticking = 0, slipping = 0, free = 0, unloading = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Vec3d n{0.3 * random(), 0.3 * random(), 1};
    n = (1 / norm(n)) * n;
    ContactPoint<double> p = make_point(GetParam(), 2e-3 * random() + 1e-3, n);
    p.limit_force = 20 * (1 + random());
    p.velocity = {0.5 * random(), 0.5 * random(), 0.5 * random()};
    p.shear_start = 5 * Vec3d{random(), random(), 0};
    p.shear_start -= dot(p.shear_start, n) * n;
    p.spin = random();
    evaluate_contact(p, p);
    const Vec3d y = p.shear_start + p.shear_slope * (p.velocity - dot(n, p.velocity) * n);
    const bool slips = norm(y) > 0.6 * p.limit_force;
    (p.normal_force == 0 ? free : slips ? slipping : sticking) += 1;
    unloading += p.normal_force > 0 && dot(n, p.velocity) > 0 ? 1 : 0;
    constexpr double kStep = 1e-6;
    for (int i = 0; i < 3; ++i) {
      ContactPoint<double> plus = p, minus = p;
      plus.velocity += kStep * axis(i);
      minus.velocity -= kStep * axis(i);
      evaluate_contact(plus, plus);
      evaluate_contact(minus, minus);
      for (int k = 0; k < 3; ++k) {
        const double difference =
            (component(plus.gradient, k) - component(minus.gradient, k)) / (2 * kStep);
        // central differences: h² of the third derivative, and rounding of the force over kStep
        const double scale = 1e-3 * (1 + norm(p.gradient)) + norm(column(p.curvature, i));
        EXPECT_NEAR(component(column(p.curvature, i), k), difference, 2e-5 * scale);
      }
    }
    ContactPoint<double> plus = p, minus = p;
    plus.spin += kStep;
    minus.spin -= kStep;
    evaluate_contact(plus, plus);
    evaluate_contact(minus, minus);
    EXPECT_NEAR(p.spin_curvature, (plus.spin_gradient - minus.spin_gradient) / (2 * kStep), 1e-9);
  }
  EXPECT_GT(sticking, 10);
  EXPECT_GT(slipping, 10);
  EXPECT_GT(free, 10);
  EXPECT_GT(unloading, 10);
}

TEST_P(CompliantLaw, IsMonotoneAndNeverPulls) {
  Random random(11);
  for (int trial = 0; trial < 5000; ++trial) {
    const Vec3d n{0, 0, 1};
    ContactPoint<double> a = make_point(GetParam(), 5e-3 * random(), n);
    a.limit_force = 50 * (1 + random());
    ContactPoint<double> b = a;
    a.velocity = {2 * random(), 2 * random(), 5 * random()};
    b.velocity = {2 * random(), 2 * random(), 5 * random()};
    evaluate_contact(a, a);
    evaluate_contact(b, b);
    EXPECT_GE(a.normal_force, 0);
    EXPECT_LE(dot(a.gradient, n), 0);  // the impulse on the foot points out of the ground
    // (∇ℓ(a) − ∇ℓ(b))·(a − b) ≥ 0 is what convexity means for the gradient
    const double product = dot(a.gradient - b.gradient, a.velocity - b.velocity);
    EXPECT_GE(product, -1e-12 * (norm(a.gradient) + norm(b.gradient)));
  }
}

TEST_P(CompliantLaw, CarriesWhatTheLawSaysAtRest) {
  const Law& law = GetParam();
  ContactPoint<double> p = make_point(law, 4e-3, {0, 0, 1});
  evaluate_contact(p, p);
  EXPECT_NEAR(p.normal_force, law.k * std::pow(4e-3, law.n), 1e-12 * p.normal_force);
}

TEST(CompliantLaw, HuntCrossleyCarriesAKilogramAtTenMillimetres) {
  // k_n = 9810 N m^(−3/2) with exponent 3/2 and 10 mm: Gora 2025 with its exponent put right
  ContactPoint<double> p = make_point({"", 9810, 1.5, 0, 0, 1}, 0.01, {0, 0, 1});
  evaluate_contact(p, p);
  EXPECT_NEAR(p.normal_force, 9.81, 1e-12);
}

}  // namespace
}  // namespace footfall
