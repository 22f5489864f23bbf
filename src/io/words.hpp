// Pieces of texts.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall {

// Without blanks at both ends.
inline std::string_view trimmed(std::string_view text, const char* blanks = " \t\r") {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// The parts between commas, each trimmed; at least one.
inline std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t comma = 0; comma != text.npos;) {
    comma = text.find(',');
    parts.push_back(trimmed(text.substr(0, comma)));
    if (comma != text.npos) text.remove_prefix(comma + 1);
  }
  return parts;
}

// Takes the next line off the front of a text, without its end; false: there is none.
inline bool next_line(std::string_view& rest, std::string_view& line) {
  if (rest.empty()) return false;
  const std::size_t end = rest.find('\n');
  line = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  return true;
}

// The number that the whole text is; nothing: it is none.
inline std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const char *const start = text.data(), *const end = start + text.size();
  const auto [stop, error] = std::from_chars(start, end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// The names of some things.
template <class List>
std::vector<std::string> names_of(const List& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace footfall
