#include <cctype>
#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

#include "footfall/io/heightfield.hpp"
#include "input_error.hpp"
#include "terrain/grid.hpp"

namespace footfall {
namespace {

// Where the reader stands in the text.
struct Cursor {
  std::string_view text;
  const std::string& file;
  std::size_t at = 0;          // next character
  std::size_t line_start = 0;  // first character of the line
  int line = 1;

  bool at_end() const { return at >= text.size(); }
  // comments end a line of numbers like the line's end does
  bool at_line_end() const { return at_end() || text[at] == '\n' || text[at] == '#'; }
};

[[noreturn]] void fail(const Cursor& cursor, std::string_view what) {
  throw input_error("{}:{}:{}: {}", cursor.file, cursor.line, cursor.at - cursor.line_start + 1,
                    what);
}

std::string describe_character(const Cursor& cursor) {
  if (cursor.at_end()) return "the end of the file";
  const auto c = static_cast<unsigned char>(cursor.text[cursor.at]);
  if (c == '\n' || c == '#') return "the end of the line";
  return std::isprint(c) ? fmt::format("'{}'", static_cast<char>(c))
                         : fmt::format("byte 0x{:02x}", c);
}

void skip_blanks(Cursor& cursor) {
  while (!cursor.at_end() && (cursor.text[cursor.at] == ' ' || cursor.text[cursor.at] == '\t' ||
                              cursor.text[cursor.at] == '\r')) {
    ++cursor.at;
  }
}

// To the start of the next line.
void skip_line(Cursor& cursor) {
  const std::size_t end = cursor.text.find('\n', cursor.at);
  cursor.at = end == std::string_view::npos ? cursor.text.size() : end + 1;
  cursor.line_start = cursor.at;
  ++cursor.line;
}

double read_number(Cursor& cursor) {
  const char* const begin = cursor.text.data() + cursor.at;
  const char* const end = cursor.text.data() + cursor.text.size();
  const bool plus = begin != end && *begin == '+' && begin + 1 != end && begin[1] != '-';
  double value = 0;
  const auto [rest, error] = std::from_chars(begin + (plus ? 1 : 0), end, value);
  if (error == std::errc::invalid_argument) {
    fail(cursor, fmt::format("expected a number, found {}", describe_character(cursor)));
  }
  const std::string_view number(begin, static_cast<std::size_t>(rest - begin));
  if (error != std::errc{} || !is_height(value)) {
    fail(cursor, fmt::format("height = {:.40} m, expected [-1e5, 1e5]", number));
  }
  cursor.at += number.size();
  return value;
}

// Appends the line's numbers and returns how many there were.
std::int64_t read_row(Cursor& cursor, std::vector<double>& heights) {
  std::int64_t count = 0;
  bool by_comma = false, by_blank = false;  // a comma without a blank, and a blank without a comma
  skip_blanks(cursor);
  while (!cursor.at_line_end()) {
    heights.push_back(read_number(cursor));
    ++count;
    if (static_cast<std::int64_t>(heights.size()) > kMaxGridPoints) {
      fail(cursor, fmt::format("more than {} numbers", kMaxGridPoints));
    }
    const std::size_t number_end = cursor.at;
    skip_blanks(cursor);
    if (cursor.at_line_end()) break;
    const bool blank = cursor.at != number_end;
    if (cursor.text[cursor.at] == ',') {
      const std::size_t comma = cursor.at++;
      skip_blanks(cursor);
      by_comma = by_comma || (!blank && cursor.at == comma + 1);
      if (cursor.at_line_end()) fail(cursor, "expected a number after the comma");
    } else if (!blank) {
      fail(cursor,
           fmt::format("expected a comma or a blank, found {}", describe_character(cursor)));
    } else {
      by_blank = true;
    }
    if (by_comma && by_blank) {
      fail(cursor, "numbers are parted by blanks and have commas in them: write decimal points, or "
                   "part all numbers of a line by commas");
    }
  }
  return count;
}

}  // namespace

Heightfield parse_csv_heightfield(std::string_view text, const std::string& file,
                                  const GridPlacement& placement) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<double> heights;
  std::int64_t nx = 0, ny = 0;
  for (Cursor cursor{text, file}; !cursor.at_end(); skip_line(cursor)) {
    const std::int64_t count = read_row(cursor, heights);
    if (count == 0) continue;
    if (ny > 0 && count != nx) {
      fail(cursor, fmt::format("{} numbers in this line, {} in those before", count, nx));
    }
    nx = count;
    ++ny;
  }
  if (ny == 0) throw input_error("{}: no numbers in the file", file);
  Heightfield field = empty_heightfield(file, nx, ny, placement);
  field.heights = std::move(heights);
  return field;
}

}  // namespace footfall
