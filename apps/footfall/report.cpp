// footfall report: an HTML report of any run file.
#include <fmt/format.h>

#include <filesystem>

#include "capture_options.hpp"
#include "commands.hpp"
#include "footfall/io/new_file.hpp"
#include "footfall/viewer/page.hpp"

namespace footfall {
namespace {

struct ReportCommand {
  std::string run_file, output;
  serve::CaptureOptions capture;
};

void run_report(ReportCommand command) {
  check_drawing(command.capture);
  command.capture.progress = true;
  std::filesystem::path output = command.output;
  if (output.empty()) {
    output = std::filesystem::path(command.run_file).parent_path() / "report.html";
  }
  const PageContent page = make_run_page(open_run(command.run_file));
  OutputsTogether together;
  write_page(output, page);
  if (command.capture.wanted()) draw_page(page, command.capture);
  together.keep();
  fmt::print("{}\n", output.string());
}

}  // namespace

void add_report_command(CLI::App& app) {
  auto [sub, command] =
      add_command<ReportCommand>(app, "report", "Make an HTML report of a run file", run_report);
  sub.add_option("run", command.run_file, "Run file, as results/quadruped_drop/run.h5")->required();
  sub.add_option("-o,--output", command.output,
                 "File to write; without it report.html beside the run file");
  add_capture_options(sub, command.capture);
  sub.footer("Also of a run that was killed: up to its last recorded step.\n\n"
             "Example:\n  footfall report results/quadruped_drop/run.h5");
}

}  // namespace footfall
