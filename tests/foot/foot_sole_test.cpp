// Soles on soil: exact laws by a second route, the paper's forms by their figures, sinkage, areas.
#include "footfall/foot/foot_sole.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "support/quadrature.hpp"
#include "support/table_6.hpp"

namespace footfall {
namespace {

using testing::dry_sand;
using testing::integrate;
using testing::table_6;

constexpr double kPi = std::numbers::pi;

std::vector<FootSole> round_and_flat() {
  return {make_disc(0.05), make_rectangle(0.12, 0.05), make_cylinder(0.05, 0.08),
          make_sphere(0.05)};
}

std::vector<ForceForm> forms_of(SoleShape shape) {
  std::vector<ForceForm> forms;
  for (size_t i = 0; i < force_form_names().size(); ++i) {
    const auto form = static_cast<ForceForm>(i);
    if (applies_to(form, shape)) forms.push_back(form);
  }
  return forms;
}

// σ over rings of a sphere, or strips of a cylinder: by the angle, as (31) and (24) are written.
double by_angle(const FootSole& sole, const PlasticSoil& soil, double d) {
  const double r = sole.radius, K = sinkage_modulus(soil, contact_width(sole));
  const double top = std::acos(1 - std::min(d / r, 1.0));
  const bool ball = sole.shape == SoleShape::sphere;
  const double force = integrate(
      [&](double t) {
        const double s = std::max(d - r + r * std::cos(t), 0.0);
        const double arm = ball ? 2 * kPi * r * std::sin(t) : 2 * sole.width;
        return std::pow(s, soil.pressure.exponent) * std::cos(t) * r * arm;
      },
      0, top, std::pow(d, soil.pressure.exponent) * r * top * (ball ? r * top : sole.width));
  return K * force;
}

TEST(FootSole, FlatSolesCarryPressureTimesArea) {
  for (const PlasticSoil& soil : table_6()) {
    const double k_c = soil.pressure.cohesive_modulus, k_phi = soil.pressure.frictional_modulus;
    const double power = std::pow(0.013, soil.pressure.exponent);
    const double disc = (k_c * kPi * 0.05 + k_phi * kPi * 0.05 * 0.05) * power;  // (17)
    EXPECT_NEAR(normal_force(make_disc(0.05), soil, 0.013).force, disc, 1e-14 * disc);
    const double box = (k_c * 0.12 + k_phi * 0.12 * 0.05) * power;  // (19)
    EXPECT_NEAR(normal_force(make_rectangle(0.12, 0.05), soil, 0.013).force, box, 1e-14 * box);
    EXPECT_NEAR(normal_force(make_rectangle(0.05, 0.12), soil, 0.013).force, box, 1e-14 * box);
  }
}

TEST(FootSole, RoundSolesCarryTheIntegralOfTrueStress) {
  for (const FootSole& sole : {make_cylinder(0.05, 0.08), make_sphere(0.05)}) {
    for (const PlasticSoil& soil : table_6()) {
      const SoleLaw law = make_sole_law(sole, soil);
      for (const double d : {1e-5, 1e-3, 0.01, 0.03, 0.0499, 0.05, 0.0501, 0.06, 0.2}) {
        const double expected = by_angle(sole, soil, d);
        EXPECT_NEAR(normal_force(law, d).force, expected, 1e-10 * expected) << d;
      }
    }
  }
}

TEST(FootSole, SphereOnDrySandAtTenMillimetres) {
  const FootSole sole = make_sphere(0.05);
  const auto force = [&](ForceForm form) {
    return normal_force(sole, dry_sand(), 0.01, {form, false}).force;
  };
  EXPECT_NEAR(force(ForceForm::exact), 13.671, 5e-4);
  EXPECT_NEAR(force(ForceForm::eq_34), 15.345, 5e-4);
  EXPECT_NEAR(force(ForceForm::eq_33), 19.494, 5e-4);
  EXPECT_NEAR(force(ForceForm::linearized_stress), 9.747, 5e-4);
  // the closed form of true stress, written out
  const double K = 990 / 0.05 + 1528430;
  const double closed =
      2 * kPi * K * (std::pow(0.01, 3.1) / 3.1 + 0.04 * std::pow(0.01, 2.1) / 2.1);
  EXPECT_NEAR(force(ForceForm::exact), closed, 1e-13 * closed);
}

// Ding 2013 (31) with linearised stress, integrated: (33) is twice that.
TEST(FootSole, Equation33IsTwiceItsIntegral) {
  const FootSole sole = make_sphere(0.05);
  for (const double d : {1e-6, 1e-3, 0.0031, 0.01, 0.03, 0.05}) {
    const double top = entry_angle(0.05, d), R = 0.05;
    const double sigma_m = (990 / R + 1528430) * std::pow(d, 1.1);
    const double integral = integrate(
        [&](double t) {
          return R * std::cos(t) * sigma_m * (1 - t / top) * 2 * kPi * R * std::sin(t);
        },
        0, top, sigma_m * R * R * top * top);
    const auto force = [&](ForceForm form) {
      return normal_force(sole, dry_sand(), d, {form, false}).force;
    };
    EXPECT_NEAR(force(ForceForm::linearized_stress), integral, 2e-13 * integral) << d;
    EXPECT_NEAR(force(ForceForm::eq_33), 2 * integral, 4e-13 * integral) << d;
  }
}

// Shares of the exact force where δ is small: what each form gets wrong first.
TEST(FootSole, SmallSinkageShowsTheBiasOfEachForm) {
  const double d = 1e-9;
  for (const PlasticSoil& soil : table_6()) {
    const double n = soil.pressure.exponent;
    const auto share = [&](const FootSole& sole, ForceForm form) {
      return normal_force(sole, soil, d, {form, false}).force / normal_force(sole, soil, d).force;
    };
    const FootSole ball = make_sphere(0.05), rim = make_cylinder(0.05, 0.08);
    EXPECT_NEAR(share(ball, ForceForm::eq_34), (n + 1) / 2, 1e-6);
    EXPECT_NEAR(share(ball, ForceForm::linearized_stress), (n + 1) / 3, 1e-6);
    EXPECT_NEAR(share(ball, ForceForm::eq_33), 2 * (n + 1) / 3, 1e-6);
    const double beta = std::beta(n + 1, 0.5);
    for (const ForceForm form : {ForceForm::eq_29a, ForceForm::eq_29b, ForceForm::eq_29c}) {
      EXPECT_NEAR(share(rim, form), 1 / beta, 1e-6);
    }
  }
  EXPECT_NEAR(1 / std::beta(2.1, 0.5), 0.771, 5e-4);  // dry sand: all three 23 % low
}

// Ding 2013, Fig. 11: largest error for δ from 0 to r, over the largest force.
TEST(FootSole, Figure11HasThePapersErrors) {
  const FootSole sole = make_cylinder(0.05, 0.08);
  const SoleLaw exact = make_sole_law(sole, dry_sand());
  const double largest = normal_force(exact, 0.05).force;
  const auto error = [&](ForceForm form) {
    const SoleLaw law = make_sole_law(sole, dry_sand(), {form, false});
    double worst = 0;
    for (int i = 0; i <= 1000; ++i) {
      const double d = 0.05 * i / 1000;
      worst = std::max(worst, std::abs(normal_force(law, d).force - normal_force(exact, d).force));
    }
    return 100 * worst / largest;
  };
  EXPECT_NEAR(error(ForceForm::eq_29a), 17.4, 0.05);
  EXPECT_NEAR(error(ForceForm::eq_25), 17.4, 0.05);
  EXPECT_NEAR(error(ForceForm::eq_29b), 4.9, 0.05);
  EXPECT_NEAR(error(ForceForm::eq_29c), 8.8, 0.05);
}

// The tables of docs/theory/terramechanics.md: δ [m], exact force [N], forms over it.
TEST(FootSole, FormsOverSinkage) {
  const auto share = [](const FootSole& sole, double d, ForceForm form) {
    return normal_force(sole, dry_sand(), d, {form, false}).force /
           normal_force(sole, dry_sand(), d).force;
  };
  const FootSole ball = make_sphere(0.05), rim = make_cylinder(0.05, 0.08);
  constexpr double kBall[][4] = {{0.001, 0.115, 1.057, 1.403},
                                 {0.01, 13.671, 1.122, 1.426},
                                 {0.03, 118.386, 1.302, 1.484},
                                 {0.05, 290.710, 1.550, 1.550}};
  for (const auto& [d, force, by_34, by_33] : kBall) {
    EXPECT_NEAR(normal_force(ball, dry_sand(), d).force, force, 5.1e-4);
    EXPECT_NEAR(share(ball, d, ForceForm::eq_34), by_34, 5.1e-4);
    EXPECT_NEAR(share(ball, d, ForceForm::eq_33), by_33, 5.1e-4);
  }
  constexpr double kRim[][5] = {{0.001, 0.799, 0.772, 0.774, 0.773},
                                {0.01, 30.973, 0.780, 0.808, 0.794},
                                {0.03, 168.101, 0.802, 0.898, 0.849},
                                {0.05, 352.014, 0.826, 1.019, 0.918}};
  for (const auto& [d, force, by_29a, by_29b, by_29c] : kRim) {
    EXPECT_NEAR(normal_force(rim, dry_sand(), d).force, force, 5.1e-4);
    EXPECT_NEAR(share(rim, d, ForceForm::eq_29a), by_29a, 5.1e-4);
    EXPECT_NEAR(share(rim, d, ForceForm::eq_29b), by_29b, 5.1e-4);
    EXPECT_NEAR(share(rim, d, ForceForm::eq_29c), by_29c, 5.1e-4);
  }
}

// (34) says it holds up to θ₁ = π/2: that is against (33), itself twice its integral.
TEST(FootSole, Equation34AgainstTheExactForce) {
  const FootSole sole = make_sphere(0.05);
  const auto ratio = [&](const PlasticSoil& soil, double d, ForceForm form) {
    return normal_force(sole, soil, d, {ForceForm::eq_34, false}).force /
           normal_force(sole, soil, d, {form, false}).force;
  };
  EXPECT_NEAR(ratio(dry_sand(), 0.05, ForceForm::eq_33), 1, 1e-12);  // at θ₁ = π/2 they meet
  EXPECT_NEAR(ratio(dry_sand(), 0.05, ForceForm::exact), 1.55, 5e-3);
  EXPECT_NEAR(ratio(table_6()[4], 1e-3, ForceForm::exact), 0.56, 5e-3);  // heavy clay, n = 0.11
}

TEST(FootSole, SlopesAreThoseOfTheForces) {
  for (const FootSole& sole : round_and_flat()) {
    for (const PlasticSoil& soil : table_6()) {
      for (const ForceForm form : forms_of(sole.shape)) {
        const SoleLaw law = make_sole_law(sole, soil, {form, false});
        for (const double d : {1e-5, 1e-3, 0.0031, 0.01, 0.03, 0.049, 0.052, 0.1}) {
          const double h = 1e-3 * d;
          const auto f = [&](double x) { return normal_force(law, x).force; };
          const double slope =
              (8 * (f(d + h) - f(d - h)) - (f(d + 2 * h) - f(d - 2 * h))) / (12 * h);
          EXPECT_NEAR(normal_force(law, d).slope, slope, 1e-9 * slope)
              << force_form_names()[static_cast<size_t>(form)] << " at " << d;
        }
      }
    }
  }
}

TEST(FootSole, ForceGrowsWithSinkageAndIsContinuous) {
  for (const FootSole& sole : round_and_flat()) {
    for (const PlasticSoil& soil : table_6()) {
      for (const ForceForm form : forms_of(sole.shape)) {
        const SoleLaw law = make_sole_law(sole, soil, {form, false});
        EXPECT_EQ(normal_force(law, 0).force, 0);
        EXPECT_EQ(normal_force(law, -0.01).force, 0);
        double last = 0;
        for (int i = 1; i <= 120; ++i) {
          const double force = normal_force(law, 0.001 * i).force;
          EXPECT_GT(force, last);
          last = force;
        }
        const double at = normal_force(law, 0.05).force;
        EXPECT_NEAR(normal_force(law, 0.05 * (1 + 1e-13)).force, at, 1e-10 * at);
      }
    }
  }
}

TEST(FootSole, OneSideCarriesHalf) {
  for (const FootSole& sole : {make_cylinder(0.05, 0.08), make_sphere(0.05)}) {
    for (const ForceForm form : forms_of(sole.shape)) {
      const Bearing<double> both = normal_force(sole, dry_sand(), 0.01, {form, false});
      const Bearing<double> one = normal_force(sole, dry_sand(), 0.01, {form, true});
      EXPECT_EQ(one.force, 0.5 * both.force);
      EXPECT_EQ(one.slope, 0.5 * both.slope);
    }
  }
}

TEST(FootSole, SinkageIsTheInverseOfForce) {
  for (const FootSole& sole : round_and_flat()) {
    for (const PlasticSoil& soil : table_6()) {
      for (const ForceForm form : forms_of(sole.shape)) {
        const SoleLaw law = make_sole_law(sole, soil, {form, false});
        for (const double d : {1e-8, 1e-4, 0.01, 0.05, 0.07, 1.0}) {
          EXPECT_NEAR(find_sinkage(law, normal_force(law, d).force), d, 1e-12 * d);
        }
        EXPECT_EQ(find_sinkage(law, 0), 0);
      }
    }
  }
  // any load a double can hold
  const SoleLaw law = make_sole_law(make_disc(0.05), table_6()[4]);
  for (const double load : {1e-12, 1e9}) {
    EXPECT_NEAR(normal_force(law, find_sinkage(law, load)).force, load, 1e-12 * load);
  }
}

TEST(FootSole, AreasOfTable7) {
  const double d = 0.013, r = 0.05;
  EXPECT_NEAR(contact_area(make_disc(r), d), kPi * r * r, 1e-16);
  EXPECT_NEAR(contact_area(make_rectangle(0.12, 0.05), 0), 0.006, 1e-16);
  const double theta = std::acos((r - d) / r);
  const FootSole rim = make_cylinder(r, 0.08), ball = make_sphere(r);
  EXPECT_NEAR(contact_area(rim, d), 2 * r * 0.08 * theta, 1e-16);
  EXPECT_NEAR(cohesive_area(rim, d), r * 0.08 * theta, 1e-16);
  EXPECT_NEAR(plan_area(rim, d), 2 * r * std::sin(theta) * 0.08, 1e-16);
  EXPECT_NEAR(contact_area(ball, d), 2 * kPi * r * d, 1e-16);
  EXPECT_NEAR(cohesive_area(ball, d), kPi * r * d, 1e-16);
  EXPECT_NEAR(plan_area(ball, d), kPi * std::pow(r * std::sin(theta), 2), 1e-16);
  // deeper than the radius: the lower half
  EXPECT_NEAR(contact_area(rim, 0.2), kPi * r * 0.08, 1e-16);
  EXPECT_NEAR(contact_area(ball, 0.2), 2 * kPi * r * r, 1e-16);
  EXPECT_NEAR(plan_area(ball, 0.2), kPi * r * r, 1e-16);
  for (const FootSole& sole : round_and_flat()) {
    EXPECT_EQ(contact_area(sole, -1e-6), 0);
    EXPECT_EQ(cohesive_area(sole, -1e-6), 0);
    EXPECT_EQ(plan_area(sole, -1e-6), 0);
  }
}

TEST(FootSole, ShearStrengthAndItsMobilizedShare) {
  PlasticSoil soil = dry_sand();
  const FootSole sole = make_disc(0.05);
  const double L = 1040 * kPi * 0.0025 + 80 * std::tan(28 * kPi / 180);
  EXPECT_NEAR(shear_strength(sole, soil, 0.01, 80), L, 1e-12);
  EXPECT_NEAR(mobilized_shear(soil, 0.02), 1 - std::exp(-1), 1e-15);
  EXPECT_NEAR(mobilized_shear(soil, -0.02), 1 - std::exp(-1), 1e-15);  // of |j|
  soil.shear = ShearForm::tanh;
  EXPECT_NEAR(mobilized_shear(soil, 0.02), std::tanh(1 / 1.5), 1e-15);
  soil.shear = ShearForm::piecewise_linear;
  EXPECT_NEAR(mobilized_shear(soil, 0.02), 0.5, 1e-15);
  EXPECT_EQ(mobilized_shear(soil, 0.05), 1);
}

TEST(FootSole, RefusesWhatMakesNoSense) {
  EXPECT_THROW(make_disc(0), InputError);
  EXPECT_THROW(make_sphere(-1), InputError);
  EXPECT_THROW(make_rectangle(0.1, NAN), InputError);
  EXPECT_THROW(make_cylinder(INFINITY, 0.1), InputError);
  const FootSole disc = make_disc(0.05), ball = make_sphere(0.05);
  const PlasticSoil sand = dry_sand();
  EXPECT_THROW(normal_force(disc, sand, 0.01, {ForceForm::eq_34, false}), InputError);
  EXPECT_THROW(normal_force(ball, sand, 0.01, {ForceForm::eq_29a, false}), InputError);
  EXPECT_THROW(normal_force(disc, sand, 0.01, {ForceForm::exact, true}), InputError);
  EXPECT_THROW(normal_force(disc, sand, NAN), InputError);
  EXPECT_THROW(find_sinkage(disc, sand, -1), InputError);
  EXPECT_THROW(find_sinkage(disc, sand, NAN), InputError);
  EXPECT_THROW(find_sinkage(disc, sand, INFINITY), InputError);
  PlasticSoil odd = sand;
  odd.pressure.frictional_modulus = -1e9;
  EXPECT_THROW(normal_force(disc, odd, 0.01), InputError);
  odd = sand;
  odd.pressure.exponent = 0;
  EXPECT_THROW(normal_force(disc, odd, 0.01), InputError);
}

}  // namespace
}  // namespace footfall
