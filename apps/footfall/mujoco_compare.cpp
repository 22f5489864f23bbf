// footfall mujoco compare: our soft constraints against real MuJoCo.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "commands.hpp"
#include "footfall/compare/soft_compare.hpp"
#include "input_error.hpp"

namespace footfall::mujoco_commands {
namespace {

Json to_json(const SoftStepDifference& d) {
  return {{"contacts", d.contacts},
          {"contacts_that_only_one_has", d.missing},
          {"contact_position_m", d.position},
          {"contact_distance_m", d.distance},
          {"force_relative", d.force},
          {"acceleration_relative", d.acceleration},
          {"next_velocity_relative", d.next_velocity},
          {"inverse_constraint_force_relative", d.inverse_force},
          {"inverse_applied_force_relative", d.applied_force},
          {"free_run_position", d.drift},
          {"solver_iterations", d.iterations},
          {"solver_converged", d.converged}};
}

void print_header() {
  fmt::print("{:>6}{:>9}{:>9}{:>12}{:>12}{:>10}{:>10}{:>10}{:>10}{:>10}{:>7}\n", "step", "contacts",
             "differ", "position m", "distance m", "force", "accel.", "velocity", "inverse",
             "free run", "iter.");
}

void print_row(const std::string& name, const SoftStepDifference& d) {
  const bool applied = std::isnan(d.applied_force) || d.applied_force > d.inverse_force;
  const double inverse = applied ? d.applied_force : d.inverse_force;
  fmt::print("{:>6}{:>9}{:>9}{:>12.1e}{:>12.1e}{:>10.1e}{:>10.1e}{:>10.1e}{:>10.1e}{:>10.1e}{:>7}"
             "\n",
             name, d.contacts, d.missing, d.position, d.distance, d.force, d.acceleration,
             d.next_velocity, inverse, d.drift, d.iterations);
}

struct CompareCommand {
  std::string scene;
  std::string control;  // "keyframe", "random", or numbers
  SoftCompareOptions options;
  int random = 0;
  bool json = false;
};

// Numbers with spaces or commas between them.
std::vector<double> read_controls(const std::string& text) {
  std::vector<double> out;
  std::string words = text;
  std::replace(words.begin(), words.end(), ',', ' ');
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (end != word.c_str() + word.size() || !std::isfinite(value)) {
      throw input_error("--control '{}', expected keyframe, random, or a number for each actuator "
                        "as in \"0.1 -0.2\"",
                        text);
    }
    out.push_back(value);
  }
  return out;
}

SoftStepDifference print_scene(const CompareCommand& c) {
  const bool json = c.json;
  const int steps = c.options.steps;
  const SoftComparison result = compare_soft_file(c.scene, c.options);
  if (json) {
    Json rows = Json::array();
    for (const SoftStepDifference& step : result.steps) rows.push_back(to_json(step));
    print_json({{"model", result.model},
                {"start", result.start},
                {"controls", result.controls},
                {"overridden", result.overridden},
                {"warnings", result.warnings},
                {"worst", to_json(result.worst)},
                {"steps", rows}});
    return result.worst;
  }
  fmt::print("{}: ours less MuJoCo's; force to velocity over the largest of MuJoCo's in the step\n",
             result.model);
  fmt::print("start: {}; controls: {}\n", result.start, result.controls);
  if (!result.overridden.empty()) {
    fmt::print("overridden in MuJoCo, so that both solvers converge and only the models are "
               "compared: {}\n",
               fmt::join(result.overridden, ", "));
  }
  for (const std::string& warning : result.warnings) fmt::print("warning: {}\n", warning);
  print_header();
  const int every = std::max(1, steps / 20);
  for (int k = 0; k < steps; k += every) print_row(std::to_string(k), result.steps[k]);
  print_row("worst", result.worst);
  return result.worst;
}

SoftStepDifference print_random(int scenes, unsigned seed, bool json) {
  const RandomComparison result = compare_random_scenes(scenes, seed);
  if (json) {
    print_json({{"scenes", result.scenes},
                {"seed", seed},
                {"states", result.states},
                {"states_converged", result.converged},
                {"contacts", result.contacts},
                {"scenes_that_blew_up_in_mujoco", result.blown_up},
                {"scenes_with_a_robot", result.robots},
                {"worst_scene", result.worst_scene},
                {"worst", to_json(result.worst)}});
    return result.worst;
  }
  fmt::print("{} random scenes ({} with a robot), seed {}: {} states, {} contacts; our solver "
             "converged in {}\n",
             result.scenes, result.robots, seed, result.states, result.contacts, result.converged);
  print_header();
  print_row("worst", result.worst);
  if (result.blown_up > 0) {
    fmt::print("{} of the scenes blew up in MuJoCo, which begins anew then: compared up to there\n",
               result.blown_up);
  }
  fmt::print("largest difference of forces {:.1e} relative, in scene {}\n", result.worst.force,
             result.worst_scene);
  return result.worst;
}

// Status 1 where the two do not agree; the free run may drift, as it is never set back.
void require_agreement(const SoftStepDifference& worst) {
  constexpr double most = 1e-6;
  const double largest = worst.largest_relative();
  std::string what;
  if (!worst.converged) {
    what = "our solver did not converge in some step";
  } else if (std::isnan(worst.drift)) {
    what = "the run that is never set back blew up";
  } else if (!(largest <= most)) {
    what = fmt::format("forces or accelerations differ by {:.1e} relative, expected {:.0e} or less",
                       largest, most);
  } else if (!(worst.next_velocity <= most)) {
    what = fmt::format("velocities after a step differ by {:.1e} relative, expected {:.0e} or less",
                       worst.next_velocity, most);
  } else if (worst.missing > 0) {
    what = fmt::format("{} contacts are in one of the two only", worst.missing);
  }
  std::fflush(stdout);  // the table comes first
  if (!what.empty()) throw std::runtime_error("ours and MuJoCo's do not agree: " + what);
}

void check(const CompareCommand& c, const CLI::App& command) {
  if (c.scene.empty() == (c.random == 0)) {
    throw InputError("mujoco compare needs either a scene, as in `footfall mujoco compare "
                     "scene.xml`, or --random COUNT");
  }
  if (c.random == 0 && command.count("--seed") > 0 && c.control != "random") {
    throw InputError("--seed with a scene, expected it with --random or --control random: nothing "
                     "else has chance in it");
  }
  if (c.random == 0) return;
  if (command.count("--steps") > 0) {
    throw InputError("--steps with --random, expected it with a scene: each random scene takes 5");
  }
  for (const char* option : {"--keyframe", "--control"}) {
    if (command.count(option) == 0) continue;
    throw input_error(
        "{} with --random, expected it with a scene: random scenes have states of their own",
        option);
  }
}

void run_compare(CompareCommand& c, const CLI::App& command) {
  check(c, command);
  if (c.control == "random") {
    c.options.control_from = CompareControl::random;
  } else if (c.control != "keyframe") {
    c.options.control_from = CompareControl::values;
    c.options.control = read_controls(c.control);
  }
  require_agreement(c.random > 0 ? print_random(c.random, c.options.seed, c.json) : print_scene(c));
}

}  // namespace

