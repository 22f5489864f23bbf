// Plastic soil under one point of a sole, by second routes: curvature by finite differences of the
// gradient in every regime, the clamp written out beside the engine's shortcut, items of a pack
// beside items alone, pad and ground in series by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "footfall/ground/evaluate.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using testing::Random;

constexpr double kStep = 1e-3;  // h [s]

struct TestGround {
  const char* name;
  BearingKind kind;
  double n;
  double damping, rate_exponent;  // b δᵖ and q
  double rebound;                 // ρ
  bool padded;
  friend std::ostream& operator<<(std::ostream& out, const TestGround& g) { return out << g.name; }
};
const TestGround kGrounds[] = {
    {"flat_sand", BearingKind::flat, 1.1, 0, 1, kNoRebound, false},
    {"flat_heavy_clay", BearingKind::flat, 0.11, 0, 1, kNoRebound, false},
    {"flat_damped", BearingKind::flat, 0.632, 205, 0.075, kNoRebound, false},
    {"flat_snow", BearingKind::flat, 1.6, 300, 1.4, kMostRebound, false},
    {"ball_sand", BearingKind::ball, 1.1, 0, 1, kNoRebound, false},
    {"ball_damped", BearingKind::ball, 0.5, 150, 1.1, kMostRebound, false},
    {"rim_sand", BearingKind::rim, 0.79, 0, 1, kNoRebound, false},
    {"rim_damped", BearingKind::rim, 0.632, 205, 0.5, kMostRebound, false},
    {"flat_padded", BearingKind::flat, 1.1, 0, 1, kNoRebound, true},
    {"ball_padded", BearingKind::ball, 0.7, 80, 1.1, kMostRebound, true},
    {"rim_padded", BearingKind::rim, 1.44, 60, 1, kMostRebound, true},
};

const RimSeries& rim_of(double n) {
  static double made_for = -1;
  static RimSeries rim;
  if (made_for != n) {
    rim = make_rim_series(n);
    made_for = n;
  }
  return rim;
}

// A point with a random footprint, above it or in it.
ContactPoint<double> make_point(const TestGround& g, Random& random) {
  const auto share = [&] { return 0.5 * (1 + random()); };
  ContactPoint<double> p{};
  p.normal = {0.3 * random(), 0.3 * random(), 1};
  p.normal = (1 / norm(p.normal)) * p.normal;
  p.step = kStep;
  p.exponent = g.n;
  p.rate_exponent = g.rate_exponent;
  PlasticPart<double>& s = p.plastic;
  s.any = true;
  s.is_plastic = 1;
  s.kind = g.kind;
  if (g.kind == BearingKind::rim) s.rims = &rim_of(g.n);
  s.modulus = 1e6;
  s.size = g.kind == BearingKind::flat ? 1e-3 : g.kind == BearingKind::rim ? 0.02 : 1;
  s.radius = g.kind == BearingKind::flat ? 0 : 0.02;
  s.sinkage_max = share() < 0.2 ? 0 : 0.03 * share();  // rounder soles also beyond their radius
  s.reference_depth = std::fmax(s.sinkage_max, kLeastDepth);
  s.bearing = evaluate_bearing(p, s.reference_depth).force;
  s.unload_stiffness = s.bearing / (g.rebound * s.reference_depth);
  const double elastic = s.bearing / s.unload_stiffness;
  s.plastic_sinkage = std::fmax(0.0, s.sinkage_max - elastic * share());
  p.sinkage = s.plastic_sinkage + 1.2 * elastic * random();
  const bool touches = p.sinkage > s.plastic_sinkage;
  s.recovery = touches ? kRecoveryTime : 0;
  s.shear_length = 0.01;
  p.damping = touches ? g.damping : 0;
  p.friction_coefficient = 0.5;
  p.adhesion = touches ? 2 : 0;
  p.limit_force = 20 * (1 + random());
  p.shear_start = 0.6 * Vec3d{random(), random(), 0};
  p.shear_start -= dot(p.shear_start, p.normal) * p.normal;
  p.shear_slope = kStep / s.shear_length;
  p.patch_radius = g.kind == BearingKind::ball ? 0.01 : 0;
  p.spin_start = 0.5 * p.patch_radius * p.patch_radius * random() / s.shear_length;
  p.spin_slope = 0.5 * p.patch_radius * p.patch_radius * p.shear_slope;
  if (g.padded) {
    p.pad.any = true;
    p.pad.is_padded = 1;
    p.pad.compression = touches ? 1e-3 * share() : 0;
    p.pad.stiffness = 1.2e4;
    p.pad.exponent = 1.2;
    p.pad.damping = touches ? 30 : 0;
    p.pad.rate_exponent = 0.9;
  }
  // so fast that the step ends anywhere between lift-off and far on the virgin curve
  p.velocity = {8 * random(), 8 * random(), 0};
  p.velocity +=
      (1.5 * elastic / (kStep + s.recovery) * random() - dot(p.velocity, p.normal)) * p.normal;
  if (g.padded) p.velocity += (2e-4 / kStep * random()) * p.normal;
  p.spin = 20 * random();
  return p;
}

