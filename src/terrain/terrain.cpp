#include "footfall/terrain/terrain.hpp"

#include <cassert>

#include "input_error.hpp"
#include "terrain/grid.hpp"

namespace footfall {
namespace {

// The place of a coordinate among `count` grid points, clamped to the first and the last.
struct GridCoordinate {
  int index;        // of the grid point before it, at most count − 2
  double fraction;  // from that point to the next, in [0, 1]; NaN for NaN
  bool inside;      // not beyond the first or the last point
};

GridCoordinate find_cell(double grid_coordinate, int count) {
  const double last = count - 1;
  const bool before = grid_coordinate<0, after = grid_coordinate> last;
  const double clamped = before ? 0 : after ? last : grid_coordinate;
  const int index = clamped < last ? static_cast<int>(clamped) : count - 2;  // NaN is not < last
  return {index, clamped - index, !before && !after};
}

bool contains(const Region& r, double x, double y) {
  switch (r.shape) {
  case RegionShape::rectangle:
    return x >= r.x_min && x <= r.x_max && y >= r.y_min && y <= r.y_max;
  case RegionShape::circle:
    return square(x - r.center_x) + square(y - r.center_y) <= square(r.radius);
  case RegionShape::half_plane:
    return r.a * x + r.b * y >= r.c;
  }
  return false;
}

}  // namespace

GroundPoint<double> sample_heightfield(const Heightfield& field, double x, double y) {
  assert(field.nx >= 2 && field.ny >= 2);
  const GridCoordinate cx = find_cell((x - field.origin_x) / field.spacing, field.nx);
  const GridCoordinate cy = find_cell((y - field.origin_y) / field.spacing, field.ny);
  const auto row = static_cast<std::size_t>(field.nx);
  const double* h = field.heights.data() + static_cast<std::size_t>(cy.index) * row + cx.index;

  // along x on the cell's lower and upper side, then between them along y
  const double rise_low = h[1] - h[0], rise_high = h[row + 1] - h[row];
  const double low = h[0] + cx.fraction * rise_low, high = h[row] + cx.fraction * rise_high;
  const double height = low + cy.fraction * (high - low);

  const double slope_x = rise_low + cy.fraction * (rise_high - rise_low);
  const double dx = cx.inside ? slope_x / field.spacing : 0;
  const double dy = cy.inside ? (high - low) / field.spacing : 0;
  const double n_z = 1 / std::sqrt(1 + dx * dx + dy * dy);
  return {height, {-dx * n_z, -dy * n_z, n_z}};
}

int soil_at(const Terrain& terrain, double x, double y) {
  int soil = 0;
  for (const Region& region : terrain.regions) {
    if (contains(region, x, y)) soil = region.soil;
  }
  return soil;
}

void check_heightfield(const Heightfield& field) {
  check_placement({field.origin_x, field.origin_y, field.spacing});
  check_grid_size("heightfield", field.nx, field.ny);
  const std::size_t count = static_cast<std::size_t>(field.nx) * static_cast<std::size_t>(field.ny);
  if (field.heights.size() != count) {
    throw input_error("heightfield: {} heights, expected {} × {} = {}", field.heights.size(),
                      field.nx, field.ny, count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (is_height(field.heights[i])) continue;
    const auto nx = static_cast<std::size_t>(field.nx);
    throw input_error(
        "heightfield: height at point (ix, iy) = ({}, {}) is {} m, expected [-1e5, 1e5]", i % nx,
        i / nx, field.heights[i]);
  }
}

void check_region(const Region& r) {
  const auto name = [&r](std::string_view field) {
    return fmt::format("region '{}': {}", r.name, field);
  };
  if (r.soil < 0) throw input_error("{} = {}, expected ≥ 0", name("soil"), r.soil);
  switch (r.shape) {
  case RegionShape::rectangle:
    check_finite(name("x_min"), r.x_min, "m");
    check_finite(name("y_min"), r.y_min, "m");
    check_value(r.x_max > r.x_min, name("x_max"), r.x_max, "m",
                fmt::format("> x_min = {}", r.x_min));
    check_value(r.y_max > r.y_min, name("y_max"), r.y_max, "m",
                fmt::format("> y_min = {}", r.y_min));
    break;
  case RegionShape::circle:
    check_finite(name("center_x"), r.center_x, "m");
    check_finite(name("center_y"), r.center_y, "m");
    check_value(r.radius > 0, name("radius"), r.radius, "m", "> 0");
    break;
  case RegionShape::half_plane:
    check_finite(name("a"), r.a, "");
    check_finite(name("b"), r.b, "");
    check_finite(name("c"), r.c, "");
    if (r.a == 0 && r.b == 0) throw InputError(name("a = b = 0, expected one of them not 0"));
    break;
  }
}

void check_terrain(const Terrain& terrain) {
  for (const Region& region : terrain.regions) check_region(region);
  if (!terrain.is_plane) return check_heightfield(terrain.field);
  const Vec3d &p = terrain.plane_point, &n = terrain.plane_normal;
  if (!(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z))) {
    throw input_error("plane_point = ({}, {}, {}) m, expected finite numbers", p.x, p.y, p.z);
  }
  if (!(n.z > 0 && std::abs(norm(n) - 1) < 1e-9)) {
    throw input_error("plane_normal = ({}, {}, {}), expected a unit vector with z > 0", n.x, n.y,
                      n.z);
  }
}

}  // namespace footfall
