// Terrain: the shape of the ground before anything stood on it, and which soil lies where.
//
// The ground is a height z = height(x, y) in W: a plane of any slope, or a heightfield of
// bilinear cells that continues at its border values beyond its edge (feet feel its distance, see
// GroundDistance). Regions name the soil;
// where several overlap the last one wins, where none is, soil 0 (the default) lies.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "footfall/math/hull.hpp"
#include "footfall/math/spatial.hpp"

namespace footfall {

// Heights on a regular grid:
//   heights[iy * nx + ix] at (origin_x + ix·spacing, origin_y + iy·spacing)
struct Heightfield {
  int nx = 0, ny = 0;
  double origin_x = 0, origin_y = 0;  // of the first grid point [m]
  double spacing = 0;                 // between grid points, both axes [m]
  std::vector<double> heights;        // [m]
};

inline constexpr std::int64_t kMaxGridPoints = 64 * 1024 * 1024;
inline constexpr double kMaxHeight = 1e5;  // largest |height| of a heightfield [m]

// Where a grid lies.
struct GridPlacement {
  double origin_x = 0, origin_y = 0;  // of the point with the smallest x and y [m], within ±1e7
  double spacing = 0.05;              // between grid points, both axes [m], in [1e-6, 1e4]
};

enum class RegionShape { rectangle, circle, half_plane };

// A part of the ground with its own soil.
struct Region {
  std::string name;
  int soil = 0;  // index into the scenario's soils
  RegionShape shape = RegionShape::rectangle;
  // rectangle: x, y from min to max; circle: centre and radius; half_plane: a·x + b·y ≥ c
  double x_min = 0, x_max = 0, y_min = 0, y_max = 0;
  double center_x = 0, center_y = 0, radius = 0;
  double a = 0, b = 0, c = 0;
};

struct Terrain {
  bool is_plane = true;
  Vec3d plane_point{0, 0, 0};   // a point of the plane, frame W [m]
  Vec3d plane_normal{0, 0, 1};  // unit, z > 0
  Heightfield field;            // used when is_plane is false
  std::vector<Region> regions;
};

// The ground under a point (x, y).
template <class T>
struct GroundPoint {
  T height;        // [m]
  Vec3<T> normal;  // unit, out of the ground, frame W
};

// Height is bilinear in the cell, the normal that of the bilinear surface: height is continuous
// over cell borders, the normal is not. Beyond the edge the border's height continues, level in
// the direction that leads outward. A position that is not a number gives a height that is none.
GroundPoint<double> sample_heightfield(const Heightfield& field, double x, double y);

// Index of the soil at (x, y): of the last region that holds the point, edges included, else 0.
int soil_at(const Terrain& terrain, double x, double y);

// Visits the convex pieces of a convex polygon, seen from above, that lie on a soil. False, and none is visited,
// where no border is near: all of it lies on the soil under its middle.
using PieceVisitor = std::function<void(const PlanePoint* corners, int count)>;
bool visit_pieces(const Terrain& terrain, std::span<const PlanePoint> polygon, int soil,
                  const PieceVisitor& visit);

// Throw InputError, with the value and the expected range, unless all is usable.
void check_heightfield(const Heightfield& field);
void check_region(const Region& region);
void check_terrain(const Terrain& terrain);

template <class T>
GroundPoint<T> sample_ground(const Terrain& terrain, const T& x, const T& y) {
  if (terrain.is_plane) {
    const Vec3<T> n = broadcast<T>(terrain.plane_normal);
    const Vec3d& p = terrain.plane_point;
    return {T(p.z) - (n.x * (x - T(p.x)) + n.y * (y - T(p.y))) / n.z, n};
  }
  GroundPoint<T> out;
  for (int i = 0; i < lane_count<T>; ++i) {
    const GroundPoint<double> g = sample_heightfield(terrain.field, lane(x, i), lane(y, i));
    set_lane(out.height, i, g.height);
    set_lane(out.normal.x, i, g.normal.x);
    set_lane(out.normal.y, i, g.normal.y);
    set_lane(out.normal.z, i, g.normal.z);
  }
  return out;
}

// The ground as a point near it feels it: how far away its nearest point is, and in which direction.
//
// On a heightfield a foot's sinkage must be this distance, not the vertical gap times a cell's n_z:
// the normal jumps at the borders of cells, and a sinkage that jumps with it kicks the foot. The
// distance is continuous and its gradient is the normal, so the ground stores and returns work.
// A cell counts as two triangles here; between grid points they differ from the bilinear height by
// at most a quarter of the cell's twist.
template <class T>
struct GroundDistance {
  T distance;      // negative below the ground [m]
  Vec3<T> normal;  // unit, out of the ground, frame W
};

// Exact up to `reach` above the ground; beyond it only not smaller than reach [m].
GroundDistance<double> heightfield_distance(const Heightfield& field, const Vec3d& p, double reach);

// `reach()` is asked for only where it matters, on a heightfield.
template <class T, class Reach>
GroundDistance<T> ground_distance(const Terrain& terrain, const Vec3<T>& p, Reach&& reach) {
  if (terrain.is_plane) {
    const Vec3<T> n = broadcast<T>(terrain.plane_normal);
    return {dot(n, p - broadcast<T>(terrain.plane_point)), n};
  }
  GroundDistance<T> out;
  const T limit = reach();
  for (int i = 0; i < lane_count<T>; ++i) {
    const Vec3d p_i{lane(p.x, i), lane(p.y, i), lane(p.z, i)};
    const GroundDistance<double> g = heightfield_distance(terrain.field, p_i, lane(limit, i));
    set_lane(out.distance, i, g.distance);
    set_lane(out.normal.x, i, g.normal.x);
    set_lane(out.normal.y, i, g.normal.y);
    set_lane(out.normal.z, i, g.normal.z);
  }
  return out;
}

}  // namespace footfall
