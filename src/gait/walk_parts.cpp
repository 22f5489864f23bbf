#include "gait/walk_parts.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {

double yaw_of(const Mat3d& R) { return std::atan2(R.x.y, R.x.x); }

Vec3d rotation_between(const Mat3d& from, const Mat3d& to) {
  // sum of the columns' cross products is 2 sin(angle) times the axis
  const Vec3d sine = 0.5 * (cross(from.x, to.x) + cross(from.y, to.y) + cross(from.z, to.z));
  const double cosine = 0.5 * (dot(from.x, to.x) + dot(from.y, to.y) + dot(from.z, to.z) - 1);
  const double s = norm(sine);
  return s < 1e-9 ? sine : (std::atan2(s, cosine) / s) * sine;
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

namespace {

double area_of(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Puts the hull of the points, against the clock, at the front of the list; returns its size. Andrew's monotone
// chain.
std::size_t find_hull(std::vector<Vec3d>& points) {
  const auto before = [](const Vec3d& a, const Vec3d& b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
  };
  std::sort(points.begin(), points.end(), before);
  const std::size_t n = points.size();
  points.resize(3 * n + 2);
  std::size_t k = n;  // the chain is built behind the points
  const auto add = [&](const Vec3d& p, std::size_t least) {
    while (k >= least && area_of(points[k - 2], points[k - 1], p) <= 0) --k;
    points[k++] = p;
  };
  for (std::size_t i = 0; i < n; ++i) add(points[i], n + 2);
  const std::size_t turn = k + 1;
  for (std::size_t i = n - 1; i-- > 0;) add(points[i], turn);
  std::copy(points.begin() + static_cast<std::ptrdiff_t>(n),
            points.begin() + static_cast<std::ptrdiff_t>(k - 1), points.begin());
  return k - 1 - n;
}

}  // namespace

Vec3d nearest_in_hull(const Vec3d& p, std::vector<Vec3d>& points) {
  const std::size_t n = find_hull(points);
  Vec3d best = p;
  double least = kUnbounded;
  bool inside = true;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d &a = points[i], &b = points[(i + 1) % n];
    if (area_of(a, b, p) >= 0) continue;
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
