#include "terrain/grid.hpp"

#include <algorithm>

#include "input_error.hpp"

namespace footfall {

void check_placement(const GridPlacement& placement) {
  check_value(std::abs(placement.origin_x) <= kMaxCoordinate, "origin_x", placement.origin_x, "m",
              "[-1e7, 1e7]");
  check_value(std::abs(placement.origin_y) <= kMaxCoordinate, "origin_y", placement.origin_y, "m",
              "[-1e7, 1e7]");
  check_value(placement.spacing >= kMinSpacing && placement.spacing <= kMaxSpacing, "spacing",
              placement.spacing, "m", "[1e-6, 1e4]");
}

void check_grid_size(std::string_view name, std::int64_t nx, std::int64_t ny) {
  if (nx < 2 || ny < 2) {
    throw input_error("{}: the grid has {} × {} points (x × y), expected at least 2 × 2", name, nx,
                      ny);
  }
  if (nx > kMaxGridPoints / ny) {
    throw input_error("{}: the grid has {} × {} points (x × y), expected at most {} in all", name,
                      nx, ny, kMaxGridPoints);
  }
}

Heightfield empty_heightfield(std::string_view name, std::int64_t nx, std::int64_t ny,
                              const GridPlacement& placement) {
  check_placement(placement);
  check_grid_size(name, nx, ny);
  Heightfield field;
  field.nx = static_cast<int>(nx);
  field.ny = static_cast<int>(ny);
  field.origin_x = placement.origin_x;
  field.origin_y = placement.origin_y;
  field.spacing = placement.spacing;
  field.heights.resize(static_cast<std::size_t>(nx * ny));
  return field;
}

namespace {

// Points that cover a length, the last not short of its end except by rounding.
std::int64_t count_points(std::string_view name, double min, double max, double spacing) {
  if (!(std::abs(min) <= kMaxCoordinate && std::abs(max) <= kMaxCoordinate && min < max)) {
    throw input_error(
        "{0}_min = {1} m, {0}_max = {2} m, expected {0}_min < {0}_max, both in [-1e7, 1e7]", name,
        min, max);
  }
  const double steps = std::ceil((max - min) / spacing - 1e-6);  // below 2e13: the limits above
  return static_cast<std::int64_t>(std::max(steps, 1.0)) + 1;
}

}  // namespace

Heightfield empty_heightfield(const GridExtent& extent) {
  const GridPlacement placement{extent.x_min, extent.y_min, extent.spacing};
  check_placement(placement);
  return empty_heightfield("extent", count_points("x", extent.x_min, extent.x_max, extent.spacing),
                           count_points("y", extent.y_min, extent.y_max, extent.spacing),
                           placement);
}

}  // namespace footfall
