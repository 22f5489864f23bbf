#include "footfall/run/run.hpp"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "footfall/gait/expected_sinkage.hpp"
#include "footfall/io/new_file.hpp"
#include "footfall/io/progress.hpp"
#include "footfall/record/rut_file.hpp"
#include "footfall/run/replay.hpp"
#include "footfall/step/rk4.hpp"
#include "input_error.hpp"
#include "io/text_file.hpp"
#include "placed.hpp"
#include "run/run_warnings.hpp"

namespace footfall {
namespace {

constexpr std::int64_t kPictureWidth = 60;  // values of base_heights

std::filesystem::path output_folder(const Scenario& scenario, const RunOptions& options) {
  return options.output.empty() ? scenario.output : options.output;
}

constexpr const char* kRunFile = "run.h5";
constexpr const char* kUnfinishedFile = "run.unfinished.h5";
constexpr const char* kStartingFile = ".run.h5.starting";  // until its first rows are written

// The run file on its way: under a hidden name until the run has come to its end, so that the file of an
// earlier run stays until this one is whole.
class RunRecord {
 public:
  RunRecord(const Scenario& scenario, const World& world, const RunOptions& options) {
    if (!options.record) return;
    const std::filesystem::path folder = output_folder(scenario, options);
    make_folder(folder, "output folder");
    file_ = folder / kRunFile;
    unfinished_ = folder / kUnfinishedFile;
    refuse_other_file(file_);
    new_file_.emplace(file_, unfinished_);
    starting_ = new_file_->partial().parent_path() / kStartingFile;
    std::error_code ignored;
    std::filesystem::remove(starting_, ignored);
    const std::int64_t rows = step_count(scenario) / scenario.record_every + 1;
    try {
      writer_.emplace(
          starting_, world,
          RunHeader{scenario.text, scenario.file.string(), options.command, mj_versionString()},
          static_cast<int>(std::min<std::int64_t>(rows, 1 << 30)), file_.string());
    } catch (...) {
      remove_all();
      throw;
    }
  }
  // A run that failed: what was recorded of it is set aside.
  ~RunRecord() {
    if (!writer_) return;
    try {
      writer_->flush();
      if (writer_->flushed_rows() > 0) take();
    } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): nobody is left to be told
    }
    if (!taken_) remove_all();
  }
  RunRecord(const RunRecord&) = delete;
  RunRecord& operator=(const RunRecord&) = delete;

  explicit operator bool() const { return writer_.has_value(); }
  bool found_left_over() const { return new_file_ && new_file_->found_left_over(); }
  bool has_rows() const { return row_count_ > 0; }
  const std::filesystem::path& unfinished() const { return unfinished_; }

  void append(const RunRow& row) {
    guard([&] { writer_->append(row); });
    ++row_count_;
    if (!taken_ && writer_->flushed_rows() > 0) take();
  }
  // Closes the file and gives it its name. That of an interrupted run is another: it replaces no whole one.
  const std::filesystem::path& result_file(bool complete) const {
    return complete ? file_ : unfinished_;
  }
  void finish(const RunEnd& end) {
    guard([&] { writer_->close(end); });
    take();
    writer_.reset();
    if (end.complete) new_file_->keep();
    new_file_.reset();  // sets it aside, unless it is kept
  }

 private:
  // Adds to an error where the rows lie that are left.
  template <class Write>
  void guard(const Write& write) const {
    try {
      write();
    } catch (const InputError& error) {
      if (writer_->flushed_rows() == 0) throw;
      throw OutputError(
          fmt::format("{}\n  what was recorded: {}", error.what(), unfinished_.string()));
    }
  }

  // From here on a run that is killed leaves something to read.
  void take() {
    if (!taken_) new_file_->take(starting_);
    taken_ = true;
  }
  void remove_all() {
    std::error_code ignored;
    std::filesystem::remove(starting_, ignored);
    new_file_->discard();
    new_file_.reset();
  }

  std::filesystem::path file_, unfinished_, starting_;
  bool taken_ =
      false;  // the file has rows, and is where the next run looks for what is left of this one
  std::optional<NewFile> new_file_;
  std::optional<RunWriter> writer_;
  std::int64_t row_count_ = 0;
};

