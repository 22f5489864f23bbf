// footfall mujoco compare: our soft constraints against real MuJoCo.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "footfall/error.hpp"
#include "footfall/mujoco/soft_compare.hpp"
#include "mujoco_commands.hpp"

namespace footfall::mujoco_commands {
namespace {

using Json = nlohmann::ordered_json;

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

SoftStepDifference print_scene(const std::string& file, int steps, bool json) {
  const SoftComparison result = compare_soft_file(file, {.steps = steps});
  if (json) {
    Json rows = Json::array();
    for (const SoftStepDifference& step : result.steps) rows.push_back(to_json(step));
    fmt::print("{}\n", Json{{"model", result.model},
                            {"warnings", result.warnings},
                            {"worst", to_json(result.worst)},
                            {"steps", rows}}
                           .dump(2));
    return result.worst;
  }
  fmt::print("{}: ours less MuJoCo's; force to velocity over the largest of MuJoCo's in the step\n",
             result.model);
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
    fmt::print("{}\n", Json{{"scenes", result.scenes},
                            {"seed", seed},
                            {"states", result.states},
                            {"states_converged", result.converged},
                            {"contacts", result.contacts},
                            {"scenes_with_a_robot", result.robots},
                            {"worst_scene", result.worst_scene},
                            {"worst", to_json(result.worst)}}
                           .dump(2));
    return result.worst;
  }
  fmt::print("{} random scenes ({} with a robot), seed {}: {} states, {} contacts; our solver "
             "converged in {}\n",
             result.scenes, result.robots, seed, result.states, result.contacts, result.converged);
  print_header();
  print_row("worst", result.worst);
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
    what =
        fmt::format("velocities after a step differ by {:.1e} relative, expected {:.0e} or less; "
                    "a lone free body does so in implicitfast, which takes its gyroscopic moment "
                    "implicitly in MuJoCo only",
                    worst.next_velocity, most);
  } else if (worst.missing > 0) {
    what = fmt::format("{} contacts are in one of the two only", worst.missing);
  }
  std::fflush(stdout);  // the table comes first
  if (!what.empty()) throw std::runtime_error("ours and MuJoCo's do not agree: " + what);
}

}  // namespace

void add_compare(CLI::App& mujoco) {
  struct Options {
    std::string scene;
    int steps = 100;
    int random = 0;
    unsigned seed = 1;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = mujoco.add_subcommand(
      "compare",
      "Step a model in Footfall's soft constraints and in MuJoCo, and print differences");
  command->footer("Examples:\n"
                  "  footfall mujoco compare scene.xml --steps 500\n"
                  "  footfall mujoco compare --random 1000 --seed 1");
  command->add_option("scene", options->scene, "MJCF file with the ground's planes in it");
  command->add_option("--steps", options->steps, "steps to compare")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--random", options->random, "compare this many random scenes instead")
      ->check(CLI::Range(1, 10'000'000));
  command->add_option("--seed", options->seed, "of the random scenes")->capture_default_str();
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options, command] {
    if (options->scene.empty() == (options->random == 0)) {
      throw InputError("mujoco compare needs either a scene, as in `footfall mujoco compare "
                       "scene.xml`, or --random COUNT");
    }
    const bool random = options->random > 0;
    if (!random && command->count("--seed") > 0) {
      throw InputError(
          "--seed with a scene, expected it with --random: a scene has no chance in it");
    }
    if (random && command->count("--steps") > 0) {
      throw InputError(
          "--steps with --random, expected it with a scene: each random scene takes 5");
    }
    require_agreement(random ? print_random(options->random, options->seed, options->json)
                             : print_scene(options->scene, options->steps, options->json));
  });
}

}  // namespace footfall::mujoco_commands
