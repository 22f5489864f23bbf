// footfall export: a run file as CSV.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "footfall/record/run_file.hpp"

namespace footfall {
namespace {

struct ExportCommand {
  std::string run_file, csv_file;
};

void run_export(const ExportCommand& command) {
  std::filesystem::path csv = command.csv_file;
  if (csv.empty()) csv = std::filesystem::path(command.run_file).replace_extension(".csv");
  export_csv(command.run_file, csv);
  fmt::print("{}\n", csv.string());
}

}  // namespace

void add_export_command(CLI::App& app) {
  auto [sub, command] =
      add_command<ExportCommand>(app, "export", "Write a run file as CSV", run_export);
  sub.add_option("run", command.run_file, "Run file, as results/quadruped_drop/run.h5")->required();
  sub.add_option("csv", command.csv_file, "File to write; without it the run file's name, .csv");
  sub.footer("Example:\n  footfall export results/quadruped_drop/run.h5 drop.csv");
}

}  // namespace footfall
