#include "footfall/gait/gait_watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/step/forces.hpp"

namespace footfall {
namespace {

constexpr double kLoadedShare = 0.02;  // of the weight: a foot that carries more is loaded
constexpr double kLifted = 0.03;       // a foot that carries nothing for so long has left [s]
constexpr double kBeforeFall = 0.5;    // feet that carried within this are named [s]
constexpr double kFading = 0.3;        // time over which motors at their limits are remembered [s]

// A direction of the upright base, laid into the plane of W's x and y.
Vec3d heading(const LeggedRobot& robot, const RobotData<double>& data, const Vec3d& direction) {
  Vec3d ahead = data.R_WB[robot.base] * (robot.R_BU * direction);
  ahead.z = 0;
  return (1 / std::fmax(norm(ahead), 1e-9)) * ahead;
}

// "forwards", "backwards and to the left": where the base leans.
std::string lean_text(const LeggedRobot& robot, const RobotData<double>& data) {
  const Vec3d up = base_up(robot, data);
  const Vec3d ahead = heading(robot, data, {1, 0, 0});
  const double forwards = dot(up, ahead), left = dot(up, cross(Vec3d{0, 0, 1}, ahead));
  std::string text;
  if (std::abs(forwards) > 0.4 * std::abs(left)) text = forwards > 0 ? "forwards" : "backwards";
  if (std::abs(left) > 0.4 * std::abs(forwards)) {
    if (!text.empty()) text += " and ";
    text += left > 0 ? "to the left" : "to the right";
  }
  return text;
}

}  // namespace

GaitWatch::GaitWatch(const World& world, const std::vector<double>& pose, const GaitGoal& goal)
    : robot_(find_legs(world.robot, world.soles, pose)), data_(world.robot),
      footfalls_(world.soles.feet.size()) {
  summary_.goal = goal;
  compute_positions(world.robot, pose.data(), data_);
  standing_height_ = goal.base_height > 0 ? goal.base_height : height_over_soles(robot_, data_);
}

// The motors' forces as the step had them: from its start, less what their speeds took off.
void GaitWatch::watch_motors(const World& world, const State<double>& before,
                             const Control<double>& control, const State<double>& after,
                             bool counts) {
  using namespace forces_detail;
  const double h = world.options.timestep;
  int saturated = 0;
  const auto count = static_cast<int>(world.robot.actuators.size());
  for (int i = 0; i < count; ++i) {
    const Actuator& a = world.robot.actuators[i];
    const ActuatorGains<double> gains = actuator_gains(world.robot, i);
    const ActuatorCommand<double> command{control.control[i], control.position[i],
                                          control.velocity[i], control.kp[i], control.kd[i]};
    const double q = gains.has_servo > 0 ? before.qpos[world.robot.joints[a.joint].q_index] : 0;
    const double v = after.qvel[a.dof];
    const ActuatorForce<double> f =
        evaluate_actuator(gains, world.options.integrator, h, command, q);
    const double wanted = f.force - f.slope * v;
    const double force = std::clamp(wanted, gains.force_lower, gains.force_upper);
    if (force != wanted) ++saturated;
    if (counts) summary_.work += h * std::abs(a.gear * force * v);
  }
  motor_steps_ += count;
  saturated_steps_ += saturated;
  const double share = count > 0 ? static_cast<double>(saturated) / count : 0;
  recent_saturation_ += std::fmin(h / kFading, 1.0) * (share - recent_saturation_);
}

void GaitWatch::end_footfall(Footfall& f) {
  if (f.stands && f.counts) {
    ++summary_.footfalls;
    slip_sum_ += f.slip;
    sinkage_sum_ += f.sinkage;
  }
  f.stands = false;
}

// A foot that is off the ground for a moment, as one that comes down hard or lifts slowly may be, has not
// begun another footfall.
void GaitWatch::watch_feet(const World& world, double time, const std::vector<FootPatch>& feet,
                           bool counts) {
  const double h = world.options.timestep;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const FootPatch& p = feet[i];
    Footfall& f = footfalls_[i];
    if (p.normal_force > kLoadedShare * world.force_scale) {
      const Vec3d along = p.velocity - dot(p.velocity, p.normal) * p.normal;
      if (!f.stands) f = {true, counts, 0, 0, time};
      f.last_loaded = time;
      f.slip += h * norm(along);
      f.sinkage = std::fmax(f.sinkage, p.sinkage);
      summary_.largest_sinkage = std::fmax(summary_.largest_sinkage, p.sinkage);
    } else if (time - f.last_loaded > kLifted) {
      end_footfall(f);
    }
  }
}

