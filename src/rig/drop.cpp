#include "footfall/rig/drop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "input_error.hpp"
#include "rig/root.hpp"

namespace footfall {
namespace {

constexpr double kGamma = 1 - 0.5 * std::numbers::sqrt2;
constexpr int kMostHalvings = 12;
constexpr double kLeastFootMass = 1e-4;  // of the body's, below a pad

void check(const char* name, double value, double least, double most, const char* unit) {
  if (!(value >= least && value <= most)) {
    throw input_error("{} = {} {}, expected {} to {} {}", name, value, unit, least, most, unit);
  }
}

void check_settings(const DropSettings& settings) {
  check("mass", settings.mass, 1e-6, 1e9, "kg");
  check("load", settings.load, 0, 1e9, "N");
  if (settings.height.has_value() == settings.speed.has_value()) {
    throw InputError("drop needs either a height [m] or a speed at the touch [m/s], not both");
  }
  if (settings.height) check("height", *settings.height, 0, 1000, "m");
  if (settings.speed) check("speed", *settings.speed, 0, 100, "m/s");
  check("duration", settings.duration, 1e-4, 1000, "s");
  check("timestep", settings.timestep, 1e-8, 1e-3, "s");
  check("sample_rate", settings.sample_rate, 1, 1 / settings.timestep, "Hz");
  if (settings.duration / settings.timestep > 1e9) {
    throw input_error("duration = {} s takes more than 1e9 steps of {} s, expected fewer",
                      settings.duration, settings.timestep);
  }
}

// Positions and speeds of body and foot, down positive, zero at the ground's surface.
struct DropState {
  double body = 0, body_rate = 0;  // [m], [m/s]
  double foot = 0, foot_rate = 0;
  bool joined = true;  // pad relaxed or none: they move as one
};

// What one stage found.
struct DropStage {
  DropState state;  // at its end
  double body_acceleration = 0, foot_acceleration = 0;
  GroundForce ground;
  GroundForce pad;
};

// What a step changes.
struct Progress {
  double time = 0;  // [s]
  double peak_force = 0, peak_time = 0, peak_pad_force = 0;
  double max_sinkage = 0, rebound = 0;
  DropState now;
  GroundMemory memory;
  RigEnergy energy;
  DropStage last;  // the stage that ended the step before
};

class Drop : public Progress {
 public:
  Drop(const RigGround& ground, const RigFoot& foot, const DropSettings& settings)
      : ground_(ground), body_mass_(settings.mass), foot_mass_(foot.foot_mass),
        tolerance_(settings.energy_tolerance) {
    body_force_ = settings.mass * kRigGravity + settings.load;
    foot_force_ = foot.foot_mass * kRigGravity;
    if (foot.pad) {
      pad_ = pad_law(*foot.pad);
      foot_mass_ = std::max(foot_mass_, kLeastFootMass * body_mass_);
    }
    const double fall = (body_force_ + foot_force_) / (body_mass_ + foot_mass_);
    const double speed = settings.speed ? *settings.speed : std::sqrt(2 * fall * *settings.height);
    now.body_rate = now.foot_rate = speed;
    fall_time = speed / fall;
    energy.input = energy.motion = motion(now);
  }

  double weight() const { return body_force_ + foot_force_; }

  // One step, or as many smaller ones as the energy asks for.
  void step(double h, int halvings = kMostHalvings) {
    const Progress before = *this;
    take(h);
    const double lost = std::abs(energy.error() - before.energy.error());
    if (lost <= tolerance_ * energy.input || halvings == 0) return;
    static_cast<Progress&>(*this) = before;
    step(0.5 * h, halvings - 1);
    step(0.5 * h, halvings - 1);
  }

  RigSample sample() const {
    RigSample s;
    s.time = time;
    s.body_sinkage = now.body;
    s.body_rate = now.body_rate;
    s.sinkage = now.foot;
    s.sinkage_rate = now.foot_rate;
    s.normal_force = last.ground.force;
    if (pad_) {
      s.pad_compression = std::max(now.body - now.foot, 0.0);
      s.pad_force = now.joined ? 0 : last.pad.force;
    } else {
      s.pad_force = body_force_ - body_mass_ * last.body_acceleration;
    }
    return s;
  }

  double fall_time = 0;

