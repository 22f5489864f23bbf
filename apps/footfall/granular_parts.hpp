// What the commands of `footfall granular` share: feet and speeds from options, pictures of wrench spaces.
#pragma once

#include <optional>

#include "commands.hpp"
#include "footfall/granular/wrench_hull.hpp"
#include "footfall/report/plot.hpp"

namespace footfall::granular_commands {

struct GranularFootOptions {
  std::string foot = "cylinder";
  std::optional<double> radius, length, width, height, reference_height;  // [m]
};

void add_foot_options(CLI::App& sub, GranularFootOptions& options);
void add_speed_options(CLI::App& sub, PlanarVelocity& speeds);

// Throws InputError where a size that the shape needs is missing, or one is given that it has not.
GrainFoot make_foot(const GranularFootOptions& options);

// W seen along the torque, and along the vertical force, as Fig. 3 of Zhu 2019. The last point is zero.
Plot draw_wrench_space(const std::string& title, const std::vector<PlanarWrench>& points,
                       const WrenchHull& hull);

// Vertical force and torque over depth, measured and learned, for some motions at each tilt.
Plot draw_learned(const WrenchDatabase& database, const WrenchModel& model);

}  // namespace footfall::granular_commands
