#include "footfall/granular/resistive_force.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "support/quadrature.hpp"

namespace footfall {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kRadius = 0.04, kHeight = 0.308, kReference = 0.25;

GrainFoot round_foot() {
  return {.radius = kRadius, .height = kHeight, .reference_height = kReference};
}
GrainFoot box_foot() {
  return {.shape = GrainFootShape::box,
          .length_x = 0.06,
          .width_y = 0.09,
          .height = kHeight,
          .reference_height = kReference};
}
GrainFoot ball_foot() {
  GrainFoot ball = round_foot();
  ball.shape = GrainFootShape::sphere;
  return ball;
}

// Li 2013, (S1), (S2) with the generic coefficients, by angles as printed there.
ResistiveStress printed_stress(double b, double g) {
  const double z = 0.206 + 0.169 * std::cos(2 * b) + 0.212 * std::sin(2 * b + g) +
                   0.358 * std::sin(g) + 0.055 * std::sin(-2 * b + g);
  const double x = -0.124 * std::cos(2 * b + g) + 0.253 * std::cos(g) +
                   0.007 * std::cos(-2 * b + g) + 0.088 * std::sin(2 * b);
  return {1e6 * x, 1e6 * z};
}

TEST(ResistiveStress, IsTheSeriesOfThePaperAndItsMirrorImage) {
  EXPECT_NEAR(evaluate_resistive_stress(0, kPi / 2).z, 1e6, 1e-9);  // the paper's normalisation
  for (double b = -1.5; b <= 1.5; b += 0.25) {
    for (double g = -1.5; g <= 1.5; g += 0.25) {
      const ResistiveStress ours = evaluate_resistive_stress(b, g), paper = printed_stress(b, g);
      EXPECT_NEAR(ours.x, paper.x, 1e-9);
      EXPECT_NEAR(ours.z, paper.z, 1e-9);
      const ResistiveStress mirrored = evaluate_resistive_stress(-b, kPi - g);
      EXPECT_NEAR(mirrored.x, -ours.x, 1e-9);
      EXPECT_NEAR(mirrored.z, ours.z, 1e-9);
    }
    // Plates that their mirror image is, going straight down or up, are not pushed sideways.
    for (const double g : {-kPi / 2, kPi / 2}) {
      EXPECT_NEAR(evaluate_resistive_stress(0, g).x, 0, 1e-9);
      EXPECT_NEAR(evaluate_resistive_stress(kPi / 2, g).x, 0, 1e-9);
    }
  }
}

TEST(ResistiveForce, PressedFlatTheSoleAndTheSidesHaveClosedForms) {
  const double d = 0.05, side = 1e6 * (0.206 - 0.169 - 0.212 + 0.358 - 0.055);
  const PlanarWrench disc = evaluate_resistive_wrench(round_foot(), {d, 0}, {0, -0.02, 0});
  EXPECT_NEAR(disc.force_z, 1e6 * kPi * kRadius * kRadius * d + side * 2 * kRadius * d * d / 2,
              1e-10);
  EXPECT_NEAR(disc.force_x, 0, 1e-12);
  EXPECT_NEAR(disc.torque_y, 0, 1e-12);
  const PlanarWrench box = evaluate_resistive_wrench(box_foot(), {d, 0}, {0, -0.02, 0});
  EXPECT_NEAR(box.force_z, 1e6 * 0.06 * 0.09 * d + side * 0.09 * d * d / 2, 1e-10);
}

// Dragged level, the face in front is a vertical plate and the sole slides along itself: half of it.
TEST(ResistiveForce, DraggedTheFrontAndTheSoleHaveClosedForms) {
  const double d = 0.05, width = 0.09, length = 0.06;
  const ResistiveStress front = printed_stress(kPi / 2, 0), sole = printed_stress(0, 0);
  const PlanarWrench box = evaluate_resistive_wrench(box_foot(), {d, 0}, {0.02, 0, 0});
  const double push = front.x * width * d * d / 2, shear = 0.5 * sole.x * width * length * d;
  EXPECT_NEAR(box.force_x, -(push + shear), 1e-10);
  EXPECT_NEAR(box.force_z, front.z * width * d * d / 2 + 0.5 * sole.z * width * length * d, 1e-10);
  // The front's force acts a third of the way up, at the length's end.
  const double torque =
      push * (kReference - d / 3) + shear * kReference - 0.5 * length * front.z * width * d * d / 2;
  EXPECT_NEAR(box.torque_y, torque, 1e-10);
}

// A cylinder's slices: an integral over y of boxes, done by adaptive quadrature.
TEST(ResistiveForce, ACylinderIsTheSumOfItsSlices) {
  const FootConfiguration at{0.05, 0.6};
  const PlanarVelocity v{0.014, -0.014, 0.2};
  const auto slice = [&](double t) {
    GrainFoot box = box_foot();
    box.length_x = 2 * kRadius * std::cos(t);
    box.width_y = 1;
    return kRadius * std::cos(t) * evaluate_resistive_wrench(box, at, v, 8).force_z;
  };
  const double sum = testing::integrate(slice, -kPi / 2 + 1e-9, kPi / 2 - 1e-9, 1e8);
  EXPECT_NEAR(evaluate_resistive_wrench(round_foot(), at, v, 64).force_z, sum, 1e-5 * sum);
}

// Half of a ball's slices lead, all of them below the surface: ∫∫ over the sphere, by plain angles.
TEST(ResistiveForce, ABuriedBallIsTheIntegralOverItsLeadingSide) {
  const double d = 0.2;
  const auto slice = [&](double t) {
    const double r = kRadius * std::cos(t);
    const auto arc = [&](double b) {  // normal (sin β, −cos β), β from −π/2 to π/2 leads downwards
      return printed_stress(b, kPi / 2).z * (d - kRadius + r * std::cos(b)) * r;
    };
    return kRadius * std::cos(t) * testing::integrate(arc, -kPi / 2, kPi / 2, 1e8);
  };
  const double sum = testing::integrate(slice, -kPi / 2, kPi / 2, 1e8);
  const PlanarWrench ball = evaluate_resistive_wrench(ball_foot(), {d, 0}, {0, -0.02, 0});
  EXPECT_NEAR(ball.force_z, sum, 1e-9 * sum);
  EXPECT_NEAR(ball.force_x, 0, 1e-10);
}

TEST(ResistiveForce, AMirroredMotionMeetsAMirroredWrench) {
  for (const GrainFoot& foot : {round_foot(), box_foot(), ball_foot()}) {
    for (const PlanarVelocity& v : velocity_directions(26, {0.02, 0.02, 0.3})) {
      const PlanarWrench w = evaluate_resistive_wrench(foot, {0.07, 0.4}, v);
      const PlanarWrench m = evaluate_resistive_wrench(foot, {0.07, -0.4}, {-v.x, v.z, -v.tilt});
      EXPECT_NEAR(m.force_x, -w.force_x, 1e-9);
      EXPECT_NEAR(m.force_z, w.force_z, 1e-9);
      EXPECT_NEAR(m.torque_y, -w.torque_y, 1e-9);
    }
  }
}

TEST(ResistiveForce, TheDefaultPointsAreEnough) {
  for (const GrainFoot& foot : {round_foot(), ball_foot()}) {
    for (const PlanarVelocity& v : velocity_directions(26, {0.02, 0.02, 0.3})) {
      const PlanarWrench w = evaluate_resistive_wrench(foot, {0.05, 0.6}, v);
      const PlanarWrench fine = evaluate_resistive_wrench(foot, {0.05, 0.6}, v, 64);
      EXPECT_NEAR(w.force_x, fine.force_x, 0.1);  // of some 400 N
      EXPECT_NEAR(w.force_z, fine.force_z, 0.1);
      EXPECT_NEAR(w.torque_y, fine.torque_y, 0.02);
    }
  }
}

TEST(ResistiveForce, ADatabaseOfItsOwnGivesItsScaleBack) {
  const ResistiveMedium medium{
      .name = "test", .scale = 0.7, .depths = {0.02, 0.05}, .tilts = {0, 0.5}};
  const WrenchDatabase made =
      make_resistive_database(medium, box_foot(), velocity_directions(26, {0.02, 0.02, 0.3}));
  EXPECT_EQ(made.wrenches.size(), 4U * 26U);
  const ResistiveFit fit = fit_resistive_scale(made);
  EXPECT_NEAR(fit.scale, 0.7, 1e-14);
  EXPECT_NEAR(fit.error, 0, 1e-7);
}

TEST(ResistiveForce, SaysWhatIsWrong) {
  EXPECT_THROW(evaluate_resistive_wrench({.radius = 0}, {0.1, 0}, {0, -1, 0}), InputError);
  const std::vector<PlanarVelocity> v = velocity_directions(26, {0.02, 0.02, 0.3});
  EXPECT_THROW(make_resistive_database({.scale = 0}, round_foot(), v), InputError);
  EXPECT_THROW(make_resistive_database({.depths = {0}}, round_foot(), v), InputError);
  EXPECT_THROW(make_resistive_database({.depths = {0.1}, .tilts = {-0.1}}, round_foot(), v),
               InputError);
}

}  // namespace
}  // namespace footfall
