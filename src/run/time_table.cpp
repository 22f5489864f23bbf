// Tables over time from CSV.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "footfall/run/controller.hpp"
#include "input_error.hpp"
#include "io/config.hpp"
#include "io/text_file.hpp"
#include "io/words.hpp"

namespace footfall {
namespace {

constexpr double kLargest = 1e9;  // of times, torques and targets: no robot has more

double parse_cell(std::string_view cell, const std::string& place) {
  const std::optional<double> value = number_in(cell);
  if (!value || !(std::abs(*value) <= kLargest)) {
    throw input_error("{}: '{}', expected a number of size {:g} at most", place, cell, kLargest);
  }
  return *value;
}

void read_header(const std::vector<std::string_view>& cells, const std::string& place,
                 TimeTable& table) {
  if (cells[0] != "time_s") {
    throw input_error("{}: first column is '{}', expected 'time_s'", place, cells[0]);
  }
  std::set<std::string_view> seen;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (cells[i].empty() || !seen.insert(cells[i]).second) {
      throw input_error(
          "{}: column {} has the name '{}', expected one that is neither empty nor there already",
          place, i + 1, cells[i]);
    }
    table.names.emplace_back(cells[i]);
  }
}

void read_row(const std::vector<std::string_view>& cells, const std::string& place,
              TimeTable& table) {
  if (cells.size() != table.names.size() + 1) {
    throw input_error("{}: {} values, expected {} as in the header", place, cells.size(),
                      table.names.size() + 1);
  }
  const double time = parse_cell(cells[0], place + ":time_s");
  if (!table.times.empty() && !(time > table.times.back())) {
    throw input_error("{}: time_s = {}, expected more than {} of the row before", place, time,
                      table.times.back());
  }
  table.times.push_back(time);
  for (std::size_t i = 1; i < cells.size(); ++i) {
    table.values.push_back(parse_cell(cells[i], place + ":" + table.names[i - 1]));
  }
}

}  // namespace

TimeTable parse_time_table(std::string_view text, const std::string& file) {
  TimeTable table;
  bool has_header = false;
  std::string_view line;
  for (int line_number = 1; next_line(text, line); ++line_number) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#') continue;
    const std::string place = fmt::format("{}:{}", file, line_number);
    if (!has_header) {
      read_header(split_at_commas(line), place, table);
      has_header = true;
    } else {
      read_row(split_at_commas(line), place, table);
    }
  }
  if (table.times.empty()) {
    throw input_error("{}: no rows, expected a header 'time_s, …' and numbers below it", file);
  }
  return table;
}

TimeTable load_time_table(const std::filesystem::path& file) {
  return parse_time_table(read_text_file(file), file.string());
}

}  // namespace footfall