void warn_of_left_over(const RunOptions& options, const std::filesystem::path& unfinished) {
  if (!options.warn) return;
  options.warn(
      fmt::format("an earlier run into this folder was killed: what it recorded lies in {}",
                  unfinished.string()));
}

// Whether somebody wants no further steps after the n-th.
bool must_stop(const RunOptions& options, std::int64_t n, std::int64_t total) {
  if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) return true;
  if (!options.attend || n % 64 != 0) return false;
  return !options.attend(static_cast<double>(n) / static_cast<double>(total));
}

// Height of a grain foot's highest point above its sole's centre, its axis tilted by this [rad], along the vertical [m].
double highest_point(const GrainFoot& foot, double tilt) {
  if (foot.shape == GrainFootShape::sphere) return foot.radius * (1 + std::cos(tilt));
  const double half = foot.shape == GrainFootShape::box ? 0.5 * foot.length_x : foot.radius;
  return std::fmax(foot.height * std::cos(tilt), 0.0) + half * std::abs(std::sin(tilt));
}

// Sums of a run as its steps go by.
class Tally {
 public:
  Tally(const World& world, std::int64_t total, const RunOptions& options, RunSummary& summary)
      : options_(options), total_(total), summary_(summary), body_(world) {}

  void add(const World& world, const StepWorkspace<double>& workspace, const BodyContacts& body,
           const SolverReport<double>& report, double time) {
    ++summary_.steps;
    add_motion(world, workspace, time);
    body_.add(body, is_late());
    add_report(report, time);
    if (const auto* grains = std::get_if<GranularContact>(&workspace.contact)) {
      add_clamps(world, *grains, time);
    }
    for (int s = 0; s < kStageCount; ++s) summary_.stage_times[s] += workspace.times.seconds[s];
  }

  void warn(const std::string& text) {
    summary_.warnings.push_back(text);
    if (options_.warn) options_.warn(text);
  }

  // Throws nothing away in silence: what was outside the data is said once, at the end.
  void warn_of_clamps(const World& world) {
    std::erase_if(clamps_, [](const ClampSummary& c) { return c.depth_steps + c.tilt_steps == 0; });
    summary_.clamped = clamps_;
    if (clamps_.empty()) return;
    const WrenchModel& model = wrench_space(world.ground)->model();
    std::string text;
    for (const ClampSummary& c : clamps_) {
      text += fmt::format("{} foot '{}'", text.empty() ? "" : ";", c.foot);
      if (c.depth_steps > 0) {
        text += fmt::format(", depth up to {:.4g} m of {:.4g} m in {} steps", c.deepest,
                            model.deepest(), c.depth_steps);
      }
      if (c.tilt_steps > 0) {
        text += fmt::format(", tilt up to {:.4g} rad of {:.4g} rad in {} steps", c.largest_tilt,
                            model.largest_tilt(), c.tilt_steps);
      }
    }
    warn(fmt::format(
        "theta outside the data in {:.3g} % of the steps ({} of {}), where wrenches go on with "
        "depth from the nearest inside:{}",
        100.0 * static_cast<double>(summary_.clamped_steps) / static_cast<double>(summary_.steps),
        summary_.clamped_steps, summary_.steps, text));
  }

  // Turns sums into means.
  void finish() {
    const double steps = std::fmax(static_cast<double>(summary_.steps), 1);
    summary_.mean_iterations = iterations_ / steps;
    for (double& seconds : summary_.stage_times) seconds /= steps;
    summary_.rms_velocity = last_steps_ > 0
                                ? std::sqrt(square_sum_ / static_cast<double>(last_steps_))
                                : last_velocity_;  // of a run that was interrupted before
    summary_.settled = summary_.rms_velocity < kSettledVelocity;
    body_.finish(summary_);
  }

 private:
  // Whether the present step counts for means over the last tenth of the run.
  bool is_late() const { return summary_.steps > total_ - std::max<std::int64_t>(total_ / 10, 1); }

  void add_motion(const World& world, const StepWorkspace<double>& workspace, double time) {
    const double v = rms_velocity(world.robot, workspace.data);
    last_velocity_ = v;
    if (!(v < kSettledVelocity)) summary_.settle_time = time;
    if (is_late()) {
      square_sum_ += v * v;
      ++last_steps_;
    }
    if (summary_.steps % (total_ / kPictureWidth + 1) == 0) {
      summary_.base_heights.push_back(workspace.data.p_WB[1].z);
    }
  }

