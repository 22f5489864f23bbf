// What a gait achieved: way, speed, cost of transport, sinkage, slip, and whether and why it fell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "footfall/gait/fall.hpp"
#include "footfall/step/measure.hpp"

namespace footfall {

// What a gait is meant to do, for comparison. Way, speed and cost count from `from` to `to` and along
// the commanded direction, which turns with the base.
struct GaitGoal {
  double speed = 0;             // in that direction [m/s]
  double turn_rate = 0;         // positive to the left [rad/s]
  double base_height = 0;       // over the soles; 0: as in its pose [m]
  Vec3d direction{1, 0, 0};     // unit, along the axes of the standing base
  double from = 0, to = 1e300;  // [s]
  double expected_sinkage = 0;  // the most that the controller counts on under a foot [m]
};

struct GaitSummary {
  GaitGoal goal;
  double measured_time = 0;  // of the window above, as far as the run (or the robot) lasted [s]
  double distance = 0;       // in it, along the commanded direction [m]
  double speed = 0;          // [m/s]
  double turn_rate = 0;      // of the heading in it [rad/s]
  double work = 0;           // of the motors, ∫ Σ|τ q̇| dt [J]
  std::optional<double>
      cost_of_transport;       // work/(m g distance); none where no way was commanded [-]
  int footfalls = 0;           // feet that came down in it
  double sinkage = 0;          // deepest of each footfall, their mean [m]
  double largest_sinkage = 0;  // of the whole run [m]
  double slip = 0;             // way of each loaded sole over the ground, mean per footfall [m]
  double largest_tilt = 0;     // of the base [rad]
  double saturation = 0;       // share of all motors' time at their force limits [-]
  std::optional<Fall> fall;
};

class GaitWatch {
 public:
  // `pose` is one in which the robot stands.
  GaitWatch(const World& world, const std::vector<double>& pose, const GaitGoal& goal);

  // After each step. `before` is the state that the step began with.
  void update(const World& world, const State<double>& before, const Control<double>& control,
              const State<double>& after, const std::vector<FootPatch>& feet);
  bool fell() const { return summary_.fall.has_value(); }
  GaitSummary finish(double gravity);

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("measured_time_s", summary_.measured_time);
    archive("distance_m", summary_.distance);
    archive("work_J", summary_.work);
    archive("footfall_count", summary_.footfalls);
    archive("largest_sinkage_m", summary_.largest_sinkage);
    archive("largest_tilt_rad", summary_.largest_tilt);
    archive("fall", summary_.fall);
    archive("footfalls", footfalls_);
    archive("sinkage_sum_m", sinkage_sum_);
    archive("slip_sum_m", slip_sum_);
    archive("turned_rad", turned_);
    archive("motor_steps", motor_steps_);
    archive("saturated_steps", saturated_steps_);
    archive("recent_saturation", recent_saturation_);
  }

 private:
  struct Footfall {
    bool stands = false, counts = false;
    double slip = 0, sinkage = 0;  // [m]
    double last_loaded = -1e300;   // [s]

    template <class Archive>
    void list_memory(const Archive& archive) {
      archive("stands", stands);
      archive("counts", counts);
      archive("slip_m", slip);
      archive("sinkage_m", sinkage);
      archive("last_loaded_s", last_loaded);
    }
  };
  void watch_motors(const World& world, const State<double>& before, const Control<double>& control,
                    const State<double>& after, bool counts);
  void watch_feet(const World& world, double time, const std::vector<FootPatch>& feet, bool counts);
  void end_footfall(Footfall& f);
  std::string fall_reason(const World& world, double time) const;

  LeggedRobot robot_;
  RobotData<double> data_;
  GaitSummary summary_;
  double standing_height_ = 0;
  std::vector<Footfall> footfalls_;  // of each foot, the present one
  double sinkage_sum_ = 0, slip_sum_ = 0;
  double turned_ = 0;  // by the heading in the window [rad]
  double motor_steps_ = 0, saturated_steps_ = 0;
  double recent_saturation_ = 0;  // fading over a few tenths of a second
};

}  // namespace footfall
