// The convex hull of points in space.
#pragma once

#include <array>
#include <vector>

#include "footfall/math/spatial.hpp"

namespace footfall {

// Triangles of the hull, seen from outside against the clock. Points one by one: those that see faces from
// outside replace them by a fan to the rim of what they see. Points that lie within a billionth of the
// extent of a face count as inside. None where all points lie in a plane. For a few hundred points.
std::vector<std::array<int, 3>> solid_hull(const std::vector<Vec3d>& points);

}  // namespace footfall
