// footfall granular import: wrenches that others measured, as a database.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "foot_options.hpp"
#include "footfall/granular/wrench_database.hpp"
#include "granular_parts.hpp"
#include "input_error.hpp"

namespace footfall::granular_commands {
namespace {

struct ImportCommand {
  std::string file, output;
  ImportOptions options;
  GranularFootOptions foot;
  bool json = false;
};

void run_import(ImportCommand c) {
  check_ending("output", c.output, ".csv");
  std::error_code error;
  if (std::filesystem::equivalent(c.file, c.output, error)) {
    throw input_error(
        "output = '{}' is the file to import: give another name, so that the measurements stay",
        c.output);
  }
  c.options.foot = make_foot(c.foot);
  const ImportedWrenches imported = import_wrenches(c.file, c.options);
  const WrenchDatabase& database = imported.database;
  write_wrench_database(c.output, database);
  if (c.json) {
    const Json json{{"output", c.output},
                    {"configurations", database.configurations.size()},
                    {"directions", database.directions.size()},
                    {"notes", imported.notes}};
    print_json(json);
    return;
  }
  for (const std::string& note : imported.notes) fmt::print("note: {}\n", note);
  fmt::print("{}: {} configurations in {} directions\n", c.output, database.configurations.size(),
             database.directions.size());
}

}  // namespace

void add_import(CLI::App& granular, const std::string& command_line) {
  auto [sub, c] =
      add_command<ImportCommand>(granular, "import", "Measured wrenches as a database", run_import);
  c.options.source = command_line;
  sub.add_option("file", c.file,
                 "CSV: depth_m, tilt_rad, velocity_index (or direction), force_x_N, force_z_N, "
                 "torque_y_Nm")
      ->required();
  sub.add_option("--medium", c.options.medium, "The medium's name")->required();
  add_foot_options(sub, c.foot);
  add_speed_options(sub, c.options.speeds);
  sub.add_option("-o,--output", c.output, "The database, FILE.csv")->required();
  sub.add_flag("--json", c.json, "Print JSON, and nothing else, on stdout");
  sub.footer("Directions are numbered 0 to 25 or 0 to 57: first the pole of pure tilting with a\n"
             "positive rate, then rings of eight in the order of falling rate, each from straight\n"
             "down towards +x, last the other pole. docs/granular.md has the picture.\n"
             "\nExample:\n"
             "  footfall granular import measured.csv --medium sand --radius-m 0.04 --height-m 0.3 "
             "\\\n      --reference-height-m 0.1572 -o sand.csv");
}

}  // namespace footfall::granular_commands