enum class Regime { free, line, virgin };

// Where the ground below the point is, by the law of soil/plastic.hpp written out.
Regime regime_of(const ContactPoint<double>& p, double rate) {
  const PlasticPart<double>& s = p.plastic;
  const double depth = p.sinkage + kStep * rate;
  const double line = s.unload_stiffness * (depth - s.plastic_sinkage + s.recovery * rate);
  const double bound =
      evaluate_bearing(p, depth).force + sinking_damping(p.damping, p.rate_exponent, rate).force;
  if (!(std::fmin(line, bound) > 0)) return Regime::free;
  return line > bound ? Regime::virgin : Regime::line;
}

struct Regimes {
  Regime normal;
  bool sinks, slips, spins, pad_open;
  friend bool operator==(const Regimes&, const Regimes&) = default;
};
Regimes regimes_of(const ContactPoint<double>& p) {
  const double rate = -dot(p.normal, p.velocity);
  const double ground_rate = p.pad.any ? solve_ground_rate(p, rate) : rate;
  const double limit = p.adhesion + p.friction_coefficient * p.limit_force;
  const Vec3d y = p.shear_start + p.shear_slope * tangential_velocity(p, p.velocity);
  const double spin = p.spin_start + p.spin_slope * p.spin;
  return {regime_of(p, ground_rate), ground_rate > 0, norm(y) > 1,
          std::abs(spin) > 2.0 / 3 * p.patch_radius && limit > 0,
          p.pad.any && !(p.pad.compression + kStep * (rate - ground_rate) > 0)};
}

double component_of(const Vec3d& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }
Vec3d unit_axis(int i) { return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0}; }

