// footfall run: a scenario, from the first step to the last.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "capture_options.hpp"
#include "commands.hpp"
#include "footfall/io/new_file.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/run/run.hpp"
#include "footfall/viewer/page.hpp"
#include "input_error.hpp"
#include "interrupt.hpp"
#include "run/run_results.hpp"
#include "serve/live_page.hpp"
#include "serve/live_run.hpp"
#include "viewer/fill.hpp"

namespace footfall {
namespace {

// ---- --live: the page that shows a run while it goes on ----

using namespace std::chrono_literals;

constexpr auto kGoodbyeTime = 10s;  // that viewers have to read how the run ended, and its report
constexpr const char* kLiveAddress = "/live";

double read_live_speed(const std::string& text) {
  if (text == "max") return 0;
  char* end = nullptr;
  const double speed = std::strtod(text.c_str(), &end);
  if (end != text.c_str() && *end == '\0' && speed >= 1e-4 && speed <= 1e4) return speed;
  throw input_error("--live-speed = '{}', expected 0.0001 to 10000 (1 is real time), or max", text);
}

struct LiveRunOptions {
  bool on = false;
  std::string speed = "1";  // time of the run per time of the clock, or "max"
  int port = 0;             // 0: any free one
  bool open = false;        // also open the browser
};

class LiveRunServer {
 public:
  // Serves the page. Throws InputError for a speed that is none, a port that is taken, and where the
  // program has no viewer.
  LiveRunServer(const Scenario& scenario, const RunSetup& setup, const std::string& command_line,
                const LiveRunOptions& options)
      : page_(setup, {scenario.text, scenario.file.string(), command_line}),
        duration_(static_cast<double>(step_count(scenario)) * scenario.step.timestep),
        live_(
            feed_, [this](const RunStep& step) { return page_.make_frame(step); },
            [this](const RunStep& step) { return page_.make_values(step); },
            {.speed = read_live_speed(options.speed), .duration = duration_, .stop = &interrupted}),
        content_(page_.make(duration_, "data", "live")), html_(fill_page(content_, PageMode::live)),
        server_(
            options.port, [this](const serve::HttpRequest& request) { return answer(request); },
            serve::make_root()) {
    feed_.set_state(serve::LiveState::running);
    if (options.open) open_browser(address());
  }
  ~LiveRunServer() {  // tells viewers that the run has failed unless finish() was called
    if (!finished_) feed_.set_state(serve::LiveState::failed, "see what the program says");
    feed_.wait_for_goodbye(serve::LiveFeed::Clock::now() + kGoodbyeTime);
    feed_.close();
  }
  LiveRunServer(const LiveRunServer&) = delete;
  LiveRunServer& operator=(const LiveRunServer&) = delete;

  std::string address() const { return server_.address(); }
  // Waits for the first viewer, so that nobody misses the start.
  void wait_for_viewer() {
    while (!interrupted && !feed_.wait_for_viewer(serve::LiveFeed::Clock::now() + 50ms)) continue;
  }
  void after_step(const RunStep& step) { live_.after_step(step); }  // for RunOptions::watch

  // Tells viewers that the run has ended and hands them its report, unless that is empty.
  void finish(const RunSummary& summary, const PageContent& report) {
    finished_ = true;
    std::string text;
    if (!report.json.empty()) {
      text = fmt::format(R"({{"page":{},"data":"{}"}})", report.json,
                         viewer::embed_bytes(report.bytes));
    }
    const std::string file = summary.result_file.string();
    feed_.set_state(serve::LiveState::finished,
                    fmt::format("{} {:g} s{}", summary.interrupted ? "interrupted after" : "at",
                                summary.time,
                                file.empty() ? "" : fmt::format("; footfall view {}", file)),
                    text);
  }

 private:
  serve::HttpReply answer(const serve::HttpRequest& request) {
    serve::HttpReply reply;
    const std::string& path = request.path;
    if (path.starts_with(kLiveAddress)) {
      return feed_.answer(request, path.substr(std::string_view(kLiveAddress).size()));
    }
    if (request.method != "GET" || (path != "/" && path != "/data")) {
      return serve::reply_error(404, "there is nothing here");
    }
    reply.type = path == "/" ? "text/html; charset=utf-8" : "application/octet-stream";
    reply.body = path == "/" ? html_ : content_.bytes;
    return reply;
  }

