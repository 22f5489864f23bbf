// The program's commands. Each adds its options and a callback that runs it; a callback throws
// InputError when the user's input is wrong, and CLI::RuntimeError(status) to end with a status.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall {

using Json = nlohmann::ordered_json;

void add_run_command(CLI::App& app, const std::string& command_line);
void add_replay_command(CLI::App& app);
void add_export_command(CLI::App& app);
void add_view_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_compare_command(CLI::App& app, const std::string& command_line);
void add_inspect_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_stress_command(CLI::App& app);
void add_soils_command(CLI::App& app);
void add_rig_command(CLI::App& app);
void add_identify_command(CLI::App& app, const std::string& command_line);
void add_reproduce_command(CLI::App& app);
void add_mujoco_command(CLI::App& app);
void add_granular_command(CLI::App& app, const std::string& command_line);
// These two show the commands that `app` has when they run.
void add_help_command(CLI::App& app);
void add_completions_command(CLI::App& app);

namespace mujoco_commands {
void add_compare(CLI::App& mujoco);
void add_soil(CLI::App& mujoco);
void add_tune(CLI::App& mujoco);
void add_try(CLI::App& mujoco);
void add_curve(CLI::App& mujoco);
void add_inverse(CLI::App& mujoco);
}  // namespace mujoco_commands
namespace granular_commands {
void add_resistive_force(CLI::App& granular, const std::string& command_line);
void add_import(CLI::App& granular, const std::string& command_line);
void add_learn(CLI::App& granular);
void add_show(CLI::App& granular);
void add_select(CLI::App& granular);
void add_sample(CLI::App& granular, const std::string& command_line);
void add_status(CLI::App& granular);
void add_grain_path(CLI::App& granular, const std::string& command_line);
void add_grain_bench(CLI::App& granular);
// For `footfall mujoco soil --wrench-space`.
void learn_medium_file(const std::string& database, const std::filesystem::path& output);
}  // namespace granular_commands

// Of a group of commands: one of them must be there. `kind`: what messages call them.
void require_one_command(CLI::App& group, const char* kind = "command");

// Asks the desktop to show an address; says on stderr where there is none that could.
void open_browser(const std::string& address);

// --set KEY=VALUE, for values of a file of this kind.
void add_settings(CLI::App& command, std::vector<std::string>& settings, const char* of);

// On stdout; letters that are no UTF-8 are replaced.
void print_json(const Json& json);
bool has_printed_json();
// Columns of texts on stdout, as wide as they need. `right` has one letter per column: 'r' where it is flush right.
void print_rows(const std::vector<std::vector<std::string>>& rows, const std::string& right);

// A command with options of its own, which live as long as it does; `run` is called with them.
template <class Options, class Argument = const Options&>
std::pair<CLI::App&, Options&> add_command(CLI::App& group, const char* name, const char* text,
                                           void (*run)(Argument)) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = group.add_subcommand(name, text);
  command->callback([options, run] { run(*options); });
  return {*command, *options};
}

// A command whose part of the library was not built: it is known, and says what the build lacks.
void add_missing(CLI::App& app, const std::string& name, std::string_view lacks);
// Commands of a part of the library, added by `add(app)`. A call that is not made is not linked, so a part that
// was not built is not needed: `add` takes its argument as auto&.
template <const std::string_view& lacks, class Add>
void add_part(CLI::App& app, std::initializer_list<const char*> names, const Add& add) {
  if constexpr (lacks.empty()) {
    add(app);
  } else {
    for (const char* name : names) add_missing(app, name, lacks);
  }
}

}  // namespace footfall
