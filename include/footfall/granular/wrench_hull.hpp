// The convex hull of wrenches, for pictures and measures: a step does without, its W is a set of vertices.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "footfall/granular/wrench_database.hpp"

namespace footfall {

// Axes are force_x [N], force_z [N], torque_y [N m].
struct WrenchHull {
  struct Facet {
    std::array<double, 3> normal;  // outwards, of unit length
    double offset = 0;             // normal · w ≤ offset
    std::array<int, 3> corners;    // indices of points
  };
  std::vector<Facet> facets;  // triangles; none: the points lie in a plane
  std::vector<int> corners;   // indices of the points that the hull needs, in rising order
  double volume = 0;          // [N² · N m]
};

WrenchHull find_hull(std::span<const PlanarWrench> points);

// The wrenches of a prediction, and zero as the last of them.
std::vector<PlanarWrench> points_of(const WrenchVertices& vertices, int vertex_count);

// How far from convex a medium's wrenches are (Zhu 2019, IV.B). Of a wrench inside the hull, the distance to
// the nearest facet over its own length |w|, lengths taken over (N, N, N m) as they are; of a configuration
// the largest. Wrenches shorter than `least_length` do not count; the paper takes 1. Its hull is that of the
// wrenches alone; ours, W, has zero too.
struct ConcavityOptions {
  double least_length = 1;  // [N, N m]
  bool with_zero = false;
};

struct Concavity {
  std::vector<double> each;  // of the database's configurations [-]
  double average = 0, worst = 0;
};

Concavity measure_concavity(const WrenchDatabase& database, const ConcavityOptions& options = {});

}  // namespace footfall
