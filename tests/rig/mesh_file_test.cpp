#include "footfall/rig/mesh_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

#include "footfall/error.hpp"
#include "footfall/foot/foot_sole.hpp"

namespace footfall {
namespace {

using testing::HasSubstr;

std::filesystem::path write(const std::string& name, const std::string& bytes) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("footfall_mesh_" + std::to_string(getpid()) + name);
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

std::string mistake(const std::string& name, const std::string& bytes) {
  try {
    read_mesh(write(name, bytes));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

// A rectangle of 0.1 m by 0.06 m that looks down.
constexpr const char* kObj =
    "# a plate\nv 0 0 0\nv 0.1 0 0\nv 0.1 0.06 0\nv 0 0.06 0\nf 4/1 3/2/1 2 -4\n";

double plate_area(const TriangleMesh& mesh) {
  return plan_area(make_mesh(mesh.vertices, mesh.faces, 0.01), 0.01);
}

TEST(MeshFile, ReadsObj) {
  const TriangleMesh mesh = read_mesh(write("plate.obj", kObj));
  EXPECT_EQ(mesh.faces.size(), 2u);
  EXPECT_NEAR(plate_area(mesh), 0.006, 1e-15);
  EXPECT_DOUBLE_EQ(plan_size(mesh), 0.1);
}

TEST(MeshFile, ReadsStlAsTextAndBinary) {
  const TriangleMesh plate = read_mesh(write("plate.obj", kObj));
  std::string text = "solid plate\n", binary(80, ' ');
  const auto append = [&](const auto& value) {
    binary.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  append(static_cast<std::uint32_t>(plate.faces.size()));
  for (const auto& face : plate.faces) {
    text += "facet normal 0 0 -1\n outer loop\n";
    for (int k = 0; k < 3; ++k) append(0.0F);
    for (const int corner : face) {
      const Vec3d& v = plate.vertices[static_cast<std::size_t>(corner)];
      text += "  vertex " + std::to_string(v.x) + " " + std::to_string(v.y) + " 0\n";
      for (const double c : {v.x, v.y, v.z}) append(static_cast<float>(c));
    }
    text += " endloop\nendfacet\n";
    append(std::uint16_t{0});
  }
  text += "endsolid\n";
  EXPECT_NEAR(plate_area(read_mesh(write("text.stl", text))), 0.006, 1e-12);
  EXPECT_NEAR(plate_area(read_mesh(write("binary.STL", binary))), 0.006, 1e-9);
}

TEST(MeshFile, SaysWhatIsWrong) {
  EXPECT_THAT(mistake("a.ply", ""), HasSubstr("ends in .stl or .obj"));
  EXPECT_THAT(mistake("empty.stl", ""), HasSubstr("has no triangles"));
  EXPECT_THAT(mistake("a.obj", "v 0 0\n"), HasSubstr("line 1: expected three numbers"));
  EXPECT_THAT(mistake("a.obj", "v 0 0 0\nf 1 2 3\n"),
              HasSubstr("line 2: vertex '2', expected 1 to 1"));
  EXPECT_THAT(mistake("a.obj", "v 0 0 0\nf 1 1\n"), HasSubstr("a face of 2 vertices"));
  EXPECT_THAT(mistake("a.stl", "solid\nvertex 0 0 0\nendfacet\n"), HasSubstr("has 1 vertices"));
  EXPECT_THROW(read_mesh("/nowhere/foot.stl"), InputError);
}

}  // namespace
}  // namespace footfall