 private:
  // One step, cut in two where the pad relaxes within it.
  void take(double h) {
    if (now.joined) {
      const Progress before = *this;
      advance(h);
      // Was the body held back? Only the pad can do that: the step is not theirs to take as one.
      const double push = body_force_ - body_mass_ * last.body_acceleration;
      if (!pad_ || push <= 1e-9 * body_force_) return;
      static_cast<Progress&>(*this) = before;
      now.joined = false;
    }
    const DropState start = now;
    const auto compression_after = [&](double part) {
      const auto stages = integrate(start, part);
      return stages.second.state.body - stages.second.state.foot;
    };
    if (compression_after(h) >= 0) {
      advance(h);
      return;
    }
    double low = 0, high = h;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (compression_after(middle) >= 0 ? low : high) = middle;
    }
    advance(high);
    join();
    advance(h - high);
  }

  double motion(const DropState& s) const {
    return 0.5 * body_mass_ * s.body_rate * s.body_rate +
           0.5 * foot_mass_ * s.foot_rate * s.foot_rate;
  }

  // Backward Euler over dt, body and foot as one.
  DropStage solve_joined(const DropState& from, double dt) const {
    const double mass = body_mass_ + foot_mass_;
    const auto residual = [&](double rate) -> ValueAndSlope {
      const GroundForce f = evaluate_ground(ground_, memory, from.foot + dt * rate, rate);
      return {mass * (rate - from.foot_rate) / dt + f.force - weight(),
              mass / dt + dt * f.sinkage_slope + f.rate_slope};
    };
    const double rate = solve_increasing(residual, from.foot_rate, 1e-3);
    DropStage stage;
    stage.state = from;
    stage.state.foot += dt * rate;
    stage.state.body += dt * rate;
    stage.state.foot_rate = stage.state.body_rate = rate;
    stage.body_acceleration = stage.foot_acceleration = (rate - from.foot_rate) / dt;
    stage.ground = evaluate_ground(ground_, memory, stage.state.foot, rate);
    return stage;
  }

  // The same with the pad between: one equation for the rate of compression.
  DropStage solve_apart(const DropState& from, double dt) const {
    const double before = from.body - from.foot;
    const auto stage_at = [&](double squeeze) {
      DropStage stage;
      stage.state = from;
      stage.pad = evaluate_hunt_crossley(*pad_, before + dt * squeeze, squeeze);
      stage.body_acceleration = (body_force_ - stage.pad.force) / body_mass_;
      stage.state.body_rate += dt * stage.body_acceleration;
      stage.state.foot_rate = stage.state.body_rate - squeeze;
      stage.foot_acceleration = (stage.state.foot_rate - from.foot_rate) / dt;
      stage.state.body += dt * stage.state.body_rate;
      stage.state.foot += dt * stage.state.foot_rate;
      stage.ground = evaluate_ground(ground_, memory, stage.state.foot, stage.state.foot_rate);
      return stage;
    };
    const auto residual = [&](double squeeze) -> ValueAndSlope {
      const DropStage s = stage_at(squeeze);
      const double pad_slope = dt * s.pad.sinkage_slope + s.pad.rate_slope;
      const double foot_slope = 1 + dt * pad_slope / body_mass_;  // −d(foot rate)/d(squeeze)
      const double ground_slope =
          foot_mass_ / dt + dt * s.ground.sinkage_slope + s.ground.rate_slope;
      return {s.pad.force + foot_force_ - s.ground.force - foot_mass_ * s.foot_acceleration,
              pad_slope + ground_slope * foot_slope};
    };
    return stage_at(solve_increasing(residual, from.body_rate - from.foot_rate, 1e-3));
  }

  DropStage solve(const DropState& from, double dt) const {
    return from.joined ? solve_joined(from, dt) : solve_apart(from, dt);
  }

  std::pair<DropStage, DropStage> integrate(const DropState& start, double h) const {
    const DropStage one = solve(start, kGamma * h);
    const double rest = (1 - kGamma) * h;
    DropState from = start;
    from.body += rest * one.state.body_rate;
    from.foot += rest * one.state.foot_rate;
    from.body_rate += rest * one.body_acceleration;
    from.foot_rate += rest * one.foot_acceleration;
    return {one, solve(from, kGamma * h)};
  }

