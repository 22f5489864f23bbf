#include "footfall/granular/wrench_database.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <numbers>
#include <utility>

#include "input_error.hpp"
#include "io/config.hpp"
#include "io/text_file.hpp"
#include "io/words.hpp"

namespace footfall {
namespace {

// ---- the rows of a CSV file of wrenches: ours, and those that others measured ----

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

enum Column { kDepth, kTilt, kDirection, kForceX, kForceZ, kTorqueY, kColumnCount };
constexpr std::array<const char*, kColumnCount> kColumnNames{
    "depth_m", "tilt_rad", "direction", "force_x_N", "force_z_N", "torque_y_Nm"};
constexpr double kLargest = 1e9;  // of any number in a database, in its own unit
constexpr int kMostDirections = 100'000;

// For each of our columns its place among the file's.
std::array<std::size_t, kColumnCount> find_columns(std::string_view header,
                                                   const std::string& place) {
  std::array<std::size_t, kColumnCount> found{};
  std::array<bool, kColumnCount> there{};
  const std::vector<std::string_view> names = split_at_commas(header);
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
  const std::optional<double> value = number_in(cell.starts_with('+') ? cell.substr(1) : cell);
  if (value && std::fabs(*value) > kLargest) {
    throw input_error("{}: {} = {}, expected -{:g} to {:g}: no foot meets that", place,
                      kColumnNames[column], *value, kLargest, kLargest);
  }
  if (!value || !std::isfinite(*value)) {
    throw input_error("{}: {} = '{:.40}', expected a finite number", place, kColumnNames[column],
                      cell);
  }
  return *value;
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

// Columns by name, in any order: depth_m, tilt_rad, direction (or velocity_index), force_x_N, force_z_N,
// torque_y_Nm. Lines that begin with '#' and empty ones are passed over. Throws InputError with file and
// line; all numbers are finite.
WrenchTable parse_wrench_table(std::string_view text, const std::string& file) {
  WrenchTable table;
  std::array<std::size_t, kColumnCount> places{};
  std::size_t column_count = 0;  // of the file; 0: no header yet
  for (std::string_view line; next_line(text, line);) {
    line = trimmed(line);
    ++table.last_line;
    if (line.empty() || line.front() == '#') continue;
    const std::string place = fmt::format("{}:{}", file, table.last_line);
    const std::vector<std::string_view> cells = split_at_commas(line);
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

// Sorts the rows into configurations, in the order in which they first appear, and directions 0 … m − 1.
// Throws InputError for rows that are there twice and for those that are missing, which it lists.
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

// ---- the file ----

constexpr const char* kFormat = "footfall wrench database 1";
constexpr Range kFootLength{1e-6, 100, "above 0 and at most 100 m"};
const std::vector<std::string> kShapes{"cylinder", "box", "sphere"};

// The leading comment lines as TOML, at the same lines and columns.
std::string header_text(const std::string& text) {
  std::string header;
  for (std::size_t from = 0; from < text.size() && text[from] == '#';) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    header.push_back(' ');
    header.append(text, from + 1, end - from - 1);
    header.push_back('\n');
    from = end + 1;
  }
  return header;
}

GrainFoot read_database_foot(const ConfigNode& root, const std::string& file) {
  const ConfigNode* section = root.find("foot");
  if (section == nullptr) throw input_error("{}:1: section [foot] is missing", file);
  const TableReader reader(
      *section, "foot",
      {"shape", "radius_m", "length_x_m", "width_y_m", "height_m", "reference_height_m"});
  GrainFoot foot;
  foot.shape = static_cast<GrainFootShape>(reader.choice("shape", kShapes));
  if (foot.shape == GrainFootShape::box) {
    foot.length_x = reader.number("length_x_m", kFootLength);
    foot.width_y = reader.number("width_y_m", kFootLength);
  } else {
    foot.radius = reader.number("radius_m", kFootLength);
  }
  if (foot.shape != GrainFootShape::sphere) foot.height = reader.number("height_m", kFootLength);
  foot.reference_height =
      reader.number("reference_height_m", {0, 100, "at least 0 and at most 100 m"});
  return foot;
}

std::vector<double> read_database_speeds(const TableReader& reader, const std::string& key) {
  constexpr Range range{-1e6, 1e6, "an array of numbers, one for each direction"};
  if (!reader.has(key)) reader.refuse_missing(key, range.expected);
  if (reader.node(key).kind != ConfigNode::Kind::array) reader.refuse(key, range.expected);
  std::vector<double> values;
  for (const ConfigNode& e : reader.node(key).elements) {
    values.push_back(checked_number(e, reader.key_path(key), range));
  }
  return values;
}

std::vector<PlanarVelocity> read_database_directions(const ConfigNode& root,
                                                     const std::string& file) {
  const ConfigNode* section = root.find("directions");
  if (section == nullptr) throw input_error("{}:1: section [directions] is missing", file);
  const TableReader reader(*section, "directions",
                           {"velocity_x_m_per_s", "velocity_z_m_per_s", "tilt_rate_rad_per_s"});
  const std::vector<double> x = read_database_speeds(reader, "velocity_x_m_per_s");
  const std::vector<double> z = read_database_speeds(reader, "velocity_z_m_per_s");
  const std::vector<double> tilt = read_database_speeds(reader, "tilt_rate_rad_per_s");
  if (x.empty() || x.size() != z.size() || x.size() != tilt.size()) {
    throw input_error("{}: [directions] has {}, {} and {} numbers, expected the same, at least one",
                      reader.where(), x.size(), z.size(), tilt.size());
  }
  std::vector<PlanarVelocity> directions(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) directions[i] = {x[i], z[i], tilt[i]};
  return directions;
}

void check_configuration(const FootConfiguration& at, const std::string& place) {
  if (!(at.depth > 0 && at.depth <= 100)) {
    throw input_error("{}: depth_m = {}, expected above 0 and at most 100: depths are positive in "
                      "the ground, and at zero depth there is no wrench",
                      place, at.depth);
  }
  if (!(std::abs(at.tilt) <= std::numbers::pi / 2)) {
    throw input_error("{}: tilt_rad = {}, expected [-π/2, π/2]", place, at.tilt);
  }
}

// As TOML reads it back with all its bits: -0 without a point would be an integer.
std::string exact(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string toml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string foot_lines(const GrainFoot& foot) {
  std::string out = fmt::format("# [foot]\n# shape = \"{}\"\n", shape_name(foot.shape));
  const auto add = [&](const char* key, double value) {
    out += fmt::format("# {} = {}\n", key, exact(value));
  };
  if (foot.shape == GrainFootShape::box) {
    add("length_x_m", foot.length_x);
    add("width_y_m", foot.width_y);
  } else {
    add("radius_m", foot.radius);
  }
  if (foot.shape != GrainFootShape::sphere) add("height_m", foot.height);
  add("reference_height_m", foot.reference_height);
  return out;
}

std::string database_text(const WrenchDatabase& database) {
  std::string out = fmt::format(
      "# format = \"{}\"\n# medium = {}\n# source = {}\n# configurations = {}\n# rows = {}\n",
      kFormat, toml_text(database.medium), toml_text(database.source),
      database.configurations.size(), database.wrenches.size());
  out += foot_lines(database.foot);
  out += "# [directions]\n";
  const auto add = [&](const char* key, double PlanarVelocity::* part) {
    std::vector<std::string> values;
    values.reserve(database.directions.size());
    for (const PlanarVelocity& v : database.directions) values.push_back(exact(v.*part));
    out += fmt::format("# {} = [{}]\n", key, fmt::join(values, ", "));
  };
  add("velocity_x_m_per_s", &PlanarVelocity::x);
  add("velocity_z_m_per_s", &PlanarVelocity::z);
  add("tilt_rate_rad_per_s", &PlanarVelocity::tilt);
  out += "depth_m,tilt_rad,direction,force_x_N,force_z_N,torque_y_Nm\n";
  for (std::size_t j = 0; j < database.configurations.size(); ++j) {
    const FootConfiguration& at = database.configurations[j];
    for (std::size_t i = 0; i < database.directions.size(); ++i) {
      const PlanarWrench& w = database.at(j, i);
      out += fmt::format("{},{},{},{},{},{}\n", at.depth, at.tilt, i, w.force_x, w.force_z,
                         w.torque_y);
    }
  }
  return out;
}

WrenchDatabase parse_database(const std::string& text, const std::string& file) {
  const std::string header = header_text(text);
  if (header.empty()) {
    throw input_error("{}:1: no header of '#' lines: not a wrench database. Measured wrenches are "
                      "made one by 'footfall granular import'",
                      file);
  }
  const ConfigDocument document = parse_config(header, file);
  const TableReader reader(
      document.root, "",
      {"format", "medium", "source", "configurations", "rows", "foot", "directions"});
  if (reader.text("format", kFormat) != kFormat)
    reader.refuse("format", fmt::format("\"{}\"", kFormat));
  WrenchDatabase database;
  database.medium = reader.text("medium", "the medium's name");
  database.source = reader.text("source", "the command or the file that it came from");
  database.foot = read_database_foot(document.root, file);
  database.directions = read_database_directions(document.root, file);
  constexpr Range count{1, 1e9, "a whole number, 1 or more"};
  const auto configurations = static_cast<std::size_t>(reader.integer("configurations", count));
  const auto rows = static_cast<std::size_t>(reader.integer("rows", count));
  if (rows != configurations * database.directions.size()) {
    reader.refuse("rows", fmt::format("{}: {} configurations in {} directions",
                                      configurations * database.directions.size(), configurations,
                                      database.directions.size()));
  }
  const WrenchTable table = parse_wrench_table(text, file);
  const std::string end = fmt::format("{}:{}", file, table.last_line);
  if (text.back() != '\n') {
    throw input_error("{}: the last line has no end: the file is cut off", end);
  }
  if (table.rows.size() < rows) {
    throw input_error(
        "{}: the file ends after {} rows, expected {}: it is cut off, or rows are missing", end,
        table.rows.size(), rows);
  }
  for (const WrenchRow& row : table.rows) {
    check_configuration(row.configuration, fmt::format("{}:{}", file, row.line));
  }
  sort_wrench_rows(table, file, database);
  if (database.configurations.size() != configurations) {
    throw input_error("{}: {} configurations (depth and tilt), expected {}", end,
                      database.configurations.size(), configurations);
  }
  return database;
}

// Depths positive in the ground, whichever sign they came with.
void turn_depths(WrenchTable& table, const std::string& file, std::vector<std::string>& notes) {
  const auto find = [&](double sign) {
    return std::find_if(table.rows.begin(), table.rows.end(),
                        [&](const WrenchRow& row) { return sign * row.configuration.depth > 0; });
  };
  const auto below = find(-1), above = find(1);
  if (below == table.rows.end()) return;
  if (above != table.rows.end()) {
    throw input_error("{}:{}: depth_m = {}, but {} in line {}: expected all depths of one sign, "
                      "positive or negative in the ground",
                      file, above->line, above->configuration.depth, below->configuration.depth,
                      below->line);
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
    throw input_error("{}:{}: a wrench of ({}, {}, {}) at zero depth, expected zero: a foot on the "
                      "surface is not in the ground",
                      file, row.line, w.force_x, w.force_z, w.torque_y);
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
    throw input_error("{}:{}: tilt_rad = {}, expected [-π/2, π/2]", file, row.line,
                      row.configuration.tilt);
  }
}

}  // namespace

const char* shape_name(GrainFootShape shape) {
  return kShapes[static_cast<std::size_t>(shape)].c_str();
}

WrenchDatabase read_wrench_database(const std::filesystem::path& file) {
  return parse_database(read_text_file(file), file.string());
}

void write_wrench_database(const std::filesystem::path& file, const WrenchDatabase& database) {
  const std::string text = database_text(database);
  parse_database(text, file.string());  // nothing is written that could not be read
  if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file)) {
    throw input_error("{}: cannot write: it is not a plain file; give another name", file.string());
  }
  write_text_file(file, text);
}

ImportedWrenches import_wrenches(const std::filesystem::path& file, const ImportOptions& options) {
  const std::string name = file.string();
  const std::string text = read_text_file(file);
  if (text.starts_with("# format")) {
    throw input_error(
        "{}:1: is a wrench database already: use it as it is, with its own foot and directions",
        name);
  }
  WrenchTable table = parse_wrench_table(text, name);
  ImportedWrenches imported;
  turn_depths(table, name, imported.notes);
  drop_surface(table, name, imported.notes);
  check_measured_tilts(table, name);
  if (table.rows.empty()) {
    throw input_error("{}:{}: no wrenches in the ground, expected rows with a depth", name,
                      table.last_line);
  }
  int last = 0;
  for (const WrenchRow& row : table.rows) last = std::max(last, row.direction);
  if (last + 1 != 26 && last + 1 != 58) {
    throw input_error("{}:{}: directions 0 to {}, expected 0 to 25 or 0 to 57", name,
                      table.last_line, last);
  }
  imported.database.medium = options.medium;
  imported.database.source = options.source;
  imported.database.foot = options.foot;
  imported.database.directions = velocity_directions(last + 1, options.speeds);
  sort_wrench_rows(table, name, imported.database);
  return imported;
}

}  // namespace footfall
