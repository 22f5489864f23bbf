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

Mat3d rotation_by(const Vec3d& rotation) {
  return to_matrix(integrate_quat(Quatd{1, 0, 0, 0}, rotation));
}

Mat3d sole_frame(const World& world, const Foothold& foothold, double yaw) {
  const Vec3d n = sample_ground(world.terrain, foothold.x, foothold.y).normal;
  const Vec3d along{std::cos(yaw), std::sin(yaw), 0};
  Vec3d y = cross(n, along);
  y = (1 / norm(y)) * y;
  return {cross(y, n), y, n};
}

Vec3d half_sole(const Leg& leg) {
  Vec3d half{0, 0, 0};
  for (const Vec3d& corner : leg.corners) {
    const Vec3d p = transpose_times(leg.R_BS, corner - leg.p_BS);
    half = {std::max(half.x, std::abs(p.x)), std::max(half.y, std::abs(p.y)), 0};
  }
  return half;
}

Vec3d nearest_in_hull(const Vec3d& p, std::vector<Vec3d>& points) {
  const std::size_t n = find_hull(points);
  Vec3d best = p;
  double least = kUnbounded;
  bool inside = true;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d &a = points[i], &b = points[(i + 1) % n];
    if (turn_area(a, b, p) >= 0) continue;
    inside = false;
    const double ex = b.x - a.x, ey = b.y - a.y;
    const double s =
        std::clamp(((p.x - a.x) * ex + (p.y - a.y) * ey) / (ex * ex + ey * ey), 0.0, 1.0);
    const Vec3d q{a.x + s * ex, a.y + s * ey, p.z};
    const double distance = std::hypot(q.x - p.x, q.y - p.y);
    if (distance < least) {
      least = distance;
      best = q;
    }
  }
  return inside ? p : best;
}

}  // namespace footfall