  serve::LiveFeed feed_;
  serve::LivePage page_;
  double duration_;  // [s]
  serve::LiveRun live_;
  PageContent content_;
  std::string html_;
  bool finished_ = false;
  serve::HttpServer server_;  // the last, so that it ends first
};

// ---- the command ----

struct RunCommand {
  std::string scenario;
  std::vector<std::string> overrides;
  std::string output;
  bool json = false;
  double checkpoint = 0;  // [s]
  bool resume = false;
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

// ---- a run in a terminal: a line of blocks for the base's height and for each foot's force and sinkage ----

constexpr int kBlocks = 48;  // of a line
constexpr int kMostFeet = 8;

struct RunLine {
  std::string name, what, unit;
  std::vector<double> values;
  int digits;  // of the numbers beside it
};

// The largest value of each of kBlocks stretches of rows, or the last; of a shorter run its rows.
std::vector<double> stretch_values(const RunColumn& column, int component, int rows, double scale,
                                   bool largest) {
  const int count = std::min(rows, kBlocks);
  std::vector<double> out;
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<int>(static_cast<long>(rows) * i / count);
    const auto end = static_cast<int>(static_cast<long>(rows) * (i + 1) / count);
    double value = column.at(end - 1, component);
    for (int row = first; largest && row < end; ++row) {
      value = std::fmax(value, column.at(row, component));
    }
    out.push_back(scale * value);
  }
  return out;
}

// Some of the values, evenly, the last included.
std::vector<double> thinned_values(const std::vector<double>& values) {
  const std::size_t count = std::min<std::size_t>(values.size(), kBlocks);
  std::vector<double> out;
  for (std::size_t i = 1; i <= count; ++i) out.push_back(values[i * values.size() / count - 1]);
  return out;
}

// Values as a row of blocks, the lowest and the highest a whole block apart; what is no number is a gap.
std::string sparkline(const std::vector<double>& values) {
  constexpr std::array kLevels = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::string line;
  if (values.empty()) return line;
  // less is round-off to the eye
  const double range = *high - *low < 1e-6 * std::fmax(std::fabs(*high), 1e-3) ? 0 : *high - *low;
  for (const double v : values) {
    const double share = range > 0 ? (v - *low) / range : 0;
    line += std::isfinite(share)
                ? kLevels[static_cast<std::size_t>(std::clamp(share * 8, 0.0, 7.0))]
                : " ";
  }
  return line;
}

// The lines, names flush left, with the lowest and the highest value and its unit.
std::vector<std::string> run_lines(const RunContents& run,
                                   const std::vector<double>& base_heights) {
  std::vector<RunLine> lines;
  if (!base_heights.empty()) {
    lines.push_back({"base", "height", "m", thinned_values(base_heights), 4});
  }
  if (run.row_count == 0) return {};
  const std::vector<std::string>& feet = run.list("foot_names");
  for (int f = 0; f < std::min(static_cast<int>(feet.size()), kMostFeet); ++f) {
    const auto values = [&](const char* column, double scale) {
      return stretch_values(run.foot_column(f, column), 0, run.row_count, scale, true);
    };
    lines.push_back({feet[f], "force", "N", values("normal_force", 1), 1});
    std::vector<double> sinkage = values("sinkage", 1e3);
    for (double& s : sinkage) s = std::fmax(s, 0);  // above the ground is not sunk
    lines.push_back({"", "sinkage", "mm", std::move(sinkage), 2});
  }
  std::size_t width = 0;
  for (const RunLine& line : lines) width = std::max(width, line.name.size());
  std::vector<std::string> out;
  for (const RunLine& line : lines) {
    const auto [low, high] = std::minmax_element(line.values.begin(), line.values.end());
    out.push_back(fmt::format("{:<{}}  {:<7}  {}  {:>9.{}f} to {:>9.{}f} {}", line.name, width,
                              line.what, sparkline(line.values), *low, line.digits, *high,
                              line.digits, line.unit));
  }
  return out;
}

void print_summary(const RunSummary& s, const std::optional<RunContents>& recorded) {
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
std::optional<RunContents> read_recorded(const RunSummary& summary) {
  if (summary.result_file.empty()) return std::nullopt;
  try {
    return open_run(written_path(summary.result_file));
  } catch (const InputError& error) {
    warn(fmt::format("no report: {}", error.what()));
    return std::nullopt;
  }
}

// Writes the report beside the run file. A run is not lost because that fails; the report of an earlier run is
// then removed, for it would be taken for that of this one. Returns the report's page; empty: there is none.
PageContent write_report(const RunContents& recorded, RunSummary& summary) {
  const std::filesystem::path file =
      summary.result_file.parent_path() /
      (summary.interrupted ? "report.unfinished.html" : "report.html");
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
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
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

// Before a run that may take hours: no output of it is one of its inputs.
void check_outputs(const Scenario& scenario, const RunCommand& command) {
  const std::filesystem::path folder =
      command.output.empty() ? scenario.output : std::filesystem::path(command.output);
  for (const std::filesystem::path& file :
       {folder / "run.h5", folder / "report.html", command.capture.png, command.capture.video}) {
    if (!file.empty()) check_output(file);
  }
}

void run_command(RunCommand command) {
  check_drawing(command.capture);
  command.capture.progress = !command.json;
  const Scenario scenario = load_scenario(command.scenario, command.overrides);
  check_times(command.capture, static_cast<double>(step_count(scenario)) * scenario.step.timestep);
  const RunSetup setup = prepare_run(scenario);
  check_outputs(scenario, command);
  for (const std::string& text : setup.world.robot.warnings) warn(text);
  if (!command.json) {
    print_setup(scenario, setup.world);
    std::fflush(stdout);
  }
  RunOptions options;
  options.output = command.output;
  options.command = command.command_line;
  options.progress = !command.json;
  options.checkpoint = command.checkpoint;
  options.resume = command.resume;
  options.stop = &interrupted;
  options.warn = warn;
  const InterruptGuard guard;
  OutputsTogether together;  // run file, report and pictures
  std::optional<LiveRunServer> live;
  if (command.live.on && viewer_html().empty()) throw InputError(std::string(viewer_note()));
  if (command.live.on) live.emplace(scenario, setup, command.command_line, command.live);
  RunSummary summary =
      live ? run_live(scenario, setup, options, command, *live) : run(scenario, setup, options);
  const std::optional<RunContents> recorded = read_recorded(summary);
  PageContent report;
  if (recorded) report = write_report(*recorded, summary);
  if (live) live->finish(summary, report);
  live.reset();
  const auto keep = [&] {
    together.keep();
    if (command.json) {
      print_json(Json::parse(summary_json(summary)));
    } else {
      print_summary(summary, recorded);
    }
    std::fflush(stdout);
  };
  if (!summary.interrupted) {
    try {
      if (command.capture.wanted()) draw_page(make_run_page(recorded.value()), command.capture);
    } catch (...) {  // a run is not lost because its picture is
      keep();
      throw;
    }
    keep();
    return;
  }
  keep();
  fmt::print(stderr,
             "footfall: interrupted after step {} (time {:g} s); what was done lies in {}{}\n",
             summary.steps, summary.time, summary.result_file.string(),
             command.checkpoint > 0 ? "; the same command with --resume goes on" : "");
  throw CLI::RuntimeError(130);
}

}  // namespace

void add_run_command(CLI::App& app, const std::string& command_line) {
  auto [sub, command] =
      add_command<RunCommand>(app, "run", "Run a scenario and record it", run_command);
  command.command_line = command_line;
  sub.add_option("scenario", command.scenario, "TOML file; its keys stand in docs/scenario.md")
      ->required();
  add_settings(sub, command.overrides, "scenario");
  sub.add_option("-o,--output", command.output,
                 "Folder of the results; without it what the scenario says");
  sub.add_flag("--json", command.json, "Print the summary as JSON, and nothing else, on stdout");
  constexpr const char* kLongGroup = "Long runs";
  sub.add_option("--checkpoint", command.checkpoint,
                 "Every so many seconds of the clock keep what --resume needs, in checkpoint.h5")
      ->group(kLongGroup)
      ->check(CLI::Range(0.01, 1e6));
  sub.add_flag("--resume", command.resume,
               "Go on from the checkpoint in the folder of the results, if there is one")
      ->group(kLongGroup);
  constexpr const char* kLiveGroup = "Watching it";
  sub.add_flag("--live", command.live.on, "Show the run in the browser while it goes on")
      ->group(kLiveGroup);
  sub.add_option("--live-speed", command.live.speed,
                 "1: in real time; 0.25: four times slower; max: as fast as it goes")
      ->group(kLiveGroup)
      ->needs("--live");
  sub.add_option("--port", command.live.port, "Port of 127.0.0.1; any free one if it is left out")
      ->group(kLiveGroup)
      ->needs("--live")
      ->check(CLI::Range(1, 65535));
  sub.add_flag("--open", command.live.open, "Open the page in the browser too")
      ->group(kLiveGroup)
      ->needs("--live");
  add_capture_options(sub, command.capture);
  sub.footer("Examples:\n"
             "  footfall run scenarios/quadruped_drop.toml\n"
             "  footfall run scenarios/quadruped_trot_sand.toml --live\n"
             "  footfall run scenarios/quadruped_trot_sand.toml --png trot.png --time 2\n"
             "  footfall run scenarios/quadruped_drop.toml --set soil.name=sand\n"
             "  footfall run scenarios/quadruped_drop.toml --set soil.stiffness=2e5 "
             "--set step.duration_s=1 --json");
}

}  // namespace footfall
