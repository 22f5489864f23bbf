// Outlines of soles seen from above.
#pragma once

#include <vector>

namespace footfall {

struct PlanPoint {
  double x, y;  // [m]
};

// Twice the area of the triangle abc, positive where it turns left.
inline double turn(const PlanPoint& a, const PlanPoint& b, const PlanPoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The convex hull of points, counterclockwise (Andrew's monotone chain).
std::vector<PlanPoint> convex_hull(std::vector<PlanPoint> points);

// The least distance between two parallels that hold the hull: one of them lies on a side [m].
double least_width(const std::vector<PlanPoint>& hull);

}  // namespace footfall
