// Small geometry that the files of the walk share.
#pragma once

#include "footfall/gait/footsteps.hpp"
#include "footfall/gait/legs.hpp"
#include "footfall/simulate/world.hpp"

namespace footfall {

// Heading of a frame: of its x axis, seen from above [rad].
double yaw_of(const Mat3d& R);

// Rotation vector, frame W, that turns `from` into `to`; exact up to small angles' third order [rad].
Vec3d rotation_between(const Mat3d& from, const Mat3d& to);

// The rotation by that vector.
Mat3d rotation_by(const Vec3d& rotation);

// A level sole's frame on the ground at a foothold, with the given heading.
Mat3d sole_frame(const World& world, const Foothold& foothold, double yaw);

// Half of a flat sole's length and width, along the axes of its frame [m].
Vec3d half_sole(const Leg& leg);

// The point of the convex hull of some points, all seen from above, that is nearest to `p`.
Vec3d nearest_in_hull(const Vec3d& p, std::vector<Vec3d>& points);

}  // namespace footfall
