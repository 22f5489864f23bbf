#include "footfall/gait/footsteps.hpp"

#include <cmath>

#include "input_error.hpp"

namespace footfall {
namespace {

void expect_in(const char* key, double value, double low, double high, const char* unit) {
  if (value >= low && value <= high) return;  // false for what is not a number
  throw input_error("key 'controller.{}' = {}, expected {} to {} {}", key, value, low, high, unit);
}

}  // namespace

void check_walk(const WalkParameters& p) {
  expect_in("step_count", p.step_count, 0, 1000, "steps");
  expect_in("step_length_m", p.step_length, -1, 1, "m");
  if (p.step_width) expect_in("step_width_m", *p.step_width, 0.001, 2, "m");
  expect_in("step_height_m", p.step_height, 0.001, 0.5, "m");
  expect_in("step_duration_s", p.step_duration, 0.1, 20, "s");
  expect_in("double_support_share", p.double_support_share, 0.05, 0.9, "of the step");
  expect_in("turn_deg", p.turn * 180 / M_PI, -45, 45, "degrees per step");
  expect_in("start_delay_s", p.start_delay, 0, 1000, "s");
  if (p.base_height) expect_in("base_height_m", *p.base_height, 0.01, 10, "m");
  expect_in("expected_sinkage_m", p.expected_sinkage.sinkage, 0, 0.3, "m");
}

Foothold midway(const Foothold& a, const Foothold& b) {
  const double half = 0.5 * std::remainder(b.yaw - a.yaw, 2 * M_PI);
  return {0.5 * (a.x + b.x), 0.5 * (a.y + b.y), a.yaw + half};
}

std::vector<Footstep> plan_footsteps(const WalkParameters& p,
                                     const std::array<Foothold, 2>& start) {
  Foothold middle = midway(start[kLeft], start[kRight]);
  const double standing =
      std::hypot(start[kLeft].x - start[kRight].x, start[kLeft].y - start[kRight].y);
  const double half_width = 0.5 * p.step_width.value_or(standing);
  std::vector<Footstep> plan;
  for (int i = 0; i < p.step_count; ++i) {
    if (i + 1 < p.step_count) {
      const double along = middle.yaw + 0.5 * p.turn;
      middle.x += p.step_length * std::cos(along);
      middle.y += p.step_length * std::sin(along);
      middle.yaw += p.turn;
    }
    const int side = (i % 2 == 0) == p.left_first ? kLeft : kRight;
    const double aside = side == kLeft ? half_width : -half_width;
    plan.push_back({side,
                    {middle.x - aside * std::sin(middle.yaw),
                     middle.y + aside * std::cos(middle.yaw), middle.yaw}});
  }
  return plan;
}

}  // namespace footfall
