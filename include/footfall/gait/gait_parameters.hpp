// What gaits are told: [controller] of a scenario with kind = "walk" or "trot".
#pragma once

#include <optional>

namespace footfall {

// How far the controller expects its feet to sink. Without it the ground is taken as hard.
struct ExpectedSinkage {
  bool from_soil =
      false;           // ask the soil under each foothold, for the load that the foot will carry
  double sinkage = 0;  // otherwise: this much under every foot [m]
};

// A biped's walk: stands, takes `step_count` steps, of which the last closes the feet, and stands.
struct WalkParameters {
  int step_count = 5;
  double step_length = 0.2;            // from one footprint to the next of the other foot [m]
  std::optional<double> step_width;    // between the feet's middles; default: as it stands [m]
  double step_height = 0.05;           // by which the swinging sole is lifted [m]
  double step_duration = 0.8;          // single and double support together [s]
  double double_support_share = 0.25;  // of the duration [-]
  double turn = 0;                     // by each step, positive to the left [rad]
  double start_delay = 0.5;            // standing before the first step [s]
  std::optional<double> base_height;   // of the base over the soles; default: the keyframe's [m]
  bool left_first = true;              // the foot that swings first
  ExpectedSinkage expected_sinkage;
  bool feedback = true;  // stabilising feedback; false: joint tracking alone
};

enum class QuadrupedGait { walk, trot };

// A quadruped's gait at a commanded velocity of its trunk.
struct TrotParameters {
  QuadrupedGait gait = QuadrupedGait::trot;
  double speed = 0.5;                     // forwards [m/s]
  double lateral_speed = 0;               // to the left [m/s]
  double turn_rate = 0;                   // positive to the left [rad/s]
  std::optional<double> stride_duration;  // one cycle of all feet; default: by gait [s]
  std::optional<double> duty;             // share of it that a foot stands; default: by gait [-]
  double step_height = 0.06;              // [m]
  std::optional<double> base_height;      // of the base over its feet; default: the keyframe's [m]
  double start_delay = 0.5;               // standing before the gait begins [s]
  double ramp_duration = 1;               // from standstill to the commanded velocity [s]
  std::optional<double> stop_time;        // from when it stands again [s]
  ExpectedSinkage expected_sinkage;
};

}  // namespace footfall
