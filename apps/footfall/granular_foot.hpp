// The foot and the speeds that options of `footfall granular` describe.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "footfall/granular/wrench_database.hpp"

namespace footfall::granular_commands {

struct GranularFootOptions {
  std::string foot = "cylinder";
  std::optional<double> radius, length, width, height, reference_height;  // [m]
};

void add_foot_options(CLI::App& sub, GranularFootOptions& options);
void add_speed_options(CLI::App& sub, PlanarVelocity& speeds);

// Throws InputError where a size that the shape needs is missing, or one is given that it has not.
GrainFoot make_foot(const GranularFootOptions& options);

}  // namespace footfall::granular_commands
