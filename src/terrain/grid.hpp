// What the makers and loaders of heightfields share: checks, and a grid ready to be filled.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "footfall/terrain/procedural.hpp"
#include "input_error.hpp"

namespace footfall {

inline constexpr double kMaxCoordinate = 1e7;                   // of a grid's corner [m]
inline constexpr double kMinSpacing = 1e-6, kMaxSpacing = 1e4;  // [m]

// Throws "name = value unit, expected …" unless `good`. Write conditions so that NaN is not good.
inline void check_value(bool good, std::string_view name, double value, std::string_view unit,
                        std::string_view expected) {
  if (good) return;
  const std::string_view blank = unit.empty() ? "" : " ";
  throw input_error("{} = {}{}{}, expected {}", name, value, blank, unit, expected);
}
inline void check_finite(std::string_view name, double value, std::string_view unit) {
  check_value(std::isfinite(value), name, value, unit, "a finite number");
}
inline void check_direction(std::string_view name, double value) {
  check_value(std::abs(value) <= 2 * M_PI, name, value, "rad", "[-2π, 2π]");
}
inline bool is_height(double value) { return std::abs(value) <= kMaxHeight; }

void check_placement(const GridPlacement& placement);

// nx × ny within 2 × 2 and kMaxGridPoints; `name` says whose grid it is.
void check_grid_size(std::string_view name, std::int64_t nx, std::int64_t ny);

// A grid of zeros; size and placement are checked.
Heightfield empty_heightfield(std::string_view name, std::int64_t nx, std::int64_t ny,
                              const GridPlacement& placement);
Heightfield empty_heightfield(const GridExtent& extent);

// height_at(x, y) at every point of the grid. The point's place is one rounding of
// index · spacing + origin, the same with and without fused multiply-add.
template <class HeightAt>
void fill_heightfield(const HeightAt& height_at, Heightfield& field) {
  std::size_t point = 0;
  for (int iy = 0; iy < field.ny; ++iy) {
    const double y = std::fma(iy, field.spacing, field.origin_y);
    for (int ix = 0; ix < field.nx; ++ix) {
      field.heights[point++] = height_at(std::fma(ix, field.spacing, field.origin_x), y);
    }
  }
}

}  // namespace footfall
