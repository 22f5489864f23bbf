// footfall granular: from grains or measurements to wrench spaces.
#include "commands.hpp"
#include "parts.hpp"

namespace footfall {

void add_granular_command(CLI::App& app, const std::string& command_line) {
  CLI::App* granular = app.add_subcommand(
      "granular", "Wrench spaces of granular media, from grains or measurements");
  using namespace granular_commands;
  add_part<parts::granular>(*granular, {"resistive-force", "import"}, [&](auto& group) {
    add_resistive_force(group, command_line);
    add_import(group, command_line);
  });
  add_part<parts::campaign>(*granular, {"sample", "status", "path", "bench"}, [&](auto& group) {
    add_sample(group, command_line);
    add_status(group);
    add_part<parts::run>(group, {"path"}, [&](auto& g) { add_grain_path(g, command_line); });
    add_grain_bench(group);
  });
  add_part<parts::granular>(*granular, {"learn", "show", "select"}, [](auto& group) {
    add_learn(group);
    add_show(group);
    add_select(group);
  });
  granular->footer("Examples:\n"
                   "  footfall granular sample media/beads.toml --dry-run\n"
                   "  footfall granular show media/beads.csv --depth-m 0.08 --tilt-rad 0.3\n"
                   "  footfall granular learn media/beads.csv");
  require_one_command(*granular);
}

}  // namespace footfall
