// footfall run: a scenario, from the first step to the last.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <memory>
#include <optional>

#include "capture_options.hpp"
#include "commands.hpp"
#include "footfall/error.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/run/run.hpp"
#include "footfall/viewer/page.hpp"
#include "interrupt.hpp"
#include "run/run_results.hpp"
#include "run_lines.hpp"
#include "run_live.hpp"

namespace footfall {
namespace {

struct RunCommand {
  std::string scenario;
  std::vector<std::string> overrides;
  std::string output;
  bool json = false;
  std::string command_line;
  LiveRunOptions live;
  serve::CaptureOptions capture;
};

const char* shape_name(SoleShape shape) {
  constexpr std::array names = {"sphere", "rectangle", "disc", "cylinder", "hull"};
  return names[static_cast<std::size_t>(shape)];
}

const char* ground_name(GroundKind kind) {
  constexpr std::array names = {"plane",  "slope", "heightfield", "ramp",
                                "stairs", "bumps", "noise"};
  return names[static_cast<std::size_t>(kind)];
}

std::string joints_text(const RobotModel& robot) {
  const bool free_base = !robot.joints.empty() && robot.joints[0].type == JointType::free;
  const std::size_t others = robot.joints.size() - (free_base ? 1 : 0);
  if (others == 0) return free_base ? "a free body" : "no joints";
  return fmt::format("{}{} joint{}", free_base ? "free base, " : "", others,
                     others == 1 ? "" : "s");
}

void print_setup(const Scenario& scenario, const World& world) {
  const RobotModel& robot = world.robot;
  fmt::print("Robot   {}: {}, {} actuators, {:.4g} kg\n", robot.name, joints_text(robot),
             robot.actuators.size(), robot.total_mass());
  std::vector<std::string> feet;
  feet.reserve(world.soles.feet.size());
  for (const Foot& foot : world.soles.feet) {
    feet.push_back(foot.sole_count > 1 ? fmt::format("{} ({} shapes)", foot.name, foot.sole_count)
                                       : fmt::format("{} ({})", foot.name, shape_name(foot.shape)));
  }
  const char* how = scenario.robot.feet.empty() && !feet.empty() ? ", found automatically" : "";
  fmt::print("Feet    {}{}\n", feet.empty() ? "none" : fmt::format("{}", fmt::join(feet, ", ")),
             how);
  const std::string about = describe_soil(world.ground, 0);
  if (scenario.contact == ContactModel::none) {
    fmt::print("Ground  {}\n", about);
  } else {
    fmt::print("Ground  {}, {}\n", ground_name(scenario.ground.kind), about);
  }
  const std::string law = describe_law(world.ground);
  if (!law.empty()) fmt::print("Contact {}\n", law);
  for (const Region& region : world.terrain.regions) {
    fmt::print("        in region '{}' {}\n", region.name,
               describe_soil(world.ground, region.soil));
  }
  fmt::print("Steps   {} of {:g} ms: {:g} s\n", step_count(scenario), 1e3 * scenario.step.timestep,
             scenario.duration);
}

void print_summary(const RunSummary& s, const std::optional<RunData>& recorded) {
  if (recorded) {
    fmt::print("\n");
    for (const std::string& line : run_lines(*recorded, s.base_heights)) fmt::print("{}\n", line);
  }
  for (const std::string& line : result_lines(s)) fmt::print("{}\n", line);
  if (!s.result_file.empty()) fmt::print("\nResults: {}\n", s.result_file.string());
  if (!s.report_file.empty()) {
    fmt::print("Report:  {}  (open it in a browser)\nPicture: footfall view {} --png FILE\n",
               s.report_file.string(), s.result_file.string());
  }
}

void warn(const std::string& text) { fmt::print(stderr, "footfall: warning: {}\n", text); }

// What was recorded; none: it cannot be read, which the user is told.
std::optional<RunData> read_recorded(const RunSummary& summary) {
  if (summary.result_file.empty()) return std::nullopt;
  try {
    return read_run(summary.result_file);
  } catch (const InputError& error) {
    warn(fmt::format("no report: {}", error.what()));
    return std::nullopt;
  }
}

// Writes the report beside the run file. A run is not lost because that fails. Returns the report's page;
// empty: there is none.
PageContent write_report(const RunData& recorded, RunSummary& summary) {
  const std::filesystem::path file = summary.result_file.parent_path() / "report.html";
  std::vector<std::string> warnings;  // beside those that the run file has
  if (summary.interrupted)
    warnings.push_back(fmt::format("Interrupted after {:g} s.", summary.time));
  PageContent page;
  try {
    page = make_run_page(recorded, {.warnings = std::move(warnings)});
    write_page(file, page);
    summary.report_file = file;
  } catch (const InputError& error) {
    warn(fmt::format("no report: {}", error.what()));
  }
  return page;
}

// With --json the address stands on stderr: stdout is for programs.
RunSummary run_live(const Scenario& scenario, const RunSetup& setup, RunOptions options,
                    const RunCommand& command, LiveRunServer& live) {
  fmt::print(command.json ? stderr : stdout, "Live    {}  (starts when the page is opened)\n",
             live.address());
  std::fflush(stdout);
  options.progress = false;
  options.watch = [&](const RunStep& step) { live.after_step(step); };
  live.wait_for_viewer();
  return run(scenario, setup, options);
}

void run_command(RunCommand command) {
  check_drawing(command.capture);
  command.capture.progress = !command.json;
  const Scenario scenario = load_scenario(command.scenario, command.overrides);
  const RunSetup setup = prepare_run(scenario);
  for (const std::string& text : setup.world.robot.warnings) warn(text);
  if (!command.json) {
    print_setup(scenario, setup.world);
    std::fflush(stdout);
  }
  RunOptions options;
  options.output = command.output;
  options.command = command.command_line;
  options.progress = !command.json;
  options.stop = &interrupted;
  options.warn = warn;
  const InterruptGuard guard;
  std::optional<LiveRunServer> live;
  if (command.live.on) live.emplace(scenario, setup, command.command_line, command.live);
  RunSummary summary =
      live ? run_live(scenario, setup, options, command, *live) : run(scenario, setup, options);
  const std::optional<RunData> recorded = read_recorded(summary);
  PageContent report;
  if (recorded) report = write_report(*recorded, summary);
  if (live) live->finish(summary, report);
  live.reset();
  if (command.json) {
    fmt::print("{}\n", summary_json(summary));
  } else {
    print_summary(summary, recorded);
  }
  std::fflush(stdout);
  if (!summary.interrupted) {
    if (command.capture.wanted()) draw_page(make_run_page(recorded.value()), command.capture);
    return;
  }
  fmt::print(stderr,
             "footfall: interrupted after step {} (time {:g} s); what was done lies in {}\n",
             summary.steps, summary.time, summary.result_file.string());
  throw CLI::RuntimeError(130);
}

}  // namespace

void add_run_command(CLI::App& app, const std::string& command_line) {
  auto command = std::make_shared<RunCommand>();
  command->command_line = command_line;
  CLI::App* sub = app.add_subcommand("run", "Run a scenario and record it");
  sub->add_option("scenario", command->scenario, "TOML file; its keys stand in docs/scenario.md")
      ->required();
  add_settings(*sub, command->overrides, "scenario");
  sub->add_option("-o,--output", command->output,
                  "Folder of the results; without it what the scenario says");
  sub->add_flag("--json", command->json, "Print the summary as JSON, and nothing else, on stdout");
  constexpr const char* kLiveGroup = "Watching it";
  sub->add_flag("--live", command->live.on, "Show the run in the browser while it goes on")
      ->group(kLiveGroup);
  sub->add_option("--live-speed", command->live.speed,
                  "1: in real time; 0.25: four times slower; max: as fast as it goes")
      ->group(kLiveGroup)
      ->needs("--live");
  sub->add_option("--port", command->live.port, "Port of 127.0.0.1; any free one if it is left out")
      ->group(kLiveGroup)
      ->needs("--live")
      ->check(CLI::Range(1, 65535));
  sub->add_flag("--open", command->live.open, "Open the page in the browser too")
      ->group(kLiveGroup)
      ->needs("--live");
  add_capture_options(*sub, command->capture);
  sub->footer("Examples:\n"
              "  footfall run scenarios/quadruped_drop.toml\n"
              "  footfall run scenarios/quadruped_trot_sand.toml --live\n"
              "  footfall run scenarios/quadruped_trot_sand.toml --png trot.png --time 2\n"
              "  footfall run scenarios/quadruped_drop.toml --set soil.name=sand\n"
              "  footfall run scenarios/quadruped_drop.toml --set soil.stiffness=2e5 "
              "--set step.duration_s=1 --json");
  sub->callback([command] { run_command(*command); });
}

}  // namespace footfall
