// footfall granular: from grains or measurements to wrench spaces.
#include "commands.hpp"
#include "granular_commands.hpp"
#include "parts.hpp"

namespace footfall {

void add_granular_command(CLI::App& app, const std::string& command_line) {
  CLI::App* granular = app.add_subcommand(
      "granular", "Wrench spaces of granular media, from grains or measurements");
  if constexpr (parts::granular.empty()) {
    granular_commands::add_resistive_force(*granular, command_line);
    granular_commands::add_import(*granular, command_line);
  } else {
    for (const char* name : {"resistive-force", "import"}) {
      add_missing(*granular, name, parts::granular);
    }
  }
  if constexpr (parts::campaign.empty()) {
    granular_commands::add_sample(*granular, command_line);
    granular_commands::add_status(*granular);
    granular_commands::add_grain_path(*granular, command_line);
    granular_commands::add_grain_bench(*granular);
  } else {
    for (const char* name : {"sample", "status", "path", "bench"}) {
      add_missing(*granular, name, parts::campaign);
    }
  }
  if constexpr (parts::granular.empty()) {
    granular_commands::add_learn(*granular);
    granular_commands::add_show(*granular);
    granular_commands::add_select(*granular);
  } else {
    for (const char* name : {"learn", "show", "select"}) {
      add_missing(*granular, name, parts::granular);
    }
  }
  granular->footer("Examples:\n"
                   "  footfall granular sample media/beads.toml --dry-run\n"
                   "  footfall granular show media/beads.csv --depth-m 0.08 --tilt-rad 0.3\n"
                   "  footfall granular learn media/beads.csv");
  require_one_command(*granular);
}

}  // namespace footfall
