#include <gtest/gtest.h>

#include <cmath>

#include "footfall/error.hpp"
#include "footfall/gait/com_pattern.hpp"
#include "footfall/gait/foot_swing.hpp"
#include "footfall/gait/footsteps.hpp"

namespace footfall {
namespace {

const std::array<Foothold, 2> kStanding = {Foothold{0.03, 0.1, 0}, Foothold{0.03, -0.1, 0}};

TEST(Footsteps, AdvanceInTurnAndCloseTheFeet) {
  WalkParameters p;
  p.step_count = 5;
  p.step_length = 0.2;
  const std::vector<Footstep> plan = plan_footsteps(p, kStanding);
  ASSERT_EQ(plan.size(), 5U);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(plan[i].side, i % 2 == 0 ? kLeft : kRight);
    EXPECT_NEAR(plan[i].foothold.x, 0.03 + 0.2 * std::min(i + 1, 4), 1e-15);
    EXPECT_NEAR(plan[i].foothold.y, i % 2 == 0 ? 0.1 : -0.1, 1e-15);
  }
}

TEST(Footsteps, TurningKeepsWidthAndFollowsACircle) {
  WalkParameters p;
  p.step_count = 9;
  p.step_length = 0.2;
  p.step_width = 0.24;
  p.turn = 0.2;
  p.left_first = false;
  const std::vector<Footstep> plan = plan_footsteps(p, kStanding);
  EXPECT_EQ(plan[0].side, kRight);
  // the middle line's points lie on a circle: chords of one length that turn by one angle
  const double radius = 0.5 * p.step_length / std::sin(0.5 * p.turn);
  for (const Footstep& step : plan) {
    const double from_centre =
        std::hypot(step.foothold.x - 0.03, step.foothold.y - radius);  // centre at (0.03, radius)
    EXPECT_NEAR(from_centre, step.side == kLeft ? radius - 0.12 : radius + 0.12, 1e-14);
  }
  const Foothold &last = plan[8].foothold, &other = plan[7].foothold;
  EXPECT_NEAR(std::hypot(last.x - other.x, last.y - other.y), 0.24, 1e-14);
  EXPECT_NEAR(last.yaw, other.yaw, 1e-14);
  p.step_height = -1;
  EXPECT_THROW(check_walk(p), InputError);
}

// A walk's knots: stands, leans, changes feet twice, ends midway.
std::vector<ZmpKnot> some_knots() {
  return {{0, {0, 0, 0}},        {0.5, {0, 0, 0}},     {0.9, {0, 0, 0}},     {1.3, {0, -0.1, 0}},
          {1.9, {0, -0.1, 0}},   {2.1, {0.2, 0.1, 0}}, {2.7, {0.2, 0.1, 0}}, {2.9, {0.4, -0.1, 0}},
          {3.5, {0.4, -0.1, 0}}, {4.3, {0.4, 0.0, 0}}};
}

TEST(ComPattern, SolvesThePendulum) {
  const double omega = 3.4;
  std::vector<ZmpKnot> knots = some_knots();
  start_at_rest(omega, 1, 2, {0, 0, 0}, knots);
  const ComPattern pattern(omega, knots, {0, 0, 0});
  // Runge–Kutta of fourth order, backward for ξ and forward for x: both are stable that way
  const double h = 1e-3;
  double worst_dcm = 0, worst_com = 0;
  Vec3d dcm = knots.back().zmp;
  for (int i = 4300; i > 0; --i) {
    const double t = i * h;
    const auto rate = [&](double at, const Vec3d& xi) {
      return omega * (xi - pattern.sample(at).zmp);
    };
    const Vec3d a = rate(t, dcm), b = rate(t - h / 2, dcm - (h / 2) * a);
    const Vec3d c = rate(t - h / 2, dcm - (h / 2) * b), d = rate(t - h, dcm - h * c);
    dcm -= (h / 6) * (a + 2.0 * b + 2.0 * c + d);
    worst_dcm = std::max(worst_dcm, norm(dcm - pattern.sample(t - h).dcm));
  }
  Vec3d x{0, 0, 0};
  for (int i = 0; i < 4300; ++i) {
    const double t = i * h;
    const auto rate = [&](double at, const Vec3d& y) {
      return omega * (pattern.sample(at).dcm - y);
    };
    const Vec3d a = rate(t, x), b = rate(t + h / 2, x + (h / 2) * a);
    const Vec3d c = rate(t + h / 2, x + (h / 2) * b), d = rate(t + h, x + h * c);
    x += (h / 6) * (a + 2.0 * b + 2.0 * c + d);
    worst_com = std::max(worst_com, norm(x - pattern.sample(t + h).position));
  }
  EXPECT_LT(worst_dcm, 1e-12);
  EXPECT_LT(worst_com, 1e-12);
}

TEST(ComPattern, GivesItsZmpBackAndStartsAtRest) {
  const double omega = 3.4;
  std::vector<ZmpKnot> knots = some_knots();
  start_at_rest(omega, 1, 2, {0, 0, 0}, knots);
  EXPECT_GT(knots[2].zmp.y, 0.01);  // away from the foot that it will stand on
  const ComPattern pattern(omega, knots, {0, 0, 0});
  for (double t = 0; t < 0.5; t += 0.1) {
    EXPECT_LT(norm(pattern.sample(t).position), 1e-15);
    EXPECT_LT(norm(pattern.sample(t).velocity), 1e-15);
  }
  for (double t = 0.05; t < 6; t += 0.1) {
    const PatternSample s = pattern.sample(t);
    EXPECT_LT(norm(s.position - (1 / (omega * omega)) * s.acceleration - s.zmp), 1e-15);
    EXPECT_LT(norm(s.position + (1 / omega) * s.velocity - s.dcm), 1e-15);
    // and velocities are the positions' derivatives
    const double h = 1e-4;
    const PatternSample after = pattern.sample(t + h), before = pattern.sample(t - h);
    EXPECT_LT(norm((0.5 / h) * (after.position - before.position) - s.velocity), 1e-7);
    EXPECT_LT(norm((0.5 / h) * (after.velocity - before.velocity) - s.acceleration), 1e-7);
  }
  EXPECT_NEAR(pattern.sample(20).position.x, 0.4, 1e-15);
}

TEST(FootSwing, IsSmoothAndLandsVertically) {
  const FootSwing swing{{0, 0.1, 0}, {0.4, 0.12, 0.3}, -0.01, -0.005, 0.05, 0.6};
  for (double t = 0.005; t < 0.6; t += 0.01) {
    const double h = 1e-5;
    const SwingSample before = sample_swing(swing, t - h), s = sample_swing(swing, t),
                      after = sample_swing(swing, t + h);
    EXPECT_LT(norm((0.5 / h) * (after.position - before.position) - s.velocity), 1e-7);
    EXPECT_LT(norm((0.5 / h) * (after.velocity - before.velocity) - s.acceleration), 1e-5);
    EXPECT_NEAR((after.yaw.value - before.yaw.value) / (2 * h), s.yaw.rate, 1e-7);
  }
  EXPECT_DOUBLE_EQ(sample_swing(swing, 0.3).position.z, 0.05);
  for (const double t : {0.0, 0.6}) {
    const SwingSample end = sample_swing(swing, t);
    EXPECT_EQ(norm(end.velocity), 0);
    EXPECT_EQ(norm(end.acceleration), 0);
  }
  const SwingSample late = sample_swing(swing, 0.55);  // still high, but over its place
  EXPECT_GT(late.position.z, swing.end_height + 1e-4);
  EXPECT_DOUBLE_EQ(late.position.x, 0.4);
  EXPECT_DOUBLE_EQ(late.yaw.value, 0.3);
}

}  // namespace
}  // namespace footfall
