// Triangles from a file: STL (text or binary) or OBJ, lengths as they stand there.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "footfall/math/spatial.hpp"

namespace footfall {

struct TriangleMesh {
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> faces;  // against the clock, seen from outside
};

// Faces of an OBJ with more corners are cut into fans. Throws InputError with the line or byte.
TriangleMesh read_mesh(const std::filesystem::path& file);

// Largest extent in x or y.
double plan_size(const TriangleMesh& mesh);

}  // namespace footfall
