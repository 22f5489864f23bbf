#include "footfall/granular/wrench_import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "granular/wrench_table.hpp"
#include "io/config.hpp"
#include "io/text_file.hpp"

namespace footfall {
namespace {

// Depths positive in the ground, whichever sign they came with.
void turn_depths(WrenchTable& table, const std::string& file, std::vector<std::string>& notes) {
  const auto find = [&](double sign) {
    return std::find_if(table.rows.begin(), table.rows.end(),
                        [&](const WrenchRow& row) { return sign * row.configuration.depth > 0; });
  };
  const auto below = find(-1), above = find(1);
  if (below == table.rows.end()) return;
  if (above != table.rows.end()) {
    throw InputError(fmt::format("{}:{}: depth_m = {}, but {} in line {}: expected all depths of "
                                 "one sign, positive or negative in the ground",
                                 file, above->line, above->configuration.depth,
                                 below->configuration.depth, below->line));
  }
  for (WrenchRow& row : table.rows) row.configuration.depth = -row.configuration.depth;
  notes.emplace_back("depths are negative in the ground, as in Zhu 2019: their sign is turned");
}

void drop_surface(WrenchTable& table, const std::string& file, std::vector<std::string>& notes) {
  for (const WrenchRow& row : table.rows) {
    const PlanarWrench& w = row.wrench;
    if (row.configuration.depth != 0 || (w.force_x == 0 && w.force_z == 0 && w.torque_y == 0)) {
      continue;
    }
    throw InputError(fmt::format("{}:{}: a wrench of ({}, {}, {}) at zero depth, expected zero: a "
                                 "foot on the surface is not in the ground",
                                 file, row.line, w.force_x, w.force_z, w.torque_y));
  }
  const std::size_t dropped =
      std::erase_if(table.rows, [](const WrenchRow& row) { return row.configuration.depth == 0; });
  if (dropped > 0) {
    notes.push_back(fmt::format("{} rows at zero depth are zero and left out: W is", dropped));
  }
}

void check_measured_tilts(const WrenchTable& table, const std::string& file) {
  for (const WrenchRow& row : table.rows) {
    if (std::abs(row.configuration.tilt) <= std::numbers::pi / 2) continue;
    throw InputError(fmt::format("{}:{}: tilt_rad = {}, expected [-π/2, π/2]", file, row.line,
                                 row.configuration.tilt));
  }
}

}  // namespace

ImportedWrenches import_wrenches(const std::filesystem::path& file, const ImportOptions& options) {
  const std::string name = file.string();
  const std::string text = read_text_file(file);
  if (text.starts_with("# format")) {
    throw InputError(fmt::format(
        "{}:1: is a wrench database already: use it as it is, with its own foot and directions",
        name));
  }
  WrenchTable table = parse_wrench_table(text, name);
  ImportedWrenches imported;
  turn_depths(table, name, imported.notes);
  drop_surface(table, name, imported.notes);
  check_measured_tilts(table, name);
  if (table.rows.empty()) {
    throw InputError(fmt::format("{}:{}: no wrenches in the ground, expected rows with a depth",
                                 name, table.last_line));
  }
  int last = 0;
  for (const WrenchRow& row : table.rows) last = std::max(last, row.direction);
  if (last + 1 != 26 && last + 1 != 58) {
    throw InputError(fmt::format("{}:{}: directions 0 to {}, expected 0 to 25 or 0 to 57", name,
                                 table.last_line, last));
  }
  imported.database.medium = options.medium;
  imported.database.source = options.source;
  imported.database.foot = options.foot;
  imported.database.directions = velocity_directions(last + 1, options.speeds);
  sort_wrench_rows(table, name, imported.database);
  return imported;
}

}  // namespace footfall
