#include "footfall/gait/trot.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "footfall/gait/body_motion.hpp"
#include "footfall/robot/kinematics.hpp"
#include "gait/geometry.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

constexpr double kMostPush = 5;         // horizontal acceleration asked of the trunk [m/s²]
constexpr double kMostTurn = 0.15;      // that the heading led by the command may be ahead [rad]
constexpr double kMostSlope = 0.7;      // of the plane through the feet [-]
constexpr double kEarliestTouch = 0.5;  // of a swing, from when on load means touchdown
constexpr double kPlaced = 0.75;        // of a swing, from when on its foothold stays
constexpr double kLatestLift = 0.5;  // of its swing time: a foot that could not lift by then stays
constexpr double kFrictionUsed = 0.9;  // of the ground's friction that is used
constexpr double kLeastFriction = 0.2;
constexpr double kMostRate = 20;  // of a joint, where a leg is stretched [rad/s]

double smooth(double u) {
  u = std::clamp(u, 0.0, 1.0);
  return u * u * (3 - 2 * u);
}

Vec3d limited(const Vec3d& v, double most) {
  const double size = norm(v);
  return size > most ? (most / size) * v : v;
}

Vec3d turned(const Vec3d& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

double friction_at(const World& world, int foot, double x, double y) {
  const GroundStrength ground =
      ground_strength(world.ground, world.robot, world.soles, foot, soil_at(world.terrain, x, y));
  return std::fmax(kFrictionUsed * ground.friction_coefficient, kLeastFriction);
}

}  // namespace

// ---- once ----

TrotController::TrotController(const TrotParameters& parameters, const World& world,
                               const State<double>& start, const std::vector<double>& kp,
                               const std::vector<double>& kd, const TrotGains& gains)
    : parameters_(parameters), gains_(gains),
      robot_(find_legs(world.robot, world.soles, start.qpos)), clock_(make_gait_clock(parameters)),
      sinkage_(world, parameters.expected_sinkage,
               robot_.mass * norm(world.robot.gravity) / clock_.support()),
      whole_body_(world.robot, robot_), actuator_of_(world.robot.dofs.size(), -1), kp_(kp), kd_(kd),
      data_(world.robot), acceleration_(world.robot.dofs.size(), 0.0), ik_data_(world.robot) {
  if (robot_.legs.size() != kQuadLegs) {
    throw input_error("robot '{}' has {} feet, expected {} for kind = \"trot\": name them in "
                      "'robot.feet', or take kind = \"walk\" for two legs",
                      world.robot.name, robot_.legs.size(), kQuadLegs);
  }
  for (const Leg& leg : robot_.legs) {
    if (!leg.is_flat()) continue;
    throw input_error(
        "foot '{}' of robot '{}' is flat, expected round feet (balls) for kind = \"trot\"",
        leg.name, world.robot.name);
  }
  for (std::size_t i = 0; i < world.robot.actuators.size(); ++i) {
    actuator_of_[world.robot.actuators[i].dof] = static_cast<int>(i);
  }
  stance_load_ = robot_.mass * norm(world.robot.gravity) / clock_.support();
  find_corners(world);
  read_state(world, start);
  goal_x_ = p_WB_.x;
  goal_y_ = p_WB_.y;
  goal_yaw_ = yaw_of(R_WB_);
}

void TrotController::find_corners(const World& world) {
  compute_positions(world.robot, robot_.pose.data(), data_);
  legs_.resize(kQuadLegs);
  motions_.resize(kQuadLegs);
  Vec3d middle{0, 0, 0};
  const Mat3d& R_WB = data_.R_WB[robot_.base];
  for (int i = 0; i < kQuadLegs; ++i) {
    Leg& leg = robot_.legs[i];
    const Vec3d sole = sole_position(data_, leg);
    legs_[i].hip = transpose_times(R_WB, sole - data_.p_WB[robot_.base]);
    middle += (1.0 / kQuadLegs) * legs_[i].hip;
    // a ball is led by its middle, which is there whatever the calf's angle
    leg.p_BS += leg.R_BS * Vec3d{0, 0, leg.radius};
    legs_[i].stand = sole;
    legs_[i].sinkage = sinkage_.at(world, leg.foot, sole.x, sole.y);
    for (const int v : leg.v) {
      const Actuator* a = actuator_of_[v] < 0 ? nullptr : &world.robot.actuators[actuator_of_[v]];
      if (a != nullptr && a->bias1 == 0 && a->bias2 == 0) continue;
      throw input_error("joint '{}' of robot '{}' has no motor: a trot needs motors (torques) at "
                        "all joints of the legs",
                        world.robot.joints[world.robot.dofs[v].joint].name, world.robot.name);
    }
  }
  height_ = parameters_.base_height.value_or(-middle.z);
  std::array<int, kQuadLegs> found{};
  for (LegState& leg : legs_) {
    leg.corner = (leg.hip.x < middle.x ? kRearLeft : kFrontLeft) + (leg.hip.y < middle.y ? 1 : 0);
    ++found[leg.corner];
  }
  if (std::any_of(found.begin(), found.end(), [](int n) { return n != 1; })) {
    throw input_error("robot '{}' has no feet at its four corners, expected x forwards and y left, "
                      "a foot at each",
                      world.robot.name);
  }
}

