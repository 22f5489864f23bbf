// The surface of a shape as small plane elements, for laws that act on surfaces.
#pragma once

#include <array>
#include <vector>

#include "footfall/robot/model.hpp"

namespace footfall {

struct SurfaceElement {
  Vec3d position{0, 0, 0};  // of its centre, frame G [m]
  Vec3d area{0, 0, 0};      // as a vector out of the shape, frame G [m²]
  // a triangle of a flat side has its corners [m]
  bool is_triangle = false;
  std::array<Vec3d, 3> corners{};
};

// About a hundred of a small round shape, and of others so many that none is longer than a sixth of the
// shape's longest side, or its diagonal. A mesh counts by its convex hull.
std::vector<SurfaceElement> surface_elements(const Geom& geom);

}  // namespace footfall
