// Sums of a run as its steps go by.
#pragma once

#include <string>
#include <vector>

#include "run/run_warnings.hpp"

namespace footfall {

class Tally {
 public:
  Tally(const World& world, std::int64_t total, const RunOptions& options, RunSummary& summary)
      : options_(options), total_(total), summary_(summary), body_(world) {}

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("steps", summary_.steps);
    archive("settle_time_s", summary_.settle_time);
    archive("clamped_steps", summary_.clamped_steps);
    archive("max_iterations", summary_.max_iterations);
    archive("not_converged", summary_.not_converged);
    archive("first_not_converged", summary_.first_not_converged);
    archive("largest_residual_N", summary_.largest_residual);
    archive("stage_times_s", summary_.stage_times);
    archive.grow("warnings", summary_.warnings);
    archive.grow("base_heights_m", summary_.base_heights);
    archive.grow("clamps", clamps_);
    archive("body", body_);
    archive("iterations", iterations_);
    archive("square_sum", square_sum_);
    archive("last_velocity_m_per_s", last_velocity_);
    archive("last_steps", last_steps_);
  }

  // After each step.
  void add(const World& world, const StepWorkspace<double>& workspace, const BodyContacts& body,
           const SolverReport<double>& report, double time);
  void warn(const std::string& text);
  // Throws nothing away in silence: what was outside the data is said once, at the end.
  void warn_of_clamps(const World& world);
  // Turns sums into means.
  void finish();

 private:
  bool is_late() const;
  void add_motion(const World& world, const StepWorkspace<double>& workspace, double time);
  void add_clamps(const World& world, const GranularContact& w, double time);
  void add_report(const SolverReport<double>& report, double time);

  const RunOptions& options_;
  std::int64_t total_;
  RunSummary& summary_;
  BodyTally body_;
  std::vector<ClampSummary> clamps_;  // of each foot in granular media
  double iterations_ = 0;
  double square_sum_ = 0;
  double last_velocity_ = 0;
  std::int64_t last_steps_ = 0;
};

}  // namespace footfall