// ---- every step ----

void TrotController::update(const World& world, const State<double>& state,
                            Control<double>& control) {
  const double dt = started_ ? state.time - time_ : 0;
  read_state(world, state);
  move_command(state.time, dt);
  switch_legs(world, state.time);
  fit_ground(dt);
  time_ = state.time;
  started_ = true;
  want_trunk();
  want_legs(world, state.time);
  whole_body_.solve(world.robot, data_, acceleration_, stance_);
  command_joints(world, state, control);
}

void TrotController::read_state(const World& world, const State<double>& state) {
  compute_positions(world.robot, state.qpos.data(), data_);
  compute_velocities(world.robot, state.qvel.data(), data_);
  foot_loads(world.soles, state.memory, loads_);
  R_WB_ = data_.R_WB[robot_.base];
  p_WB_ = data_.p_WB[robot_.base];
  velocity_ = {state.qvel[robot_.base_v], state.qvel[robot_.base_v + 1],
               state.qvel[robot_.base_v + 2]};
  rate_ = data_.V[robot_.base].ang;
  for (int i = 0; i < kQuadLegs; ++i) {
    legs_[i].center = sole_position(data_, robot_.legs[i]);
  }
}

// A point and a heading move as commanded, and wait for a trunk that cannot follow.
void TrotController::move_command(double time, double dt) {
  const double ramp = std::fmax(parameters_.ramp_duration, 1e-3);
  const double share =
      std::fmin(smooth((time - clock_.start) / ramp), smooth((clock_.stop - time) / ramp));
  turn_rate_ = share * parameters_.turn_rate;
  goal_yaw_ += dt * turn_rate_;
  const double yaw = yaw_of(R_WB_);
  const double ahead = std::remainder(goal_yaw_ - yaw, 2 * M_PI);
  goal_yaw_ = yaw + std::clamp(ahead, -kMostTurn, kMostTurn);
  command_ = turned(share * Vec3d{parameters_.speed, parameters_.lateral_speed, 0}, yaw);
  const Vec3d gap = limited(
      {goal_x_ + dt * command_.x - p_WB_.x, goal_y_ + dt * command_.y - p_WB_.y, 0}, gains_.leash);
  goal_x_ = p_WB_.x + gap.x;
  goal_y_ = p_WB_.y + gap.y;
}

void TrotController::switch_legs(const World& world, double time) {
  int standing = 0;
  for (const LegState& leg : legs_) standing += leg.swings ? 0 : 1;
  const bool walks = time >= clock_.start && time < clock_.stop;
  for (int i = 0; i < kQuadLegs; ++i) {
    LegState& leg = legs_[i];
    const double phase = leg_phase(clock_, leg.corner, time);
    if (leg.swings) {
      const double share = (time - leg.lifted) / leg.path.duration;
      const double load = loads_[robot_.legs[i].foot] / stance_load_;
      const double lost = leg.path.duration + gains_.late_reach / gains_.late_speed;
      if ((share > kEarliestTouch && load > gains_.early_load) ||
          (share >= 1 && load > gains_.late_load) || time - leg.lifted > lost) {
        leg.swings = false;
      }
    } else {
      const double late = (phase - clock_.duty) / (1 - clock_.duty);
      if (walks && late >= 0 && late < kLatestLift && standing > clock_.support()) {
        --standing;
        leg.swings = true;
        leg.lifted = time;
        leg.path.from = {leg.center.x, leg.center.y, 0};
        leg.path.start_height = leg.center.z;
        leg.path.duration = (1 - phase) * clock_.stride;
      }
    }
    if (leg.swings) {
      place(world, time, i);
    } else {
      leg.sinkage = sinkage_.at(world, robot_.legs[i].foot, leg.center.x, leg.center.y);
      const GroundPoint<double> g = sample_ground(world.terrain, leg.center.x, leg.center.y);
      leg.stand = {leg.center.x, leg.center.y, g.height - leg.sinkage / g.normal.z};
    }
  }
}

