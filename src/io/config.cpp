#include "io/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cassert>
#include <numbers>
#include <sstream>

#include "input_error.hpp"
#include "io/words.hpp"

namespace footfall {
namespace {

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

[[noreturn]] void refuse_value(const ConfigNode& node, const std::string& key_path,
                               const std::string& expected) {
  throw input_error("{}: key '{}' = {}, expected {}", node.where, key_path, node.shown, expected);
}

bool is_number(const ConfigNode& node) {
  return node.kind == ConfigNode::Kind::integer || node.kind == ConfigNode::Kind::number;
}

std::string place(const toml::source_region& source, const std::string& name) {
  if (source.path && !source.path->empty() && *source.path != name) return *source.path;  // --set
  if (!source.begin) return "";
  return fmt::format("{}:{}:{}", name, source.begin.line, source.begin.column);
}

// Where a key stands, or its value if that came from elsewhere.
std::string place(const toml::key& key, const toml::node& value, const std::string& name) {
  const std::string of_value = place(value.source(), name);
  const std::string of_key = place(key.source(), name);
  const bool changed = of_value.starts_with("--set");
  return changed || of_key.empty() ? of_value : of_key;
}

std::string shown(const toml::node& node) {
  std::ostringstream out;
  node.visit([&](const auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, toml::table>) {
      out << "a section";
    } else if constexpr (std::is_same_v<Value, toml::value<std::string>>) {
      out << '"' << value.get() << '"';
    } else if constexpr (std::is_same_v<Value, toml::value<double>>) {
      out << fmt::format("{}", value.get());  // the formatter's 17 digits are not what was typed
    } else {
      out << toml::toml_formatter{value};
    }
  });
  std::string text = out.str();
  std::replace(text.begin(), text.end(), '\n', ' ');
  constexpr std::size_t kLongest = 80;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + " …";
  return text;
}

ConfigNode convert(const toml::node& node, const std::string& name) {
  using Kind = ConfigNode::Kind;
  ConfigNode out;
  out.where = place(node.source(), name);
  out.kind = Kind::other;
  if (const toml::table* table = node.as_table()) {
    out.kind = Kind::table;
    for (const auto& [key, value] : *table) {
      ConfigNode child = convert(value, name);
      const std::string where = place(key, value, name);
      if (!where.empty()) child.where = where;
      if (out.where.empty()) out.where = child.where;  // a section that --set made
      out.keys.emplace_back(key.str());
      out.elements.push_back(std::move(child));
    }
  } else if (const toml::array* array = node.as_array()) {
    out.kind = Kind::array;
    for (const toml::node& element : *array) out.elements.push_back(convert(element, name));
  } else if (const auto* boolean = node.as_boolean()) {
    out.kind = Kind::boolean;
    out.boolean = boolean->get();
  } else if (const auto* integer = node.as_integer()) {
    out.kind = Kind::integer;
    out.integer = integer->get();
    out.number = static_cast<double>(integer->get());
  } else if (const auto* number = node.as_floating_point()) {
    out.kind = Kind::number;
    out.number = number->get();
  } else if (const auto* text = node.as_string()) {
    out.kind = Kind::text;
    out.text = text->get();
  }
  out.shown = shown(node);
  return out;
}

[[noreturn]] void refuse(const toml::parse_error& error, const std::string& name) {
  const toml::source_position& at = error.source().begin;
  throw input_error("{}:{}:{}: {}", name, at.line, at.column, std::string(error.description()));
}

// A word, a name or a path, that needs no quotes.
bool is_plain_word(const std::string& value) {
  constexpr std::string_view kAlso = "_-./ ~+:@()";
  return !value.empty() && std::all_of(value.begin(), value.end(), [&](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80 || kAlso.find(static_cast<char>(c)) != kAlso.npos;
  });
}

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts;
  std::string part;
  std::istringstream in(path);
  while (std::getline(in, part, '.')) parts.push_back(part);
  return parts;
}

struct Override {
  std::string shown;              // "--set key=value"
  std::vector<std::string> path;  // at least one part, none empty
  toml::table holder;             // value = ...
};

constexpr int kMostParts = 32;  // of a key; no file has more than four

Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  Override out{"--set " + text, {}, {}};
  const auto part = [&](std::size_t from, std::size_t count) {
    return std::string(trimmed(std::string_view(text).substr(from, count), " "));
  };
  const std::string_view key = std::string_view(text).substr(0, equals);
  if (std::count(key.begin(), key.end(), '.') >= kMostParts) {
    throw input_error(
        "--set {:.40}…: its key has more than {} parts, expected key.path=value, as in "
        "--set step.duration_s=2",
        text, kMostParts);
  }
  if (equals != std::string::npos) out.path = split_path(part(0, equals));
  const bool empty_part =
      std::any_of(out.path.begin(), out.path.end(), [](const std::string& p) { return p.empty(); });
  if (out.path.empty() || empty_part) {
    throw InputError(out.shown + ": expected key.path=value, as in --set step.duration_s=2");
  }
  const std::string value = part(equals + 1, text.npos);
  try {
    out.holder = toml::parse("value = " + value, out.shown);
  } catch (const toml::parse_error& error) {
    if (!is_plain_word(value)) {
      throw input_error("{}: '{}' is no TOML value: {}", out.shown, value,
                        std::string(error.description()));
    }
    out.holder = toml::parse("value = \"" + value + "\"", out.shown);
  }
  if (out.holder.size() != 1) throw InputError(out.shown + ": expected one key and one value");
  return out;
}

