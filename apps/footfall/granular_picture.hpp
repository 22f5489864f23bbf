// Pictures of wrench spaces and of what was learned.
#pragma once

#include "footfall/granular/wrench_hull.hpp"
#include "footfall/report/plot.hpp"

namespace footfall::granular_commands {

// W seen along the torque, and along the vertical force, as Fig. 3 of Zhu 2019. The last point is zero.
Plot draw_wrench_space(const std::string& title, const std::vector<PlanarWrench>& points,
                       const WrenchHull& hull);

// Vertical force and torque over depth, measured and learned, for some motions at each tilt.
Plot draw_learned(const WrenchDatabase& database, const WrenchModel& model);

}  // namespace footfall::granular_commands
