// The hull of a mesh or ellipsoid as a set of points, and its plan seen from one side.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "footfall/math/hull.hpp"
#include "footfall/robot/model.hpp"

namespace footfall {

inline double component(const Vec3d& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
inline Vec3d unit(int axis, double length) {
  return {axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0};
}
inline int largest_axis(const Vec3d& v) {
  const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
  return x > y && x > z ? 0 : y > z ? 1 : 2;
}

// Points on the hull: all vertices if they are few, else those that lie outermost in directions
// spread evenly over the sphere (a Fibonacci spiral). Frame G.
std::vector<Vec3d> hull_points(const Geom& g, int directions = 128);

// Its faces, seen from outside against the clock: those of the hull of hull_points. Frame G. Throws InputError
// for a mesh without a volume.
struct HullFaces {
  std::vector<Vec3d> points;
  std::vector<std::array<int, 3>> faces;
};
HullFaces hull_faces(const Geom& g, int directions = 128);

// The hull of points seen along a direction.
struct HullOutline {
  double area = 0;   // of the plan [m²]
  double width = 0;  // the smaller side of the narrowest rectangle around it [m]
  // Of each point on the side that looks along the direction: the part of the plan nearest to it,
  // by counting places of a 101 × 101 grid, so to about a percent [m²]. The others have none.
  std::vector<double> shares;
};
HullOutline make_hull_plan(const std::vector<Vec3d>& points, const Vec3d& direction);

// The least distance between two parallels that hold a hull: one of them lies on a side [m].
double least_width(const std::vector<PlanePoint>& hull);

// b of the pressure law of a plan with this hull: the least width W of a rectangle, half of it of a disc, and
// between them by the part of the rectangle around it that it fills, 1 or π/4 [m].
double bearing_width(const std::vector<PlanePoint>& hull);

}  // namespace footfall
