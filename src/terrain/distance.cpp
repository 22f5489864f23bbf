// Distance of a point to a heightfield: the nearest point of the triangles within reach. Deeper than 32 cells below the ground the
// nearest of the cells 32 to each side counts.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/terrain/terrain.hpp"

namespace footfall {
namespace {

constexpr double kMostCells = 32;  // to each side that are searched

struct Triangle {
  Vec3d a, b, c;
  Vec3d normal() const {
    const Vec3d n = cross(b - a, c - a);
    return (1 / norm(n)) * n;
  }
};

// A grid point of the field, or of its continuation beyond the border.
Vec3d grid_point(const Heightfield& field, long ix, long iy) {
  const long cx = std::clamp<long>(ix, 0, field.nx - 1), cy = std::clamp<long>(iy, 0, field.ny - 1);
  return {field.origin_x + static_cast<double>(ix) * field.spacing,
          field.origin_y + static_cast<double>(iy) * field.spacing,
          field.heights[static_cast<std::size_t>(cy) * field.nx + cx]};
}

// The two triangles of a cell, the first below its diagonal; normals point up.
void cell_triangles(const Heightfield& field, long ix, long iy, Triangle (&out)[2]) {
  const Vec3d p00 = grid_point(field, ix, iy), p10 = grid_point(field, ix + 1, iy);
  const Vec3d p01 = grid_point(field, ix, iy + 1), p11 = grid_point(field, ix + 1, iy + 1);
  out[0] = {p00, p10, p11};
  out[1] = {p00, p11, p01};
}

struct Nearest {
  Vec3d point;
  bool on_face;  // not on an edge or a corner
};

Vec3d nearest_on_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const Vec3d d = b - a;
  return a + std::clamp(dot(p - a, d) / dot(d, d), 0.0, 1.0) * d;
}

Nearest nearest_on_triangle(const Vec3d& p, const Triangle& t) {
  const Vec3d n = t.normal();
  const Vec3d foot = p - dot(p - t.a, n) * n;
  const auto inside = [&](const Vec3d& u, const Vec3d& v) {
    return dot(cross(v - u, foot - u), n) >= 0;
  };
  if (inside(t.a, t.b) && inside(t.b, t.c) && inside(t.c, t.a)) return {foot, true};
  Nearest best{nearest_on_segment(p, t.a, t.b), false};
  const auto squared = [&](const Vec3d& q) { return dot(q - p, q - p); };
  for (const Vec3d& q : {nearest_on_segment(p, t.b, t.c), nearest_on_segment(p, t.c, t.a)}) {
    if (squared(q) < squared(best.point)) best.point = q;
  }
  return best;
}

// A lower bound of the squared distance from p to a cell: to the box around it.
double squared_gap(const Heightfield& field, long ix, long iy, const Vec3d& p) {
  const Vec3d a = grid_point(field, ix, iy), b = grid_point(field, ix + 1, iy + 1);
  const double c = grid_point(field, ix + 1, iy).z, d = grid_point(field, ix, iy + 1).z;
  const auto outside = [](double x, double low, double high) {
    return std::max(std::max(low - x, x - high), 0.0);
  };
  const double low = std::min(std::min(a.z, b.z), std::min(c, d));
  const double high = std::max(std::max(a.z, b.z), std::max(c, d));
  const double x = outside(p.x, a.x, b.x), y = outside(p.y, a.y, b.y), z = outside(p.z, low, high);
  return x * x + y * y + z * z;
}

long cell_index(double coordinate, double origin, double spacing, int count) {
  // far outside, the ground only repeats its border
  const double index = std::floor((coordinate - origin) / spacing);
  return static_cast<long>(std::clamp(index, -1e6, count + 1e6));
}

// Cells between two corners of a square in plan.
struct CellRange {
  long x0, x1, y0, y1;
};
CellRange cells_around(const Heightfield& field, const Vec3d& p, double radius) {
  return {cell_index(p.x - radius, field.origin_x, field.spacing, field.nx),
          cell_index(p.x + radius, field.origin_x, field.spacing, field.nx),
          cell_index(p.y - radius, field.origin_y, field.spacing, field.ny),
          cell_index(p.y + radius, field.origin_y, field.spacing, field.ny)};
}

double highest_point(const Heightfield& field, const CellRange& cells) {
  double top = -1e300;
  for (long y = cells.y0; y <= cells.y1 + 1; ++y) {
    for (long x = cells.x0; x <= cells.x1 + 1; ++x) top = std::max(top, grid_point(field, x, y).z);
  }
  return top;
}

constexpr double kSlack = 1 + 1e-12;  // of distances that only tell where to look

// How far p is, in plan, on the first triangle's side of the diagonal through a cell's corner.
double beyond_diagonal(const Vec3d& p, const Vec3d& corner) {
  return std::numbers::sqrt2 / 2 * ((p.x - corner.x) - (p.y - corner.y));
}

// `gap`: above 0 for a point above the ground.
void keep_nearest(const Vec3d& p, const Triangle& t, double gap, GroundDistance<double>& best) {
  const Nearest near = nearest_on_triangle(p, t);
  const Vec3d away = gap >= 0 ? p - near.point : near.point - p;
  const double distance = norm(away);
  if (distance > best.distance) return;
  const bool clear = !near.on_face && distance > 1e-9;
  best = {distance, clear ? (1 / distance) * away : t.normal()};
}

}  // namespace

GroundDistance<double> heightfield_distance(const Heightfield& field, const Vec3d& p,
                                            double reach) {
  const double h = field.spacing;
  const long ix = cell_index(p.x, field.origin_x, h, field.nx);
  const long iy = cell_index(p.y, field.origin_y, h, field.ny);
  Triangle cell[2];
  cell_triangles(field, ix, iy, cell);
  const Triangle under = cell[beyond_diagonal(p, cell[0].a) >= 0 ? 0 : 1];
  const Vec3d face = under.normal();
  const double gap = dot(p - under.a, face) / face.z;  // vertical
  if (!(std::abs(gap) < 1e6)) return {gap, face};      // not a number, or nowhere near
  // No nearer point is further away, in plan, than the vertical gap. Far below, where no foot has a business, the
  // cells around are enough.
  const double radius = std::min(gap > 0 ? std::min(gap, reach) : -gap, kMostCells * h);
  if (gap >= reach) {  // most points are clear of all ground within reach
    const double top = highest_point(field, cells_around(field, p, radius));
    if (p.z - top >= reach) return {p.z - top, face};
  }
  // Nor than the nearest point of the face below: mostly no other triangle is within that.
  const double known = kSlack * norm(nearest_on_triangle(p, under).point - p);
  const CellRange cells = cells_around(field, p, std::min(radius, known));
  GroundDistance<double> best{std::abs(gap), {0, 0, 1}};
  for (long y = cells.y0; y <= cells.y1; ++y) {
    for (long x = cells.x0; x <= cells.x1; ++x) {
      const double farthest = std::min(best.distance, known);
      if (squared_gap(field, x, y, p) > square(farthest)) continue;
      cell_triangles(field, x, y, cell);
      const double beyond = beyond_diagonal(p, cell[0].a);
      if (beyond >= -known) keep_nearest(p, cell[0], gap, best);
      if (beyond <= known) keep_nearest(p, cell[1], gap, best);
    }
  }
  if (gap < 0) best.distance = -best.distance;
  return best;
}

}  // namespace footfall
