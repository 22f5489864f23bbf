// A tree of values read from TOML, each with the place it came from, and a reader that checks it.
//
// The reader is the schema: it is made with the keys that a section may have, and every question
// names the type and range that it expects. All that is wrong becomes an InputError:
//   drop.toml:12:13: key 'soil.stiffness' = -3, expected above 0 and at most 1e12 N/m
//   drop.toml:14:1: unknown key 'soil.stifness', did you mean 'soil.stiffness'?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "footfall/error.hpp"
#include "footfall/math/spatial.hpp"

namespace footfall {

struct ConfigNode {
  enum class Kind { boolean, integer, number, text, array, table, other };
  Kind kind = Kind::table;
  std::string where;  // "file:line:column", or "--set key=value"
  std::string shown;  // the value as TOML writes it, for messages
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;  // of an integer too
  std::string text;
  std::vector<ConfigNode> elements;  // of an array, or of a table
  std::vector<std::string> keys;     // of a table: keys[i] is the name of elements[i]

  const ConfigNode* find(std::string_view key) const;  // nullptr: not there
};

struct ConfigDocument {
  ConfigNode root;
  std::string text;  // TOML with the overrides in it
};

// Parses TOML; `name` stands for the file in places. An override is "key.path=value"; it may set
// what the text has not, and array elements by their index: ground.region.0.soil="wood".
//
// Of two keys that exclude each other, in a section or in the sections below it, an override of one takes the other away.
struct ExcludingKeys {
  std::string section, one, other;
};
ConfigDocument parse_config(const std::string& text, const std::string& name,
                            const std::vector<std::string>& overrides = {},
                            const std::vector<ExcludingKeys>& excluding = {});

// Values allowed, and how a message says so: "above 0 and at most 1e12 N/m".
struct Range {
  double lower, upper;
  const char* expected;
};

class TableReader {
 public:
  // `path` is the section's name in keys ("soil"; empty for the top). Throws on an unknown key.
  TableReader(const ConfigNode& table, std::string path, std::vector<std::string> keys);

  bool has(const std::string& key) const { return table_.find(key) != nullptr; }
  const ConfigNode& node(const std::string& key) const;  // that must be there
  std::string key_path(const std::string& key) const;
  const std::string& where() const { return table_.where; }
  const std::string& path() const { return path_; }

  double number(const std::string& key, const Range& range) const;
  double number_or(const std::string& key, double otherwise, const Range& range) const;
  double degrees_or(const std::string& key, double otherwise, const Range& range) const;  // [rad]
  double degrees(const std::string& key, const Range& range) const;                       // [rad]
  std::int64_t integer(const std::string& key, const Range& range) const;
  std::int64_t integer_or(const std::string& key, std::int64_t otherwise, const Range& range) const;
  bool boolean_or(const std::string& key, bool otherwise) const;
  std::string text(const std::string& key, const char* expected) const;
  std::optional<std::string> text_if_given(const std::string& key, const char* expected) const;
  std::optional<Vec3d> vector_if_given(const std::string& key, const Range& range) const;

  // Put a key's value in place, where the key is given. Choices: an enumeration in the order of its words.
  void read(const std::string& key, double& value, const Range& range) const {
    value = number_or(key, value, range);
  }
  void read(const std::string& key, int& value, const Range& range) const {
    value = static_cast<int>(integer_or(key, value, range));
  }
  void read(const std::string& key, bool& value) const { value = boolean_or(key, value); }
  void read_degrees(const std::string& key, double& value, const Range& range) const {
    value = degrees_or(key, value, range);
  }
  template <class Choice>
  void read_choice(const std::string& key, Choice& value,
                   const std::vector<std::string>& choices) const {
    value = static_cast<Choice>(choice_or(key, static_cast<int>(value), choices));
  }
  template <class Value>
  void read(const std::string& key, std::optional<Value>& value, const Range& range) const {
    if (has(key)) read(key, value.emplace(), range);
  }
  void read(const std::string& key, std::optional<bool>& value) const {
    if (has(key)) read(key, value.emplace());
  }
  template <class Choice>
  void read_choice(const std::string& key, std::optional<Choice>& value,
                   const std::vector<std::string>& choices) const {
    if (has(key)) read_choice(key, value.emplace(), choices);
  }

  // The index in `choices` of a key's word.
  int choice(const std::string& key, const std::vector<std::string>& choices) const;
  int choice_or(const std::string& key, int otherwise,
                const std::vector<std::string>& choices) const;

  // "place: key 'soil.stiffness' = -3, expected <expected>"
  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const;
  // Refuses the first of these keys that is given: they belong to another choice.
  void refuse_given(const std::vector<std::string>& keys, const std::string& expected) const;
  // "place: key 'soil.stiffness' is missing, expected <expected>"
  [[noreturn]] void refuse_missing(const std::string& key, const std::string& expected) const;

 private:
  const ConfigNode& table_;
  std::string path_;
  std::vector<std::string> keys_;
};

// Checks one number outside of a table reader, with the same messages.
double checked_number(const ConfigNode& node, const std::string& key_path, const Range& range);

// Adds the place of every key below `node` to `places`.
void collect_places(const ConfigNode& node, const std::string& path,
                    std::map<std::string, std::string>& places);

}  // namespace footfall
