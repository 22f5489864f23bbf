// What `footfall mujoco tune` and `try` say of a robot on soft ground.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "footfall/tune/tune.hpp"

namespace footfall::mujoco_commands {

// What was asked for, and what came out.
struct TunedAnswer {
  std::string robot, output, plot;  // files; empty: none
  Tuned tuned;
  std::optional<SoftFit> fit;
  std::vector<FootOnSoil> soil;
};

// Throws InputError where a model would replace the file that it was read from.
void check_model_output(const std::string& robot, const std::string& output);
void add_armature_option(CLI::App& command, std::optional<double>& armature);
// Force against sinkage, into answer.plot.
void write_tuned_plot(const TunedAnswer& answer);
// On stdout.
void tell(const TunedAnswer& answer, bool json);

}  // namespace footfall::mujoco_commands
