#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include "footfall/robot/assemble.hpp"
#include "footfall/robot/robot_file.hpp"
#include "input_error.hpp"
#include "placed.hpp"
#include "robot/json.hpp"
#include "robot/robot_fields.hpp"

namespace footfall {
namespace {

using json::Kind;
using json::Value;
using robot_file::list_fields;
using robot_file::OfNumbers;

// The keys of a part, as an archive that only listens.
struct KeyList {
  std::vector<std::string> keys;
  template <class Field>
  void operator()(const char* key, const Field&) {
    keys.emplace_back(key);
  }
};

class RobotReader {
 public:
  RobotReader(const Value& object, std::string path) : object_(object), path_(std::move(path)) {}

  // The archive: called for each key that the part has.
  template <class Field>
  void operator()(const char* key, Field& field) {
    const std::optional<Value> value = json::find_member(object_, key);
    if (!value) {
      json::refuse(object_, fmt::format("key '{}' is missing", key_path(key)));
    }
    read(*value, key_path(key), field);
  }

  template <class Part>
  void read_part(Part& part, const std::vector<std::string>& more_keys = {}) {
    if (object_.kind() != Kind::object) refuse(object_, path_, "an object");
    KeyList known{more_keys};
    list_fields(known, part);
    check_keys(known.keys);
    list_fields(*this, part);
  }

  void check_format() {
    if (object_.kind() != Kind::object) json::refuse(object_, object_.shown() + ", expected {");
    const std::optional<Value> format = json::find_member(object_, "format");
    const std::string wanted = json::quoted(robot_file::kFormat);
    if (!format) {
      json::refuse(object_, fmt::format("key 'format' is missing, expected {}: this is not a robot "
                                        "file of Footfall",
                                        wanted));
    }
    if (format->raw() != wanted) refuse(*format, "format", wanted);
    int version = 0;
    (*this)("version", version);
    if (version != kRobotFileVersion) {
      refuse(*json::find_member(object_, "version"), "version",
             fmt::format("{}, which this Footfall reads", kRobotFileVersion));
    }
  }

 private:
  std::string key_path(const std::string& key) const {
    return path_.empty() ? key : path_ + "." + key;
  }

  [[noreturn]] static void refuse(const Value& value, const std::string& path,
                                  const std::string& expected) {
    json::refuse(value, fmt::format("key '{}' = {}, expected {}", path, value.shown(), expected));
  }

  void check_keys(const std::vector<std::string>& known) const {
    std::vector<bool> seen(known.size(), false);
    for (std::uint32_t i = object_.first(); i != object_.last();) {
      const Value name = object_.at(i);
      const std::string key = name.text();
      const auto found = std::find(known.begin(), known.end(), key);
      if (found == known.end()) {
        const std::string prefix = path_.empty() ? "" : path_ + ".";
        json::refuse(name, fmt::format("unknown key '{}'{}", shortened(key_path(key)),
                                       suggestion(shortened(key), known, prefix)));
      }
      const auto k = static_cast<std::size_t>(found - known.begin());
      if (seen[k]) json::refuse(name, fmt::format("key '{}' stands here twice", key_path(key)));
      seen[k] = true;
      i = object_.at(name.after()).after();
    }
  }

  // A key of a damaged file may be millions of letters long.
  static std::string shortened(const std::string& word) {
    constexpr std::size_t longest = 200;
    if (word.size() <= longest) return word;
    std::size_t size = 0;
    while (size < longest) size += json::character_size(std::string_view(word).substr(size));
    return word.substr(0, size) + "…";
  }

  template <class Number>
  static void read_number(const Value& value, const std::string& path, const char* words,
                          Number& out) {
    if (value.kind() != Kind::number) refuse(value, path, words);
    const std::string_view text = value.raw();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error == std::errc::result_out_of_range) {
      refuse(value, path, fmt::format("{} that the computer can hold", words));
    }
    if (error != std::errc() || end != text.data() + text.size()) refuse(value, path, words);
  }

