// LAMMPS in tests: skipped where there is none, and short inputs run by hand.
#pragma once

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "dem/lammps_run.hpp"

namespace footfall {

#define FOOTFALL_SKIP_WITHOUT_LAMMPS()                                                             \
  if (find_program({"lmp"}).empty()) GTEST_SKIP() << "no lmp on the PATH: apt-get install lammps"

// A folder of its own that is gone afterwards.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "footfall-dem-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Grains in a box of 1 m, all of one size, each at a place.
inline std::string grains_at(const Grains& g, const std::vector<std::array<double, 3>>& places) {
  std::string text = fmt::format("test\n\n{} atoms\n1 atom types\n\n0 1 xlo xhi\n0 1 ylo yhi\n-0.1 "
                                 "1 zlo zhi\n\nAtoms # sphere\n\n",
                                 places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    text += fmt::format("{} 1 {} {} {:.17g} {:.17g} {:.17g}\n", i + 1, 2 * g.radius, g.density,
                        places[i][0], places[i][1], places[i][2]);
  }
  return text;
}

// Rows of the thermo table that an input prints.
inline std::vector<std::vector<double>> run_rows(const TestFolder& folder, const std::string& input,
                                                 std::size_t columns) {
  write_text(folder / "test.in", input);
  std::vector<std::vector<double>> rows;
  LammpsOutput output(
      columns, [&](std::span<const double> row) { rows.emplace_back(row.begin(), row.end()); });
  const LammpsProgram program = find_lammps({});
  run_lammps(program, lammps_command(program, "test.in", 1), folder.path(), output);
  return rows;
}

}  // namespace footfall
