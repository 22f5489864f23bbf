// footfall mujoco try: how deep a robot sinks on ground of given solref and solimp, and whether it stands.
#include <memory>

#include "foot_options.hpp"
#include "footfall/io/new_file.hpp"
#include "input_error.hpp"
#include "io/data_folders.hpp"
#include "mujoco_tuned.hpp"
#include "soft_options.hpp"

namespace footfall::mujoco_commands {
namespace {

struct TryCommand {
  std::string robot, output, plot;
  SoftNumbers soft;
  TuneOptions options;
  std::optional<double> armature;
  bool json = false;
};

void run_try(const TryCommand& c) {
  if (!c.plot.empty()) check_ending("plot", c.plot, ".svg");
  TunedAnswer answer;
  answer.robot = find_file(robot_files(), c.robot, "", "").string();
  answer.output = c.output;
  answer.plot = c.plot;
  check_model_output(answer.robot, c.output);
  TuneOptions options = c.options;
  options.output = c.output;
  if (c.armature) options.edit = set_armature(*c.armature);
  OutputsTogether together;  // model and picture
  answer.tuned = try_soft_ground(answer.robot, solref_of(c.soft), solimp_of(c.soft), options);
  if (!c.plot.empty()) write_tuned_plot(answer);
  together.keep();
  tell(answer, c.json);
}

}  // namespace

void add_try(CLI::App& mujoco) {
  auto [sub, c] = add_command<TryCommand>(
      mujoco, "try", "Put a robot on ground of given solref and solimp: sinkage, tipping, force",
      run_try);
  sub.add_option("robot", c.robot, "MJCF or URDF file, or a name in robots/")->required();
  add_soft_options(sub, c.soft, true);
  sub.add_option("--keyframe", c.options.keyframe,
                 "Pose; default: stand, or the first, or the reference pose");
  sub.add_option("--ground", c.options.ground,
                 "Geom that is the ground; default as in footfall mujoco tune");
  sub.add_option("--settle-s", c.options.longest_settling, "Longest time to settle [s]")
      ->check(CLI::Range(1.0, 1000.0))
      ->capture_default_str();
  add_armature_option(sub, c.armature);
  sub.add_option("-o,--output", c.output, "Write the model with this ground to this MJCF");
  sub.add_option("--plot", c.plot, "Draw force against sinkage as an SVG file");
  sub.add_flag("--json", c.json, "Print JSON, and nothing else, on stdout");
  sub.footer(
      "Example:\n"
      "  footfall mujoco try robots/humanoid.xml --solref -858.4 -87.9 --solimp 0 0.95 0.012 0.5 2 "
      "--plot box.svg");
}

}  // namespace footfall::mujoco_commands
