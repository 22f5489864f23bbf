#include "footfall/rig/press.hpp"

#include <algorithm>
#include <cmath>

#include "input_error.hpp"

namespace footfall {
namespace {

constexpr double kRoundOff = 1e-9;  // of the loading work: a loop that keeps less keeps nothing

void check_settings(const PressSettings& settings) {
  if (settings.sinkage.has_value() == settings.load.has_value()) {
    throw InputError("press needs either a sinkage [m] or a load [N], not both");
  }
  if (settings.sinkage && !(*settings.sinkage > 0 && *settings.sinkage <= 10)) {
    throw input_error("sinkage = {} m, expected above 0 and at most 10 m", *settings.sinkage);
  }
  if (settings.load && !(*settings.load > 0 && *settings.load <= 1e9)) {
    throw input_error("load = {} N, expected above 0 and at most 1e9 N", *settings.load);
  }
  if (settings.cycles < 1 || settings.cycles > 1000) {
    throw input_error("cycles = {}, expected 1 to 1000", settings.cycles);
  }
  if (settings.staged && settings.cycles == 1) {
    throw InputError("staged loading in cycles = 1, expected 2 to 1000 cycles");
  }
  if (settings.samples < 2 || settings.samples > 1000000) {
    throw input_error("samples = {}, expected 2 to 1000000", settings.samples);
  }
  if (!(settings.speed > 0 && settings.speed <= 1)) {
    throw input_error("speed = {} m/s, expected above 0 and at most 1", settings.speed);
  }
}

// ∫F dδ by Simpson's rule, halved until it holds. The memory is that of the start: on a way that
// does not turn, yielding changes no force ahead of it.
class WorkIntegral {
 public:
  WorkIntegral(const RigGround& ground, const GroundMemory& memory)
      : ground_(ground), memory_(memory) {}

  double operator()(double from, double to) {
    const double a = force(from), b = force(to), middle = force(0.5 * (from + to));
    const double tolerance = 1e-12 * std::abs(to - from) * std::max(a, b);
    return refine({from, to, a, middle, b}, tolerance, kMostHalvings);
  }

 private:
  static constexpr int kMostHalvings = 48;
  static constexpr int kMostPieces = 20000;  // a law that is rough at 1e-12 would never end
  struct Piece {
    double from, to, at_from, at_middle, at_to;
    double simpson() const { return (to - from) / 6 * (at_from + 4 * at_middle + at_to); }
  };

  double force(double sinkage) const { return evaluate_ground(ground_, memory_, sinkage, 0).force; }

  double refine(const Piece& p, double tolerance, int halvings) {
    const double middle = 0.5 * (p.from + p.to);
    const Piece left{p.from, middle, p.at_from, force(0.5 * (p.from + middle)), p.at_middle};
    const Piece right{middle, p.to, p.at_middle, force(0.5 * (middle + p.to)), p.at_to};
    const double halves = left.simpson() + right.simpson(), gain = halves - p.simpson();
    if (std::abs(gain) <= tolerance || halvings == 0 || ++pieces_ > kMostPieces)
      return halves + gain / 15;
    return refine(left, tolerance, halvings - 1) + refine(right, tolerance, halvings - 1);
  }

  const RigGround& ground_;
  const GroundMemory& memory_;
  int pieces_ = 0;
};

// A press under way: where the foot is, what the ground remembers, what was recorded.
class Press {
 public:
  Press(const RigGround& ground, const RigFoot& foot, const PressSettings& settings)
      : ground_(ground), tabled_(ground), foot_(foot), settings_(settings) {
    if (ground.plastic) tabled_.table = std::make_shared<BearingTable>(ground.law);
  }

  // Moves evenly to a sinkage. Answers with the work of the way [J].
  double move_to(double target) {
    const double from = sinkage_;
    const double work = WorkIntegral(tabled_, memory_)(from, target);
    for (int i = 1; i <= settings_.samples; ++i) {
      const double before = sinkage_;
      sinkage_ = i == settings_.samples ? target : from + (target - from) * i / settings_.samples;
      force_ = evaluate_ground(ground_, memory_, sinkage_, 0).force;
      commit_sinkage(ground_, sinkage_, memory_);
      time_ += std::abs(sinkage_ - before) / settings_.speed;
      record(std::copysign(settings_.speed, target - from));
    }
    return work;
  }

  void record(double rate) {
    RigSample s;
    s.time = time_;
    s.sinkage = sinkage_;
    s.sinkage_rate = s.body_rate = rate;
    s.normal_force = force_;
    s.pad_force = std::max(force_ - foot_.foot_mass * kRigGravity, 0.0);
    if (foot_.pad) s.pad_compression = find_compression(*foot_.pad, s.pad_force);
    s.body_sinkage = sinkage_ + s.pad_compression;
    if (foot_.pad && !series.empty()) {
      const RigSample& last = series.back();
      if (s.time > last.time)
        s.body_rate = (s.body_sinkage - last.body_sinkage) / (s.time - last.time);
    }
    if (ground_.sole && force_ > 0) s.contact_area = contact_area(*ground_.sole, sinkage_);
    series.push_back(s);
  }

  const GroundMemory& memory() const { return memory_; }

  std::vector<RigSample> series;

 private:
  const RigGround& ground_;
  RigGround tabled_;  // for the work, which asks for many forces
  const RigFoot& foot_;
  const PressSettings& settings_;
  GroundMemory memory_;
  double time_ = 0, sinkage_ = 0, force_ = 0;
};

double target_sinkage(const RigGround& ground, const RigFoot& foot, const PressSettings& settings,
                      int cycle) {
  const double share = settings.staged ? static_cast<double>(cycle) / settings.cycles : 1;
  if (settings.sinkage) return share * *settings.sinkage;
  return find_rest(ground, share * *settings.load + foot.foot_mass * kRigGravity);
}

}  // namespace

PressResult press(const RigGround& ground, const RigFoot& foot, const PressSettings& settings) {
  check_settings(settings);
  PressResult result;
  Press run(ground, foot, settings);
  run.record(0);
  for (int cycle = 1; cycle <= settings.cycles; ++cycle) {
    const double in = run.move_to(target_sinkage(ground, foot, settings, cycle));
    result.end = run.series.back();
    if (cycle == settings.cycles && !settings.unload) {
      result.work += in;
      break;
    }
    const double kept = in + run.move_to(run.memory().plastic_sinkage);
    result.loop_work.push_back(std::abs(kept) < kRoundOff * in ? 0 : kept);
    result.work += result.loop_work.back();
  }
  result.unload_stiffness = run.memory().unload_stiffness;
  result.plastic_sinkage = run.memory().plastic_sinkage;
  if (ground.sole) {
    result.plan_area = plan_area(*ground.sole, result.end.sinkage);
    result.pressure = result.plan_area > 0 ? result.end.normal_force / result.plan_area : 0;
  }
  result.series = std::move(run.series);
  return result;
}

}  // namespace footfall
