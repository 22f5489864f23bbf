#include "viewer/lower_side.hpp"

#include <algorithm>
#include <cmath>

#include "robot/shape_line.hpp"

namespace footfall::viewer {

LevelBox plan_box(const PosedGeom& placed) {
  const Geom& geom = *placed.geom;
  const Mat3d& R = placed.R_WG;
  const Vec3d& s = geom.size;
  const Vec3d& c = placed.p_WG;
  if (geom.type == GeomType::mesh) {
    LevelBox box{1e300, -1e300, 1e300, -1e300};
    for (const Vec3d& v : geom.vertices) {
      const Vec3d p = c + R * v;
      box = {std::min(box.x_min, p.x), std::max(box.x_max, p.x), std::min(box.y_min, p.y),
             std::max(box.y_max, p.y)};
    }
    return box;
  }
  Vec3d half = s;  // of a box around the geom, along its own axes
  if (geom.type == GeomType::sphere) half = {s.x, s.x, s.x};
  if (geom.type == GeomType::capsule) half = {s.x, s.x, s.x + s.y};
  if (geom.type == GeomType::cylinder) half = {s.x, s.x, s.y};
  const double x =
      std::fabs(R.x.x) * half.x + std::fabs(R.y.x) * half.y + std::fabs(R.z.x) * half.z;
  const double y =
      std::fabs(R.x.y) * half.x + std::fabs(R.y.y) * half.y + std::fabs(R.z.y) * half.z;
  return {c.x - x, c.x + x, c.y - y, c.y + y};
}

std::optional<double> lower_side_height(const PosedGeom& placed, double x, double y) {
  const Vec3d start = Vec3d{x, y, 0} - placed.p_WG;  // heights are from z = 0 on
  const LineInterval part = line_in_shape(*placed.geom, transpose_times(placed.R_WG, start),
                                          transpose_times(placed.R_WG, Vec3d{0, 0, 1}));
  if (part.is_empty()) return std::nullopt;
  return part.from;
}

}  // namespace footfall::viewer
