// A run: a scenario from its first step to its last, recorded and summed up.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "footfall/record/run_file.hpp"
#include "footfall/run/controller.hpp"
#include "footfall/scenario/scenario.hpp"

namespace footfall {

// What whoever watches a run sees of a step. It holds for the call only.
struct RunStep : RunRow {  // momentum and energy are of the last step that was recorded
  const World& world;
  bool recorded;  // whether that is this step
};

struct RunOptions {
  std::filesystem::path output;  // folder of the results; empty: the scenario's
  std::string command;           // as typed; goes into the run file and into a failure's bundle
  bool record = true;            // write run.h5
  bool progress = false;         // a progress bar on stderr, if that is a terminal
  double checkpoint = 0;         // time of the clock between checkpoints; 0: none [s]
  bool resume = false;           // go on from the output folder's checkpoint, if it has one
  const std::atomic<bool>* stop = nullptr;  // true: end after the present step
  std::function<bool(double)> attend;  // called every 64 steps with the share done; false: likewise
  std::function<void(const std::string&)> warn;  // called with each warning
  std::function<void(const RunStep&)> watch;     // called after each step; the run waits for it
};

// What a run starts from.
struct RunSetup {
  World world;
  State<double> state;
  Controller controller;
};

struct FootSummary {
  std::string name;
  FootPatch patch;  // of the last step
  // Sinkage at which fresh ground carries the last normal force at rest; none where the foot is in the
  // air or the ground has no such law. A foot that was let go or dropped onto the ground stands deeper.
  std::optional<double> resting_sinkage{};  // [m]
};

// A body that touched the ground with another part than a sole.
struct BodyContactSummary {
  std::string body;
  double mean_force = 0;     // along the ground's normal, over the last tenth of the run [N]
  double largest_force = 0;  // of any step [N]

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("mean_force_N", mean_force);
    archive("largest_force_N", largest_force);
  }
};

// How far a foot went beyond the data of a granular medium.
struct ClampSummary {
  std::string foot;
  std::int64_t depth_steps = 0, tilt_steps = 0;  // in which that was beyond the data
  double deepest = 0, largest_tilt = 0;          // of those steps [m], [rad]

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("foot", foot);
    archive("depth_steps", depth_steps);
    archive("tilt_steps", tilt_steps);
    archive("deepest_m", deepest);
    archive("largest_tilt_rad", largest_tilt);
  }
};

struct RunSummary {
  std::string scenario, robot;
  std::filesystem::path result_file;  // empty: not recorded
  std::filesystem::path report_file;  // empty: not written; set by whoever writes it
  bool interrupted = false;
  // Why it ended before its time although nobody interrupted it: a foot was buried in grains. None: it did not.
  std::optional<std::string> ended_early{};
  double time = 0;                 // reached [s]
  std::int64_t steps = 0;          // done
  double wall_time = 0;            // of all parts of a run that was resumed [s]
  std::int64_t resumed_after = 0;  // step of the checkpoint that it went on from; 0: from its start

  // How it ended
  bool settled = false;     // rms_velocity is below kSettledVelocity
  double settle_time = 0;   // when the velocity last was above it; the run's end: never below [s]
  double rms_velocity = 0;  // over the last tenth of the run; interrupted: the last [m/s]
  double base_height = 0;   // of the first body's origin [m]
  std::vector<FootSummary> feet;
  std::optional<double> base_tilt;    // from how it stands; none without a free base and legs [rad]
  std::optional<std::string> fallen;  // why it counts as fallen; none: it does not

  // Parts other than soles that touched the ground
  double body_share = 0;          // of the weight, mean over the last tenth of the run
  double largest_body_share = 0;  // of the weight, of any step
  std::vector<BodyContactSummary> body_contacts;  // the largest mean first

  std::vector<std::string> warnings;  // those of the robot's file, then of the run

  // Ruts on plastic soil at the end; without such soil none
  struct Ruts {
    double deepest = 0;  // plastic sinkage [m]
    double volume = 0;   // displaced [m³]
  };
  std::optional<Ruts> ruts;
  std::optional<GaitSummary> gait;  // of controllers that walk

  // Granular media: steps in which any foot's depth or tilt was outside the data, and which feet
  std::int64_t clamped_steps = 0;
  std::vector<ClampSummary> clamped;

  // The solver
  double mean_iterations = 0;
  int max_iterations = 0;
  std::int64_t not_converged = 0;        // steps
  std::int64_t first_not_converged = 0;  // its step, counted from 1; 0: all converged
  double largest_residual = 0;           // force error at the end of a solve [N]

  Energy start_energy, end_energy;                // [J]
  std::array<double, kStageCount> stage_times{};  // mean per step [s]
  std::vector<double> base_heights;               // evenly over the run, for a picture [m]

  double realtime_factor() const { return wall_time > 0 ? time / wall_time : 0; }
};

// The velocity in `settled` and `rms_velocity`: the root of the mean square velocity of the bodies'
// centres of mass, weighted by mass [m/s].
inline constexpr double kSettledVelocity = 1e-4;
double rms_velocity(const RobotModel& robot, const RobotData<double>& data);

// A step that gave something that is not finite. The message names the joint and the foot, the
// step and the time; `bundle` is a folder from which `footfall replay` does the step again.
struct RunFailure : std::runtime_error {
  RunFailure(const std::string& message, std::filesystem::path bundle_folder)
      : std::runtime_error(message), bundle(std::move(bundle_folder)) {}
  std::filesystem::path bundle;
};

// Share of the weight on other parts than soles from which a run is warned of it.
inline constexpr double kNotedBodyShare = 0.05;

RunSetup prepare_run(const Scenario& scenario);

// Throws InputError for what does not fit together or cannot be written, RunFailure as above.
RunSummary run(const Scenario& scenario, const RunSetup& setup, const RunOptions& options = {});
RunSummary run(const Scenario& scenario, const RunOptions& options = {});

// The summary as JSON, keys with their units.
std::string summary_json(const RunSummary& summary);

}  // namespace footfall
