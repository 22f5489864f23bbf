#include "io/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <numbers>

namespace footfall {
namespace {

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

[[noreturn]] void refuse_value(const ConfigNode& node, const std::string& key_path,
                               const std::string& expected) {
  throw InputError(
      fmt::format("{}: key '{}' = {}, expected {}", node.where, key_path, node.shown, expected));
}

bool is_number(const ConfigNode& node) {
  return node.kind == ConfigNode::Kind::integer || node.kind == ConfigNode::Kind::number;
}

// Letters to insert, remove, change or swap to make one word of the other.
int edit_distance(const std::string& a, const std::string& b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> d((a.size() + 1) * width);
  for (std::size_t i = 0; i <= a.size(); ++i) d[i * width] = static_cast<int>(i);
  for (std::size_t k = 0; k <= b.size(); ++k) d[k] = static_cast<int>(k);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t k = 1; k <= b.size(); ++k) {
      int best = std::min({d[(i - 1) * width + k] + 1, d[i * width + k - 1] + 1,
                           d[(i - 1) * width + k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1)});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]) {
        best = std::min(best, d[(i - 2) * width + k - 2] + 1);
      }
      d[i * width + k] = best;
    }
  }
  return d.back();
}

}  // namespace

const ConfigNode* ConfigNode::find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &elements[found - keys.begin()];
}

std::string nearest_word(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  int least = std::max(2, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& candidate : known) {
    // a forgotten unit is no mistake at all: shear_stiffness for shear_stiffness_N_per_m
    const bool unit_forgotten = candidate.starts_with(word + "_") && word.size() > 2;
    const int distance = unit_forgotten ? 1 : edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& prefix) {
  const std::string nearest = nearest_word(word, known);
  if (!nearest.empty()) return fmt::format(", did you mean '{}{}'?", prefix, nearest);
  if (known.empty()) return "";
  return fmt::format(", expected one of: {}", fmt::join(known, ", "));
}

TableReader::TableReader(const ConfigNode& table, std::string path, std::vector<std::string> keys)
    : table_(table), path_(std::move(path)), keys_(std::move(keys)) {
  if (table.kind != ConfigNode::Kind::table)
    refuse_value(table, path_, "a section [" + path_ + "]");
  for (const std::string& key : table.keys) {
    if (std::find(keys_.begin(), keys_.end(), key) != keys_.end()) continue;
    throw InputError(fmt::format("{}: unknown key '{}'{}", table.find(key)->where, key_path(key),
                                 suggestion(key, keys_, joined(path_, ""))));
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

void TableReader::refuse_missing(const std::string& key, const std::string& expected) const {
  throw InputError(
      fmt::format("{}: key '{}' is missing, expected {}", table_.where, key_path(key), expected));
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

std::int64_t TableReader::integer_or(const std::string& key, std::int64_t otherwise,
                                     const Range& range) const {
  if (!has(key)) return otherwise;
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

}  // namespace footfall
