// What a run is warned of: how the robot stands at its start and how it lies at its end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "footfall/foot/validity.hpp"
#include "footfall/run/run.hpp"

namespace footfall {

// Parts that are underground at the start, without the scenario having asked for it, and legs of a gait
// that are straight.
std::vector<std::string> find_start_warnings(const Scenario& scenario, const RunSetup& setup);

// Angle of the base from how it stands in the robot's standing pose; none for a robot without a free
// base, legs or feet [rad].
std::optional<double> find_base_tilt(const World& world, const std::vector<double>& qpos);

// Why a robot counts as fallen after a run whose base_tilt and body_contacts are known: its base is tilted
// or lies on the ground. None: it has not fallen.
std::optional<std::string> describe_fall(const World& world, const RunSummary& summary);

// Sums of what the ground does to other parts than soles.
class BodyTally {
 public:
  explicit BodyTally(const World& world);
  // After each step; `is_late`: it counts for the means.
  void add(const BodyContacts& contacts, bool is_late);
  // Fills body_share, largest_body_share and body_contacts.
  void finish(RunSummary& summary) const;

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("bodies", bodies_);
    archive("share_sum", share_sum_);
    archive("largest_share", largest_share_);
    archive("late_steps", late_steps_);
  }

 private:
  Vec3d up_;       // against gravity
  double weight_;  // [N]
  std::vector<BodyContactSummary> bodies_;
  double share_sum_ = 0, largest_share_ = 0;
  int late_steps_ = 0;
};

// How deep and how fast feet went into each soil, held against where the laws hold: foot/validity.hpp.
class ValidityWatch {
 public:
  explicit ValidityWatch(const World& world);
  void add(const World& world, const std::vector<FootPatch>& feet);
  // One warning that names feet, depths and ranges; none: all stayed inside.
  std::optional<std::string> finish(const World& world) const;

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("uses", uses_);
  }

 private:
  std::size_t soils_;
  std::vector<FootUse> uses_;  // of each foot on each soil
};

// Weight on other parts than feet, and a fall that no gait has told of. `weight` is the robot's [N].
std::vector<std::string> find_end_warnings(const RunSummary& summary, double weight);

}  // namespace footfall
