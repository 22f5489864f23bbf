// footfall identify: its options, and what it found, on the screen, as pictures and as a page.
#pragma once

#include <filesystem>
#include <optional>

#include "commands.hpp"
#include "foot_options.hpp"
#include "footfall/identify/identify.hpp"
#include "footfall/report/plot.hpp"

namespace footfall::identify_command {

// Lists are separated by commas, one item per file; a single one counts for all files.
struct Options {
  std::vector<std::string> files;
  std::string columns;
  std::string foot, radius, length, width, mesh, mass, load, kind;  // lists
  std::optional<double> mesh_scale, mesh_spacing;
  FormOptions form;
  std::string fit = "auto", model, shear = "exponential";
  std::string soil, base;
  std::string fix, free;
  std::string method = "least_squares", loss = "square";
  std::optional<double> cutoff;  // [Hz]
  std::string contact = "auto";
  std::optional<int> starts;
  double confidence = 0.95;
  bool direct = false, compare = false, accept_implausible = false, overwrite = false;
  bool json = false;
  std::string output, report, plot;
};

void add_options(CLI::App& app, Options& options);

// Throws InputError.
IdentifyRequest make_request(const Options& options);

void print_identification(const Identification& found, double confidence);
// Numbers that are none become null.
Json identification_json(const Identification& found, double confidence);

// What was read of a file, in one line: "press, 201 rows, loading 200, holding 1; contact given".
std::string test_text(const RigTest& test);
// "1.5284e+06 ± 12": as many digits as the error leaves.
std::string value_text(const Estimate& estimate);
std::string error_text(const Estimate& estimate);
std::string interval_text(const Estimate& estimate);

// What the errors are taken from.
std::string errors_text(const Fit& fit);
// Why no interval can be given to a new run.
std::string unknown_run_text(const Fit& fit);

// The parameters worth showing: not those that are fixed at nothing.
std::vector<const Estimate*> shown_parameters(const Fit& fit);
// Indices of those that were fitted.
std::vector<int> free_parameters(const Fit& fit);

// Data, law and band of every part, and their residuals.
Plot plot_fits(const Identification& found);

void write_report(const std::filesystem::path& file, const Identification& found, double confidence,
                  const std::string& command_line);

}  // namespace footfall::identify_command
