// The lower side of a geom: where a vertical line enters it from below.
#pragma once

#include <optional>

#include "footfall/robot/model.hpp"

namespace footfall::viewer {

// A geom in its place.
struct PosedGeom {
  const Geom* geom = nullptr;
  Mat3d R_WG = identity3<double>();
  Vec3d p_WG{0, 0, 0};
};

struct LevelBox {
  double x_min = 0, x_max = 0, y_min = 0, y_max = 0;  // [m]
};
LevelBox plan_box(const PosedGeom& placed);

// Height of the lower side at (x, y), frame W; none where the line misses the geom. Meshes are convex.
std::optional<double> lower_side_height(const PosedGeom& placed, double x, double y);

}  // namespace footfall::viewer
