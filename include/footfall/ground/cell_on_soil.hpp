// The part of a cell that lies on one soil, where a border runs below it.
//
// Each soil carries with its own part, at its own centre. What of that part is in the ground, one or several
// polygons, is replaced by a triangle with the same area, middle and second moments, so the law on it is that of a
// cell (soil/cell.hpp); the share makes its force that of the polygons.
#pragma once

#include <array>

#include "footfall/terrain/terrain.hpp"

namespace footfall {

struct CellOnSoil {
  double share = 1;  // of what the whole cell would carry
  // of the part's corners in those of the cell; their sums are 1
  std::array<Vec3d, 3> at{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};

// `plan`, `depths`: of the cell's corners; `n`: exponent of the pressure law; `is_sector`: as in SolePoint.
CellOnSoil find_cell_on_soil(const Terrain& terrain, int soil,
                             const std::array<PlanePoint, 3>& plan,
                             const std::array<double, 3>& depths, double n, bool is_sector);

}  // namespace footfall
