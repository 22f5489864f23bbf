// The commands of `footfall mujoco`.
#pragma once

#include <CLI/CLI.hpp>

namespace footfall::mujoco_commands {

void add_compare(CLI::App& mujoco);
void add_tune(CLI::App& mujoco);

}  // namespace footfall::mujoco_commands
