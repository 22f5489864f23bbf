// The program's commands. Each adds its options and a callback that runs it; a callback throws
// InputError when the user's input is wrong, and CLI::RuntimeError(status) to end with a status.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace footfall {

void add_run_command(CLI::App& app, const std::string& command_line);
void add_replay_command(CLI::App& app);
void add_export_command(CLI::App& app);
void add_view_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_compare_command(CLI::App& app, const std::string& command_line);
void add_inspect_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_soils_command(CLI::App& app);
void add_rig_command(CLI::App& app);
void add_identify_command(CLI::App& app, const std::string& command_line);
void add_reproduce_command(CLI::App& app);
void add_mujoco_command(CLI::App& app);
void add_granular_command(CLI::App& app, const std::string& command_line);

// Of a group of commands: one of them must be there. `kind`: what messages call them.
void require_one_command(CLI::App& group, const char* kind = "command");

// --set KEY=VALUE, for values of a file of this kind.
void add_settings(CLI::App& command, std::vector<std::string>& settings, const char* of);

// On stdout; letters that are no UTF-8 are replaced.
void print_json(const nlohmann::ordered_json& json);
// A command whose part of the library was not built: it is known, and says what the build lacks.
void add_missing(CLI::App& app, const std::string& name, std::string_view lacks);

}  // namespace footfall