  void advance(double h) {
    if (!(h > 0)) return;
    const double elastic_before = energy.soil_elastic;
    const auto [one, two] = integrate(now, h);
    for (const DropStage* s : {&one, &two}) {
      const double dt = (s == &one ? 1 - kGamma : kGamma) * h;
      const double rate = s->state.foot_rate;
      energy.input += dt * (body_force_ * s->state.body_rate + foot_force_ * rate);
      const double at_rest = ground_.plastic ? s->ground.at_rest : 0;
      energy.soil_plastic += dt * at_rest * rate;
      energy.soil_damping += dt * (s->ground.force - at_rest) * rate;
      const double squeeze = s->state.body_rate - rate;
      energy.pad_damping += dt * (s->pad.force - s->pad.at_rest) * squeeze;
    }
    now = two.state;
    last = two;
    time += h;
    commit_sinkage(ground_, now.foot, memory);
    watch();
    energy.soil_elastic = elastic_energy(ground_, memory, now.foot);
    // Springs give back what they take; what they do not is damping.
    (ground_.plastic ? energy.soil_plastic : energy.soil_damping) -=
        energy.soil_elastic - elastic_before;
    energy.pad_elastic =
        now.joined ? 0 : two.pad.at_rest * (now.body - now.foot) / (pad_->exponent + 1);
    energy.motion = motion(now);
  }

  void watch() {
    if (last.ground.force > peak_force) {
      peak_force = last.ground.force;
      peak_time = time;
    }
    peak_pad_force = std::max(peak_pad_force, last.pad.force);
    if (now.foot > max_sinkage) {
      max_sinkage = now.foot;
      rebound = 0;
    }
    rebound = std::max(rebound, max_sinkage - now.foot);
  }

  // The pad is relaxed: body and foot go on with the speed that keeps their momentum.
  void join() {
    const double before = motion(now);
    const double rate =
        (body_mass_ * now.body_rate + foot_mass_ * now.foot_rate) / (body_mass_ + foot_mass_);
    now.body_rate = now.foot_rate = rate;
    now.body = now.foot;
    now.joined = true;
    energy.motion = motion(now);
    energy.jerk += before - energy.motion;
    energy.pad_elastic = 0;
  }

  const RigGround& ground_;
  std::optional<HuntCrossley> pad_;
  double body_mass_, foot_mass_;    // [kg]
  double body_force_, foot_force_;  // what pulls each down [N]
  double tolerance_;                // of a step, of all energy [-]
};

}  // namespace

DropResult drop(const RigGround& exact, const RigFoot& foot, const DropSettings& settings,
                const std::function<void(double)>& progress) {
  check_settings(settings);
  RigGround ground = exact;
  if (ground.plastic) ground.table = std::make_shared<BearingTable>(ground.law);
  Drop run(ground, foot, settings);
  DropResult r;
  r.impact_speed = run.now.foot_rate;
  r.fall_time = settings.height ? run.fall_time : 0;
  r.weight = run.weight();
  const auto steps =
      static_cast<long>(std::ceil(settings.duration / settings.timestep * (1 - 1e-12)));
  const long stride = std::max(1L, std::lround(1 / (settings.sample_rate * settings.timestep)));
  bool touching = true;
  r.series.push_back(run.sample());
  for (long i = 1; i <= steps; ++i) {
    run.step(settings.timestep);
    run.time = static_cast<double>(i) * settings.timestep;  // free of rounding
    RigSample s = run.sample();
    if (!std::isfinite(s.sinkage + s.normal_force)) {
      throw std::runtime_error(fmt::format("the drop is no number any more at {} s", run.time));
    }
    const bool touches = s.sinkage > run.memory.plastic_sinkage;
    if (touching && !touches) ++r.bounces;
    touching = touches;
    if (i % stride == 0 || i == steps) {
      if (ground.sole && s.normal_force > 0) s.contact_area = contact_area(*ground.sole, s.sinkage);
      r.series.push_back(s);
    }
    if (progress && i % 1024 == 0) progress(static_cast<double>(i) / static_cast<double>(steps));
    r.end = s;
  }
  r.peak_force = run.peak_force;
  r.peak_time = run.peak_time;
  r.peak_pad_force = run.peak_pad_force;
  r.max_sinkage = run.max_sinkage;
  r.rebound = run.rebound;
  r.plastic_sinkage = run.memory.plastic_sinkage;
  if (ground.plastic && r.max_sinkage > 0) {
    r.elastic_sinkage = normal_force(ground.law, r.max_sinkage).force / run.memory.unload_stiffness;
  } else {
    r.elastic_sinkage = r.max_sinkage;
  }
  r.at_rest = std::abs(r.end.sinkage_rate) < 1e-4 && std::abs(r.end.body_rate) < 1e-4 &&
              std::abs(r.end.normal_force - r.weight) < 0.01 * r.weight;
  r.energy = run.energy;
  return r;
}

}  // namespace footfall