// The swing's end, and a way to it that clears what lies between.
void TrotController::place(const World& world, double time, int index) {
  LegState& leg = legs_[index];
  const double left = std::fmax(leg.lifted + leg.path.duration - time, 0.0);
  if (left >= (1 - kPlaced) * leg.path.duration) {
    const double middle = left + 0.5 * clock_.stance();
    const Vec3d flat{velocity_.x, velocity_.y, 0};
    const Vec3d hip = turned(goal_rotation_ * Vec3d{leg.hip.x, leg.hip.y, 0}, turn_rate_ * middle);
    const Vec3d correction = limited(gains_.placement * (flat - command_), gains_.most_placement);
    const Vec3d p = p_WB_ + hip + middle * flat + correction;
    leg.path.to = {p.x, p.y, 0};
  }
  const Foothold &from = leg.path.from, &to = leg.path.to;
  const double radius = robot_.legs[index].radius;
  leg.sinkage = sinkage_.at(world, robot_.legs[index].foot, to.x, to.y);
  const GroundPoint<double> g = sample_ground(world.terrain, to.x, to.y);
  leg.path.end_height = g.height + (radius - leg.sinkage) / g.normal.z;
  double highest = -1e300;
  for (int k = 0; k <= 4; ++k) {
    const double x = from.x + 0.25 * k * (to.x - from.x), y = from.y + 0.25 * k * (to.y - from.y);
    highest = std::fmax(highest, sample_ground(world.terrain, x, y).height);
  }
  leg.path.top_height = highest + radius + parameters_.step_height;
}

// The plane z = height + slope · (p − base) through the feet as planned, by least squares.
void TrotController::fit_ground(double dt) {
  Vec3d middle{0, 0, 0};
  for (const LegState& leg : legs_) middle += (1.0 / kQuadLegs) * leg.stand;
  double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
  for (const LegState& leg : legs_) {
    const Vec3d d = leg.stand - middle;
    xx += d.x * d.x;
    xy += d.x * d.y;
    yy += d.y * d.y;
    xz += d.x * d.z;
    yz += d.y * d.z;
  }
  const double det = std::fmax(xx * yy - xy * xy, 1e-12);
  const double slope_x = std::clamp((yy * xz - xy * yz) / det, -kMostSlope, kMostSlope);
  const double slope_y = std::clamp((xx * yz - xy * xz) / det, -kMostSlope, kMostSlope);
  const double height = middle.z + slope_x * (p_WB_.x - middle.x) + slope_y * (p_WB_.y - middle.y);
  const double share = started_ ? 1 - std::exp(-dt / gains_.ground_time) : 1;
  ground_height_ += dt * (ground_x_ * velocity_.x + ground_y_ * velocity_.y);
  ground_height_ += share * (height - ground_height_);
  ground_x_ += share * (slope_x - ground_x_);
  ground_y_ += share * (slope_y - ground_y_);
}

