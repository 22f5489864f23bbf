#include "footfall/robot/geom_reach.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {

double reach_along(const Geom& geom, const Vec3d& up) {
  const Vec3d& s = geom.size;
  switch (geom.type) {
  case GeomType::sphere:
    return s.x;
  case GeomType::capsule:
    return s.x + s.y * std::abs(up.z);
  case GeomType::cylinder:
    return s.x * std::hypot(up.x, up.y) + s.y * std::abs(up.z);
  case GeomType::box:
    return s.x * std::abs(up.x) + s.y * std::abs(up.y) + s.z * std::abs(up.z);
  case GeomType::ellipsoid:
    return std::hypot(s.x * up.x, s.y * up.y, s.z * up.z);
  case GeomType::mesh:
    break;
  }
  double reach = 0;
  for (const Vec3d& vertex : geom.vertices) reach = std::max(reach, dot(vertex, up));
  return reach;
}

}  // namespace footfall
