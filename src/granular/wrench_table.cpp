#include "granular/wrench_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "input_error.hpp"

namespace footfall {
namespace {

enum Column { kDepth, kTilt, kDirection, kForceX, kForceZ, kTorqueY, kColumnCount };
constexpr std::array<const char*, kColumnCount> kColumnNames{
    "depth_m", "tilt_rad", "direction", "force_x_N", "force_z_N", "torque_y_Nm"};
constexpr int kMostDirections = 100'000;

std::string_view trim_cell(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> split_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t from = 0;;) {
    const std::size_t comma = line.find(',', from);
    cells.push_back(trim_cell(line.substr(from, comma - from)));
    if (comma == std::string_view::npos) return cells;
    from = comma + 1;
  }
}

// For each of our columns its place among the file's.
std::array<std::size_t, kColumnCount> find_columns(std::string_view header,
                                                   const std::string& place) {
  std::array<std::size_t, kColumnCount> found{};
  std::array<bool, kColumnCount> there{};
  const std::vector<std::string_view> names = split_cells(header);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i] == "velocity_index" ? "direction" : names[i];
    const auto known = std::find(kColumnNames.begin(), kColumnNames.end(), name);
    if (known == kColumnNames.end()) {
      throw input_error("{}: column '{:.40}', expected {}", place, names[i],
                        fmt::join(kColumnNames, ","));
    }
    const auto column = static_cast<std::size_t>(known - kColumnNames.begin());
    if (std::exchange(there[column], true)) throw input_error("{}: column '{}' twice", place, name);
    found[column] = i;
  }
  for (std::size_t i = 0; i < kColumnCount; ++i) {
    if (there[i]) continue;
    throw input_error("{}: no column '{}', expected the header {}", place, kColumnNames[i],
                      fmt::join(kColumnNames, ","));
  }
  return found;
}

double read_cell(std::string_view cell, Column column, const std::string& place) {
  double value = 0;
  const std::string_view digits = cell.starts_with('+') ? cell.substr(1) : cell;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) {
    throw input_error("{}: {} = '{:.40}', expected a finite number", place, kColumnNames[column],
                      cell);
  }
  return value;
}

WrenchRow read_row(const std::array<double, kColumnCount>& value, long line,
                   const std::string& place) {
  const double index = value[kDirection];
  if (!(index >= 0 && index < kMostDirections && index == std::floor(index))) {
    throw input_error("{}: direction = {}, expected a whole number, 0 or more", place, index);
  }
  WrenchRow row;
  row.configuration = {value[kDepth], value[kTilt]};
  row.direction = static_cast<int>(index);
  row.wrench = {value[kForceX], value[kForceZ], value[kTorqueY]};
  row.line = line;
  return row;
}

}  // namespace

WrenchTable parse_wrench_table(std::string_view text, const std::string& file) {
  WrenchTable table;
  std::array<std::size_t, kColumnCount> places{};
  std::size_t column_count = 0;  // of the file; 0: no header yet
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = trim_cell(text.substr(from, end - from));
    from = end + 1;
    ++table.last_line;
    if (line.empty() || line.front() == '#') continue;
    const std::string place = fmt::format("{}:{}", file, table.last_line);
    const std::vector<std::string_view> cells = split_cells(line);
    if (column_count == 0) {
      places = find_columns(line, place);
      column_count = cells.size();
      continue;
    }
    if (cells.size() != column_count) {
      throw input_error("{}: {} columns, expected {} as in the header", place, cells.size(),
                        column_count);
    }
    std::array<double, kColumnCount> value{};
    for (std::size_t i = 0; i < kColumnCount; ++i) {
      value[i] = read_cell(cells[places[i]], static_cast<Column>(i), place);
    }
    table.rows.push_back(read_row(value, table.last_line, place));
  }
  if (column_count == 0) {
    throw input_error("{}:{}: no table, expected the header {}", file, table.last_line,
                      fmt::join(kColumnNames, ","));
  }
  return table;
}

void sort_wrench_rows(const WrenchTable& table, const std::string& file, WrenchDatabase& database) {
  const std::size_t m = database.directions.size();
  std::map<std::pair<double, double>, std::size_t> known;
  std::vector<long> lines;  // of the row of each configuration and direction; 0: not there
  for (const WrenchRow& row : table.rows) {
    const auto direction = static_cast<std::size_t>(row.direction);
    if (direction >= m) {
      throw input_error("{}:{}: direction = {}, expected 0 to {}", file, row.line, row.direction,
                        m - 1);
    }
    const auto [at, is_new] =
        known.try_emplace({row.configuration.depth, row.configuration.tilt}, known.size());
    if (is_new) {
      database.configurations.push_back(row.configuration);
      database.wrenches.resize(known.size() * m);
      lines.resize(known.size() * m, 0);
    }
    const std::size_t place = at->second * m + direction;
    if (lines[place] != 0) {
      throw input_error("{}:{}: direction {} at depth_m = {}, tilt_rad = {} is in line {} too",
                        file, row.line, row.direction, row.configuration.depth,
                        row.configuration.tilt, lines[place]);
    }
    lines[place] = row.line;
    database.wrenches[place] = row.wrench;
  }
  for (std::size_t j = 0; j < database.configurations.size(); ++j) {
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < m; ++i) {
      if (lines[j * m + i] == 0) missing.push_back(i);
    }
    if (missing.empty()) continue;
    const FootConfiguration& at = database.configurations[j];
    throw input_error("{}:{}: depth_m = {}, tilt_rad = {} has {} of {} directions: {} missing",
                      file, table.last_line, at.depth, at.tilt, m - missing.size(), m,
                      fmt::join(missing, ", "));
  }
}

}  // namespace footfall
