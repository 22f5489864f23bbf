#include "footfall/solver/wrench_gauge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace footfall {
namespace {

constexpr int kMostFacets = 100;
constexpr double kOnBoundary = 1e-13;  // of the ray's length

// Largest numbers of each part: forces and torques are brought to one scale.
void fill_scale(const VertexSet& set, WrenchQp& qp) {
  qp.start(1, qp.parts());
  for (int p = 0; p < qp.parts(); ++p) {
    double largest = 0;
    for (int k = 0; k < set.count(); ++k) largest = std::fmax(largest, std::abs(set.part(p)[k]));
    qp.column(0, p)[p] = largest > 0 ? 1 / largest : 1;
  }
}

}  // namespace

double measure_gauge(const VertexSet& set, std::span<const double> wrench, WrenchQp& qp) {
  const int parts = qp.parts();
  fill_scale(set, qp);
  std::array<double, kMaxWrenchParts> w{};
  double size = 0;
  for (int p = 0; p < parts; ++p) {
    w[p] = qp.column(0, p)[p] * wrench[p];
    size += w[p] * w[p];
  }
  if (!(size > 0)) return 0;
  double farthest = 0;  // of W along w
  for (int k = 0; k < set.count(); ++k) {
    double along = 0;
    for (int p = 0; p < parts; ++p) along += qp.column(0, p)[p] * set.part(p)[k] * w[p];
    farthest = std::fmax(farthest, along);
  }
  const VertexSet* sets[] = {&set};
  std::array<int, kMaxCorral> corral;
  corral.fill(kNoVertex);
  double s = farthest / size;
  for (int facet = 0; facet < kMostFacets && s > 0; ++facet) {
    for (int p = 0; p < parts; ++p) qp.offset()[p] = -s * w[p];
    qp.solve(sets, corral);
    const double* z = qp.residual();  // from s w to the nearest point of W
    double distance = 0, speed = 0;
    for (int p = 0; p < parts; ++p) {
      distance += z[p] * z[p];
      speed -= z[p] * w[p];
    }
    if (std::sqrt(distance) <= kOnBoundary * s * std::sqrt(size)) return 1 / s;
    // the plane through the nearest point, across z: (s w − point)·z = −distance
    const double next = s - distance / speed;
    if (!(next < s)) return 1 / s;
    s = next > s * std::numeric_limits<double>::epsilon() ? next : 0;
  }
  return s > 0 ? 1 / s : std::numeric_limits<double>::infinity();
}

}  // namespace footfall