void TrotController::want_trunk() {
  Vec3d up{-ground_x_, -ground_y_, 1};
  up = (1 / norm(up)) * up;
  const Vec3d ahead{std::cos(goal_yaw_), std::sin(goal_yaw_), 0};
  Vec3d left = cross(up, ahead);
  left = (1 / norm(left)) * left;
  goal_rotation_ = {cross(left, up), left, up};

  Vec3d a = gains_.position * Vec3d{goal_x_ - p_WB_.x, goal_y_ - p_WB_.y, 0} +
            gains_.velocity * Vec3d{command_.x - velocity_.x, command_.y - velocity_.y, 0};
  a = limited(a, kMostPush);
  const double climb = ground_x_ * velocity_.x + ground_y_ * velocity_.y;
  a.z = gains_.height * (ground_height_ + height_ - p_WB_.z) +
        gains_.height_rate * (climb - velocity_.z);
  // turns about the trunk's own axes: roll, pitch, yaw
  const Vec3d error = transpose_times(R_WB_, rotation_between(R_WB_, goal_rotation_));
  const Vec3d rate = transpose_times(R_WB_, Vec3d{0, 0, turn_rate_} - rate_);
  const Vec3d turn{gains_.tilt * error.x + gains_.tilt_rate * rate.x,
                   gains_.tilt * error.y + gains_.tilt_rate * rate.y,
                   gains_.yaw * error.z + gains_.yaw_rate * rate.z};
  const double wanted[6] = {a.x, a.y, a.z, turn.x, turn.y, turn.z};
  std::copy(wanted, wanted + 6, acceleration_.begin() + robot_.base_v);
}

// Feet: where they shall be, their accelerations as the joints', and where the ground carries.
void TrotController::want_legs(const World& world, double time) {
  stance_.clear();
  for (int i = 0; i < kQuadLegs; ++i) {
    const LegState& leg = legs_[i];
    const Leg& chain = robot_.legs[i];
    SwingSample& motion = motions_[i];
    motion = {};
    if (leg.swings) {
      motion = sample_swing(leg.path, time - leg.lifted);
      const double late = time - leg.lifted - leg.path.duration;
      if (late > 0) {
        motion.position.z -= std::fmin(gains_.late_speed * late, gains_.late_reach);
        motion.velocity.z = -gains_.late_speed;
      }
    } else {
      const GroundPoint<double> g = sample_ground(world.terrain, leg.center.x, leg.center.y);
      motion.position = leg.center;
      motion.position.z = leg.stand.z + chain.radius / g.normal.z;
      stance_.push_back({chain.body, leg.center - chain.radius * g.normal, g.normal,
                         friction_at(world, chain.foot, leg.center.x, leg.center.y), 1});
    }
    solve_leg_velocity(world.robot, data_, chain,
                       motion.acceleration - sole_bias(world.robot, data_, chain).lin,
                       zero3<double>(), acceleration_);
  }
}

void TrotController::command_joints(const World& world, const State<double>& state,
                                    Control<double>& control) {
  const int q = robot_.base_q, v = robot_.base_v;
  const Mat3d& R = goal_rotation_;
  Eigen::Matrix3d goal;
  goal << R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z;
  const Eigen::Quaterniond turn(goal);
  for (int i = 0; i < kQuadLegs; ++i) {
    const bool stands = !legs_[i].swings;
    ik_pose_ = state.qpos;
    ik_rates_ = state.qvel;
    if (stands) {  // the legs' share in keeping the trunk where it should be
      ik_pose_[q + 2] = ground_height_ + height_;
      ik_pose_[q + 3] = turn.w();
      ik_pose_[q + 4] = turn.x();
      ik_pose_[q + 5] = turn.y();
      ik_pose_[q + 6] = turn.z();
      const double climb = ground_x_ * velocity_.x + ground_y_ * velocity_.y;
      const Vec3d rate = transpose_times(R_WB_, Vec3d{0, 0, turn_rate_});
      const double wanted[6] = {command_.x, command_.y, climb, rate.x, rate.y, rate.z};
      std::copy(wanted, wanted + 6, ik_rates_.begin() + v);
    }
    const Leg& leg = robot_.legs[i];
    solve_leg_velocity(world.robot, data_, leg, motions_[i].velocity, zero3<double>(), ik_rates_);
    solve_leg(world.robot, leg, {motions_[i].position}, ik_data_, ik_pose_);
    for (std::size_t k = 0; k < leg.v.size(); ++k) {
      const int a = actuator_of_[leg.v[k]];
      control.position[a] = ik_pose_[leg.q[k]];
      control.velocity[a] = std::clamp(ik_rates_[leg.v[k]], -kMostRate, kMostRate);
      const Actuator& motor = world.robot.actuators[a];
      control.control[a] = (whole_body_.torque()[leg.v[k]] / motor.gear - motor.bias0) / motor.gain;
      control.kp[a] = (stands ? gains_.stance_share : 1) * kp_[a];
      control.kd[a] = kd_[a];
    }
  }
}

}  // namespace footfall
