// Soles and support, for the files of the walk.
#pragma once

#include "footfall/gait/footsteps.hpp"
#include "footfall/gait/legs.hpp"
#include "footfall/ground/world.hpp"
#include "gait/geometry.hpp"

namespace footfall {

// The rotation by a rotation vector [rad].
Mat3d rotation_by(const Vec3d& rotation);

// A level sole's frame on the ground at a foothold, with the given heading.
Mat3d sole_frame(const World& world, const Foothold& foothold, double yaw);

// Half of a flat sole's length and width, along the axes of its frame [m].
Vec3d half_sole(const Leg& leg);

// The point of the convex hull of some points, all seen from above, that is nearest to `p`.
Vec3d nearest_in_hull(const Vec3d& p, std::vector<Vec3d>& points);

}  // namespace footfall
