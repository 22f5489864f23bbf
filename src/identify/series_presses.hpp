// The samples of presses that fit_series works on.
#pragma once

#include <string>
#include <vector>

#include "footfall/identify/rig_test.hpp"

namespace footfall {

inline constexpr int kLoading = -1;  // in place of a turn

struct PressSample {
  double deflection = 0;  // z, since the touch [m]
  double force = 0;       // F [N]
  int test = 0;           // of those that are pressed
  int turn = kLoading;    // from which it is lifted
};

struct Presses {
  std::vector<PressSample> samples;
  // per test that is pressed
  std::vector<std::string> names;
  std::vector<FootSole> soles;
  std::vector<bool> touch_is_known;
  std::vector<double> deepest;  // largest deflection [m]
  // per turn
  std::vector<double> turns;  // deflection [m]
  std::vector<int> turn_test;
};

// Throws InputError where nothing is pressed, or sole or force are missing.
Presses collect_presses(const std::vector<RigTest>& tests);

}  // namespace footfall
