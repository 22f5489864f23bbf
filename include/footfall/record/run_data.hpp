// A run file in memory: every column by name, with shape, unit and meaning, and the attributes.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "footfall/foot/sole.hpp"
#include "footfall/robot/model.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

// Reads rows of a column of a file that is open.
class RowReader {
 public:
  virtual ~RowReader() = default;
  // Overwrites `values` with some rows among which `row` is; returns the first.
  virtual int read(int row, std::vector<double>& values) const = 0;
};

struct RunColumn {
  std::string name;  // its path, as "feet/front_left_foot/force"
  std::string unit, meaning;
  std::string frame;               // "" where there is none
  std::vector<int> shape;          // of a row; empty: one number
  int width = 1;                   // numbers in a row
  std::vector<std::string> names;  // of each of them, where they have names
  std::vector<std::string> units;  // of each of them
  std::vector<double> values;      // row by row; of open_run() none, but for constants

  double at(int r, int component = 0) const { return row(r)[component]; }
  Vec3d vector(int r) const {
    const double* v = row(r);
    return {v[0], v[1], v[2]};
  }
  // Its numbers, until another row is asked for. One thread at a time.
  const double* row(int r) const {
    if (reader == nullptr) return values.data() + static_cast<std::size_t>(r) * width;
    const auto held = static_cast<int>(window.size()) / width;
    if (r < first || r >= first + held) first = reader->read(r, window);
    return window.data() + static_cast<std::size_t>(r - first) * width;
  }

  std::shared_ptr<const RowReader> reader{};  // null: all rows are in `values`
  mutable std::vector<double> window{};       // rows that were read last, and the first of them
  mutable int first = 0;
};

struct RunContents {
  std::string file;
  bool complete = false;  // false: the run was cut short
  int row_count = 0;
  std::vector<RunColumn> columns;    // one row per step, in the order of the file
  std::vector<RunColumn> constants;  // groups robot and terrain: do not change during the run
  std::map<std::string, std::string> texts;  // attributes of the file
  std::map<std::string, std::vector<std::string>> lists;
  std::map<std::string, double> numbers;

  // Null: there is none of that name.
  const RunColumn* find_column(const std::string& name) const;
  const RunColumn* find_constant(const std::string& name) const;
  // Throw InputError with the file's name if there is none of that name.
  const RunColumn& column(const std::string& name) const;
  const RunColumn& constant(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  const std::vector<std::string>& list(const std::string& name) const;
  double number(const std::string& name) const;
  // A column of the foot with this index in list("foot_names"), as foot_column(0, "sinkage").
  const RunColumn& foot_column(int foot, const std::string& name) const;
};

// Throws InputError, with the file's name and the reason, for anything that is no readable run
// file. The file of a killed run is readable: its columns are as long as the shortest of them.
RunContents read_run(const std::filesystem::path& file);
// The same, but rows are read from the file as they are asked for: for long runs, whose rows need not fit into memory.
RunContents open_run(const std::filesystem::path& file);

// The robot of the run, as far as pictures need it: tree, joints and geoms; of the inertia only
// masses and their centres.
RobotModel read_robot(const RunContents& run);

// The ground of the run: its shape, and where which soil lies.
Terrain read_terrain(const RunContents& run);

// A foot, as far as pictures need it.
struct RunFoot {
  std::string name;
  int body = 0;
  int geom = 0;            // the first on which it stands
  std::vector<int> geoms;  // all that belong to it, that one first
  SoleShape shape = SoleShape::sphere;
  double radius = 0;        // of a round sole [m]
  std::vector<Vec3d> sole;  // points of the sole, of a round one centres, frame B [m]
};
std::vector<RunFoot> read_feet(const RunContents& run, const RobotModel& robot);

// A soil, likewise.
struct RunSoil {
  std::string name;
  bool plastic = false;  // keeps footprints
  double stiffness = 0;  // of one that comes back [N/m^n]
};
std::vector<RunSoil> read_soils(const RunContents& run);

}  // namespace footfall
