// footfall report: a page to look at, of any run file.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "footfall/viewer/page.hpp"

namespace footfall {

void add_report_command(CLI::App& app) {
  struct ReportCommand {
    std::string run_file, output;
  };
  auto command = std::make_shared<ReportCommand>();
  CLI::App* sub = app.add_subcommand("report", "Make a page to look at of a run file");
  sub->add_option("run", command->run_file, "Run file, as results/quadruped_drop/run.h5")
      ->required();
  sub->add_option("-o,--output", command->output,
                  "File to write; without it report.html beside the run file");
  sub->footer("Also of a run that was killed: up to its last recorded step.\n\n"
              "Example:\n  footfall report results/quadruped_drop/run.h5");
  sub->callback([command] {
    std::filesystem::path output = command->output;
    if (output.empty()) {
      output = std::filesystem::path(command->run_file).parent_path() / "report.html";
    }
    write_page(output, make_run_page(read_run(command->run_file)));
    fmt::print("{}\n", output.string());
  });
}

}  // namespace footfall