class PlasticLaw : public ::testing::TestWithParam<TestGround> {};
INSTANTIATE_TEST_SUITE_P(Grounds, PlasticLaw, ::testing::ValuesIn(kGrounds),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(PlasticLaw, CurvatureIsTheDerivativeOfTheGradient) {
  Random random(3);
  int free = 0, first_touch = 0, line = 0, unloading = 0, virgin = 0, sticking = 0, slipping = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    ContactPoint<double> p = make_point(GetParam(), random);
    const Regimes here = regimes_of(p);
    evaluate_contact(p, p);
    const double speed = norm(p.velocity) + 1e-3;
    const double delta = 1e-6 * speed;
    // where it begins the virgin curve bends most: what central differences miss of it
    const double depth = p.sinkage - kStep * dot(p.normal, p.velocity);
    const double missed = here.normal == Regime::virgin ? square(delta * kStep / depth) : 0;
    bool smooth = true;
    double worst = 0;
    for (int i = 0; i < 3 && smooth; ++i) {
      ContactPoint<double> plus = p, minus = p;
      plus.velocity += delta * unit_axis(i);
      minus.velocity -= delta * unit_axis(i);
      smooth = regimes_of(plus) == here && regimes_of(minus) == here;
      evaluate_contact(plus, plus);
      evaluate_contact(minus, minus);
      const Vec3d column = p.curvature * unit_axis(i);
      // central differences: the third derivative, and rounding of the force over delta
      const double scale = norm(column) + 1e-3 * norm(p.gradient) / speed + 1e-12;
      for (int k = 0; k < 3; ++k) {
        const double slope =
            (component_of(plus.gradient, k) - component_of(minus.gradient, k)) / (2 * delta);
        worst = std::fmax(worst, std::abs(slope - component_of(column, k)) / scale);
      }
    }
    if (!smooth) continue;
    // a pad's force is found to 1e-13, over delta
    EXPECT_LT(worst, (p.pad.any ? 1e-4 : 1e-5) + missed)
        << "trial " << trial << " regime " << static_cast<int>(here.normal)
        << (here.slips ? " slips" : " sticks");
    ContactPoint<double> plus = p, minus = p;
    const double turn = 1e-6 * (1 + std::abs(p.spin));
    plus.spin += turn;
    minus.spin -= turn;
    if (regimes_of(plus) == here && regimes_of(minus) == here) {
      evaluate_contact(plus, plus);
      evaluate_contact(minus, minus);
      EXPECT_NEAR(p.spin_curvature, (plus.spin_gradient - minus.spin_gradient) / (2 * turn),
                  1e-7 * p.spin_curvature + 1e-12);
    }
    free += here.normal == Regime::free;
    line += here.normal == Regime::line;
    virgin += here.normal == Regime::virgin;
    first_touch += here.normal != Regime::free && p.sinkage <= p.plastic.plastic_sinkage;
    unloading += here.normal == Regime::line && !here.sinks;
    slipping += here.slips;
    sticking += !here.slips;
  }
  for (const int count : {free, first_touch, line, unloading, virgin, sticking, slipping}) {
    EXPECT_GT(count, 20) << free << " " << first_touch << " " << line << " " << unloading << " "
                         << virgin << " " << sticking << " " << slipping;
  }
}

TEST_P(PlasticLaw, IsMonotoneAndNeverPulls) {
  Random random(11);
  for (int trial = 0; trial < 5000; ++trial) {
    ContactPoint<double> a = make_point(GetParam(), random);
    ContactPoint<double> b = a;
    const double range = 3 * norm(a.velocity);
    b.velocity = range * Vec3d{random(), random(), random()};
    evaluate_contact(a, a);
    evaluate_contact(b, b);
    for (const ContactPoint<double>* p : {&a, &b}) {
      EXPECT_GE(p->normal_force, 0);
      // the impulse points out of the ground
      const double shear = shear_limit(*p, p->limit_force) * (1 + p->shear_slope * range);
      EXPECT_LE(dot(p->gradient, p->normal), 4e-15 * kStep * shear);
      const Vec3d tangential = p->gradient - dot(p->gradient, p->normal) * p->normal;
      const double limit = kStep * shear_limit(*p, p->limit_force);
      EXPECT_LE(norm(tangential), limit * (1 + 1e-12) + 1e-14 * norm(p->gradient));
    }
    const double product = dot(a.gradient - b.gradient, a.velocity - b.velocity);
    EXPECT_GE(product, -1e-11 * (norm(a.gradient) + norm(b.gradient)) * range);
  }
}

// ---- the clamp without its shortcut ----

// V over K_σ by the C library and, of a rim, by quadrature.
double bearing_by_hand(const PlasticPart<double>& s, double n, double depth) {
  if (!(depth > 0)) return 0;
  switch (s.kind) {
  case BearingKind::flat:
    return s.size * std::pow(depth, n);
  case BearingKind::ball: {
    const double deep = std::pow(std::fmax(depth - s.radius, 0.0), n + 2);
    return s.size * 2 * std::numbers::pi *
           (s.radius * std::pow(depth, n + 1) / (n + 1) -
            (std::pow(depth, n + 2) - deep) / ((n + 1) * (n + 2)));
  }
  case BearingKind::rim:
    break;
  }
  return 2 * s.size * std::pow(s.radius, n + 1) * rim_integral(n, depth / s.radius);
}

