#include "run/run_tally.hpp"

#include <fmt/format.h>

#include <cmath>

namespace footfall {
namespace {

constexpr std::int64_t kPictureWidth = 60;  // values of base_heights

// Height of a grain foot's highest point above its sole's centre, its axis tilted by this [rad], along the vertical [m].
double highest_point(const GrainFoot& foot, double tilt) {
  if (foot.shape == GrainFootShape::sphere) return foot.radius * (1 + std::cos(tilt));
  const double half = foot.shape == GrainFootShape::box ? 0.5 * foot.length_x : foot.radius;
  return std::fmax(foot.height * std::cos(tilt), 0.0) + half * std::abs(std::sin(tilt));
}

}  // namespace

double rms_velocity(const RobotModel& robot, const RobotData<double>& data) {
  double sum = 0, mass = 0;
  for (int b = 1; b < robot.body_count(); ++b) {
    const Body& body = robot.bodies[b];
    const Vec3d p_OC = data.p_WB[b] + data.R_WB[b] * body.com - tree_origin(robot, data, b);
    const Vec3d v = point_velocity(data.V[b], p_OC);
    sum += body.mass * dot(v, v);
    mass += body.mass;
  }
  return mass > 0 ? std::sqrt(sum / mass) : 0;
}

void Tally::add(const World& world, const StepWorkspace<double>& workspace,
                const BodyContacts& body, const SolverReport<double>& report, double time) {
  ++summary_.steps;
  add_motion(world, workspace, time);
  body_.add(body, is_late());
  add_report(report, time);
  if (const auto* grains = std::get_if<GranularContact>(&workspace.contact)) {
    add_clamps(world, *grains, time);
  }
  for (int s = 0; s < kStageCount; ++s) summary_.stage_times[s] += workspace.times.seconds[s];
}

void Tally::warn(const std::string& text) {
  summary_.warnings.push_back(text);
  if (options_.warn) options_.warn(text);
}

void Tally::warn_of_clamps(const World& world) {
  std::erase_if(clamps_, [](const ClampSummary& c) { return c.depth_steps + c.tilt_steps == 0; });
  summary_.clamped = clamps_;
  if (clamps_.empty()) return;
  const WrenchModel& model = wrench_space(world.ground)->model();
  std::string text;
  for (const ClampSummary& c : clamps_) {
    text += fmt::format("{} foot '{}'", text.empty() ? "" : ";", c.foot);
    if (c.depth_steps > 0) {
      text += fmt::format(", depth up to {:.4g} m of {:.4g} m in {} steps", c.deepest,
                          model.deepest(), c.depth_steps);
    }
    if (c.tilt_steps > 0) {
      text += fmt::format(", tilt up to {:.4g} rad of {:.4g} rad in {} steps", c.largest_tilt,
                          model.largest_tilt(), c.tilt_steps);
    }
  }
  warn(fmt::format(
      "theta outside the data in {:.3g} % of the steps ({} of {}), where wrenches go on with "
      "depth from the nearest inside:{}",
      100.0 * static_cast<double>(summary_.clamped_steps) / static_cast<double>(summary_.steps),
      summary_.clamped_steps, summary_.steps, text));
}

void Tally::finish() {
  const double steps = std::fmax(static_cast<double>(summary_.steps), 1);
  summary_.mean_iterations = iterations_ / steps;
  for (double& seconds : summary_.stage_times) seconds /= steps;
  summary_.rms_velocity = last_steps_ > 0
                              ? std::sqrt(square_sum_ / static_cast<double>(last_steps_))
                              : last_velocity_;  // of a run that was interrupted before
  summary_.settled = summary_.rms_velocity < kSettledVelocity;
  body_.finish(summary_);
}

// Whether the present step counts for means over the last tenth of the run.
bool Tally::is_late() const {
  return summary_.steps > total_ - std::max<std::int64_t>(total_ / 10, 1);
}

void Tally::add_motion(const World& world, const StepWorkspace<double>& workspace, double time) {
  const double v = rms_velocity(world.robot, workspace.data);
  last_velocity_ = v;
  if (!(v < kSettledVelocity)) summary_.settle_time = time;
  if (is_late()) {
    square_sum_ += v * v;
    ++last_steps_;
  }
  if (summary_.steps % (total_ / kPictureWidth + 1) == 0) {
    summary_.base_heights.push_back(workspace.data.p_WB[1].z);
  }
}

void Tally::add_clamps(const World& world, const GranularContact& w, double time) {
  if (clamps_.empty()) {
    for (const Foot& foot : world.soles.feet) clamps_.push_back({.foot = foot.name});
  }
  bool any = false;
  for (const int foot : w.active) {
    const WrenchContact& contact = w.contacts[foot];
    ClampSummary& clamp = clamps_[foot];
    if (contact.at.depth_clamped) {
      ++clamp.depth_steps;
      clamp.deepest = std::fmax(clamp.deepest, contact.place.depth);
    }
    if (contact.at.tilt_clamped) {
      ++clamp.tilt_steps;
      clamp.largest_tilt = std::fmax(clamp.largest_tilt, std::abs(contact.place.tilt));
    }
    any = any || contact.at.depth_clamped || contact.at.tilt_clamped;
    const double depth = contact.place.depth;
    if (depth > highest_point(w.space->model().foot(), contact.place.tilt)) {
      summary_.ended_early =
          fmt::format("at {:.6g} s foot '{}' was wholly buried, its sole {:.4g} m deep: the data "
                      "of the medium end where grains close over the foot",
                      time, clamp.foot, depth);
    }
  }
  summary_.clamped_steps += any ? 1 : 0;
}

void Tally::add_report(const SolverReport<double>& report, double time) {
  iterations_ += report.iterations;
  summary_.max_iterations = std::max(summary_.max_iterations, static_cast<int>(report.iterations));
  summary_.largest_residual = std::fmax(summary_.largest_residual, report.residual);
  if (report.converged) return;
  ++summary_.not_converged;
  if (summary_.first_not_converged != 0) return;
  summary_.first_not_converged = summary_.steps;
  warn(fmt::format("step {} (time {:.6g} s): the solver stopped after {} iterations with "
                   "a force error of {:.3g} N; further such steps are only counted",
                   summary_.steps, time, report.iterations, report.residual));
}

}  // namespace footfall
