// The walk's plan: its footsteps and pattern, and where in it the robot is.
#include <algorithm>
#include <cmath>

#include "footfall/gait/walk.hpp"
#include "gait/geometry.hpp"

namespace footfall {
namespace {

constexpr double kLandedLoad = 0.05;       // of the weight: a foot that carries it has landed
constexpr double kEarliest = 0.5;          // share of the swing before which no landing counts
constexpr double kLatestAdjusting = 0.75;  // share after which a foothold stays
constexpr double kWait = 0.2;              // how long a late foot goes on down [s]
constexpr double kAnkleShare = 0.8;        // of half a sole: how far feedback moves the pressure
constexpr double kShiftRate = 25;          // with which a foothold moves [1/s]

}  // namespace

double WalkController::swing_start(int step) const {
  return walk_start_ + step * parameters_.step_duration;
}

double WalkController::swing_duration() const {
  return (1 - parameters_.double_support_share) * parameters_.step_duration;
}

int WalkController::swing_side() const { return steps_[step_].side; }

Foothold WalkController::measured_foothold(int side) const {
  const Vec3d p = sole_position(data_, leg(side));
  return {p.x, p.y, yaw_of(sole_rotation(data_, leg(side)))};
}

// Height at which a sole is expected to come to rest.
double WalkController::foothold_height(const World& world, int side,
                                       const Foothold& foothold) const {
  const GroundPoint<double> ground = sample_ground(world.terrain, foothold.x, foothold.y);
  const double sinkage = sinkage_.at(world, leg(side).foot, foothold.x, foothold.y);
  return ground.height - sinkage / ground.normal.z;
}

void WalkController::plan_start(const World& world, const State<double>& start) {
  measure(world, start);
  const std::array<Foothold, 2> feet = {measured_foothold(kLeft), measured_foothold(kRight)};
  for (const int side : {kLeft, kRight}) {
    planned_[side] = sole_position(data_, leg(side));
    planned_yaw_[side] = feet[side].yaw;
  }
  steps_ = plan_footsteps(parameters_, feet);
  const double soles = 0.5 * (planned_[kLeft].z + planned_[kRight].z);
  com_height_ = find_com_height(world.robot, start, soles);
  omega_ = std::sqrt(norm(world.robot.gravity) / com_height_);

  const Foothold middle = midway(feet[kLeft], feet[kRight]);
  const Vec3d rest{com_.x, com_.y, 0}, between{middle.x, middle.y, 0};
  const double apart = norm(planned_[kLeft] - planned_[kRight]);
  const double delay = parameters_.start_delay;
  std::vector<ZmpKnot> knots;
  // leaning too fast would need pressure outside the soles
  for (lean_duration_ = parameters_.step_duration;; lean_duration_ *= 1.2) {
    walk_start_ = delay + lean_duration_;
    knots = {{-1, rest}, {delay, rest}, {delay + 0.5 * lean_duration_, rest}};
    append_knots(0, knots);
    start_at_rest(omega_, 1, 2, rest, knots);
    if (norm(knots[2].zmp - between) < 0.5 * apart || lean_duration_ > 20) break;
  }
  pattern_ = ComPattern(omega_, std::move(knots), rest);
  height_from_ = com_.z - com_height_;
  height_to_ = soles;
  height_start_ = 0;
  height_duration_ = walk_start_;
  heading_start_ = heading_from_ = heading_to_ = middle.yaw;
}

// The zero-moment point from the swing of `step` on: under one foot after the other, then midway.
void WalkController::append_knots(int step, std::vector<ZmpKnot>& knots) const {
  std::array<Foothold, 2> feet = {foothold_of(kLeft), foothold_of(kRight)};
  double end = knots.back().time;
  for (std::size_t i = step; i < steps_.size(); ++i) {
    const Foothold& stance = feet[1 - steps_[i].side];
    const double begin = swing_start(static_cast<int>(i));
    end = begin + swing_duration();
    knots.push_back({begin, {stance.x, stance.y, 0}});
    knots.push_back({end, {stance.x, stance.y, 0}});
    feet[steps_[i].side] = steps_[i].foothold;
  }
  const Foothold middle = midway(feet[kLeft], feet[kRight]);
  knots.push_back({end + lean_duration_, {middle.x, middle.y, 0}});
}

Foothold WalkController::foothold_of(int side) const {
  if (parameters_.feedback) return measured_foothold(side);
  return {planned_[side].x, planned_[side].y, planned_yaw_[side]};
}

double WalkController::sole_height(int side) const {
  return parameters_.feedback ? sole_position(data_, leg(side)).z : planned_[side].z;
}

void WalkController::begin_swing(const World& world) {
  const int side = swing_side();
  const Foothold from = foothold_of(side), to = steps_[step_].foothold;
  const double clear = std::max(sample_ground(world.terrain, from.x, from.y).height,
                                sample_ground(world.terrain, to.x, to.y).height);
  swing_ = {from,
            to,
            sole_height(side),
            foothold_height(world, side, to),
            clear + parameters_.step_height,
            swing_duration()};
  swing_turn_ = rotation_between(sole_frame(world, to, from.yaw), sole_rotation(data_, leg(side)));
  if (!parameters_.feedback) swing_turn_ = {0, 0, 0};
  landed_ = false;
  extra_depth_ = 0;
  shift_ = shift_rate_ = shift_goal_ = {0, 0, 0};
  heading_from_ = heading_to_;
  heading_to_ = midway(foothold_of(1 - side), to).yaw;
  height_from_ = com_z_.value - com_height_;
  height_to_ = 0.5 * (sole_height(1 - side) + swing_.end_height);
  height_start_ = clock_;
  height_duration_ = parameters_.step_duration;
  phase_ = WalkPhase::single_support;
}

// The plan goes on from where the foot came down.
void WalkController::end_swing(const World& world) {
  const int side = swing_side();
  const Foothold& planned = steps_[step_].foothold;
  if (parameters_.feedback) {
    const Foothold now = measured_foothold(side);
    const double dx = now.x - planned.x, dy = now.y - planned.y;
    for (std::size_t i = step_ + 1; i < steps_.size(); ++i) {
      steps_[i].foothold.x += dx;
      steps_[i].foothold.y += dy;
    }
  }
  planned_[side] = {swing_.to.x, swing_.to.y, swing_.end_height};
  planned_yaw_[side] = swing_.to.yaw;
  if (!landed_) record_touchdown(world, last_time_);
  ++step_;
  // a foot that came late leaves less time to change over to it: no less than half
  const double least = 0.5 * parameters_.double_support_share * parameters_.step_duration;
  walk_start_ += std::max(clock_ + least - swing_start(step_), 0.0);
  std::vector<ZmpKnot> knots = {{clock_, wanted_.zmp}};
  append_knots(step_, knots);
  const Vec3d measured{com_.x, com_.y, 0};
  pattern_ =
      ComPattern(omega_, std::move(knots), parameters_.feedback ? measured : wanted_.position);
  phase_ = WalkPhase::double_support;
}

void WalkController::record_touchdown(const World& world, double time) {
  const int side = swing_side();
  Touchdown event{time,     step_, side, 0, approach_speed_, sole_position(data_, leg(side)),
                  {0, 0, 0}};
  event.lateness = clock_ - swing_start(step_) - swing_.duration;
  const Vec3d goal = Vec3d{swing_.to.x, swing_.to.y, event.position.z} + shift_goal_;
  event.miss = event.position - goal;
  event.sinkage =
      sample_ground(world.terrain, event.position.x, event.position.y).height - event.position.z;
  touchdowns_.push_back(event);
}

// Has the swinging foot met the ground?
void WalkController::watch_landing(const World& world, double time) {
  const Leg& swinging = leg(swing_side());
  const double load = loads_[swinging.foot];
  if (load == 0) approach_speed_ = -sole_velocity(world.robot, data_, swinging).z;
  const double progress = (clock_ - swing_start(step_)) / swing_.duration;
  if (landed_ || progress < kEarliest || load < kLandedLoad * weight_) return;
  landed_ = true;
  record_touchdown(world, time);
}

// Where the feet should be for the motion that is, not for the one that was planned: the error of the
// divergent component grows until the foot comes down, less what pressure under the sole can take off it.
void WalkController::adjust_foothold(double dt) {
  const double left = swing_start(step_) + swing_.duration - clock_;
  if (!landed_ && left > (1 - kLatestAdjusting) * swing_.duration) {
    const Vec3d error = measured_dcm() - wanted_.dcm;
    const double growth = std::exp(omega_ * left);
    const Leg& stance = leg(1 - swing_side());
    const Mat3d R = sole_rotation(data_, stance);
    const Vec3d half = half_sole(stance);
    const auto along = [&](const Vec3d& axis, double reach, double bound) {
      const double e = dot(axis, error) * growth, held = kAnkleShare * reach * (growth - 1);
      return std::clamp(std::copysign(std::max(std::abs(e) - held, 0.0), e), -bound, bound);
    };
    const double apart = std::hypot(swing_.to.x - sole_position(data_, stance).x,
                                    swing_.to.y - sole_position(data_, stance).y);
    shift_goal_ = along(R.x, half.x, 0.75 * apart) * R.x;
    double aside = along(R.y, half.y, 0.5 * apart);
    // not onto the other foot
    const double inward = swing_side() == kLeft ? -1 : 1;
    const double room = std::max(
        std::abs(dot(R.y, Vec3d{swing_.to.x, swing_.to.y, 0} - sole_position(data_, stance))) -
            2.2 * half.y,
        0.0);
    if (aside * inward > room) aside = inward * room;
    shift_goal_ += aside * R.y;
    shift_goal_.z = 0;
  }
  const Vec3d pull =
      (kShiftRate * kShiftRate) * (shift_goal_ - shift_) - (2 * kShiftRate) * shift_rate_;
  shift_rate_ += dt * pull;
  shift_ += dt * shift_rate_;
}

void WalkController::advance(const World& world, double time) {
  const double dt = std::max(time - last_time_, 0.0);
  last_time_ = time;
  if (phase_ == WalkPhase::single_support) {
    watch_landing(world, time);
    if (parameters_.feedback) adjust_foothold(dt);
    clock_ += dt;
    const double late = clock_ - swing_start(step_) - swing_.duration;
    if (late < 0) return;
    if (!landed_ && parameters_.feedback && late < kWait) {
      extra_depth_ += dt * parameters_.step_height / (0.5 * swing_.duration);
    } else {
      end_swing(world);
    }
    return;
  }
  clock_ += dt;
  if (phase_ == WalkPhase::standing && clock_ >= parameters_.start_delay) {
    phase_ = WalkPhase::double_support;
  }
  if (phase_ != WalkPhase::double_support) return;
  if (step_ < static_cast<int>(steps_.size())) {
    if (clock_ >= swing_start(step_)) begin_swing(world);
  } else if (clock_ >= pattern_.end_time()) {
    phase_ = WalkPhase::finished;
  }
}

}  // namespace footfall