// The element of an array that a part of a path names.
toml::node& element_of(toml::array& array, const std::string& part, const Override& change) {
  const bool digits =
      std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  const std::size_t index = digits && part.size() < 9 ? std::stoul(part) : array.size();
  if (index >= array.size()) {
    throw input_error("{}: '{}' is no index into the array, expected 0 to {}", change.shown, part,
                      array.size() - 1);
  }
  return array[index];
}

// A change of a key takes its opposite out of the file, but not out of another change.
void refuse_both(const std::vector<Override>& changes,
                 const std::vector<ExcludingKeys>& excluding) {
  for (const Override& one : changes) {
    for (const Override& other : changes) {
      const bool same_section =
          one.path.size() == other.path.size() &&
          std::equal(one.path.begin(), one.path.end() - 1, other.path.begin());
      if (!same_section) continue;
      for (const ExcludingKeys& keys : excluding) {
        if (one.path.front() != keys.section || one.path.back() != keys.one ||
            other.path.back() != keys.other || one.path.size() < 2) {
          continue;
        }
        throw input_error("{} and {}: either '{}' or '{}', not both", one.shown, other.shown,
                          keys.one, keys.other);
      }
    }
  }
}

void apply(Override change, const std::vector<ExcludingKeys>& excluding, toml::table& root) {
  toml::node* place = &root;
  for (std::size_t i = 0; i < change.path.size(); ++i) {
    const std::string& part = change.path[i];
    const bool last = i + 1 == change.path.size();
    if (toml::table* table = place->as_table()) {
      if (last) {
        toml::node& value = *change.holder.get("value");
        value.visit([&](auto& v) { table->insert_or_assign(part, std::move(v)); });
        for (const ExcludingKeys& keys : excluding) {
          if (i == 0 || change.path.front() != keys.section) continue;
          if (part == keys.one) table->erase(keys.other);
          if (part == keys.other) table->erase(keys.one);
        }
        return;
      }
      if (table->get(part) == nullptr) table->insert(part, toml::table{});
      place = table->get(part);
    } else if (toml::array* array = place->as_array()) {
      place = &element_of(*array, part, change);
      if (last) throw InputError(change.shown + ": names an array's element, expected a key in it");
    } else {
      throw input_error("{}: '{}' is no section", change.shown, change.path[i - 1]);
    }
  }
}

}  // namespace

const ConfigNode* ConfigNode::find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &elements[found - keys.begin()];
}

TableReader::TableReader(const ConfigNode& table, std::string path, std::vector<std::string> keys)
    : table_(table), path_(std::move(path)), keys_(std::move(keys)) {
  if (table.kind != ConfigNode::Kind::table)
    refuse_value(table, path_, "a section [" + path_ + "]");
  for (const std::string& key : table.keys) {
    if (std::find(keys_.begin(), keys_.end(), key) != keys_.end()) continue;
    throw input_error("{}: unknown key '{}'{}", table.find(key)->where, key_path(key),
                      suggestion(key, keys_, joined(path_, "")));
  }
}

std::string TableReader::key_path(const std::string& key) const { return joined(path_, key); }

const ConfigNode& TableReader::node(const std::string& key) const {
  assert(std::find(keys_.begin(), keys_.end(), key) != keys_.end());
  const ConfigNode* found = table_.find(key);
  assert(found != nullptr);
  return *found;
}

void TableReader::refuse(const std::string& key, const std::string& expected) const {
  refuse_value(node(key), key_path(key), expected);
}

void TableReader::refuse_given(const std::vector<std::string>& keys,
                               const std::string& expected) const {
  for (const std::string& key : keys) {
    if (has(key)) refuse(key, expected);
  }
}

void TableReader::refuse_missing(const std::string& key, const std::string& expected) const {
  throw input_error("{}: key '{}' is missing, expected {}", table_.where, key_path(key), expected);
}

double checked_number(const ConfigNode& node, const std::string& key_path, const Range& range) {
  const std::string expected = range.expected;
  if (!is_number(node)) {
    refuse_value(node, key_path, expected.starts_with("a ") ? expected : "a number, " + expected);
  }
  if (!(node.number >= range.lower && node.number <= range.upper)) {
    refuse_value(node, key_path, expected);
  }
  return node.number;
}

