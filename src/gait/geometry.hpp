// Small geometry that the gaits share.
#pragma once

#include <vector>

#include "footfall/gait/footsteps.hpp"
#include "footfall/gait/legs.hpp"
#include "footfall/ground/world.hpp"
#include "footfall/math/hull.hpp"

namespace footfall {

// Heading of a frame: of its x axis, seen from above [rad].
double yaw_of(const Mat3d& R);

// Rotation vector, frame W, that turns `from` into `to`; unique below half a turn [rad].
Vec3d rotation_between(const Mat3d& from, const Mat3d& to);

// Puts the corners of the points' convex hull, seen from above and against the clock, at the front of the
// list; returns their number. What follows them is scratch. Points whose x differ by less than some
// `same_x` count as above each other: edges of turned shapes are straight up to round-off only [m].
std::size_t find_hull(std::vector<Vec3d>& points, double same_x = 0);

// ---- soles and support ----

// The rotation by a rotation vector [rad].
Mat3d rotation_by(const Vec3d& rotation);

// A level sole's frame on the ground at a foothold, with the given heading.
Mat3d sole_frame(const World& world, const Foothold& foothold, double yaw);

// Half of a flat sole's length and width, along the axes of its frame [m].
Vec3d half_sole(const Leg& leg);

// The point of the convex hull of some points, all seen from above, that is nearest to `p`.
Vec3d nearest_in_hull(const Vec3d& p, std::vector<Vec3d>& points);

}  // namespace footfall
