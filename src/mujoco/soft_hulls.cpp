#include "mujoco/soft_hulls.hpp"

#include <algorithm>

namespace footfall::from_mujoco {
namespace {

double quadrilateral_area(const std::array<Vec3d, 4>& p) {
  return 0.5 * norm(cross(p[2] - p[0], p[3] - p[1]));
}

// Up to four corners of a polygon, the first of them first. MuJoCo looks for a quadrilateral of large
// area by moving the other three along the polygon, each while the area grows: not always the largest,
// so its search is followed step by step. MuJoCo 4.0.0's choice was found by experiment; the random
// scenes compare it with the library's.
SoftFace choose_corners(const std::vector<Vec3d>& vertices, const std::vector<int>& polygon) {
  const int n = static_cast<int>(polygon.size());
  SoftFace face;
  face.count = std::min(n, 4);
  std::array<int, 4> place{0, 1, 2, 3};
  const auto area = [&](const std::array<int, 4>& at) {
    return quadrilateral_area({vertices[polygon[at[0]]], vertices[polygon[at[1]]],
                               vertices[polygon[at[2]]], vertices[polygon[at[3]]]});
  };
  double largest = n > 4 ? area(place) : 0;
  const auto advance = [&](int k) {
    if (place[k] + 1 >= (k < 3 ? place[k + 1] : n)) return false;
    std::array<int, 4> next = place;
    ++next[k];
    const double next_area = area(next);
    if (next_area <= largest) return false;
    place = next;
    largest = next_area;
    return true;
  };
  while (advance(3)) {
    while (advance(2)) continue;
    while (advance(1)) continue;
  }
  for (int k = 0; k < face.count; ++k) face.corners[k] = polygon[place[k]];
  return face;
}

// The polygon's vertices among those of the hull, from `first` on.
std::vector<int> polygon_from(const mjModel& m, int polygon, const std::vector<int>& hull_vertex,
                              int first) {
  const int* begin = m.mesh_polyvert + m.mesh_polyvertadr[polygon];
  std::vector<int> out;
  for (int i = 0; i < m.mesh_polyvertnum[polygon]; ++i) {
    if (hull_vertex[begin[i]] >= 0) out.push_back(hull_vertex[begin[i]]);
  }
  std::rotate(out.begin(), std::find(out.begin(), out.end(), first), out.end());
  return out;
}

void add_faces(const mjModel& m, int mesh, int vertex, const std::vector<int>& hull_vertex,
               SoftHull& hull) {
  const int at = m.mesh_vertadr[mesh] + vertex;
  for (int i = 0; i < m.mesh_polymapnum[at]; ++i) {
    const int polygon = m.mesh_polyadr[mesh] + m.mesh_polymap[m.mesh_polymapadr[at] + i];
    const mjtNum* normal = m.mesh_polynormal + 3 * polygon;
    SoftFace face =
        choose_corners(hull.vertices, polygon_from(m, polygon, hull_vertex, hull_vertex[vertex]));
    face.normal = {normal[0], normal[1], normal[2]};
    hull.faces.push_back(face);
  }
}

}  // namespace

SoftHull build_soft_hull(const mjModel& m, int mesh) {
  const int* record = m.mesh_graph + m.mesh_graphadr[mesh];
  const int count = record[0];
  const int* edges = record + 2;            // of each vertex, in `neighbors`
  const int* vertices = edges + count;      // their numbers in the mesh
  const int* neighbors = vertices + count;  // of each vertex, then −1
  SoftHull hull;
  std::vector<int> hull_vertex(m.mesh_vertnum[mesh], -1);
  for (int v = 0; v < count; ++v) {
    const float* p = m.mesh_vert + 3 * (m.mesh_vertadr[mesh] + vertices[v]);
    hull.vertices.push_back({p[0], p[1], p[2]});
    hull_vertex[vertices[v]] = v;
  }
  for (int v = 0; v < count; ++v) {
    hull.first_neighbor.push_back(static_cast<int>(hull.neighbors.size()));
    hull.first_face.push_back(static_cast<int>(hull.faces.size()));
    for (const int* to = neighbors + edges[v]; *to >= 0; ++to) hull.neighbors.push_back(*to);
    add_faces(m, mesh, vertices[v], hull_vertex, hull);
  }
  hull.first_neighbor.push_back(static_cast<int>(hull.neighbors.size()));
  hull.first_face.push_back(static_cast<int>(hull.faces.size()));
  return hull;
}

}  // namespace footfall::from_mujoco
