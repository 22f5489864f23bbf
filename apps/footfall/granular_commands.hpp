// The commands of `footfall granular`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace footfall::granular_commands {

// Each adds its command to `granular`.
void add_resistive_force(CLI::App& granular, const std::string& command_line);
void add_import(CLI::App& granular, const std::string& command_line);
void add_learn(CLI::App& granular);
void add_show(CLI::App& granular);
void add_select(CLI::App& granular);
void add_sample(CLI::App& granular, const std::string& command_line);
void add_status(CLI::App& granular);
void add_grain_path(CLI::App& granular, const std::string& command_line);
void add_grain_bench(CLI::App& granular);

}  // namespace footfall::granular_commands
