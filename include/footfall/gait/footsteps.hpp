// Where a biped puts its feet.
//
// The plan follows a middle line: it starts midway between the standing feet, and each step turns it
// by `turn` and leads it on by `step_length` along the mean of the old and the new heading. A foot
// comes down half a step width beside it, so a foothold lies one step length before the last one of
// the other foot. The last step closes the feet: it turns and advances the line no more.
#pragma once

#include <array>
#include <vector>

#include "footfall/gait/gait_parameters.hpp"

namespace footfall {

inline constexpr int kLeft = 0, kRight = 1;

// A sole seen from above, frame W.
struct Foothold {
  double x = 0, y = 0;  // of its middle [m]
  double yaw = 0;       // [rad]

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("x_m", x);
    archive("y_m", y);
    archive("yaw_rad", yaw);
  }
};

struct Footstep {
  int side = kLeft;   // the foot that swings
  Foothold foothold;  // where it comes down

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("side", side);
    archive("foothold", foothold);
  }
};

// Throws InputError for parameters that are out of range; the message names the key.
void check_walk(const WalkParameters& parameters);

// `start` are the standing feet, left and right.
std::vector<Footstep> plan_footsteps(const WalkParameters& parameters,
                                     const std::array<Foothold, 2>& start);

// Midway between two footholds, with their mean heading.
Foothold midway(const Foothold& a, const Foothold& b);

}  // namespace footfall
