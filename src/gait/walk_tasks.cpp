// What the walk wants at a moment: poses, velocities, accelerations, and which soles may carry.
#include <algorithm>
#include <cmath>

#include "footfall/gait/walk.hpp"
#include "footfall/robot/kinematics.hpp"
#include "gait/geometry.hpp"

namespace footfall {
namespace {

constexpr double kDcmGain = 4;          // k of the head of walk.hpp [1/s]
constexpr double kHeightRate = 9;       // of the centre of mass's height, critically damped [1/s]
constexpr double kTrunkRate = 15;       // of the trunk's orientation [1/s]
constexpr double kYawRate = 3;          // of its heading, for which soles hold little moment [1/s]
constexpr double kSwingRate = 25;       // of a swinging foot [1/s]
constexpr double kStanceRate = 3;       // of a foot that stands; the ground holds its tilt [1/s]
constexpr double kFollowRate = 10;      // with which its wanted place follows it [1/s]
constexpr double kPostureRate = 15;     // of joints that are in no leg [1/s]
constexpr double kSupportShare = 0.85;  // of the soles in which the zero-moment point stays
constexpr double kFrictionShare = 0.8;  // of the ground's friction that the torques count on
constexpr double kMostFriction = 0.6;   // and no more than this
constexpr double kLeastShare = 0.02;    // of the load that a standing foot is meant to have

// Friction coefficient that the torques may count on under a foot that carries the weight. On soil with
// cohesion that is more than tanφ.
double usable_friction(const World& world, const Leg& leg, double weight, const Vec3d& p) {
  const GroundStrength ground = ground_strength(world.ground, world.robot, world.soles, leg.foot,
                                                soil_at(world.terrain, p.x, p.y));
  const double friction =
      ground.friction_coefficient + ground.cohesion * world.soles.feet[leg.foot].area / weight;
  return std::clamp(kFrictionShare * friction, 0.1, kMostFriction);
}

Quatd yaw_quat(double yaw) { return {std::cos(0.5 * yaw), 0, 0, std::sin(0.5 * yaw)}; }

// What brings a deviation back with the given rate, critically damped.
Vec3d pull(double rate, const Vec3d& error, const Vec3d& error_rate) {
  return (rate * rate) * error + (2 * rate) * error_rate;
}

}  // namespace

void WalkController::measure(const World& world, const State<double>& state) {
  compute_positions(world.robot, state.qpos.data(), data_);
  compute_velocities(world.robot, state.qvel.data(), data_);
  com_ = center_of_mass(world.robot, data_);
  com_velocity_ = center_of_mass_velocity(world.robot, data_);
  foot_loads(world.soles, state.memory, loads_);
}

// Height of the centre of mass over the soles, with the base as high as wanted.
double WalkController::find_com_height(const RobotModel& model, const State<double>& start,
                                       double soles) {
  reference_ = start.qpos;
  if (parameters_.base_height) {
    reference_[robot_.base_q + 2] = soles + *parameters_.base_height;
    for (const Leg& l : robot_.legs) {
      solve_leg(model, l, {sole_position(data_, l), sole_rotation(data_, l)}, reference_data_,
                reference_);
    }
  }
  compute_positions(model, reference_.data(), reference_data_);
  const double height = center_of_mass(model, reference_data_).z - soles;
  reference_ = start.qpos;
  return height;
}

void WalkController::set_sole(const World& world, int side) {
  SwingSample& sole = soles_[side];
  if (!stands(side)) {
    const double time = clock_ - swing_start(step_);
    sole = sample_swing(swing_, time);
    sole.position += shift_ - Vec3d{0, 0, extra_depth_};
    sole.velocity += shift_rate_;
    if (extra_depth_ > 0) {
      sole.velocity.z -= parameters_.step_height / (0.5 * swing_.duration);
    }
    const double left = 1 - quintic(2 * time / swing_.duration).value;
    sole_turns_[side] =
        rotation_by(left * swing_turn_) * sole_frame(world, swing_.to, sole.yaw.value);
    return;
  }
  sole = {};
  sole.position = parameters_.feedback ? stood_[side] : planned_[side];
  sole.yaw.value = parameters_.feedback ? stood_yaw_[side] : planned_yaw_[side];
  sole_turns_[side] = sole_frame(world, {sole.position.x, sole.position.y, 0}, sole.yaw.value);
}

// A sole that stands is wanted at rest. Where it is wanted follows it, so that ground that
// gives way does not strain the leg for long.
void WalkController::follow_sole(const World& world, int side) {
  const Vec3d p = sole_position(data_, leg(side));
  const double yaw = yaw_of(sole_rotation(data_, leg(side)));
  const double share =
      stood_before_[side] ? std::min(kFollowRate * world.options.timestep, 1.0) : 1;
  stood_[side] += share * (p - stood_[side]);
  stood_yaw_[side] += share * std::remainder(yaw - stood_yaw_[side], 2 * M_PI);
  stood_before_[side] = stands(side);
}

void WalkController::set_reference(const World& world) {
  for (const int side : {kLeft, kRight}) {
    follow_sole(world, side);
    set_sole(world, side);
  }
  const Moving rise = quintic((clock_ - height_start_) / height_duration_);
  const double by = height_to_ - height_from_;
  com_z_ = {height_from_ + by * rise.value + com_height_, by * rise.rate / height_duration_,
            by * rise.acceleration / (height_duration_ * height_duration_)};
  heading_ = {heading_to_, 0, 0};
  if (step_ < static_cast<int>(steps_.size()) && phase_ == WalkPhase::single_support) {
    const Moving turn = quintic((clock_ - swing_start(step_)) / swing_.duration);
    const double angle = std::remainder(heading_to_ - heading_from_, 2 * M_PI);
    heading_ = {heading_from_ + angle * turn.value, angle * turn.rate / swing_.duration,
                angle * turn.acceleration / (swing_.duration * swing_.duration)};
  }
  place_reference(world.robot);
}

// Joint angles and velocities with which centre of mass, trunk and soles are where they should be.
void WalkController::place_reference(const RobotModel& model) {
  const Quatd start{robot_.pose[robot_.base_q + 3], robot_.pose[robot_.base_q + 4],
                    robot_.pose[robot_.base_q + 5], robot_.pose[robot_.base_q + 6]};
  const Quatd q = yaw_quat(heading_.value - heading_start_) * start;
  double* base = reference_.data() + robot_.base_q;
  base[3] = q.w, base[4] = q.x, base[5] = q.y, base[6] = q.z;
  const Vec3d com{wanted_.position.x, wanted_.position.y, com_z_.value};
  for (int pass = 0; pass < 2; ++pass) {
    for (const int side : {kLeft, kRight}) {
      solve_leg(model, leg(side), {soles_[side].position, sole_turns_[side]}, reference_data_,
                reference_);
    }
    compute_positions(model, reference_.data(), reference_data_);
    if (pass == 1) break;
    const Vec3d by = motion_solver_.base_shift(com - center_of_mass(model, reference_data_));
    base[0] += by.x, base[1] += by.y, base[2] += by.z;
  }
  motion_.center_of_mass = {wanted_.velocity.x, wanted_.velocity.y, com_z_.rate};
  motion_.trunk = {0, 0, heading_.rate};
  for (const int side : {kLeft, kRight}) {
    motion_.soles[leg_of_[side]] = {{0, 0, soles_[side].yaw.rate}, soles_[side].velocity};
  }
  motion_solver_.solve_velocity(model, reference_data_, robot_, motion_, reference_rate_);
}

Vec3d WalkController::wanted_com_acceleration() {
  if (!parameters_.feedback) {
    return {wanted_.acceleration.x, wanted_.acceleration.y, com_z_.acceleration};
  }
  support_.clear();
  for (const int side : {kLeft, kRight}) {
    if (!stands(side)) continue;
    const Leg& l = leg(side);
    for (const Vec3d& corner : l.corners) {
      const Vec3d inner = l.p_BS + kSupportShare * (corner - l.p_BS);
      support_.push_back(data_.p_WB[l.body] + data_.R_WB[l.body] * inner);
    }
  }
  const Vec3d zmp = nearest_in_hull(
      wanted_.zmp + (1 + kDcmGain / omega_) * (measured_dcm() - wanted_.dcm), support_);
  const Vec3d ground = (omega_ * omega_) * (com_ - zmp);
  const double rise = com_z_.acceleration + kHeightRate * kHeightRate * (com_z_.value - com_.z) +
                      2 * kHeightRate * (com_z_.rate - com_velocity_.z);
  return {ground.x, ground.y, rise};
}

Twist<double> WalkController::wanted_sole_acceleration(const RobotModel& model, int side) const {
  const SwingSample& sole = soles_[side];
  Twist<double> out{{0, 0, sole.yaw.acceleration}, sole.acceleration};
  if (!parameters_.feedback) return out;
  const Leg& l = leg(side);
  const double rate = stands(side) ? kStanceRate : kSwingRate;
  out.lin += pull(rate, sole.position - sole_position(data_, l),
                  sole.velocity - sole_velocity(model, data_, l));
  if (stands(side)) return out;
  out.ang += pull(kSwingRate, rotation_between(sole_rotation(data_, l), sole_turns_[side]),
                  Vec3d{0, 0, sole.yaw.rate} - data_.V[l.body].ang);
  return out;
}

void WalkController::set_accelerations(const RobotModel& model, const State<double>& state) {
  motion_.center_of_mass = wanted_com_acceleration();
  for (const int side : {kLeft, kRight}) {
    motion_.soles[leg_of_[side]] = wanted_sole_acceleration(model, side);
  }
  motion_.trunk = {0, 0, heading_.acceleration};
  if (!parameters_.feedback) {
    compute_velocities(model, reference_rate_.data(), reference_data_);
    motion_solver_.solve_acceleration(model, reference_data_, robot_, motion_, acceleration_);
    return;
  }
  const Vec3d tilt = rotation_between(data_.R_WB[robot_.base], reference_data_.R_WB[robot_.base]);
  const Vec3d turning = Vec3d{0, 0, heading_.rate} - data_.V[robot_.base].ang;
  const Vec3d upright = pull(kTrunkRate, tilt, turning), heading = pull(kYawRate, tilt, turning);
  motion_.trunk += {upright.x, upright.y, heading.z};
  for (const Joint& joint : model.joints) {
    if (joint.type != JointType::hinge && joint.type != JointType::slide) continue;
    const int q = joint.q_index, v = joint.v_index;
    acceleration_[v] = kPostureRate * kPostureRate * (reference_[q] - state.qpos[q]) -
                       2 * kPostureRate * state.qvel[v];
  }
  motion_solver_.solve_acceleration(model, data_, robot_, motion_, acceleration_);
}

// Corners of the soles that stand. In double support each foot is meant to carry as much as the
// zero-moment point is near to it.
void WalkController::set_stance(const World& world) {
  const RobotData<double>& data = parameters_.feedback ? data_ : reference_data_;
  stance_.clear();
  const Vec3d left = sole_position(data, leg(kLeft)), right = sole_position(data, leg(kRight));
  const Vec3d across{right.x - left.x, right.y - left.y, 0};
  const double to_right = std::clamp(
      dot(wanted_.zmp - Vec3d{left.x, left.y, 0}, across) / dot(across, across), 0.0, 1.0);
  for (const int side : {kLeft, kRight}) {
    if (!stands(side)) continue;
    const Leg& l = leg(side);
    const double share = side == kRight ? to_right : 1 - to_right;
    const double friction = usable_friction(world, l, weight_, side == kRight ? right : left);
    for (const Vec3d& corner : l.corners) {
      StancePoint point;
      point.body = l.body;
      point.position = data.p_WB[l.body] + data.R_WB[l.body] * corner;
      point.normal = sample_ground(world.terrain, point.position.x, point.position.y).normal;
      point.friction_coefficient = friction;
      point.effort = 1 / std::max(share, kLeastShare);
      stance_.push_back(point);
    }
  }
}

}  // namespace footfall
