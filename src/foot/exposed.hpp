// What of a sole is exposed: not inside another shape, and not above one that reaches the ground before it.
#pragma once

#include <vector>

#include "footfall/foot/sole.hpp"
#include "footfall/math/hull.hpp"

namespace footfall {

// A geom where it is in the standing pose.
struct StandingGeom {
  const Geom* geom = nullptr;
  Mat3d R_WG = identity3<double>();
  Vec3d p_WG{0, 0, 0};
  double reach = 0;  // radius of a ball about its origin that holds it [m]
};
StandingGeom make_standing(const Geom& geom, const Mat3d& R_WB, const Vec3d& p_WB);

// Corners of what the geom's plan spans, seen from below in the standing pose [m].
std::vector<PlanePoint> plan_outline(const StandingGeom& standing);
double plan_area(const StandingGeom& standing);

// What is left of a sole point: its own share, and how it lies.
struct Exposure {
  double share = 1;          // exposed part of what it carries [-]
  Vec3d area_W{0, 0, 0};     // exposed area of a flat point, as a vector out of it, frame W [m²]
  double plan = 0;           // exposed area that looks down, seen from below [m²]
  double height_moment = 0;  // ∫ height over that area [m³]
  double lowest = 1e300;     // of what is exposed, frame W [m]
};

// Of a point on shape `own` of `shapes`, which are one foot's or one body's. Of two surfaces in one place
// that of the earlier shape counts. `from_below`: what lies above another shape is hidden too; otherwise
// only what lies inside.
Exposure find_exposure(const SolePoint& point, const std::vector<StandingGeom>& shapes, int own,
                       bool from_below);

}  // namespace footfall
