#include "gait/geometry.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {
namespace {

constexpr double kStraight = 1e-12;  // corners that enclose less area lie on a line [m²]

}  // namespace

double yaw_of(const Mat3d& R) { return std::atan2(R.x.y, R.x.x); }

Vec3d rotation_between(const Mat3d& from, const Mat3d& to) {
  // sum of the columns' cross products is 2 sin(angle) times the axis
  const Vec3d sine = 0.5 * (cross(from.x, to.x) + cross(from.y, to.y) + cross(from.z, to.z));
  const double cosine = 0.5 * (dot(from.x, to.x) + dot(from.y, to.y) + dot(from.z, to.z) - 1);
  const double s = norm(sine);
  return s < 1e-9 ? sine : (std::atan2(s, cosine) / s) * sine;
}

double turn_area(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Andrew's monotone chain.
std::size_t find_hull(std::vector<Vec3d>& points, double same_x) {
  const auto column = [&](const Vec3d& p) { return same_x > 0 ? std::round(p.x / same_x) : p.x; };
  const auto before = [&](const Vec3d& a, const Vec3d& b) {
    return column(a) < column(b) || (column(a) == column(b) && a.y < b.y);
  };
  std::sort(points.begin(), points.end(), before);
  const std::size_t n = points.size();
  points.resize(3 * n + 2);
  std::size_t k = n;  // the chain is built behind the points
  const auto add = [&](const Vec3d& p, std::size_t least) {
    while (k >= least && turn_area(points[k - 2], points[k - 1], p) <= kStraight) --k;
    points[k++] = p;
  };
  for (std::size_t i = 0; i < n; ++i) add(points[i], n + 2);
  const std::size_t turn = k + 1;
  for (std::size_t i = n - 1; i-- > 0;) add(points[i], turn);
  std::copy(points.begin() + static_cast<std::ptrdiff_t>(n),
            points.begin() + static_cast<std::ptrdiff_t>(k - 1), points.begin());
  return k - 1 - n;
}

}  // namespace footfall
