#include "identify/series_presses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "footfall/error.hpp"
#include "identify/rig_test_parts.hpp"
#include "signal/noise.hpp"

namespace footfall {
namespace {

constexpr double kTurn = 8;         // noises of the deflection that a turn must exceed
constexpr double kRoundOff = 1e-6;  // of the largest deflection, likewise
constexpr double kAtTop = 0.005;    // of it: a foot at rest within is held, deeper it is lifted

// What body and ground approached each other by: of the body where that was measured.
std::vector<double> find_deflections(const RigTest& test) {
  const Recording& r = test.recording;
  if (r.body_sinkage.empty()) return test.sinkage;
  const bool known = test.contact_error == 0;
  const double zero =
      known ? test.contact_sinkage : r.body_sinkage[static_cast<std::size_t>(test.contact)];
  std::vector<double> deflections = r.body_sinkage;
  for (double& z : deflections) z -= zero;
  return deflections;
}

// Phases of the total deflection. Those of the test are the foot's, which hardly moves while the pad
// is relieved: it seems to be held then.
std::vector<Phase> judge_phases(const RigTest& test, const std::vector<double>& z) {
  const auto first = static_cast<std::size_t>(test.contact);
  const double most = *std::max_element(z.begin(), z.end());
  const double hysteresis = std::max(kTurn * noise_of(z), kRoundOff * most);
  const std::vector<int> ways = find_ways(z, first, hysteresis);
  std::vector<Phase> phase(z.size(), Phase::air);
  double deepest = 0, before = 0;  // so far, and before this way down
  for (std::size_t i = first; i < z.size(); ++i) {
    if (i > first && ways[i] > 0 && ways[i - 1] < 0) before = deepest;
    deepest = std::max(deepest, z[i]);
    const Phase foot = test.phase[i];
    if (foot == Phase::air || foot == Phase::impact || foot == Phase::sliding) {
      phase[i] = foot;
    } else if (foot == Phase::holding && z[i] >= deepest - std::max(hysteresis, kAtTop * most)) {
      phase[i] = Phase::holding;
    } else if (ways[i] < 0) {
      phase[i] = Phase::unloading;
    } else {
      phase[i] = z[i] > before ? Phase::loading : Phase::reloading;
    }
  }
  return phase;
}

// Follows a test: which samples are on the way down, and from which depth the others come up. Where
// the foot stood before it was lifted, the mean of that counts, else the deepest sample.
class PressReader {
 public:
  PressReader(const RigTest& test, Presses& presses)
      : test_(test), presses_(presses), deflection_(find_deflections(test)),
        phase_(judge_phases(test, deflection_)) {}

  void read() {
    for (std::size_t i = 0; i < phase_.size(); ++i) {
      switch (phase_[i]) {
      case Phase::loading:
        deepest_ = std::max(deepest_, deflection_[i]);
        held_sum_ = held_count_ = 0;
        turn_ = kLoading;
        add(i);
        break;
      case Phase::holding:
        if (turn_ != kLoading) break;  // on the way up the depth of the turn stays
        held_sum_ += deflection_[i];
        ++held_count_;
        break;
      case Phase::unloading:
      case Phase::reloading:
        if (!(deepest_ > 0)) break;
        if (turn_ == kLoading) turn_round();
        add(i);
        break;
      case Phase::air:
      case Phase::impact:
      case Phase::sliding:
        break;
      }
    }
    presses_.deepest.push_back(deepest_);
  }

 private:
  void add(std::size_t i) {
    const int test = static_cast<int>(presses_.names.size());
    presses_.samples.push_back({deflection_[i], test_.recording.normal_force[i], test, turn_});
  }
  void turn_round() {
    turn_ = static_cast<int>(presses_.turns.size());
    presses_.turns.push_back(held_count_ > 0 ? held_sum_ / held_count_ : deepest_);
    presses_.turn_test.push_back(static_cast<int>(presses_.names.size()));
  }

  const RigTest& test_;
  Presses& presses_;
  std::vector<double> deflection_;
  std::vector<Phase> phase_;
  double deepest_ = 0, held_sum_ = 0;
  int held_count_ = 0, turn_ = kLoading;
};

void add_press(const RigTest& test, Presses& presses) {
  if (std::count(test.phase.begin(), test.phase.end(), Phase::loading) == 0) return;
  if (test.recording.normal_force.size() != test.phase.size()) {
    throw InputError(
        fmt::format("{}: no column normal_force, expected the force on the ground [N]", test.name));
  }
  if (!test.sole) {
    throw InputError(fmt::format("{}: no foot was given, and soil bears a foot by its shape; give "
                                 "the foot",
                                 test.name));
  }
  PressReader(test, presses).read();
  if (!(presses.deepest.back() > 0)) {
    throw InputError(fmt::format("{}: the deflection never exceeds zero while loading, expected "
                                 "body_sinkage (or sinkage) to rise: is its sign right?",
                                 test.name));
  }
  presses.names.push_back(test.name);
  presses.soles.push_back(*test.sole);
  presses.touch_is_known.push_back(test.contact_error == 0);
}

}  // namespace

Presses collect_presses(const std::vector<RigTest>& tests) {
  Presses presses;
  for (const RigTest& test : tests) add_press(test, presses);
  if (presses.names.empty()) {
    throw InputError(
        "no test has samples of loading: expected a foot pressed into the ground, with "
        "body_sinkage (or sinkage) and normal_force");
  }
  return presses;
}

}  // namespace footfall