double TableReader::number(const std::string& key, const Range& range) const {
  if (!has(key)) refuse_missing(key, range.expected);
  return checked_number(node(key), key_path(key), range);
}

double TableReader::number_or(const std::string& key, double otherwise, const Range& range) const {
  return has(key) ? number(key, range) : otherwise;
}

double TableReader::degrees_or(const std::string& key, double otherwise, const Range& range) const {
  return number_or(key, otherwise, range) * std::numbers::pi / 180;
}

double TableReader::degrees(const std::string& key, const Range& range) const {
  return number(key, range) * std::numbers::pi / 180;
}

std::int64_t TableReader::integer_or(const std::string& key, std::int64_t otherwise,
                                     const Range& range) const {
  return has(key) ? integer(key, range) : otherwise;
}

std::int64_t TableReader::integer(const std::string& key, const Range& range) const {
  if (!has(key)) refuse_missing(key, range.expected);
  if (node(key).kind != ConfigNode::Kind::integer) refuse(key, range.expected);
  checked_number(node(key), key_path(key), range);
  return node(key).integer;
}

bool TableReader::boolean_or(const std::string& key, bool otherwise) const {
  if (!has(key)) return otherwise;
  if (node(key).kind != ConfigNode::Kind::boolean) refuse(key, "true or false");
  return node(key).boolean;
}

std::string TableReader::text(const std::string& key, const char* expected) const {
  if (!has(key)) refuse_missing(key, expected);
  return *text_if_given(key, expected);
}

std::optional<std::string> TableReader::text_if_given(const std::string& key,
                                                      const char* expected) const {
  if (!has(key)) return std::nullopt;
  if (node(key).kind != ConfigNode::Kind::text || node(key).text.empty()) refuse(key, expected);
  return node(key).text;
}

std::optional<Vec3d> TableReader::vector_if_given(const std::string& key,
                                                  const Range& range) const {
  if (!has(key)) return std::nullopt;
  const std::vector<ConfigNode>& e = node(key).elements;
  const bool three = node(key).kind == ConfigNode::Kind::array && e.size() == 3;
  for (std::size_t i = 0; three && i < 3; ++i) {
    if (!is_number(e[i]) || !(e[i].number >= range.lower && e[i].number <= range.upper)) {
      refuse(key, range.expected);
    }
  }
  if (!three) refuse(key, range.expected);
  return Vec3d{e[0].number, e[1].number, e[2].number};
}

int TableReader::choice(const std::string& key, const std::vector<std::string>& choices) const {
  const std::string expected = fmt::format("one of: {}", fmt::join(choices, ", "));
  if (!has(key)) refuse_missing(key, expected);
  const ConfigNode& value = node(key);
  if (value.kind != ConfigNode::Kind::text) refuse(key, expected);
  const auto found = std::find(choices.begin(), choices.end(), value.text);
  if (found == choices.end()) {
    const std::string nearest = nearest_word(value.text, choices);
    refuse(key,
           nearest.empty() ? expected : fmt::format("{} (did you mean '{}'?)", expected, nearest));
  }
  return static_cast<int>(found - choices.begin());
}

int TableReader::choice_or(const std::string& key, int otherwise,
                           const std::vector<std::string>& choices) const {
  return has(key) ? choice(key, choices) : otherwise;
}

void collect_places(const ConfigNode& node, const std::string& path,
                    std::map<std::string, std::string>& places) {
  places[path] = node.where;
  for (std::size_t i = 0; i < node.elements.size(); ++i) {
    const std::string key = node.keys.empty() ? std::to_string(i) : node.keys[i];
    collect_places(node.elements[i], joined(path, key), places);
  }
}

// The one file that knows toml++: text to ConfigNode, overrides included.

ConfigDocument parse_config(const std::string& text, const std::string& name,
                            const std::vector<std::string>& overrides,
                            const std::vector<ExcludingKeys>& excluding) {
  ConfigDocument out;
  toml::table root;
  try {
    root = toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    refuse(error, name);
  }
  std::vector<Override> changes;
  changes.reserve(overrides.size());
  for (const std::string& change : overrides) changes.push_back(parse_override(change));
  refuse_both(changes, excluding);
  for (Override& change : changes) apply(std::move(change), excluding, root);
  out.root = convert(root, name);
  out.root.where = name;
  out.text = text;
  if (!overrides.empty()) {
    std::ostringstream changed;
    for (std::string change : overrides) {
      std::replace(change.begin(), change.end(), '\n', ' ');
      changed << "# --set " << change << '\n';
    }
    changed << toml::toml_formatter{root} << '\n';
    out.text = changed.str();
  }
  return out;
}

}  // namespace footfall
