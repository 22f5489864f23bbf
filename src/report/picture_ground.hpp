// The ground of a run's picture: a slab with its soils, and the marks that feet left on it.
#pragma once

#include <vector>

#include "report/picture_parts.hpp"
#include "report/picture_shapes.hpp"

namespace footfall::picture {

// The part of the ground that is drawn, and how thick.
struct Slab {
  double x_min = 0, x_max = 0, y_min = 0, y_max = 0;  // [m]
  double bottom = 0;                                  // z [m]
  double grid = 0.1;                                  // between lines [m]
};

struct Bounds {
  Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  void add(const Vec3d& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
};

double height_at(const World& world, double x, double y);

// Around what is to be drawn; `long_way`: of a robot that came far, with narrower margins.
Slab make_slab(const World& world, const Bounds& robot, bool long_way);
void draw_ground(const World& world, const Slab& slab, const Camera& camera, Svg& svg);

// Of its kind, as in all pictures; kSoil where the ground is no soil.
Color soil_color(const World& world, int soil);
// Their names, a line from `at` on.
void draw_soil_names(const World& world, const Point& at, Svg& svg);

// Where a foot stood: the deepest row of each time that it touched.
struct Footmark {
  int foot = 0;
  Vec3d center{0, 0, 0}, normal{0, 0, 1};
  double radius = 0;   // of a disc of the contact's area [m]
  bool stays = false;  // in soil that yields: a footprint
};
std::vector<Footmark> find_footmarks(const RunData& run, const World& world, int last_row);
// Footprints as dents, touches of ground that comes back as small rings in the foot's colour.
void draw_footmarks(const World& world, const std::vector<Footmark>& marks, const Camera& camera,
                    Svg& svg);

}  // namespace footfall::picture