  void add_clamps(const World& world, const GranularContact& w, double time) {
    if (clamps_.empty()) {
      for (const Foot& foot : world.soles.feet) clamps_.push_back({.foot = foot.name});
    }
    bool any = false;
    for (const int foot : w.active) {
      const WrenchContact& contact = w.contacts[foot];
      ClampSummary& clamp = clamps_[foot];
      if (contact.at.depth_clamped) {
        ++clamp.depth_steps;
        clamp.deepest = std::fmax(clamp.deepest, contact.place.depth);
      }
      if (contact.at.tilt_clamped) {
        ++clamp.tilt_steps;
        clamp.largest_tilt = std::fmax(clamp.largest_tilt, std::abs(contact.place.tilt));
      }
      any = any || contact.at.depth_clamped || contact.at.tilt_clamped;
      const double depth = contact.place.depth;
      if (depth > highest_point(w.space->model().foot(), contact.place.tilt)) {
        summary_.ended_early =
            fmt::format("at {:.6g} s foot '{}' was wholly buried, its sole {:.4g} m deep: the data "
                        "of the medium end where grains close over the foot",
                        time, clamp.foot, depth);
      }
    }
    summary_.clamped_steps += any ? 1 : 0;
  }

  void add_report(const SolverReport<double>& report, double time) {
    iterations_ += report.iterations;
    summary_.max_iterations =
        std::max(summary_.max_iterations, static_cast<int>(report.iterations));
    summary_.largest_residual = std::fmax(summary_.largest_residual, report.residual);
    if (report.converged) return;
    ++summary_.not_converged;
    if (summary_.first_not_converged != 0) return;
    summary_.first_not_converged = summary_.steps;
    warn(fmt::format("step {} (time {:.6g} s): the solver stopped after {} iterations with "
                     "a force error of {:.3g} N; further such steps are only counted",
                     summary_.steps, time, report.iterations, report.residual));
  }

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

[[noreturn]] void fail(const Scenario& scenario, const World& world, const RunOptions& options,
                       const StepRecord& record, const State<double>& after,
                       const StepWorkspace<double>& workspace,
                       const std::filesystem::path& recorded) {
  std::filesystem::path folder =
      output_folder(scenario, options) / fmt::format("failure-step-{}", record.step);
  const std::string what = describe_failure(world, record.state, after, workspace);
  std::string message = fmt::format("step {} (time {:.6g} s) gave a state that is not finite: {}",
                                    record.step, record.state.time, what);
  if (!recorded.empty()) message += fmt::format("\n  what was recorded: {}", recorded.string());
  try {
    write_bundle(folder, scenario, record);
    message += fmt::format("\n  to do this step again: footfall replay {}", folder.string());
  } catch (const InputError& error) {
    message += fmt::format("\n  no bundle was left: {}", error.what());
    folder.clear();
  }
  throw RunFailure(message, folder);
}

}  // namespace

double rms_velocity(const RobotModel& robot, const RobotData<double>& data) {
  double sum = 0, mass = 0;
  for (int b = 1; b < robot.body_count(); ++b) {
    const Body& body = robot.bodies[b];
    const Vec3d p_OC = data.p_WB[b] + data.R_WB[b] * body.com - tree_origin(robot, data, b);
    const Vec3d v = point_velocity(data.V[b], p_OC);
    sum += body.mass * dot(v, v);
    mass += body.mass;
  }
  return mass > 0 ? std::sqrt(sum / mass) : 0;
}

