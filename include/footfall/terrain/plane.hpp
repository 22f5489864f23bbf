// Ground that is one plane, and ground that is a heightfield.
#pragma once

#include "footfall/terrain/terrain.hpp"

namespace footfall {

// Level ground at a height [m].
Terrain make_flat(double height = 0);

// A plane through the origin of W. slope_rad is its angle against the horizontal, in [0, 1.55];
// direction_rad, within ±2π, is the heading of steepest ascent about z: 0 climbs towards +x,
// π/2 towards +y.
Terrain make_slope(double slope_rad, double direction_rad);

// The heightfield as ground, checked.
Terrain make_terrain(Heightfield field);

}  // namespace footfall
