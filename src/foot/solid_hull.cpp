#include "foot/solid_hull.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace footfall {
namespace {

constexpr double kFlat = 1e-9;  // of the extent

class SolidHull {
 public:
  explicit SolidHull(const std::vector<Vec3d>& points) : points_(points) {
    for (const Vec3d& p : points) extent_ = std::fmax(extent_, norm(p - points[0]));
  }

  std::vector<std::array<int, 3>> find() {
    if (!start()) return {};
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) add(i);
    return faces_;
  }

 private:
  // The point that is farthest by a measure.
  template <class Measure>
  int farthest(const Measure& measure) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i) {
      if (measure(points_[i]) > measure(points_[best])) best = i;
    }
    return best;
  }

  // A tetrahedron of points that are far apart; false: there is none.
  bool start() {
    if (points_.size() < 4) return false;
    const int a = 0;
    const int b = farthest([&](const Vec3d& p) { return norm(p - points_[a]); });
    const Vec3d ab = points_[b] - points_[a];
    const int c = farthest([&](const Vec3d& p) { return norm(cross(ab, p - points_[a])); });
    const Vec3d normal = cross(ab, points_[c] - points_[a]);
    const int d = farthest([&](const Vec3d& p) { return std::abs(dot(normal, p - points_[a])); });
    const double height = dot(normal, points_[d] - points_[a]);
    if (!(std::abs(height) > kFlat * extent_ * norm(normal))) return false;
    faces_ = {{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}};
    if (height > 0) {
      for (std::array<int, 3>& face : faces_) std::swap(face[1], face[2]);
    }
    return true;
  }

  // How far a point lies outside a face [m].
  double height_over(const std::array<int, 3>& face, const Vec3d& p) const {
    const Vec3d& a = points_[face[0]];
    const Vec3d normal = cross(points_[face[1]] - a, points_[face[2]] - a);
    return dot(normal, p - a) / std::fmax(norm(normal), 1e-300);
  }

  void add(int index) {
    std::vector<std::array<int, 3>> kept;
    std::set<std::pair<int, int>> edges;  // of the faces that the point sees
    for (const std::array<int, 3>& face : faces_) {
      if (height_over(face, points_[index]) <= kFlat * extent_) {
        kept.push_back(face);
        continue;
      }
      for (int k = 0; k < 3; ++k) edges.insert({face[k], face[(k + 1) % 3]});
    }
    for (const auto& [from, to] : edges) {
      if (!edges.contains({to, from})) kept.push_back({from, to, index});
    }
    faces_ = std::move(kept);
  }

  const std::vector<Vec3d>& points_;
  double extent_ = 0;
  std::vector<std::array<int, 3>> faces_;
};

}  // namespace

std::vector<std::array<int, 3>> solid_hull(const std::vector<Vec3d>& points) {
  return points.empty() ? std::vector<std::array<int, 3>>{} : SolidHull(points).find();
}

}  // namespace footfall
