// When a robot counts as fallen, and why it fell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "footfall/contact/patch.hpp"
#include "footfall/gait/legs.hpp"

namespace footfall {

struct Fall {
  double time = 0;          // [s]
  Vec3d position{0, 0, 0};  // of the base [m]
  double tilt = 0;          // of the base against its standing orientation [rad]
  std::string reason;       // one sentence, with figures
};

// Watches a run step by step. Fallen is a base that is tilted by more than 1 rad or lower than half of
// its standing height above the lowest of its feet.
class FallWatch {
 public:
  FallWatch(const World& world, LeggedRobot robot);
  // After each step. `expected_sinkage` is what the controller counts on [m].
  void update(const World& world, const State<double>& state, const std::vector<FootPatch>& feet,
              double expected_sinkage);
  const std::optional<Fall>& fall() const { return fall_; }

 private:
  LeggedRobot robot_;
  RobotData<double> data_;
  double standing_height_ = 0;   // of the base above its lowest sole [m]
  std::vector<double> slip_;     // of each foot since it last came down [m]
  std::vector<double> deepest_;  // sinkage of each foot since it last came down [m]
  std::optional<Fall> fall_;
};

// Whether the robot's pose is that of a fallen one; after compute_positions.
bool has_fallen(const LeggedRobot& robot, const RobotData<double>& data, double standing_height);

}  // namespace footfall
