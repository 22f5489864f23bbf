#include "footfall/rig/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "footfall/io/new_file.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
  throw input_error("{}: {}", file.string(), what);
}

std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || !std::filesystem::is_regular_file(file)) refuse(file, "cannot be read");
  note_input(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void add_triangle(TriangleMesh& mesh, const std::array<Vec3d, 3>& corners) {
  const int first = static_cast<int>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
  mesh.faces.push_back({first, first + 1, first + 2});
}

constexpr std::size_t kStlHead = 84, kStlFace = 50;  // bytes

// A binary STL says how many triangles it has, and its size must fit.
bool is_binary_stl(const std::string& bytes) {
  if (bytes.size() < kStlHead) return false;
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  return bytes.size() == kStlHead + kStlFace * static_cast<std::size_t>(count);
}

TriangleMesh read_binary_stl(const std::string& bytes) {
  TriangleMesh mesh;
  for (std::size_t at = kStlHead; at + kStlFace <= bytes.size(); at += kStlFace) {
    std::array<float, 9> xyz{};
    std::memcpy(xyz.data(), bytes.data() + at + 12, sizeof xyz);  // after the normal
    std::array<Vec3d, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) corners[k] = {xyz[3 * k], xyz[3 * k + 1], xyz[3 * k + 2]};
    add_triangle(mesh, corners);
  }
  return mesh;
}

Vec3d read_vector(std::istringstream& words, const std::filesystem::path& file, int line) {
  Vec3d v{0, 0, 0};
  if (!(words >> v.x >> v.y >> v.z)) {
    refuse(file, fmt::format("line {}: expected three numbers after 'v' or 'vertex'", line));
  }
  return v;
}

TriangleMesh read_text_stl(const std::string& text, const std::filesystem::path& file) {
  TriangleMesh mesh;
  std::vector<Vec3d> corners;
  std::istringstream lines(text);
  std::string line;
  for (int row = 1; std::getline(lines, line); ++row) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "vertex") corners.push_back(read_vector(words, file, row));
    if (word != "endfacet") continue;
    if (corners.size() != 3) {
      refuse(file,
             fmt::format("line {}: this facet has {} vertices, expected 3", row, corners.size()));
    }
    add_triangle(mesh, {corners[0], corners[1], corners[2]});
    corners.clear();
  }
  return mesh;
}

// "7", "7/1/3", "-1": from 1, or from the end.
int read_index(const std::string& word, int vertex_count, const std::filesystem::path& file,
               int line) {
  int index = 0;
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, index);
  const bool parsed = error == std::errc() && (rest == end || *rest == '/');
  const int found = index < 0 ? vertex_count + index : index - 1;
  if (!parsed || found < 0 || found >= vertex_count) {
    refuse(file, fmt::format("line {}: vertex '{}', expected 1 to {}", line, word, vertex_count));
  }
  return found;
}

TriangleMesh read_obj(const std::string& text, const std::filesystem::path& file) {
  TriangleMesh mesh;
  std::istringstream lines(text);
  std::string line;
  for (int row = 1; std::getline(lines, line); ++row) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "v") mesh.vertices.push_back(read_vector(words, file, row));
    if (word != "f") continue;
    std::vector<int> corners;
    const int count = static_cast<int>(mesh.vertices.size());
    while (words >> word) corners.push_back(read_index(word, count, file, row));
    if (corners.size() < 3) {
      refuse(file, fmt::format("line {}: a face of {} vertices, expected 3 or more", row,
                               corners.size()));
    }
    for (std::size_t k = 2; k < corners.size(); ++k) {
      mesh.faces.push_back({corners[0], corners[k - 1], corners[k]});
    }
  }
  return mesh;
}

}  // namespace

TriangleMesh read_mesh(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (ending != ".stl" && ending != ".obj")
    refuse(file, "expected a file that ends in .stl or .obj");
  const std::string bytes = read_bytes(file);
  TriangleMesh mesh = ending == ".obj"       ? read_obj(bytes, file)
                      : is_binary_stl(bytes) ? read_binary_stl(bytes)
                                             : read_text_stl(bytes, file);
  if (mesh.faces.empty()) refuse(file, "has no triangles");
  for (const Vec3d& v : mesh.vertices) {
    if (!std::isfinite(v.x + v.y + v.z)) refuse(file, "has a vertex that is no number");
  }
  return mesh;
}

double plan_size(const TriangleMesh& mesh) {
  Vec3d low = mesh.vertices[0], high = low;
  for (const Vec3d& v : mesh.vertices) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), 0};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), 0};
  }
  return std::max(high.x - low.x, high.y - low.y);
}

}  // namespace footfall
