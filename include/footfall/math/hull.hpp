// Convex hulls of points in the plane. A point is anything with x and y.
#pragma once

#include <algorithm>

namespace footfall {

struct PlanePoint {
  double x, y;
};

// Twice the area of the triangle abc, positive where it turns left.
template <class Point>
double turn_area(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Corners of the convex hull, counterclockwise (Andrew's monotone chain): the lower chain from left to right,
// then the upper one back. A point or a segment if there is no area.
// points[0..count): sorted by x, then by y. corners: has room for 2 count points, apart from them.
// straight: corners that turn by no more area than this are left out [m²]. Returns the number of corners.
template <class Point>
int find_hull_of_sorted(const Point* points, int count, Point* corners, double straight = 0) {
  int found = 0;
  const auto append = [&](const Point& p, int least) {
    while (found >= least && turn_area(corners[found - 2], corners[found - 1], p) <= straight) {
      --found;
    }
    corners[found++] = p;
  };
  for (int i = 0; i < count; ++i) append(points[i], 2);
  const int lower = found + 1;
  for (int i = count - 2; i >= 0; --i) append(points[i], lower);
  return found > 1 ? found - 1 : found;  // the chain ends where it began
}

template <class Point>
void sort_for_hull(Point* begin, Point* end) {
  std::sort(begin, end,
            [](const Point& a, const Point& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
}

// The same for a list of points, which the corners replace.
template <class Points>
Points convex_hull(Points points) {
  sort_for_hull(points.data(), points.data() + points.size());
  Points corners(2 * points.size());
  corners.resize(static_cast<std::size_t>(
      find_hull_of_sorted(points.data(), static_cast<int>(points.size()), corners.data())));
  return corners;
}

}  // namespace footfall