// What tipped over, and what the feet did that carried until shortly before.
std::string GaitWatch::fall_reason(const World& world, double time) const {
  const double tilt = base_tilt(robot_, data_);
  std::string text = tilt > kFallenTilt
                         ? fmt::format("tipped {} by {:.0f} degrees", lean_text(robot_, data_),
                                       tilt * 180 / std::numbers::pi)
                         : fmt::format("sank down to {:.0f} % of its standing height",
                                       100 * height_over_soles(robot_, data_) / standing_height_);
  std::vector<std::string> loaded;
  for (std::size_t i = 0; i < footfalls_.size(); ++i) {
    const Footfall& f = footfalls_[i];
    if (time - f.last_loaded > kBeforeFall) continue;
    loaded.push_back(fmt::format("{} sank {:.3g} mm and slid {:.3g} mm", world.soles.feet[i].name,
                                 1e3 * f.sinkage, 1e3 * f.slip));
  }
  text += loaded.empty() ? "; no foot carried" : fmt::format("; {}", fmt::join(loaded, ", "));
  if (recent_saturation_ > 0.02) {
    text += fmt::format("; {:.0f} % of its motors were at their limits", 100 * recent_saturation_);
  }
  return text;
}

void GaitWatch::update(const World& world, const State<double>& before,
                       const Control<double>& control, const State<double>& after,
                       const std::vector<FootPatch>& feet) {
  if (fell()) return;
  const GaitGoal& goal = summary_.goal;
  const bool counts = after.time > goal.from && after.time <= goal.to;
  compute_positions(world.robot, after.qpos.data(), data_);
  watch_motors(world, before, control, after, counts);
  watch_feet(world, after.time, feet, counts);
  if (counts) {
    const double h = world.options.timestep;
    const double* v = after.qvel.data() + robot_.base_v;
    const Vec3d rate = data_.R_WB[robot_.base] * Vec3d{v[3], v[4], v[5]};
    summary_.measured_time += h;
    summary_.distance += h * dot(Vec3d{v[0], v[1], v[2]}, heading(robot_, data_, goal.direction));
    turned_ += h * rate.z;
  }
  summary_.largest_tilt = std::fmax(summary_.largest_tilt, base_tilt(robot_, data_));
  if (has_fallen(robot_, data_, standing_height_)) {
    summary_.fall = Fall{after.time, data_.p_WB[robot_.base], base_tilt(robot_, data_),
                         fall_reason(world, after.time)};
  }
}

GaitSummary GaitWatch::finish(double gravity) {
  for (Footfall& f : footfalls_) end_footfall(f);
  GaitSummary out = summary_;
  const double falls = std::max(out.footfalls, 1);
  out.sinkage = sinkage_sum_ / falls;
  out.slip = slip_sum_ / falls;
  if (out.measured_time > 0) {
    out.speed = out.distance / out.measured_time;
    out.turn_rate = turned_ / out.measured_time;
  }
  out.saturation = motor_steps_ > 0 ? saturated_steps_ / motor_steps_ : 0;
  const double weight = robot_.mass * gravity;
  if (out.goal.speed > 0 && out.distance > 1e-3 && weight > 0) {
    out.cost_of_transport = out.work / (weight * out.distance);
  }
  return out;
}

}  // namespace footfall
