#include "io/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "input_error.hpp"
#include "io/config.hpp"
#include "io/text_file.hpp"
#include "io/words.hpp"

namespace footfall {
namespace {

// The first of several names for one unit is the one that messages show.
constexpr Unit kUnits[] = {
    {"s", Dimension::time, 1},        {"ms", Dimension::time, 1e-3},
    {"us", Dimension::time, 1e-6},    {"min", Dimension::time, 60},
    {"m", Dimension::length, 1},      {"cm", Dimension::length, 1e-2},
    {"mm", Dimension::length, 1e-3},  {"um", Dimension::length, 1e-6},
    {"N", Dimension::force, 1},       {"kN", Dimension::force, 1e3},
    {"mN", Dimension::force, 1e-3},   {"m/s", Dimension::speed, 1},
    {"cm/s", Dimension::speed, 1e-2}, {"mm/s", Dimension::speed, 1e-3},
};

struct Alias {
  const char *other, *name;
};
constexpr Alias kAliases[] = {
    {"\xC2\xB5m", "um"}, {"\xCE\xBCm", "um"}, {"\xC2\xB5s", "us"},  {"\xCE\xBCs", "us"},
    {"sec", "s"},        {"m_per_s", "m/s"},  {"cm_per_s", "cm/s"}, {"mm_per_s", "mm/s"},
    {"m s^-1", "m/s"},   {"mm s^-1", "mm/s"},
};

std::string trim_name(std::string_view text) { return std::string(trimmed(text, " \t")); }

struct Known {
  const char* key;
  Dimension dimension;
  const char* example;                  // a unit, for messages
  std::vector<std::string_view> names;  // plain ones
};

const std::array<Known, kQuantities>& known() {
  static const std::array<Known, kQuantities> all{{
      {"time", Dimension::time, "s", {"time", "t"}},
      {"sinkage",
       Dimension::length,
       "mm",
       {"sinkage", "depth", "delta", "\xCE\xB4", "penetration"}},
      {"height", Dimension::length, "mm", {"z", "height", "position", "pos"}},
      {"sinkage_rate", Dimension::speed, "mm/s", {"sinkage_rate"}},
      {"body_sinkage", Dimension::length, "mm", {"body_sinkage"}},
      {"normal_force",
       Dimension::force,
       "N",
       {"normal_force", "f_n", "fn", "f_z", "fz", "force", "load", "f"}},
      {"shear_displacement",
       Dimension::length,
       "mm",
       {"shear_displacement", "shear_displacement_x", "j", "j_x"}},
      {"shear_displacement_y", Dimension::length, "mm", {"shear_displacement_y", "j_y"}},
      {"x", Dimension::length, "mm", {"x"}},
      {"y", Dimension::length, "mm", {"y"}},
      {"tangential_force",
       Dimension::force,
       "N",
       {"tangential_force", "tangential_force_x", "f_t", "ft", "f_x", "fx"}},
      {"tangential_force_y", Dimension::force, "N", {"tangential_force_y", "f_y", "fy"}},
  }};
  return all;
}

const Known& known(Quantity q) { return known()[static_cast<std::size_t>(q)]; }

bool is_one_of(const std::string& name, Quantity q) {
  const auto& names = known(q).names;
  return std::find(names.begin(), names.end(), plain_name(name)) != names.end();
}

// For messages: on one line, and not longer than that.
std::string shorten(const std::string& name) {
  constexpr std::size_t most = 40;
  std::string shown = name.substr(0, most);
  // not within a letter of several bytes
  while (shown.size() < name.size() && !shown.empty() && (name[shown.size()] & 0xC0) == 0x80) {
    shown.pop_back();
  }
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  }
  return shown.size() < name.size() ? shown + "…" : shown;
}

std::string list_names(const std::vector<TableColumn>& columns) {
  constexpr std::size_t most = 30;
  std::vector<std::string> names;
  for (const TableColumn& c : columns) {
    if (names.size() < most) names.push_back("'" + shorten(c.name) + "'");
  }
  if (columns.size() > most) names.push_back(fmt::format("{} more", columns.size() - most));
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

// Things that are one and the same to us.
constexpr std::pair<Quantity, Quantity> kSame[] = {
    {Quantity::sinkage, Quantity::height},
    {Quantity::shear_displacement, Quantity::x},
    {Quantity::shear_displacement_y, Quantity::y},
};

std::optional<Quantity> same_as(Quantity q) {
  for (const auto& [a, b] : kSame) {
    if (q == a) return b;
    if (q == b) return a;
  }
  return std::nullopt;
}

class Chooser {
 public:
  Chooser(const std::vector<TableColumn>& columns, const ColumnMapping& mapping,
          const std::string& file)
      : columns_(columns), mapping_(mapping), file_(file) {}

  ChosenColumns choose() {
    for (int q = 0; q < kQuantities; ++q) take_mapped(static_cast<Quantity>(q));
    refuse_shared();
    for (int q = 0; q < kQuantities; ++q) take_known(static_cast<Quantity>(q));
    for (const auto& [a, b] : kSame) {
      if (chosen_.has(a) && chosen_.has(b)) refuse_two(a, chosen_[a].column, chosen_[b].column);
    }
    forget_sideways();
    check_complete();
    for (int q = 0; q < kQuantities; ++q) find_unit_of(static_cast<Quantity>(q));
    return chosen_;
  }

 private:
  ChosenColumn& at(Quantity q) { return chosen_.of[static_cast<std::size_t>(q)]; }
  const std::optional<MappedColumn>& mapped(Quantity q) const {
    return mapping_[static_cast<std::size_t>(q)];
  }
  const std::string& name(int column) const { return columns_[column].name; }

  void take_mapped(Quantity q) {
    if (!mapped(q)) return;
    const MappedColumn& m = *mapped(q);
    if (m.column > 0) return take_numbered(q, m);
    std::vector<int> found, alike;
    for (int i = 0; i < static_cast<int>(columns_.size()); ++i) {
      if (name(i) == m.name) found.push_back(i);
      if (plain_name(split_header(name(i)).name) == plain_name(m.name)) alike.push_back(i);
    }
    if (found.empty()) found = alike;
    if (found.empty()) {
      throw input_error("{}: key 'columns.{}' = '{}', but {} has the columns {}", m.where,
                        quantity_name(q), m.name, file_, list_names(columns_));
    }
    if (found.size() > 1) {
      throw input_error("{}: key 'columns.{}' = '{}', which stands more than once in {}: expected "
                        "a header as it stands, once",
                        m.where, quantity_name(q), m.name, file_);
    }
    at(q) = {found.front(), name(found.front()), m.sign, nullptr};
    taken_.push_back(found.front());
  }

  void take_numbered(Quantity q, const MappedColumn& m) {
    if (m.column > static_cast<int>(columns_.size())) {
      throw input_error("{}: key 'columns.{}.column' = {}, but {} has {} columns", m.where,
                        quantity_name(q), m.column, file_, columns_.size());
    }
    at(q) = {m.column - 1, name(m.column - 1), m.sign, nullptr};
    taken_.push_back(m.column - 1);
  }

  // One column mapped to two quantities.
  void refuse_shared() const {
    for (int a = 0; a < kQuantities; ++a) {
      for (int b = a + 1; b < kQuantities; ++b) {
        const auto one = static_cast<Quantity>(a), two = static_cast<Quantity>(b);
        if (!chosen_.has(one) || chosen_[one].column != chosen_[two].column) continue;
        throw input_error("{}: key 'columns.{}' = '{}', which 'columns.{}' has already: expected a "
                          "column of its own",
                          mapped(two)->where, quantity_name(two), chosen_[two].name,
                          quantity_name(one));
      }
    }
  }

  void take_known(Quantity q) {
    if (mapped(q)) return;
    if (const auto other = same_as(q); other && mapped(*other)) return;  // the user chose
    for (int i = 0; i < static_cast<int>(columns_.size()); ++i) {
      if (std::find(taken_.begin(), taken_.end(), i) != taken_.end()) continue;
      if (!is_one_of(split_header(name(i)).name, q)) continue;
      if (at(q).column >= 0) refuse_two(q, at(q).column, i);
      at(q) = {i, name(i), 1, nullptr};
    }
  }

  [[noreturn]] void refuse_two(Quantity q, int a, int b) const {
    throw input_error("{}: columns '{}' and '{}' both mean the {}, expected one: choose it in a "
                      "mapping, [columns] {} = \"{}\"",
                      file_, name(a), name(b), quantity_name(q), quantity_name(q), name(a));
  }

  // A way without a force sideways, or the other way round, is no drag: its columns are not used,
  // and need no unit.
  void forget_sideways() {
    if (chosen_.drag()) return;
    for (const Quantity q :
         {Quantity::shear_displacement, Quantity::shear_displacement_y, Quantity::x, Quantity::y,
          Quantity::tangential_force, Quantity::tangential_force_y}) {
      if (!mapped(q)) at(q) = {};
    }
  }

  void check_complete() const {
    const bool depth = chosen_.has(Quantity::sinkage) || chosen_.has(Quantity::height) ||
                       chosen_.has(Quantity::body_sinkage);
    if (!chosen_.has(Quantity::time)) refuse_unknown_unit(Quantity::time);
    if (!chosen_.has(Quantity::normal_force)) refuse_unknown_unit(Quantity::normal_force);
    if (!depth && !chosen_.drag()) {
      refuse_unknown_unit(Quantity::sinkage);
      refuse_unknown_unit(Quantity::height);
    }
    const char* missing = nullptr;
    if (!chosen_.has(Quantity::normal_force)) {
      missing = "a column of the normal force ('normal_force_N', 'Fz [kN]', …)";
    } else if (!depth && !chosen_.drag()) {
      missing =
          "a column of the sinkage ('sinkage_mm', 'z [mm]', …), or of way and force of a drag "
          "('shear_displacement_mm', 'tangential_force_N')";
    }
    if (missing == nullptr) return;
    throw input_error("{}: the columns are {}, expected {}; another name can be mapped, [columns] "
                      "{} = \"its header\"",
                      file_, list_names(columns_), missing,
                      chosen_.has(Quantity::normal_force) ? "sinkage" : "normal_force");
  }

  // "force_lbf" would be the force, but for its unit.
  void refuse_unknown_unit(Quantity q) const {
    for (const TableColumn& c : columns_) {
      const auto at = c.name.rfind('_');
      if (at == std::string::npos || !is_one_of(c.name.substr(0, at), q)) continue;
      throw input_error(
          "{}: column '{}' has the unknown unit '{}', expected one of {}; if '{}' is no unit, map "
          "the column, [columns] {} = {{name = \"{}\", unit = \"{}\"}}, or name it otherwise",
          file_, shorten(c.name), shorten(c.name.substr(at + 1)), unit_names(known(q).dimension),
          shorten(c.name.substr(at + 1)), known(q).key, shorten(c.name), known(q).example);
    }
  }

  void find_unit_of(Quantity q) {
    ChosenColumn& c = at(q);
    if (c.column < 0) return;
    const bool from_mapping = mapped(q) && !mapped(q)->unit.empty();
    std::string text = from_mapping ? mapped(q)->unit : columns_[c.column].unit;
    if (text.empty()) text = split_header(c.name).unit;
    const Known& k = known(q);
    const std::string where = from_mapping ? mapped(q)->where : file_;
    if (text.empty()) {
      throw input_error("{}: column '{}' has no unit, expected one of {} in the header, as in '{} "
                        "[{}]', or in a mapping, [columns] {} = {{name = \"{}\", unit = \"{}\"}}",
                        where, c.name, unit_names(k.dimension), c.name, k.example, k.key, c.name,
                        k.example);
    }
    c.unit = find_unit(text);
    if (c.unit == nullptr) {
      throw input_error("{}: column '{}' has the unknown unit '{}', expected one of {}", where,
                        shorten(c.name), shorten(text), unit_names(k.dimension));
    }
    if (c.unit->dimension != k.dimension) {
      throw input_error("{}: column '{}' with unit '{}' as {}, expected one of {}", where, c.name,
                        text, k.key, unit_names(k.dimension));
    }
    c.factor *= c.unit->factor;
  }

  const std::vector<TableColumn>& columns_;
  const ColumnMapping& mapping_;
  const std::string& file_;
  ChosenColumns chosen_;
  std::vector<int> taken_;
};

MappedColumn read_mapped(const TableReader& section, const std::string& key) {
  const char* expected =
      "a header as it stands in the file, or {name, unit, sign}, or {column, unit, sign}";
  const ConfigNode& node = section.node(key);
  MappedColumn m;
  m.where = node.where;
  if (node.kind != ConfigNode::Kind::table) {
    m.name = section.text(key, expected);
  } else {
    const TableReader reader(node, section.key_path(key), {"name", "column", "unit", "sign"});
    if (reader.has("column")) {
      if (reader.has("name")) reader.refuse("column", "either a name or a column, not both");
      m.column = static_cast<int>(
          reader.integer_or("column", 0, {1, 1e6, "the number of a column, from 1"}));
      m.name = fmt::format("column {}", m.column);
    } else {
      m.name = reader.text("name", "a header as it stands in the file");
    }
    m.unit = reader.text_if_given("unit", "a unit, such as \"mm\"").value_or("");
    m.sign = static_cast<double>(reader.integer_or("sign", 1, {-1, 1, "1 or -1"}));
    if (m.sign == 0) reader.refuse("sign", "1 or -1");
  }
  if (m.name.empty()) section.refuse(key, expected);
  return m;
}

}  // namespace

const char* quantity_name(Quantity quantity) { return known(quantity).key; }

ColumnMapping read_mapping(const std::filesystem::path& toml) {
  std::vector<std::string> keys;
  for (const Known& k : known()) keys.emplace_back(k.key);
  const ConfigDocument document = parse_config(read_text_file(toml), toml.string());
  const TableReader top(document.root, "", {"columns"});
  if (!top.has("columns")) top.refuse_missing("columns", "a section [columns]");
  const TableReader section(top.node("columns"), "columns", keys);
  ColumnMapping mapping;
  for (std::size_t q = 0; q < keys.size(); ++q) {
    if (section.has(keys[q])) mapping[q] = read_mapped(section, keys[q]);
  }
  for (const auto& [a, b] : kSame) {
    if (mapping[static_cast<std::size_t>(a)] && mapping[static_cast<std::size_t>(b)]) {
      section.refuse(quantity_name(b), fmt::format("either {} or {}, which mean the same",
                                                   quantity_name(a), quantity_name(b)));
    }
  }
  return mapping;
}

bool ChosenColumns::drag() const {
  const bool way = has(Quantity::shear_displacement) || has(Quantity::shear_displacement_y) ||
                   has(Quantity::x) || has(Quantity::y);
  return way && (has(Quantity::tangential_force) || has(Quantity::tangential_force_y));
}

ChosenColumns choose_columns(const std::vector<TableColumn>& columns, const ColumnMapping& mapping,
                             const std::string& file) {
  return Chooser(columns, mapping, file).choose();
}

const Unit* find_unit(std::string_view name) {
  for (const Alias& alias : kAliases) {
    if (name == alias.other) name = alias.name;
  }
  for (const Unit& unit : kUnits) {
    if (name == unit.name) return &unit;
  }
  return nullptr;
}

std::string unit_names(Dimension dimension) {
  std::string names;
  for (const Unit& unit : kUnits) {
    if (unit.dimension == dimension) names += (names.empty() ? "" : ", ") + std::string(unit.name);
  }
  return names;
}

Header split_header(const std::string& text) {
  const std::string all = trim_name(text);
  if (!all.empty() && (all.back() == ']' || all.back() == ')')) {
    const auto open = all.rfind(all.back() == ']' ? '[' : '(');
    if (open != std::string::npos) {
      return {trim_name(all.substr(0, open)),
              trim_name(all.substr(open + 1, all.size() - open - 2))};
    }
  }
  // From the left, so that the longest unit is found: m_per_s before s.
  for (auto at = all.find('_'); at != std::string::npos; at = all.find('_', at + 1)) {
    if (at > 0 && find_unit(all.substr(at + 1)) != nullptr) {
      return {all.substr(0, at), all.substr(at + 1)};
    }
  }
  // A stroke also stands in paths of HDF5 files: only before a unit is it one of ours.
  for (auto at = all.find('/'); at != std::string::npos; at = all.find('/', at + 1)) {
    const std::string unit = trim_name(all.substr(at + 1));
    if (at > 0 && find_unit(unit) != nullptr) return {trim_name(all.substr(0, at)), unit};
  }
  return {all, ""};
}

std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const bool gap = c == ' ' || c == '-' || c == '_' || c == '.';
    if (!gap) {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!plain.empty() && plain.back() != '_') {
      plain += '_';
    }
  }
  while (!plain.empty() && plain.back() == '_') plain.pop_back();
  return plain;
}

}  // namespace footfall
