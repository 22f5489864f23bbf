// Drop: a mass on a foot falls on the ground, (47) of Ding 2013 in time.
//
// Time starts at the touch, with the speed of the free fall. Two stages of an implicit rule of
// second order (SDIRK, γ = 1 − 1/√2, which damps what is too stiff for the step): each stage is one
// scalar equation in the rate of the foot, or with a pad of the pad, and rises with it. A step over
// which energy is not kept well enough (a hard foot touching marble) is halved, and again.
//
// A foot that hangs, pad relaxed, moves with the body as one; it parts when the body presses on
// the pad again. A foot without mass below a pad gets 1e-4 of the body's inertia and no weight:
// between pad and ground, in the air, its motion would be undetermined.
//
// Energy: work in = motion + elastic (pad, soil) + plastic + damping (pad, soil) + jerk, the last what is lost when
// a relaxing pad stops the foot. Each is integrated beside the motion, so their sum is off by what
// the integrator is off.
#pragma once

#include <functional>
#include <vector>

#include "footfall/rig/foot.hpp"
#include "footfall/rig/series.hpp"

namespace footfall {

struct DropSettings {
  double mass = 0;                    // M, of the body [kg]
  double load = 0;                    // W, a force beside its weight [N]
  std::optional<double> height = {};  // above the ground [m]; or
  std::optional<double> speed = {};   // at the touch [m/s]
  double duration = 1;                // from the touch [s]
  double timestep = 5e-5;             // [s]
  double energy_tolerance = 1e-7;     // a step that loses more of the energy is halved
  double sample_rate = 2000;          // rows per second of the series [Hz]
};

struct RigEnergy {    // [J]
  double input = 0;   // motion at the touch, and work of the weights and the load since
  double motion = 0;  // kinetic, now
  double pad_elastic = 0, pad_damping = 0;
  double soil_elastic = 0, soil_plastic = 0, soil_damping = 0;
  double jerk = 0;
  double error() const {
    return input - motion - pad_elastic - pad_damping - soil_elastic - soil_plastic - soil_damping -
           jerk;
  }
};

struct DropResult {
  double impact_speed = 0;     // [m/s]
  double fall_time = 0;        // before the touch [s]
  double weight = 0;           // what the ground carries at rest [N]
  double peak_force = 0;       // of the ground [N]
  double peak_time = 0;        // [s]
  double peak_pad_force = 0;   // [N]
  double max_sinkage = 0;      // [m]
  double rebound = 0;          // the most that the foot has risen since it was deepest [m]
  double elastic_sinkage = 0;  // what a slow lift-off from the deepest point gives back [m]
  double plastic_sinkage = 0;  // depth of the footprint [m]
  int bounces = 0;             // times the ground was left
  bool at_rest = false;        // within 0.1 mm/s and 1 % of the weight
  RigEnergy energy;
  RigSample end;
  std::vector<RigSample> series;
};

// Throws InputError when the settings make no sense. `progress` is called with the share done.
DropResult drop(const RigGround& ground, const RigFoot& foot, const DropSettings& settings,
                const std::function<void(double)>& progress = {});

}  // namespace footfall