double damping_by_hand(const ContactPoint<double>& p, double rate) {
  if (!(rate > 0)) return 0;
  if (p.rate_exponent == 1) return p.damping * rate;
  return p.damping * rate * std::pow(std::hypot(rate, kSlowSinking), p.rate_exponent - 1);
}

double clamp_by_hand(const ContactPoint<double>& p, double rate) {
  const PlasticPart<double>& s = p.plastic;
  const double depth = p.sinkage + kStep * rate;
  const double line = s.unload_stiffness * (depth - s.plastic_sinkage + s.recovery * rate);
  const double bound = s.modulus * bearing_by_hand(s, p.exponent, depth) + damping_by_hand(p, rate);
  return std::fmax(0.0, std::fmin(line, bound));
}

TEST(PlasticLaw, TheShortcutForSoilThatCarriedBeforeChangesNothing) {
  Random random(17);
  int shortcut = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    TestGround g{"",
                 trial % 2 == 0 ? BearingKind::flat : BearingKind::ball,
                 0.1 + 0.95 * (1 + random()),
                 trial % 5 == 0 ? 200 : 0.0,
                 trial % 3 == 0 ? 0.075 : 1.1,
                 trial % 7 == 0 ? kMostRebound : kNoRebound,
                 false};
    if (trial % 50 == 0) {
      g.kind = BearingKind::rim;
      g.n = 0.1 + 0.1 * (trial / 1000 % 20);
    }
    const ContactPoint<double> p =
        make_point({g.name, g.kind, g.n, g.damping, g.rate_exponent, g.rebound, false}, random);
    const double rate = -dot(p.normal, p.velocity);
    const double expected = clamp_by_hand(p, rate);
    const double force = evaluate_plastic(p, rate).force;
    // a rim's series is good to 5e-6 beyond its radius, 1e-10 within
    const bool deep = g.kind == BearingKind::rim && p.sinkage + kStep * rate > p.plastic.radius;
    const double tolerance = g.kind != BearingKind::rim ? 1e-12 : deep ? 1e-5 : 1e-9;
    ASSERT_NEAR(force, expected, tolerance * (expected + p.plastic.bearing)) << "trial " << trial;
    shortcut += force > 0 && force <= p.plastic.bearing;
  }
  EXPECT_GT(shortcut, 10000);
}

// The largest exponents that a soil file may have: V of a ball grows like δ⁴ then.
TEST(PlasticLaw, TheShortcutHoldsAtTheSteepestSoil) {
  Random random(19);
  for (int trial = 0; trial < 20000; ++trial) {
    const TestGround g{"", BearingKind::ball, 3, 0, 1, kMostRebound, false};
    ContactPoint<double> p = make_point(g, random);
    p.plastic.plastic_sinkage = p.plastic.reference_depth * (0.7 + 0.2 * random());
    p.sinkage = p.plastic.reference_depth * (0.9 + 0.2 * random());
    p.plastic.recovery = 0;
    const double rate = 0.1 * p.plastic.reference_depth / kStep * random();
    ASSERT_NEAR(evaluate_plastic(p, rate).force, clamp_by_hand(p, rate), 1e-12 * p.plastic.bearing);
  }
}

// ---- packs ----

using L = Pack<double>;

void set_vector(Vec3<L>& to, int i, const Vec3d& from) { set_item<double>(to, i, from); }

