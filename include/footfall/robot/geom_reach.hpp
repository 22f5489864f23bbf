// How far a shape reaches.
#pragma once

#include "footfall/robot/model.hpp"

namespace footfall {

// From its centre along the unit vector `up` given in its own frame G [m].
double reach_along(const Geom& geom, const Vec3d& up);

}  // namespace footfall
