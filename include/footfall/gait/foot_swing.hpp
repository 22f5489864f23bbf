// The way of a swinging foot: lifts, moves over, comes down vertically.
//
// All parts are quintics 10 s³ − 15 s⁴ + 6 s⁵, with no velocity and no acceleration at either end. The foot
// rises in the first half of its swing and comes down in the second; it moves and turns between
// kSwingStart and kSwingEnd of it, so it leaves the ground and meets it vertically.
#pragma once

#include "footfall/gait/footsteps.hpp"
#include "footfall/math/spatial.hpp"

namespace footfall {

inline constexpr double kSwingStart = 0.05, kSwingEnd = 0.85;  // of the swing's duration

// A value that moves, with its first two derivatives by time.
struct Moving {
  double value = 0, rate = 0, acceleration = 0;

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("value", value);
    archive("rate", rate);
    archive("acceleration", acceleration);
  }
};

// From 0 at s = 0 to 1 at s = 1 along the quintic, and constant outside.
Moving quintic(double s);

struct FootSwing {
  Foothold from, to;
  double start_height = 0, end_height = 0;  // of the sole's middle, frame W [m]
  double top_height = 0;                    // in the middle of the swing [m]
  double duration = 1;                      // [s]

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("from", from);
    archive("to", to);
    archive("start_height_m", start_height);
    archive("end_height_m", end_height);
    archive("top_height_m", top_height);
    archive("duration_s", duration);
  }
};

struct SwingSample {
  Vec3d position{0, 0, 0}, velocity{0, 0, 0}, acceleration{0, 0, 0};  // of the sole's middle
  Moving yaw;                                                         // [rad]
};

// Where the foot is at a time since its swing began [s].
SwingSample sample_swing(const FootSwing& swing, double time);

}  // namespace footfall
