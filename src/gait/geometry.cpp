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

std::size_t find_hull(std::vector<Vec3d>& points, double same_x) {
  const auto column = [&](const Vec3d& p) { return same_x > 0 ? std::round(p.x / same_x) : p.x; };
  std::sort(points.begin(), points.end(), [&](const Vec3d& a, const Vec3d& b) {
    return column(a) < column(b) || (column(a) == column(b) && a.y < b.y);
  });
  const std::size_t n = points.size();
  points.resize(3 * n);  // the corners are found behind the points
  const auto count = static_cast<std::size_t>(
      find_hull_of_sorted(points.data(), static_cast<int>(n), points.data() + n, kStraight));
  std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(n), count, points.begin());
  return count;
}

}  // namespace footfall
