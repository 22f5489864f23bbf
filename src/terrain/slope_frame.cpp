#include "footfall/terrain/slope_frame.hpp"

#include <cmath>

#include "input_error.hpp"

namespace footfall {

Mat3d slope_frame(const Vec3d& normal, double heading) {
  const double length = norm(normal);
  if (!(std::isfinite(length) && normal.z > 0)) {
    throw input_error("normal = ({}, {}, {}), expected finite numbers, the third above 0", normal.x,
                      normal.y, normal.z);
  }
  if (!std::isfinite(heading)) {
    throw input_error("heading = {} rad, expected a finite number", heading);
  }
  const double c = std::cos(heading), s = std::sin(heading);
  const Vec3d z = (1 / length) * normal;
  const Vec3d along{z.z * c, z.z * s, -z.x * c - z.y * s};
  const Vec3d x = (1 / norm(along)) * along;
  return {x, cross(z, x), z};
}

}  // namespace footfall
