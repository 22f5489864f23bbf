#include "footfall/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "footfall/gait/expected_sinkage.hpp"
#include "footfall/gait/trot.hpp"
#include "footfall/gait/walk.hpp"
#include "footfall/io/progress.hpp"
#include "footfall/record/rut_file.hpp"
#include "footfall/run/replay.hpp"
#include "footfall/step/rk4.hpp"
#include "input_error.hpp"
#include "placed.hpp"
#include "run/checkpoint.hpp"
#include "run/memory_archive.hpp"
#include "run/run_record.hpp"
#include "run/run_tally.hpp"

namespace footfall {
namespace {

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
  template <class Archive>
  void list_memory(const Archive& archive) {
    if (gait_) std::visit([&](auto& gait) { archive("gait", *gait); }, gait_->controller);
    if (watch_) archive("watch", *watch_);
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

// All that a run remembers from step to step, ruts aside.
struct RunMemory {
  State<double>& state;
  Control<double>& control;
  Driver& driver;
  Tally& tally;
  ValidityWatch& validity;
  double& wall_time;  // [s]

  template <class Archive>
  void list_memory(const Archive& archive) {
    list_state(archive, state);
    list_control(archive, control);
    archive("driver", driver);
    archive("tally", tally);
    archive("validity", validity);
    archive("wall_time_s", wall_time);
  }
};

void write_memory(const Scenario& scenario, const World& world, Checkpoint checkpoint,
                  const std::filesystem::path& file, RunMemory& memory) {
  memory.list_memory(MemoryWriter(checkpoint.memory));
  const std::vector<RutGrid>& ruts = memory.state.memory.ruts;
  write_checkpoint(file, scenario, world, ruts.empty() ? nullptr : ruts.data(), checkpoint);
}

void read_memory(const Checkpoint& checkpoint, const std::filesystem::path& file,
                 RunMemory& memory) {
  try {
    memory.list_memory(MemoryReader(checkpoint.memory));
  } catch (const std::exception& error) {  // of JSON or an InputError
    throw input_error("{}: is no checkpoint of this run: {}", file.string(), error.what());
  }
}

// Whether there is a checkpoint to go on from. Whoever starts anew beside one would lose what it stands for.
std::optional<Checkpoint> find_checkpoint(const Scenario& scenario, const World& world,
                                          const RunOptions& options,
                                          const std::filesystem::path& file, State<double>& state) {
  if (!options.resume) {
    if (!std::filesystem::exists(file)) return std::nullopt;
    throw input_error("{}: is left of a run that was interrupted: go on from it with --resume, or "
                      "remove it to start anew",
                      file.string());
  }
  RutGrid* ruts = state.memory.ruts.empty() ? nullptr : state.memory.ruts.data();
  return read_checkpoint(file, scenario, world, ruts);
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
  State<double> state = setup.state;
  const std::filesystem::path checkpoint_file = output_folder(scenario, options) / kCheckpointFile;
  const std::optional<Checkpoint> from =
      find_checkpoint(scenario, world, options, checkpoint_file, state);
  RunRecord recorder(scenario, world, options, from ? std::optional(from->rows) : std::nullopt);

  StepWorkspace<double> workspace(world);
  Rk4Workspace<double> rk4(world);
  workspace.times.on = true;
  std::vector<FootPatch> feet(world.soles.feet.size());
  BodyContacts body = make_body_contacts(world);
  Momentum momentum;
  StepRecord record{0, state, setup.controller.start, options.command};
  Tally tally(world, total, options, summary);
  ValidityWatch validity(world);
  if (recorder.found_left_over() && !from) warn_of_left_over(options, recorder.unfinished());
  for (const std::string& text : start_warnings) tally.warn(text);
  summary.start_energy = measure_energy(world, setup.state, workspace);
  double wall_time = 0;
  RunMemory memory{state, record.control, driver, tally, validity, wall_time};
  if (from) {
    summary.resumed_after = from->step;
    read_memory(*from, checkpoint_file, memory);
  }
  const double earlier = wall_time;
  const std::int64_t first = summary.resumed_after + 1;
  ProgressBar bar(total - summary.resumed_after, options.progress);
  const Clock::time_point start = Clock::now();
  const auto seconds_since = [](Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
  };
  Clock::time_point last_checkpoint = start;
  bool last = false;
  for (std::int64_t n = first; n <= total && !last; ++n) {
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
           recorder.row_count() > 0 ? recorder.unfinished() : std::filesystem::path());
    }
    summarize_body(world, workspace, body);
    tally.add(world, workspace, body, report, state.time);
    summary.interrupted = must_stop(options, n, total);
    last = n == total || summary.interrupted || summary.ended_early;
    const bool regular = n % scenario.record_every == 0 || (last && !summary.interrupted);
    const bool records = regular || last;
    if (records || driver.watches() || options.watch) {
      summarize_feet(world, state, workspace, feet);
    }
    driver.watch(record, state, feet);
    const RunRow row{state,           record.control,    feet, body, momentum, report,
                     workspace.times, summary.end_energy};
    const auto write_row = [&] {
      validity.add(world, feet);
      if (recorder || options.watch) {
        momentum = measure_momentum(world, record.state, state, workspace.data);
      }
      summary.end_energy = measure_energy(world, state, workspace);
      if (recorder) recorder.append(row);
    };
    if (regular) write_row();
    const bool due = options.checkpoint > 0 && n % 64 == 0 &&
                     seconds_since(last_checkpoint) >= options.checkpoint;
    if (due || (options.checkpoint > 0 && summary.interrupted)) {
      if (recorder) recorder.sync();
      wall_time = earlier + seconds_since(start);
      write_memory(scenario, world, {n, recorder.row_count(), {}}, checkpoint_file, memory);
      last_checkpoint = Clock::now();
    }
    if (!regular && records) write_row();  // the end of a run that was interrupted
    if (options.watch) options.watch({row, world, records});
    bar.update(n - summary.resumed_after);
  }
  if (!state.memory.ruts.empty()) {
    press_prints(world, state.memory);
    const RutGrid& ruts = state.memory.ruts[0];
    summary.ruts = {ruts.deepest().cell.sinkage, ruts.displaced_volume()};
  }
  summary.wall_time = earlier + seconds_since(start);
  summary.time = state.time;
  tally.finish();
  if (summary.ended_early) tally.warn("the run ended early: " + *summary.ended_early);
  tally.warn_of_clamps(world);
  if (const auto beyond = validity.finish(world)) tally.warn(*beyond);
  summary.gait = driver.finish();
  describe_end(world, state, feet, summary);
  for (const std::string& text : find_end_warnings(summary, world.force_scale)) tally.warn(text);
  const bool had_checkpoints = from || options.checkpoint > 0;
  if (!recorder) {
    if (had_checkpoints && !summary.interrupted) std::filesystem::remove(checkpoint_file);
    return summary;
  }
  summary.result_file = recorder.result_file(!summary.interrupted);
  if (had_checkpoints) recorder.ends_need_of(checkpoint_file);
  recorder.finish({.summary = summary_json(summary),
                   .ruts = state.memory.ruts.empty() ? nullptr : state.memory.ruts.data(),
                   .complete = !summary.interrupted});
  return summary;
}

RunSummary run(const Scenario& scenario, const RunOptions& options) {
  return run(scenario, prepare_run(scenario), options);
}

}  // namespace footfall
