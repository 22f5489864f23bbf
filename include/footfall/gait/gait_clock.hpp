// When the feet of a quadruped stand and when they swing.
#pragma once

#include <array>
#include <limits>

#include "footfall/gait/gait_parameters.hpp"

namespace footfall {

inline constexpr int kQuadLegs = 4;
enum QuadLeg { kFrontLeft, kFrontRight, kRearLeft, kRearRight };

// Each leg stands for the first `duty` of its stride and swings for the rest.
struct GaitClock {
  double stride = 0.5;                                    // [s]
  double duty = 0.6;                                      // [-]
  std::array<double, kQuadLegs> offset{};                 // of each leg's phase, by QuadLeg [-]
  double start = 0;                                       // [s]
  double stop = std::numeric_limits<double>::infinity();  // no foot lifts from then on [s]

  double stance() const { return duty * stride; }  // [s]
  // Feet that stand at any time.
  int support() const { return duty < 0.75 ? 2 : 3; }
};

// Trot: diagonal pairs in turn. Walk: one foot after the other, each hind foot followed by the forefoot
// of its side. Throws InputError with the key, its value and what is expected.
GaitClock make_gait_clock(const TrotParameters& parameters);

// The leg's phase in [0, 1): below `duty` it stands.
double leg_phase(const GaitClock& clock, int leg, double time);

}  // namespace footfall