void add_compare(CLI::App& mujoco) {
  const auto c = std::make_shared<CompareCommand>();
  c->control = "keyframe";
  CLI::App* command = mujoco.add_subcommand(
      "compare",
      "Step a model in Footfall's soft constraints and in MuJoCo, and print differences");
  command->footer(
      "Examples:\n"
      "  footfall mujoco compare scene.xml --steps 500\n"
      "  footfall mujoco compare scene.xml --keyframe crouch --control random --seed 3\n"
      "  footfall mujoco compare --random 1000 --seed 1\n"
      "\nStatus 1: the two do not agree. docs/theory/soft-constraints-engine.md");
  command->add_option("scene", c->scene, "MJCF file with the ground's planes in it");
  command->add_option("--steps", c->options.steps, "steps to compare")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--keyframe", c->options.keyframe,
                      "where both begin; default: the first, or the reference pose");
  command
      ->add_option("--control", c->control,
                   "held during the run: keyframe (its ctrl, or zeros), random (within the "
                   "actuators' ranges), or numbers as in \"0.1 -0.2\"")
      ->capture_default_str();
  command->add_option("--random", c->random, "compare this many random scenes instead")
      ->check(CLI::Range(1, 10'000'000));
  command->add_option("--seed", c->options.seed, "of random scenes or controls")
      ->capture_default_str();
  command->add_flag("--json", c->json, "print JSON");
  command->callback([c, command] { run_compare(*c, *command); });
}

}  // namespace footfall::mujoco_commands
