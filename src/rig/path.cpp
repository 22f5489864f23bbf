#include "footfall/rig/path.hpp"

#include <algorithm>
#include <cmath>

#include "input_error.hpp"
#include "rig/root.hpp"

namespace footfall {
namespace {

constexpr double kLongestStep = 1e-3;  // of the pad's motion [s]
constexpr double kForever = 1e6;       // long enough for a path to start at rest [s]

void check_path(const std::vector<PathPoint>& path) {
  if (path.size() < 2) throw input_error("the path has {} points, expected 2 or more", path.size());
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (!(path[i].time > path[i - 1].time)) {
      throw input_error(
          "point {} of the path is at {} s, expected later than the {} s of the point before",
          i + 1, path[i].time, path[i - 1].time);
    }
  }
}

// The foot and its pad on the way.
class Follower {
 public:
  Follower(const RigGround& ground, const RigFoot& foot, const PathPoint& start)
      : ground_(ground), weight_(foot.foot_mass * kRigGravity) {
    if (foot.pad) pad_ = pad_law(*foot.pad);
    sample.time = start.time;
    sample.body_sinkage = start.sinkage;
    sample.sinkage = start.sinkage;
    if (pad_) {
      move_foot(start.sinkage, 0, kForever);
      sample.sinkage_rate = 0;
    } else {
      settle();
    }
    shear({0, 0, 0}, 0);
  }

  void move(const PathPoint& from, const PathPoint& to) {
    const double span = to.time - from.time;
    const double rate = (to.sinkage - from.sinkage) / span;
    const Vec3d way{to.x - from.x, to.y - from.y, 0};
    sample.body_rate = rate;
    if (pad_) {
      const int steps = static_cast<int>(std::clamp(std::ceil(span / kLongestStep), 1.0, 100000.0));
      const double dt = span / steps;
      for (int i = 1; i <= steps; ++i) {
        move_foot(from.sinkage + rate * dt * i, rate, dt);
        shear((1.0 / steps) * way, dt);
      }
    } else {
      sample.sinkage = to.sinkage;
      sample.sinkage_rate = rate;
      settle();
      shear(way, span);
    }
    sample.time = to.time;
    sample.body_sinkage = to.sinkage;
    sample.shear_displacement += way;
    const bool touches = ground_.sole && sample.normal_force > 0;
    sample.contact_area = touches ? contact_area(*ground_.sole, sample.sinkage) : 0;
  }

  RigSample sample;

 private:
  // Force of the ground where the foot is now, and what the ground keeps of it.
  void settle() {
    sample.normal_force =
        evaluate_ground(ground_, memory_, sample.sinkage, sample.sinkage_rate).force;
    commit_sinkage(ground_, sample.sinkage, memory_);
    if (!pad_) sample.pad_force = std::max(sample.normal_force - weight_, 0.0);
  }

  // P + m_F g − F_N when the pad is squeezed at a rate over dt; rises with it.
  ValueAndSlope balance(double squeeze, double body_rate, double dt) const {
    const double rate = body_rate - squeeze;
    const GroundForce pad =
        evaluate_hunt_crossley(*pad_, sample.pad_compression + dt * squeeze, squeeze);
    const GroundForce f = evaluate_ground(ground_, memory_, sample.sinkage + dt * rate, rate);
    return {pad.force + weight_ - f.force,
            dt * (pad.sinkage_slope + f.sinkage_slope) + pad.rate_slope + f.rate_slope};
  }

  void move_foot(double body, double body_rate, double dt) {
    const auto residual = [&](double squeeze) { return balance(squeeze, body_rate, dt); };
    const double relaxed = -sample.pad_compression / dt;
    double squeeze = relaxed;  // hangs, unless the ground presses the pad
    if (residual(relaxed).value < 0) {
      const double guess = std::max(relaxed, sample.pad_compression > 0 ? 0 : body_rate);
      squeeze = std::max(relaxed, solve_increasing(residual, guess, 1e-3));
    }
    sample.pad_compression = squeeze == relaxed ? 0 : sample.pad_compression + dt * squeeze;
    sample.pad_force = evaluate_hunt_crossley(*pad_, sample.pad_compression, squeeze).force;
    sample.sinkage = body - sample.pad_compression;
    sample.sinkage_rate = body_rate - squeeze;
    settle();
  }

  void shear(const Vec3d& way, double dt) {
    const ShearForce s =
        commit_shear(ground_, sample.sinkage, sample.normal_force, way, dt, memory_);
    sample.tangential_force = s.force;
    sample.shear_strength = s.strength;
    sample.mobilized_shear = s.mobilized;
  }

  const RigGround& ground_;
  std::optional<HuntCrossley> pad_;
  double weight_;  // m_F g [N]
  GroundMemory memory_;
};

}  // namespace

std::vector<RigSample> follow_path(const RigGround& ground, const RigFoot& foot,
                                   const std::vector<PathPoint>& path,
                                   const std::function<void(std::size_t)>& progress) {
  check_path(path);
  Follower follower(ground, foot, path[0]);
  std::vector<RigSample> series{follower.sample};
  series.reserve(path.size());
  for (std::size_t i = 1; i < path.size(); ++i) {
    follower.move(path[i - 1], path[i]);
    series.push_back(follower.sample);
    if (progress) progress(i);
  }
  return series;
}

}  // namespace footfall
