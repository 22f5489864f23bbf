// footfall mujoco tune: solref and solimp for a wanted sinkage, a soil, or a measured curve.
#include <memory>
#include <optional>

#include "commands.hpp"
#include "foot_options.hpp"
#include "footfall/io/new_file.hpp"
#include "footfall/io/soil_library.hpp"
#include "input_error.hpp"
#include "io/data_folders.hpp"
#include "mujoco_tuned.hpp"

namespace footfall::mujoco_commands {
namespace {

struct TuneCommand {
  std::string robot;
  std::optional<double> sinkage_mm;
  std::optional<double> damping_ratio, armature;
  std::string soil, curve, columns;
  std::string output, plot;
  TuneOptions options;
  bool json = false;
};

void check(const TuneCommand& c, const CLI::App& sub) {
  const int sources = (c.sinkage_mm ? 1 : 0) + (c.soil.empty() ? 0 : 1) + (c.curve.empty() ? 0 : 1);
  if (sources != 1) {
    throw input_error("{} given, expected one of --sinkage-mm, --soil and --curve",
                      sources == 0 ? "no target" : "several targets");
  }
  if (!c.columns.empty() && c.curve.empty()) throw InputError("--columns needs --curve");
  if (c.damping_ratio && !c.soil.empty()) {
    throw InputError(
        "--damping-ratio with --soil, expected one of them: the soil gives the damping");
  }
  for (const char* shape : {"--d0", "--d-width", "--midpoint", "--power"}) {
    if (c.curve.empty() || sub.count(shape) == 0) continue;
    throw input_error("{} with --curve, expected one of them: the curve gives solimp", shape);
  }
  if (!c.plot.empty()) check_ending("plot", c.plot, ".svg");
  check_model_output(c.robot, c.output);
}

TunedAnswer compute(const TuneCommand& c) {
  TuneOptions o = c.options;
  o.output = c.output;
  o.damping_ratio = c.damping_ratio.value_or(1);
  if (c.armature) o.edit = set_armature(*c.armature);
  TunedAnswer answer;
  answer.robot = c.robot;
  answer.output = c.output;
  answer.plot = c.plot;
  if (c.sinkage_mm) {
    o.sinkage = 1e-3 * *c.sinkage_mm;
    answer.tuned = tune_soft_ground(c.robot, o);
  } else if (!c.soil.empty()) {
    const Soil soil = load_named_soil(c.soil, "--soil");
    answer.soil = ask_soil(c.robot, soil, o);
    answer.tuned = tune_to_soil(c.robot, soil, o);
  } else {
    std::vector<std::string> warnings;
    const Recording recording = read_recording(c.curve, {.columns = c.columns}, warnings);
    TunedToCurve result = tune_to_curve(c.robot, recording, o);
    answer.tuned = std::move(result.tuned);
    answer.fit = std::move(result.fit);
    for (const std::string& text : warnings) answer.tuned.warnings.push_back(text);
  }
  return answer;
}

void run(TuneCommand command, const CLI::App& sub) {
  command.robot = find_file(robot_files(), command.robot, "", "").string();
  check(command, sub);
  OutputsTogether together;  // model and picture
  const TunedAnswer answer = compute(command);
  if (!command.plot.empty()) write_tuned_plot(answer);
  together.keep();
  tell(answer, command.json);
}

}  // namespace

void add_tune(CLI::App& mujoco) {
  auto c = std::make_shared<TuneCommand>();
  CLI::App* sub = mujoco.add_subcommand(
      "tune", "Find solref and solimp with which a robot sinks as deep as wanted");
  sub->add_option("robot", c->robot, "MJCF or URDF file, or a name in robots/")->required();
  sub->add_option("--sinkage-mm", c->sinkage_mm, "How deep its feet should rest [mm]; or");
  sub->add_option("--soil", c->soil, "Soil of the library or soil file that says how deep; or");
  sub->add_option("--curve", c->curve, "Table of sinkage and normal force of one of its feet");
  sub->add_option("--columns", c->columns, "TOML file that names the table's columns");
  sub->add_option("--damping-ratio", c->damping_ratio, "As MuJoCo's dampratio; default 1");
  sub->add_option("--keyframe", c->options.keyframe,
                  "Pose; default: stand, or the first, or the reference pose");
  sub->add_option(
      "--ground", c->options.ground,
      "Geom that is the ground, a fixed and level plane or box; default: the only plane, "
      "or the only box, or a plane is added");
  SoftImpedance& shape = c->options.shape;
  sub->add_option("--d0", shape.d0, "solimp: impedance at the surface")->capture_default_str();
  sub->add_option("--d-width", shape.d_width, "solimp: largest impedance")->capture_default_str();
  sub->add_option("--midpoint", shape.midpoint, "solimp: where the wanted sinkage lies, over width")
      ->capture_default_str();
  sub->add_option("--power", shape.power, "solimp: power")->capture_default_str();
  sub->add_option("--settle-s", c->options.longest_settling, "Longest time to settle [s]")
      ->check(CLI::Range(1.0, 1000.0))
      ->capture_default_str();
  add_armature_option(*sub, c->armature);
  sub->add_option("-o,--output", c->output, "Write the model with the tuned ground to this MJCF");
  sub->add_option("--plot", c->plot, "Draw force against sinkage as an SVG file");
  sub->add_flag("--json", c->json, "Print JSON, and nothing else, on stdout");
  sub->footer("Examples:\n"
              "  footfall mujoco tune robots/humanoid.xml --sinkage-mm 6 --damping-ratio 1.5\n"
              "  footfall mujoco tune robots/quadruped.xml --soil dry-sand --output on_sand.xml\n"
              "  footfall mujoco tune robots/humanoid.xml --keyframe one_foot --curve press.csv\n"
              "\ndocs/mujoco-tune.md explains the numbers.");
  sub->callback([c, sub] { run(*c, *sub); });
}

}  // namespace footfall::mujoco_commands
