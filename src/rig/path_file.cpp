#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "footfall/rig/path.hpp"
#include "input_error.hpp"
#include "io/recording_table.hpp"

namespace footfall {
namespace {

using Columns = std::vector<std::string>;

// The place of each column that we know; −1: not there.
struct Layout {
  int time = -1, sinkage = -1, z = -1, x = -1, y = -1;
};

// What a point may be; beyond is a slip of the unit.
struct Range {
  double least, most;
  const char* unit;
};
constexpr Range kTimes{-1e9, 1e9, "s"}, kDepths{-1000, 10, "m"}, kHeights{-10, 1000, "m"},
    kWays{-1e6, 1e6, "m"};

int find_column(const Columns& names, const char* name) {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// "x" of x_mm, "X [mm]" or x; the whole of names with more words, such as sinkage_rate_m_per_s.
std::string quantity(const std::string& name) {
  std::string text;
  for (const char c : name) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (const auto bracket = text.find_first_of("(["); bracket != std::string::npos) {
    text.erase(bracket);
  } else if (const auto unit = text.rfind('_'); unit != std::string::npos) {
    text.erase(unit);
  }
  while (!text.empty() && !is_letter(text.back())) text.pop_back();
  return text;
}

// Columns of other quantities are none of ours; a known quantity in another unit is a mistake.
void check_names(const Columns& names, const std::string& file) {
  constexpr const char* known[] = {"time_s",
                                   "sinkage_m",
                                   "z_m",
                                   "x_m",
                                   "y_m",
                                   "shear_displacement_x_m",
                                   "shear_displacement_y_m"};
  for (auto name = names.begin(); name != names.end(); ++name) {
    for (const char* expected : known) {
      if (*name != expected && quantity(*name) == quantity(expected)) {
        throw input_error("{}:1: column '{}', expected {}", file, *name, expected);
      }
    }
    if (!name->empty() && std::find(names.begin(), name, *name) != name) {
      throw input_error("{}:1: column '{}' twice, expected it once", file, *name);
    }
  }
}

void use_once(int& place, int other, const char* name, const std::string& file) {
  if (place >= 0 && other >= 0) {
    throw input_error("{}:1: columns {} and shear_displacement_{}, expected only one of them", file,
                      name, name);
  }
  if (other >= 0) place = other;
}

Layout find_layout(const Columns& names, const std::string& file) {
  Layout l{find_column(names, "time_s"), find_column(names, "sinkage_m"), find_column(names, "z_m"),
           find_column(names, "x_m"), find_column(names, "y_m")};
  check_names(names, file);
  // What the rig itself writes can be followed again.
  use_once(l.x, find_column(names, "shear_displacement_x_m"), "x_m", file);
  use_once(l.y, find_column(names, "shear_displacement_y_m"), "y_m", file);
  if (l.time < 0 || (l.sinkage < 0 && l.z < 0)) {
    throw input_error("{}:1: columns {}, expected time_s and sinkage_m or z_m, and x_m, y_m where "
                      "the foot moves sideways",
                      file, fmt::join(names, ", "));
  }
  if (l.sinkage >= 0 && l.z >= 0) {
    throw input_error("{}:1: columns sinkage_m and z_m, expected only one of them", file);
  }
  return l;
}

// Values of one column, within what they may be.
std::vector<double> read_column(RecordingTable& table, int column, const Range& range,
                                const std::string& file) {
  std::vector<double> values = std::move(table.read({column}).front());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= range.least && values[i] <= range.most) continue;
    throw input_error("{}:{}: {} {} in column {}, expected {:g} to {:g} {}", file, table.rows()[i],
                      values[i], range.unit, column + 1, range.least, range.most, range.unit);
  }
  return values;
}

}  // namespace

std::vector<PathPoint> read_path(const std::filesystem::path& file) {
  const std::string name = file.string();
  const std::unique_ptr<RecordingTable> table = open_csv(file);
  Columns names;
  for (const TableColumn& column : table->columns()) names.push_back(column.name);
  const Layout layout = find_layout(names, name);

  const std::vector<double> time = read_column(*table, layout.time, kTimes, name);
  std::vector<PathPoint> path(time.size());
  const auto fill = [&](int column, const Range& range, double PathPoint::* field, double sign) {
    if (column < 0) return;
    const std::vector<double> values = read_column(*table, column, range, name);
    for (std::size_t i = 0; i < path.size(); ++i) path[i].*field = sign * values[i];
  };
  for (std::size_t i = 0; i < path.size(); ++i) {
    path[i].time = time[i];
    if (i == 0 || time[i] > time[i - 1]) continue;
    throw input_error("{}:{}: time_s = {}, expected above the {} of the row before", name,
                      table->rows()[i], time[i], time[i - 1]);
  }
  fill(layout.sinkage, kDepths, &PathPoint::sinkage, 1);
  fill(layout.z, kHeights, &PathPoint::sinkage, -1);
  fill(layout.x, kWays, &PathPoint::x, 1);
  fill(layout.y, kWays, &PathPoint::y, 1);
  if (path.size() < 2) {
    throw input_error("{}: {} rows of data, expected 2 or more", name, path.size());
  }
  return path;
}

}  // namespace footfall