// Item i of a pack: the other way round than get_item.
void set_point(ContactPoint<L>& to, int i, const ContactPoint<double>& p) {
  set_vector(to.normal, i, p.normal);
  set_vector(to.velocity, i, p.velocity);
  set_vector(to.shear_start, i, p.shear_start);
  const auto set = [&](auto a, auto b) { (to.*a).set(i, p.*b); };
  using A = ContactPoint<L>;
  using B = ContactPoint<double>;
  set(&A::sinkage, &B::sinkage);
  set(&A::step, &B::step);
  set(&A::stiffness, &B::stiffness);
  set(&A::exponent, &B::exponent);
  set(&A::damping, &B::damping);
  set(&A::rate_exponent, &B::rate_exponent);
  set(&A::shear_slope, &B::shear_slope);
  set(&A::spin_slope, &B::spin_slope);
  set(&A::spin_start, &B::spin_start);
  set(&A::friction_coefficient, &B::friction_coefficient);
  set(&A::adhesion, &B::adhesion);
  set(&A::patch_radius, &B::patch_radius);
  set(&A::spin, &B::spin);
  set(&A::limit_force, &B::limit_force);
  set(&A::caution, &B::caution);
}
void set_plastic_part(PlasticPart<L>& to, int i, const PlasticPart<double>& p) {
  to.any = to.any || p.any;
  to.kind = p.kind;
  to.rims = p.rims;
  const auto set = [&](auto a, auto b) { (to.*a).set(i, p.*b); };
  using A = PlasticPart<L>;
  using B = PlasticPart<double>;
  set(&A::is_plastic, &B::is_plastic);
  set(&A::modulus, &B::modulus);
  set(&A::size, &B::size);
  set(&A::radius, &B::radius);
  set(&A::unload_stiffness, &B::unload_stiffness);
  set(&A::plastic_sinkage, &B::plastic_sinkage);
  set(&A::recovery, &B::recovery);
  set(&A::sinkage_max, &B::sinkage_max);
  set(&A::reference_depth, &B::reference_depth);
  set(&A::bearing, &B::bearing);
  set(&A::shear_length, &B::shear_length);
}
void set_pad_part(PadPart<L>& to, int i, const PadPart<double>& p) {
  to.any = to.any || p.any;
  const auto set = [&](auto a, auto b) { (to.*a).set(i, p.*b); };
  using A = PadPart<L>;
  using B = PadPart<double>;
  set(&A::is_padded, &B::is_padded);
  set(&A::compression, &B::compression);
  set(&A::stiffness, &B::stiffness);
  set(&A::exponent, &B::exponent);
  set(&A::damping, &B::damping);
  set(&A::rate_exponent, &B::rate_exponent);
}

TEST_P(PlasticLaw, AnItemOfAPackGetsWhatItGetsAlone) {
  Random random(23);
  for (int trial = 0; trial < 1000; ++trial) {
    ContactPoint<L> pack{};
    ContactPoint<double> alone[4];
    for (int i = 0; i < 4; ++i) {
      ContactPoint<double>& p = alone[i];
      p = make_point(GetParam(), random);
      if (random() > 0.3) {  // compliant ground, as set_plastic leaves it
        p.plastic.is_plastic = p.plastic.modulus = 0;
        p.plastic.bearing = p.plastic.unload_stiffness = 0;
        p.stiffness = 1e5;
        p.exponent = trial % 2 == 0 ? 1 : 1.3;
        p.damping = p.sinkage > 0 ? 300 : 0;
        p.rate_exponent = trial % 3 == 0 ? 1.1 : 1;
        p.shear_start = 20 * p.shear_start;
        p.shear_slope = 40;
        p.adhesion = 0;
      }
      if (GetParam().padded && random() > 0.3) p.pad.is_padded = p.pad.compression = 0;
      p.caution = random() > 0 ? 1 : 0;
      set_point(pack, i, p);
      set_plastic_part(pack.plastic, i, p.plastic);
      set_pad_part(pack.pad, i, p.pad);
      p.plastic.any = p.plastic.is_plastic > 0;
      p.pad.any = p.pad.is_padded > 0;
    }
    evaluate_contact(pack, pack);
    for (int i = 0; i < 4; ++i) {
      ContactPoint<double>& p = alone[i];
      evaluate_contact(p, p);
      const ContactPoint<double> item = get_item<double>(pack, pack, i);
      // Items of a pack take the general power where an item alone takes a whole one; and a
      // rounding of the speed moves the force by the steepest slope.
      const double slope = p.plastic.unload_stiffness * (kStep + p.plastic.recovery) +
                           kStep * p.stiffness + p.damping + 1;
      const double force = p.normal_force + 4e-3 * slope * norm(p.velocity);
      EXPECT_NEAR(item.normal_force, p.normal_force, 1e-12 * force);
      EXPECT_LT(norm(item.gradient - p.gradient), 1e-12 * kStep * (force + p.limit_force));
      EXPECT_NEAR(item.spin_gradient, p.spin_gradient, 1e-13 * (1 + p.limit_force) * kStep);
      EXPECT_NEAR(item.spin_curvature, p.spin_curvature, 1e-12 * p.spin_curvature);
      for (int k = 0; k < 3; ++k) {
        const Vec3d expected = p.curvature * unit_axis(k);
        EXPECT_LT(norm(item.curvature * unit_axis(k) - expected), 1e-10 * norm(expected) + 1e-18);
      }
    }
  }
}

