// Drag: a loaded foot pulled over the ground at constant speed, and back again if asked.
//
// On plastic soil, one way: F_T = L (1 − e^{−j/K}), Ding 2013 (37), or its other forms. From the
// point of reversal a way Δ back gives F_T/L = −1 + 2 e^{−Δ/K} where it was fully mobilised. The
// sinkage stays: the laws have no sinking by slip.
#pragma once

#include <vector>

#include "footfall/rig/foot.hpp"
#include "footfall/rig/series.hpp"

namespace footfall {

struct DragSettings {
  std::optional<double> sinkage = {};  // held [m]; or
  std::optional<double> load = {};     // on the body, held [N]
  double speed = 0.02;                 // [m/s]
  double distance = 0.1;               // one way [m]
  bool reverse = false;
  int samples = 500;  // per way
};

struct DragResult {
  RigSample out;                       // at the end of the way out
  std::optional<RigSample> back = {};  // at the end of the way back
  std::vector<RigSample> series;
};

// Throws InputError when the settings make no sense.
DragResult drag(const RigGround& ground, const RigFoot& foot, const DragSettings& settings);

}  // namespace footfall