  static void read(const Value& value, const std::string& path, double& out) {
    read_number(value, path, "a number", out);
  }
  static void read(const Value& value, const std::string& path, float& out) {
    read_number(value, path, "a number", out);
  }
  static void read(const Value& value, const std::string& path, int& out) {
    read_number(value, path, "an integer", out);
  }
  static void read(const Value& value, const std::string& path, bool& out) {
    if (value.kind() != Kind::boolean) refuse(value, path, "true or false");
    out = value.raw() == "true";
  }
  static void read(const Value& value, const std::string& path, std::string& out) {
    if (value.kind() != Kind::string) refuse(value, path, "a text in quotes");
    out = value.text();
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  static void read(const Value& value, const std::string& path, Enum& out) {
    const auto& names = robot_file::names_of(out);
    const auto found = value.kind() == Kind::string
                           ? std::find(names.begin(), names.end(), value.text())
                           : names.end();
    if (found == names.end()) {
      refuse(value, path, fmt::format("one of \"{}\"", fmt::join(names, "\", \"")));
    }
    out = static_cast<Enum>(found - names.begin());
  }
  template <OfNumbers Field>
  static void read(const Value& value, const std::string& path, Field& out) {
    auto numbers = robot_file::to_numbers(out);
    read(value, path, numbers);
    robot_file::from_numbers(numbers, out);
  }
  template <class Element, std::size_t N>
  static void read(const Value& value, const std::string& path, std::array<Element, N>& out) {
    const bool fits = value.kind() == Kind::array && json::count(value) == N;
    if (!fits) refuse(value, path, fmt::format("an array of {} numbers", N));
    std::uint32_t i = value.first();
    for (std::size_t k = 0; k < N; ++k) {
      read(value.at(i), fmt::format("{}[{}]", path, k), out[k]);
      i = value.at(i).after();
    }
  }
  template <class Element>
  static void read(const Value& value, const std::string& path, std::vector<Element>& out) {
    if (value.kind() != Kind::array) refuse(value, path, "an array");
    out.clear();  // and grows as elements turn out to be right: a damaged file may have millions
    for (std::uint32_t i = value.first(); i != value.last(); i = value.at(i).after()) {
      Element element{};
      read(value.at(i), fmt::format("{}[{}]", path, out.size()), element);
      out.push_back(std::move(element));
    }
  }
  template <class Part>
    requires requires(KeyList& keys, Part& part) { list_fields(keys, part); }
  static void read(const Value& value, const std::string& path, Part& out) {
    RobotReader(value, path).read_part(out);
  }

  Value object_;
  std::string path_;
};

// The value that a fault is about.
Value find_fault(const Value& top, const RobotFault& fault) {
  const Value part =
      fault.list.empty() ? top : json::element(*json::find_member(top, fault.list), fault.index);
  return *json::find_member(part, fault.key);
}

}  // namespace

RobotModel read_robot_text(std::string text, const std::string& file) {
  const json::Document document = json::parse(file, std::move(text));
  const Value top{&document, 0};
  RobotReader reader(top, "");
  reader.check_format();
  RobotModel model;
  reader.read_part(model, {"format", "version"});
  if (const std::optional<RobotFault> fault = assemble_robot(model)) {
    json::refuse(find_fault(top, *fault), fault->message());
  }
  return model;
}

RobotModel read_robot_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw input_error("robot file '{}' {}", file.string(),
                      std::filesystem::exists(file, error) ? "is not a file" : "does not exist");
  }
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (!error && size > json::kLargestText) {
    throw input_error("robot file '{}' has {} bytes, expected at most {}", file.string(), size,
                      json::kLargestText);
  }
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad()) throw input_error("robot file '{}' cannot be read", file.string());
  RobotModel model = read_robot_text(std::move(text), file.string());
  placed(file.string() + ": ", [&] { check_magnitudes(model); });
  return model;
}

}  // namespace footfall