// ---- pad and ground in series ----

TEST(PadInSeries, TwoLinearSpringsCarryAsOneOfTheirSeriesStiffness) {
  constexpr double k_F = 2e4, k_T = 5e4;
  ContactPoint<double> p{};
  p.normal = {0, 0, 1};
  p.step = kStep;
  p.stiffness = k_T;
  p.exponent = p.rate_exponent = 1;
  p.pad = {true, 1, 2e-3, k_F, 1, 0, 1};
  p.sinkage = 1e-3;  // of the ground alone
  for (const double rate : {-2.0, -0.3, 0.0, 0.1, 4.0}) {
    const NormalForce<double> both = evaluate_normal(p, rate);
    const double k_N = k_F * k_T / (k_F + k_T);
    EXPECT_NEAR(both.force, k_N * (3e-3 + kStep * rate), 1e-12 * both.force);
    EXPECT_NEAR(both.slope, kStep * k_N, 1e-12 * both.slope);
  }
  EXPECT_EQ(evaluate_normal(p, -3.1).force, 0);
}

TEST_P(PlasticLaw, PadAndGroundShareOneForceAndTheirSlopesCombine) {
  if (!GetParam().padded) GTEST_SKIP() << "no pad";
  Random random(29);
  for (int trial = 0; trial < 3000; ++trial) {
    const ContactPoint<double> p = make_point(GetParam(), random);
    const double rate = -dot(p.normal, p.velocity);
    const NormalForce<double> both = evaluate_normal(p, rate);
    // the ground's rate by plain bisection of "the ground carries more than the pad"
    double low = -10 - std::abs(rate), high = 10 + std::abs(rate);
    for (int k = 0; k < 200; ++k) {
      const double w = 0.5 * (low + high);
      const bool above = evaluate_ground(p, w).force >= evaluate_pad(p, rate - w).force;
      (above ? high : low) = w;
    }
    const NormalForce<double> ground = evaluate_ground(p, high);
    const NormalForce<double> pad = evaluate_pad(p, rate - high);
    // a rounding of the rate moves the ground's force by its slope
    const double rounding = 4e-15 * (1 + std::abs(rate)) * (ground.slope + pad.slope);
    EXPECT_NEAR(both.force, ground.force, 1e-12 * ground.force + rounding) << "trial " << trial;
    if (ground.force > 1e-6 && regime_of(p, low) == regime_of(p, high)) {
      EXPECT_NEAR(both.slope, ground.slope * pad.slope / (ground.slope + pad.slope),
                  1e-6 * both.slope)
          << "trial " << trial;
    }
  }
}

}  // namespace
}  // namespace footfall
