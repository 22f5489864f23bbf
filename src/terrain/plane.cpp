#include "footfall/terrain/plane.hpp"

#include <utility>

#include "terrain/grid.hpp"

namespace footfall {

Terrain make_flat(double height) {
  check_finite("height", height, "m");
  Terrain terrain;
  terrain.plane_point.z = height;
  return terrain;
}

Terrain make_slope(double slope_rad, double direction_rad) {
  check_value(slope_rad >= 0 && slope_rad <= 1.55, "slope", slope_rad, "rad", "[0, 1.55]");
  check_direction("direction", direction_rad);
  double sin_slope = 0, cos_slope = 1, sin_direction = 0, cos_direction = 1;
  sincos(slope_rad, sin_slope, cos_slope);
  sincos(direction_rad, sin_direction, cos_direction);
  Terrain terrain;
  terrain.plane_normal = {-sin_slope * cos_direction, -sin_slope * sin_direction, cos_slope};
  return terrain;
}

Terrain make_terrain(Heightfield field) {
  check_heightfield(field);
  Terrain terrain;
  terrain.is_plane = false;
  terrain.field = std::move(field);
  return terrain;
}

}  // namespace footfall
