#include "footfall/granular/wrench_hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace footfall {
namespace {

using Triple = std::array<double, 3>;

Triple triple_of(const PlanarWrench& w) { return {w.force_x, w.force_z, w.torque_y}; }

double length_of(const Triple& a) { return std::hypot(a[0], a[1], a[2]); }
double dot_of(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Qhull's own state, and a file that takes what it has to say of points in a plane.
class Qhull {
 public:
  Qhull(std::vector<double>& points, int count) : messages_(std::fopen("/dev/null", "w")) {
    qh_zero(&state_, messages_);
    char command[] = "qhull Qt";
    failed_ = qh_new_qhull(&state_, 3, count, points.data(), False, command, nullptr, messages_);
  }
  ~Qhull() {
    qh_freeqhull(&state_, !qh_ALL);
    int current = 0, total = 0;
    qh_memfreeshort(&state_, &current, &total);
    if (messages_ != nullptr) std::fclose(messages_);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  bool failed() const { return failed_ != 0; }
  qhT* state() { return &state_; }

 private:
  qhT state_{};
  std::FILE* messages_;
  int failed_ = 0;
};

// Largest of each axis: Qhull's tolerances are one for all.
Triple scale_of(std::span<const PlanarWrench> points) {
  Triple scale{};
  for (const PlanarWrench& w : points) {
    for (std::size_t i = 0; i < 3; ++i) scale[i] = std::max(scale[i], std::abs(triple_of(w)[i]));
  }
  return scale;
}

WrenchHull::Facet facet_of(qhT* qh, facetT* facet, const Triple& scale,
                           std::span<const PlanarWrench> points) {
  WrenchHull::Facet out{};
  std::size_t k = 0;
  vertexT *vertex, **vertexp;
  FOREACHvertex_(facet->vertices) {
    if (k < 3) out.corners[k++] = qh_pointid(qh, vertex->point);
  }
  for (std::size_t i = 0; i < 3; ++i) out.normal[i] = facet->normal[i] / scale[i];
  const double length = length_of(out.normal);
  for (double& n : out.normal) n /= length;
  out.offset = -std::numeric_limits<double>::infinity();  // so that no point is outside by rounding
  for (const int corner : out.corners) {
    const PlanarWrench& w = points[corner];
    out.offset = std::max(out.offset, dot_of(out.normal, triple_of(w)));
  }
  return out;
}

double measure_point(const WrenchHull& hull, const Triple& w) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const WrenchHull::Facet& f : hull.facets) {
    nearest = std::min(nearest, f.offset - dot_of(f.normal, w));
  }
  return nearest;
}

}  // namespace

WrenchHull find_hull(std::span<const PlanarWrench> points) {
  WrenchHull hull;
  const Triple scale = scale_of(points);
  if (points.size() < 4 || *std::min_element(scale.begin(), scale.end()) == 0) return hull;
  std::vector<double> scaled;
  for (const PlanarWrench& w : points) {
    for (std::size_t i = 0; i < 3; ++i) scaled.push_back(triple_of(w)[i] / scale[i]);
  }
  Qhull qhull(scaled, static_cast<int>(points.size()));
  if (qhull.failed()) return hull;
  qhT* qh = qhull.state();  // the name that Qhull's macros expect
  facetT* facet;
  FORALLfacets { hull.facets.push_back(facet_of(qh, facet, scale, points)); }
  for (const WrenchHull::Facet& f : hull.facets) {
    hull.corners.insert(hull.corners.end(), f.corners.begin(), f.corners.end());
  }
  std::sort(hull.corners.begin(), hull.corners.end());
  hull.corners.erase(std::unique(hull.corners.begin(), hull.corners.end()), hull.corners.end());
  qh_getarea(qh, qh->facet_list);
  hull.volume = qh->totvol * scale[0] * scale[1] * scale[2];
  return hull;
}

std::vector<PlanarWrench> points_of(const WrenchVertices& vertices, int vertex_count) {
  std::vector<PlanarWrench> points;
  points.reserve(static_cast<std::size_t>(vertex_count) + 1);
  for (std::size_t i = 0; i < static_cast<std::size_t>(vertex_count); ++i) {
    points.push_back({vertices.force_x[i], vertices.force_z[i], vertices.torque_y[i]});
  }
  points.push_back({});
  return points;
}

Concavity measure_concavity(const WrenchDatabase& database, const ConcavityOptions& options) {
  Concavity out;
  const std::size_t m = database.directions.size();
  for (std::size_t j = 0; j < database.configurations.size(); ++j) {
    std::vector<PlanarWrench> points(database.wrenches.begin() + static_cast<long>(j * m),
                                     database.wrenches.begin() + static_cast<long>(j * m + m));
    if (options.with_zero) points.push_back({});
    const WrenchHull hull = find_hull(points);
    double worst = 0;
    for (std::size_t i = 0; i < m && !hull.facets.empty(); ++i) {
      const Triple w = triple_of(points[i]);
      const bool corner =
          std::binary_search(hull.corners.begin(), hull.corners.end(), static_cast<int>(i));
      if (corner || length_of(w) < options.least_length) continue;
      worst = std::max(worst, measure_point(hull, w) / length_of(w));
    }
    out.each.push_back(worst);
    out.average += worst / static_cast<double>(database.configurations.size());
    out.worst = std::max(out.worst, worst);
  }
  return out;
}

}  // namespace footfall
