// Tests of the rig as identification sees them, without a file between.
#pragma once

#include <random>

#include "footfall/identify/rig_test.hpp"
#include "footfall/rig/drop.hpp"
#include "footfall/rig/press.hpp"

namespace footfall::identify_test {

inline RigTest from_series(const std::vector<RigSample>& series, TestKind kind,
                           const std::optional<FootSole>& sole) {
  RigTest test;
  test.name = "rig.csv";
  test.sole = sole;
  test.kind = kind;
  double deepest = 0;
  bool stopped = false;
  for (const RigSample& s : series) {
    test.recording.time.push_back(s.time);
    test.recording.sinkage.push_back(s.sinkage);
    test.recording.normal_force.push_back(s.normal_force);
    test.sinkage.push_back(s.sinkage);
    test.rate.push_back(s.sinkage_rate);
    const bool deeper = s.sinkage > deepest;
    stopped = stopped || (s.time > 0 && s.sinkage_rate <= 1e-3);
    const Phase down = kind == TestKind::drop ? Phase::impact : Phase::loading;
    const Phase later = kind == TestKind::drop ? Phase::holding : Phase::unloading;
    const bool first = kind == TestKind::drop ? !stopped : deeper;
    test.phase.push_back(first ? down : later);
    deepest = std::max(deepest, s.sinkage);
  }
  test.recording.zero_is_known = true;
  return test;
}

inline RigTest pressed(const RigGround& ground, double sinkage, int samples = 200,
                       bool unload = false) {
  const PressSettings settings{.sinkage = sinkage, .unload = unload, .samples = samples};
  return from_series(press(ground, {}, settings).series, TestKind::press, ground.sole);
}

inline RigTest dropped(const RigGround& ground, const DropSettings& settings) {
  RigTest test = from_series(drop(ground, {}, settings).series, TestKind::drop, ground.sole);
  test.mass = settings.mass;
  test.load = settings.load;
  return test;
}

inline void add_uniform_noise(double half_width, unsigned seed, std::vector<double>& values) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> noise(-half_width, half_width);
  for (double& value : values) value += noise(random);
}

}  // namespace footfall::identify_test
