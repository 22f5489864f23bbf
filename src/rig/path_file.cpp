#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>

#include "footfall/error.hpp"
#include "footfall/rig/path.hpp"

namespace footfall {
namespace {

using Columns = std::vector<std::string>;

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\"");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

Columns split(const std::string& line) {
  Columns fields(1);
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  for (std::string& f : fields) f = trim(f);
  return fields;
}

// The place of each column that we know; −1: not there.
struct Layout {
  int time = -1, sinkage = -1, z = -1, x = -1, y = -1;
  std::size_t count = 0;
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
        throw InputError(fmt::format("{}:1: column '{}', expected {}", file, *name, expected));
      }
    }
    if (!name->empty() && std::find(names.begin(), name, *name) != name) {
      throw InputError(fmt::format("{}:1: column '{}' twice, expected it once", file, *name));
    }
  }
}

void use_once(int& place, int other, const char* name, const std::string& file) {
  if (place >= 0 && other >= 0) {
    throw InputError(fmt::format("{}:1: columns {} and shear_displacement_{}, expected only one "
                                 "of them",
                                 file, name, name));
  }
  if (other >= 0) place = other;
}

Layout read_header(const std::string& line, const std::string& file) {
  const Columns names = split(line);
  Layout l{find_column(names, "time_s"), find_column(names, "sinkage_m"), find_column(names, "z_m"),
           find_column(names, "x_m"),    find_column(names, "y_m"),       names.size()};
  check_names(names, file);
  // What the rig itself writes can be followed again.
  use_once(l.x, find_column(names, "shear_displacement_x_m"), "x_m", file);
  use_once(l.y, find_column(names, "shear_displacement_y_m"), "y_m", file);
  if (l.time < 0 || (l.sinkage < 0 && l.z < 0)) {
    throw InputError(fmt::format("{}:1: columns {}, expected time_s and sinkage_m or z_m, and x_m, "
                                 "y_m where the foot moves sideways",
                                 file, fmt::join(names, ", ")));
  }
  if (l.sinkage >= 0 && l.z >= 0) {
    throw InputError(
        fmt::format("{}:1: columns sinkage_m and z_m, expected only one of them", file));
  }
  return l;
}

double read_number(const Columns& fields, int column, const Range& range,
                   const std::string& place) {
  const std::string& text = fields[static_cast<std::size_t>(column)];
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    throw InputError(
        fmt::format("{}: '{}' in column {}, expected a number", place, text, column + 1));
  }
  if (!(value >= range.least && value <= range.most)) {
    throw InputError(fmt::format("{}: {} {} in column {}, expected {:g} to {:g} {}", place, value,
                                 range.unit, column + 1, range.least, range.most, range.unit));
  }
  return value;
}

PathPoint read_point(const std::string& line, const Layout& layout, const std::string& place) {
  const Columns fields = split(line);
  if (fields.size() != layout.count) {
    throw InputError(fmt::format("{}: {} columns, expected {} as in the header", place,
                                 fields.size(), layout.count));
  }
  PathPoint p;
  p.time = read_number(fields, layout.time, kTimes, place);
  p.sinkage = layout.sinkage >= 0 ? read_number(fields, layout.sinkage, kDepths, place)
                                  : -read_number(fields, layout.z, kHeights, place);
  if (layout.x >= 0) p.x = read_number(fields, layout.x, kWays, place);
  if (layout.y >= 0) p.y = read_number(fields, layout.y, kWays, place);
  return p;
}

}  // namespace

std::vector<PathPoint> read_path(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!in || std::filesystem::is_directory(file) || !std::getline(in, line)) {
    throw InputError(
        fmt::format("{}: cannot be read, expected a table with a header", file.string()));
  }
  if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // as spreadsheets write
  const Layout layout = read_header(line, file.string());
  std::vector<PathPoint> path;
  for (int row = 2; std::getline(in, line); ++row) {
    if (trim(line).empty()) continue;
    const std::string place = fmt::format("{}:{}", file.string(), row);
    path.push_back(read_point(line, layout, place));
    if (path.size() > 1 && !(path.back().time > path[path.size() - 2].time)) {
      throw InputError(fmt::format("{}: time_s = {}, expected above the {} of the row before",
                                   place, path.back().time, path[path.size() - 2].time));
    }
  }
  if (path.size() < 2) {
    throw InputError(
        fmt::format("{}: {} rows of data, expected 2 or more", file.string(), path.size()));
  }
  return path;
}

}  // namespace footfall
