// footfall identify: soil parameters from rig data.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "footfall/io/new_file.hpp"
#include "footfall/io/progress.hpp"
#include "identify_command.hpp"
#include "input_error.hpp"
#include "io/text_file.hpp"

namespace footfall {
namespace identify_command {
namespace {

// The values are there even where no soil can be made of them.
void write_files(const Options& o, const Identification& found, const std::string& command_line) {
  OutputsTogether together;
  if (!o.output.empty() && found.soil) write_text_file(o.output, found.soil_text);
  if (!o.plot.empty()) write_plot(o.plot, plot_fits(found));
  if (!o.report.empty()) write_report(o.report, found, o.confidence, command_line);
  together.keep();
}

void print_files(const Options& o, bool soil) {
  if (!o.output.empty() || !o.report.empty() || !o.plot.empty()) fmt::print("\n");
  if (!o.output.empty() && soil) fmt::print("Soil: {}\n", o.output);
  if (!o.report.empty()) fmt::print("Report: {}\n", o.report);
  if (!o.plot.empty()) fmt::print("Picture: {}\n", o.plot);
  if (!o.output.empty() && o.report.empty()) {
    fmt::print("--report fit.html shows data, law, residuals and correlations on a page\n");
  }
}

// After all results were shown: the soil that was asked for was not written.
void refuse_without_soil(const Options& o, const Identification& found) {
  if (o.output.empty() || found.soil) return;
  std::fflush(stdout);
  throw input_error("--output {}: {}", o.output, found.soil_problem);
}

void run(const Options& o, const std::string& command_line) {
  IdentifyRequest request = make_request(o);
  ProgressBar bar(1000, !o.json);
  request.progress = [&](double share) { bar.update(static_cast<std::int64_t>(1000 * share)); };
  Identification found = identify(request);
  bar.clear();
  if (!o.output.empty() && found.soil && !found.from_base.empty()) {
    found.warnings.push_back(fmt::format("{}: {}", o.output, found.soil->notes));
  }
  write_files(o, found, command_line);
  for (const std::string& text : found.warnings) {
    fmt::print(stderr, "footfall: warning: {}\n", text);
  }
  if (!o.json) {
    print_identification(found, o.confidence);
    print_files(o, found.soil.has_value());
    refuse_without_soil(o, found);
    return;
  }
  Json json = identification_json(found, o.confidence);
  if (!o.output.empty() && found.soil) json["output"] = o.output;
  if (!o.report.empty()) json["report"] = o.report;
  if (!o.plot.empty()) json["plot"] = o.plot;
  print_json(json);
  refuse_without_soil(o, found);
}

}  // namespace
}  // namespace identify_command

void add_identify_command(CLI::App& app, const std::string& command_line) {
  auto options = std::make_shared<identify_command::Options>();
  CLI::App* command = app.add_subcommand("identify", "Find a soil's parameters in rig data");
  identify_command::add_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  footfall identify press.csv --foot disc --radius 0.05 --output my-sand.toml\n"
      "  footfall identify small.csv large.csv --foot disc --radius 0.03,0.06 --report fit.html\n"
      "  footfall identify press.csv drop.csv --foot disc --radius 0.05 --mass 20 --json\n"
      "  footfall identify drag100.csv drag300.csv --foot disc --radius 0.05 --fit shear\n"
      "  footfall identify impact.csv --mass 30 --model hunt_crossley --compare\n"
      "\ndocs/identify.md tells how.");
  command->callback([options, command_line] { identify_command::run(*options, command_line); });
}

}  // namespace footfall
