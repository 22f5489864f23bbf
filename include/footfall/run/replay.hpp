// The bundle that a failed run leaves, and the step repeated from it.
//
//   failure-step-1203/
//     scenario.toml   as run, overrides included
//     step.json       the state before the step, the control, the command line
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "footfall/run/run.hpp"

namespace footfall {

// One step, about to be done.
struct StepRecord {
  std::int64_t step = 0;  // counted from 1
  State<double> state;    // before the step
  Control<double> control;
  std::string command;  // that ran the scenario
};

// Is anything of the state not finite?
bool is_finite(const State<double>& state);

// "joint 'front_left_knee' …; foot 'front_left_foot' …": who is not finite after a step, and who
// moved and sank most before it.
std::string describe_failure(const World& world, const State<double>& before,
                             const State<double>& after, const StepWorkspace<double>& workspace);

// Writes the bundle into `folder`, made anew.
void write_bundle(const std::filesystem::path& folder, const Scenario& scenario,
                  const StepRecord& record);

struct Bundle {
  Scenario scenario;
  RunSetup setup;  // its state is the record's
  StepRecord record;
};
Bundle load_bundle(const std::filesystem::path& folder);

struct ReplayResult {
  bool finite = false;      // of the state after the step
  std::string description;  // of what is not
  State<double> after;
  SolverReport<double> report{};
  std::vector<FootPatch> feet;
  double force_scale = 0;  // the robot's weight [N]
};
ReplayResult replay(const Bundle& bundle);

}  // namespace footfall
