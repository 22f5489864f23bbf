// Press: a foot pressed into the ground so slowly that neither damping nor inertia counts, and
// lifted again, as often as asked.
//
// Loading follows the virgin curve, unloading the elastic line down to the footprint, reloading the
// line back up. What a first loading and unloading to δ takes is ∫V dδ − V(δ)²/(2 k_u); further
// ones to the same depth take nothing.
#pragma once

#include <vector>

#include "footfall/rig/foot.hpp"
#include "footfall/rig/series.hpp"

namespace footfall {

struct PressSettings {
  std::optional<double> sinkage = {};  // of the foot [m]; or
  std::optional<double> load = {};     // on the body [N]
  int cycles = 1;                      // times loaded
  bool staged = false;                 // cycle i goes to i/cycles of the sinkage or load
  bool unload = false;                 // the last cycle too ends with lift-off
  int samples = 200;                   // per way down or up
  double speed = 1e-3;                 // for the time axis only [m/s]
};

struct PressResult {
  RigSample end;                  // at the last deepest point
  double plan_area = 0;           // seen along the normal [m²]
  double pressure = 0;            // normal force over plan area, 0 without sole [Pa]
  double unload_stiffness = 0;    // k_u, plastic soil [N/m]
  double plastic_sinkage = 0;     // depth of the footprint left behind [m]
  double work = 0;                // ∫F dδ of the whole test: what the ground was given [J]
  std::vector<double> loop_work;  // of it per loop that was closed: what the ground kept [J]
  std::vector<RigSample> series;
};

// Throws InputError when the settings make no sense.
PressResult press(const RigGround& ground, const RigFoot& foot, const PressSettings& settings);

}  // namespace footfall
