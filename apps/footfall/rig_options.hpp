// What all subcommands of `footfall rig` share: foot, soil, pad, and where results go.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "foot_options.hpp"
#include "footfall/report/plot.hpp"
#include "footfall/rig/foot.hpp"
#include "footfall/rig/series.hpp"

namespace footfall::rig {

struct Options {
  FootOptions foot;
  FormOptions form;
  std::string soil;
  std::optional<double> pad_stiffness, pad_exponent, pad_damping, pad_damping_exponent,
      pad_rate_exponent;
  double foot_mass = 0;  // [kg]
  bool json = false;
  std::string csv, plot;
};

void add_options(CLI::App& app, Options& options);

// The foot and the ground that the options describe. Throw InputError.
struct Setup {
  RigGround ground;
  RigFoot foot;
  std::string soil;
  std::string title;  // "cylinder of 50 mm radius, 80 mm wide, on dry-sand"
};
Setup make_setup(const Options& options);

// A column of the series, times a factor to its unit.
std::vector<double> column(const std::vector<RigSample>& series, double RigSample::* field,
                           double factor = 1);

void print_row(const char* name, const std::string& value);

// Writes the table and the picture if they were asked for, and tells programs or people what came out.
// Says once, on stderr and in the JSON, where the foot went beyond what its laws hold for.
void finish(const Options& options, const Setup& setup, const std::vector<RigSample>& series,
            const Plot& plot, Json json, const std::function<void()>& print);

void add_press(CLI::App& rig);
void add_drop(CLI::App& rig);
void add_drag(CLI::App& rig);
void add_path(CLI::App& rig);
void add_tilt(CLI::App& rig);

}  // namespace footfall::rig
