// Small geometry that the gaits share.
#pragma once

#include <vector>

#include "footfall/math/hull.hpp"
#include "footfall/math/spatial.hpp"

namespace footfall {

// Heading of a frame: of its x axis, seen from above [rad].
double yaw_of(const Mat3d& R);

// Rotation vector, frame W, that turns `from` into `to`; unique below half a turn [rad].
Vec3d rotation_between(const Mat3d& from, const Mat3d& to);

// Puts the corners of the points' convex hull, seen from above and against the clock, at the front of the
// list; returns their number. What follows them is scratch. Points whose x differ by less than some
// `same_x` count as above each other: edges of turned shapes are straight up to round-off only [m].
std::size_t find_hull(std::vector<Vec3d>& points, double same_x = 0);

}  // namespace footfall
