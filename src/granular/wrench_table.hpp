// The rows of a CSV file of wrenches: ours, and those that others measured.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "footfall/granular/wrench_database.hpp"

namespace footfall {

struct WrenchRow {
  FootConfiguration configuration;
  int direction = 0;
  PlanarWrench wrench;
  long line = 0;
};

struct WrenchTable {
  std::vector<WrenchRow> rows;
  long last_line = 0;
};

// Columns by name, in any order: depth_m, tilt_rad, direction (or velocity_index), force_x_N, force_z_N,
// torque_y_Nm. Lines that begin with '#' and empty ones are passed over. Throws InputError with file and
// line; all numbers are finite.
WrenchTable parse_wrench_table(std::string_view text, const std::string& file);

// Sorts the rows into configurations, in the order in which they first appear, and directions 0 … m − 1.
// Throws InputError for rows that are there twice and for those that are missing, which it lists.
void sort_wrench_rows(const WrenchTable& table, const std::string& file, WrenchDatabase& database);

}  // namespace footfall