namespace {

// The ruts of an earlier run, with this scenario's options for new ones.
RutGrid read_start_ruts(const Scenario& scenario, const World& world) {
  const std::string place = place_of(scenario, "ground.ruts.file");
  if (!keeps_prints(world.ground)) {
    throw InputError(place + "ruts need a soil with [terramechanics]");
  }
  if (!has_ruts(scenario.ruts_file)) {
    throw input_error(
        "{}'{}' has no ruts: expected the run file of a run with contact = \"terramechanics\"",
        place, scenario.ruts_file.string());
  }
  RutGrid ruts = read_ruts(scenario.ruts_file);
  const RutOptions& wanted = soil_ground(world.ground)->ruts;
  if (ruts.options().cell != wanted.cell || ruts.options().rim_share != wanted.rim_share) {
    throw input_error("{}the ruts in '{}' have cell_mm = {} and rim_share = {}, expected those of "
                      "this scenario, {} and {}: set them alike in [ground.ruts]",
                      place, scenario.ruts_file.string(), 1e3 * ruts.options().cell,
                      ruts.options().rim_share, 1e3 * wanted.cell, wanted.rim_share);
  }
  return ruts;
}

}  // namespace

RunSetup prepare_run(const Scenario& scenario) {
  World world = build_world(scenario);
  State<double> state = place_robot(scenario, world);
  if (!scenario.ruts_file.empty()) state.memory.ruts[0] = read_start_ruts(scenario, world);
  Controller controller = make_controller(scenario, world);
  return {std::move(world), std::move(state), std::move(controller)};
}

namespace {

// What moves the robot from outside and from inside: pushes, its controller, and a watch over gaits.
class Driver {
 public:
  // Throws InputError where a gait or a push does not fit the robot.
  Driver(const Scenario& scenario, const RunSetup& setup)
      : setup_(setup), timestep_(scenario.step.timestep),
        pusher_(placed(place_of(scenario, "push"),
                       [&] { return Pusher(setup.world.robot, scenario.pushes); })) {
    if (!setup.controller.is_gait()) return;
    gait_ = placed(place_of(scenario, "controller.kind"),
                   [&] { return start_gait(setup.controller, setup.world, setup.state); });
    watch_.emplace(setup.world, setup.controller.pose, gait_->goal);
  }

  void push(std::int64_t step, State<double>& state) {
    pusher_.push(setup_.world.robot, state.time, timestep_, state.qpos, state.qvel);
    if (is_finite(state)) return;
    throw RunFailure(
        fmt::format("step {} (time {:.6g} s): a push gave a velocity that is not finite: "
                    "it is too strong for this robot",
                    step, state.time),
        {});
  }
  void control(const State<double>& state, Control<double>& control) {
    if (!gait_) {
      compute_control(setup_.controller, state, control);
    } else if (watch_->fell()) {
      relax(setup_.controller, state, control);
    } else {
      gait_->update(setup_.world, state, control);
    }
  }

  bool watches() const { return watch_.has_value(); }
  void watch(const StepRecord& record, const State<double>& after,
             const std::vector<FootPatch>& feet) {
    if (watch_) watch_->update(setup_.world, record.state, record.control, after, feet);
  }
  std::optional<GaitSummary> finish() {
    if (!watch_) return std::nullopt;
    return watch_->finish(norm(setup_.world.robot.gravity));
  }

 private:
  const RunSetup& setup_;
  double timestep_;
  Pusher pusher_;
  std::optional<RunningGait> gait_;
  std::optional<GaitWatch> watch_;
};

// Where there is a law to ask for it, and the foot stands on most of its sole as it would at rest: not on an edge.
std::optional<double> find_resting_sinkage(const World& world, int foot, const FootPatch& patch) {
  const bool is_hard = soft_constraints(world.ground) != nullptr ||
                       std::holds_alternative<PenaltyGround>(world.ground);
  if (!patch.touching || patch.normal_force <= 0 || is_hard) return std::nullopt;
  if (patch.contact_area < 0.5 * world.soles.feet[foot].area) return std::nullopt;
  const int soil = soil_at(world.terrain, patch.center.x, patch.center.y);
  return find_foot_sinkage(world, foot, soil, patch.normal_force);
}

// How the robot stands or lies at the end.
void describe_end(const World& world, const State<double>& state,
                  const std::vector<FootPatch>& feet, RunSummary& summary) {
  RobotData<double> data(world.robot);
  compute_positions(world.robot, state.qpos.data(), data);
  summary.base_height = data.p_WB[1].z;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    summary.feet.push_back({world.soles.feet[i].name, feet[i],
                            find_resting_sinkage(world, static_cast<int>(i), feet[i])});
  }
  summary.base_tilt = find_base_tilt(world, state.qpos);
  const bool fell = summary.gait && summary.gait->fall;
  summary.fallen = fell ? summary.gait->fall->reason : describe_fall(world, summary);
}

}  // namespace

