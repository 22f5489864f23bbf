#include "foot/plan.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {

std::vector<PlanPoint> convex_hull(std::vector<PlanPoint> points) {
  std::sort(points.begin(), points.end(), [](const PlanPoint& a, const PlanPoint& b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
  });
  std::vector<PlanPoint> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t first = hull.size();
    for (const PlanPoint& c : points) {
      while (hull.size() >= first + 2 && turn(hull[hull.size() - 2], hull.back(), c) <= 0) {
        hull.pop_back();
      }
      hull.push_back(c);
    }
    hull.pop_back();  // the other side begins with it
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

double least_width(const std::vector<PlanPoint>& hull) {
  double extent = 0;
  for (const PlanPoint& p : hull) {
    extent = std::max({extent, std::abs(p.x - hull[0].x), std::abs(p.y - hull[0].y)});
  }
  double width = extent;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const PlanPoint &a = hull[i], &b = hull[(i + 1) % hull.size()];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length < 1e-9 * extent) continue;  // two vertices but for rounding: points anywhere
    double farthest = 0;
    for (const PlanPoint& c : hull) farthest = std::max(farthest, turn(a, b, c));
    width = std::min(width, farthest / length);
  }
  return width;
}

}  // namespace footfall
