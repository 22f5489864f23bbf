// Where a straight line runs inside a shape.
#pragma once

#include "footfall/robot/model.hpp"

namespace footfall {

// The part of a line p + t d that is inside, t in [from, to]; none of it where from > to.
struct LineInterval {
  double from = -1e300, to = 1e300;
  bool is_empty() const { return !(from <= to); }
};

// p and d in the geom's frame G. A mesh counts as its convex hull.
LineInterval line_in_shape(const Geom& geom, const Vec3d& p, const Vec3d& d);

}  // namespace footfall
