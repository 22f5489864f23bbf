// What the command line of `footfall identify` asks for.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "foot_options.hpp"
#include "footfall/identify/identify.hpp"

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
IdentifyPlan make_plan(const Options& options);

}  // namespace footfall::identify_command