RunSummary run(const Scenario& scenario, const RunSetup& setup, const RunOptions& options) {
  using Clock = std::chrono::steady_clock;
  const World& world = setup.world;
  const std::int64_t total = step_count(scenario);
  // a start that is refused leaves an earlier run's file as it is
  const std::vector<std::string> start_warnings = find_start_warnings(scenario, setup);
  RunSummary summary;
  summary.scenario = scenario.name;
  summary.robot = world.robot.name;
  summary.warnings = world.robot.warnings;
  Driver driver(scenario, setup);  // before the file, which may be that of an earlier run
  RunRecord recorder(scenario, world, options);

  State<double> state = setup.state;
  StepWorkspace<double> workspace(world);
  Rk4Workspace<double> rk4(world);
  workspace.times.on = true;
  std::vector<FootPatch> feet(world.soles.feet.size());
  BodyContacts body = make_body_contacts(world);
  Momentum momentum;
  summary.start_energy = measure_energy(world, state, workspace);
  StepRecord record{0, state, setup.controller.start, options.command};
  Tally tally(world, total, options, summary);
  ValidityWatch validity(world);
  if (recorder.found_left_over()) warn_of_left_over(options, recorder.unfinished());
  for (const std::string& text : start_warnings) tally.warn(text);
  ProgressBar bar(total, options.progress);
  const Clock::time_point start = Clock::now();
  bool last = false;
  for (std::int64_t n = 1; n <= total && !last; ++n) {
    record.step = n;
    driver.push(n, state);
    record.state = state;
    driver.control(state, record.control);
    const SolverReport<double> report = advance(world, record.control, state, workspace, rk4);
    state.time = static_cast<double>(n) * scenario.step.timestep;  // a sum would drift
    list_results(world, workspace);
    if (!is_finite(state)) {
      bar.clear();
      fail(scenario, world, options, record, state, workspace,
           recorder.has_rows() ? recorder.unfinished() : std::filesystem::path());
    }
    summarize_body(world, workspace, body);
    tally.add(world, workspace, body, report, state.time);
    summary.interrupted = must_stop(options, n, total);
    last = n == total || summary.interrupted || summary.ended_early;
    const bool records = last || n % scenario.record_every == 0;
    if (records || driver.watches() || options.watch) {
      summarize_feet(world, state, workspace, feet);
    }
    driver.watch(record, state, feet);
    if (records) {
      validity.add(world, feet);
      if (recorder || options.watch) {
        momentum = measure_momentum(world, record.state, state, workspace.data);
      }
      summary.end_energy = measure_energy(world, state, workspace);
    }
    const RunRow row{state,           record.control,    feet, body, momentum, report,
                     workspace.times, summary.end_energy};
    if (records && recorder) recorder.append(row);
    if (options.watch) options.watch({row, world, records});
    bar.update(n);
  }
  if (!state.memory.ruts.empty()) {
    press_prints(world, state.memory);
    const RutGrid& ruts = state.memory.ruts[0];
    summary.ruts = {ruts.deepest().cell.sinkage, ruts.displaced_volume()};
  }
  summary.wall_time = std::chrono::duration<double>(Clock::now() - start).count();
  summary.time = state.time;
  tally.finish();
  if (summary.ended_early) tally.warn("the run ended early: " + *summary.ended_early);
  tally.warn_of_clamps(world);
  if (const auto beyond = validity.finish(world)) tally.warn(*beyond);
  summary.gait = driver.finish();
  describe_end(world, state, feet, summary);
  for (const std::string& text : find_end_warnings(summary, world.force_scale)) tally.warn(text);
  if (!recorder) return summary;
  summary.result_file = recorder.result_file(!summary.interrupted);
  recorder.finish({.summary = summary_json(summary),
                   .ruts = state.memory.ruts.empty() ? nullptr : state.memory.ruts.data(),
                   .complete = !summary.interrupted});
  return summary;
}

RunSummary run(const Scenario& scenario, const RunOptions& options) {
  return run(scenario, prepare_run(scenario), options);
}

}  // namespace footfall
