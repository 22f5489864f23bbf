// Our soft constraints against real MuJoCo: the same model, the same states.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

struct mjModel_;

namespace footfall {

// Differences of one step, ours less MuJoCo's. Relative ones are the largest difference over the
// largest of MuJoCo's numbers of that kind, which counts as no less than a thousandth of the robot's
// weight (forces) or of gravity (accelerations).
struct SoftStepDifference {
  int contacts = 0;          // MuJoCo's, without those in a gap
  int missing = 0;           // contacts that only one of the two programs has
  double position = 0;       // of contact points [m]
  double distance = 0;       // between shapes and planes [m]
  double force = 0;          // of contacts, limits and joint friction, relative
  double acceleration = 0;   // relative
  double next_velocity = 0;  // after the step, relative
  double inverse_force = 0;  // constraint forces of a given acceleration, relative
  double applied_force = 0;  // inverse dynamics of that acceleration, relative
  double drift = 0;        // of a run that was never set back: largest difference of qpos [m, rad]
  int iterations = 0;      // of our solver
  bool converged = false;  // our solver

  // Of forces and accelerations, forward and inverse; NaN if one of them is.
  double largest_relative() const;
};

// Larger of each; converged only if both have.
void keep_larger(const SoftStepDifference& from, SoftStepDifference& to);

struct SoftComparison {
  std::string model;
  std::string start;     // keyframe 'stand', or the reference pose
  std::string controls;  // whose they are, or what
  // Of MuJoCo's options, overridden so that both solvers converge and only the models are compared:
  // "iterations = 100 (file: 50)".
  std::vector<std::string> overridden;
  std::vector<SoftStepDifference> steps;
  SoftStepDifference worst;
  std::vector<std::string> warnings;
  bool blew_up = false;  // MuJoCo found numbers too large in a step, and began anew by itself
};

// What all actuators are told during the whole run.
enum class CompareControl {
  keyframe,  // what the keyframe has, else zeros
  values,    // SoftCompareOptions::control
  random,    // within each actuator's range, or ±1
};

struct SoftCompareOptions {
  int steps = 100;
  unsigned seed = 1;          // of the accelerations for inverse dynamics, and of random controls
  std::string keyframe = {};  // empty: the first, or the reference pose
  CompareControl control_from = CompareControl::keyframe;
  std::vector<double> control = {};  // of each actuator
  bool stop_at_blow_up = false;      // leave the step out in which MuJoCo blows up, and end there
};

// Steps both programs through the same states, MuJoCo's: after every step ours starts anew from
// them. `drift` is of another run of ours, which starts together and goes on by itself. MuJoCo's
// solver is Newton's, run until it finds no better point. Contacts between two links of the robot
// are taken out of MuJoCo's model and named in the warnings. Throws InputError: no such keyframe,
// another number of controls than of actuators.
SoftComparison compare_soft(const mjModel_& model, const std::string& source,
                            const SoftCompareOptions& options);
SoftComparison compare_soft(const mjModel_& model, const std::string& source,
                            const SoftCompareOptions& options, const std::vector<double>& qpos,
                            const std::vector<double>& qvel);
SoftComparison compare_soft_file(const std::filesystem::path& file,
                                 const SoftCompareOptions& options);

// Many scenes, some steps of each.
struct RandomComparison {
  int scenes = 0;
  int robots = 0;     // scenes with a robot of the library
  int states = 0;     // steps compared
  int converged = 0;  // of these, our solver
  long contacts = 0;  // over all states
  int blown_up = 0;   // scenes that MuJoCo could not step to their end
  SoftStepDifference worst;
  std::string worst_scene;  // of the forces
};

// Scenes drawn from the seed: free bodies, chains of links and the robots of the library, on planes
// and slopes, with random parameters of all constraints. `folder`: where robots/ is looked for
// first, as for scenarios.
RandomComparison compare_random_scenes(int scenes, unsigned seed,
                                       const std::filesystem::path& folder = {});

}  // namespace footfall
