#include "robot/json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "input_error.hpp"

namespace footfall::json {
namespace {

constexpr std::size_t kLongestShown = 40;  // of a value in a message [bytes]

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The four digits after \u at `at`; −1: they are not there.
int hex_number(std::string_view text, std::size_t at) {
  int number = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const int digit = i < text.size() ? hex_digit(text[i]) : -1;
    if (digit < 0) return -1;
    number = 16 * number + digit;
  }
  return number;
}

bool is_high_surrogate(int code) { return code >= 0xd800 && code < 0xdc00; }
bool is_low_surrogate(int code) { return code >= 0xdc00 && code < 0xe000; }

void append_character(int code, std::string& out) {
  const auto add = [&](int byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    add(code);
    return;
  }
  if (code < 0x800) {
    add(0xc0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      add(0xe0 | (code >> 12));
    } else {
      add(0xf0 | (code >> 18));
      add(0x80 | ((code >> 12) & 0x3f));
    }
    add(0x80 | ((code >> 6) & 0x3f));
  }
  add(0x80 | (code & 0x3f));
}

class Parser {
 public:
  explicit Parser(Document& document) : document_(document), text_(document.text) {}

  void parse_all() {
    skip_space();
    if (at_ == text_.size()) fail("the file is empty, expected {");
    parse_value(0);
    skip_space();
    if (at_ != text_.size()) fail(shown() + " after the end of the value");
  }

 private:
  [[noreturn]] void fail_at(std::size_t offset, const std::string& message) const {
    throw input_error("{}: {}", place(document_, offset), message);
  }
  [[noreturn]] void fail(const std::string& message) const { fail_at(at_, message); }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  // What stands here, for a message.
  std::string shown() const {
    if (at_ >= text_.size()) return "the file ends";
    const std::size_t size = character_size(text_.substr(at_));
    if (size == 0 || static_cast<unsigned char>(text_[at_]) < 0x20) {
      return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(text_[at_]));
    }
    return fmt::format("'{}'", text_.substr(at_, size));
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }

  std::size_t open(Kind kind) {
    document_.nodes.push_back({static_cast<std::uint32_t>(at_), 0, 0, kind});
    return document_.nodes.size() - 1;
  }
  void close(std::size_t node) {
    document_.nodes[node].end = static_cast<std::uint32_t>(at_);
    document_.nodes[node].next = static_cast<std::uint32_t>(document_.nodes.size());
  }

  void parse_value(int depth) {
    switch (peek()) {
    case '{':
      return parse_members(depth + 1);
    case '[':
      return parse_elements(depth + 1);
    case '"':
      return parse_string();
    case 't':
      return parse_word("true", Kind::boolean);
    case 'f':
      return parse_word("false", Kind::boolean);
    case 'n':
      return parse_word("null", Kind::null);
    default:
      break;
    }
    if (peek() != '-' && !is_digit(peek())) fail(shown() + ", expected a value");
    parse_number();
  }

  void check_depth(int depth) const {
    if (depth > kDeepest) {
      fail(fmt::format("arrays and objects stand in each other more than {} deep", kDeepest));
    }
  }

  void parse_members(int depth) {
    check_depth(depth);
    const std::size_t node = open(Kind::object);
    ++at_;
    skip_space();
    for (bool first = true; peek() != '}'; first = false) {
      if (!first) expect(',', "',' or '}'");
      skip_space();
      if (peek() != '"') fail(shown() + ", expected a key in quotes");
      parse_string();
      skip_space();
      expect(':', "':' after a key");
      skip_space();
      parse_value(depth);
      skip_space();
    }
    ++at_;
    close(node);
  }

  void parse_elements(int depth) {
    check_depth(depth);
    const std::size_t node = open(Kind::array);
    ++at_;
    skip_space();
    for (bool first = true; peek() != ']'; first = false) {
      if (!first) expect(',', "',' or ']'");
      skip_space();
      parse_value(depth);
      skip_space();
    }
    ++at_;
    close(node);
  }

  void expect(char wanted, const char* words) {
    if (peek() != wanted) fail(fmt::format("{}, expected {}", shown(), words));
    ++at_;
  }

  void parse_word(std::string_view word, Kind kind) {
    if (text_.substr(at_, word.size()) != word) fail(shown() + ", expected a value");
    const std::size_t node = open(kind);
    at_ += word.size();
    close(node);
  }

  void parse_number() {
    const std::size_t node = open(Kind::number), begin = at_;
    if (peek() == '-') ++at_;
    const std::size_t whole = at_;
    skip_digits("a digit");
    if (text_[whole] == '0' && at_ > whole + 1) fail_at(begin, "a number begins with 0");
    if (peek() == '.') {
      ++at_;
      skip_digits("a digit after the point");
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      skip_digits("a digit of the exponent");
    }
    close(node);
  }

  void skip_digits(const char* words) {
    if (!is_digit(peek())) fail(fmt::format("{}, expected {}", shown(), words));
    while (is_digit(peek())) ++at_;
  }

  void parse_string() {
    const std::size_t node = open(Kind::string), begin = at_;
    ++at_;
    while (peek() != '"') {
      if (at_ >= text_.size()) fail_at(begin, "a text has no closing quote");
      if (static_cast<unsigned char>(text_[at_]) < 0x20) {
        fail(shown() + " in a text, expected an escape such as \\n");
      }
      if (text_[at_] == '\\') {
        check_escape();
        continue;
      }
      const std::size_t size = character_size(text_.substr(at_));
      if (size == 0) fail(shown() + " is not UTF-8");
      at_ += size;
    }
    ++at_;
    close(node);
  }

  // Goes past an escape, or past the two of a character beyond \uffff.
  void check_escape() {
    const std::size_t begin = at_;
    const char letter = begin + 1 < text_.size() ? text_[begin + 1] : '\0';
    at_ = begin + 2;
    if (letter != 'u') {
      if (letter == '\0' || std::string_view("\"\\/bfnrt").find(letter) == text_.npos) {
        fail_at(begin, "unknown escape in a text, expected one of \\\" \\\\ \\/ \\b \\f \\n \\r "
                       "\\t \\uXXXX");
      }
      return;
    }
    const int code = hex_number(text_, at_);
    if (code < 0) fail_at(begin, "\\u in a text, expected four hexadecimal digits after it");
    at_ += 4;
    if (is_high_surrogate(code)) {
      const bool pair =
          text_.substr(at_, 2) == "\\u" && is_low_surrogate(hex_number(text_, at_ + 2));
      if (!pair) fail_at(begin, "half of a surrogate pair in a text");
      at_ += 6;
    } else if (is_low_surrogate(code)) {
      fail_at(begin, "half of a surrogate pair in a text");
    }
  }

  Document& document_;
  std::string_view text_;
  std::size_t at_ = 0;
};

char escaped(char letter) {
  switch (letter) {
  case 'b':
    return '\b';
  case 'f':
    return '\f';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  default:
    return letter;
  }
}

}  // namespace

std::size_t character_size(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned head = byte(0);
  const std::size_t size = head < 0x80                   ? 1
                           : head >= 0xc2 && head < 0xe0 ? 2
                           : head >= 0xe0 && head < 0xf0 ? 3
                           : head >= 0xf0 && head < 0xf5 ? 4
                                                         : 0;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
  }
  if (size < 3) return size;
  // neither in more bytes than needed, nor a surrogate, nor beyond the last character
  const unsigned second = byte(1);
  const bool valid = !(head == 0xe0 && second < 0xa0) && !(head == 0xed && second >= 0xa0) &&
                     !(head == 0xf0 && second < 0x90) && !(head == 0xf4 && second >= 0x90);
  return valid ? size : 0;
}

Document parse(std::string file, std::string text) {
  Document document{std::move(file), std::move(text), {}};
  if (document.text.size() > kLargestText) {
    throw input_error("{}: {} bytes, expected at most {}", document.file, document.text.size(),
                      kLargestText);
  }
  Parser(document).parse_all();
  return document;
}

std::string_view Value::raw() const {
  return std::string_view(document->text).substr(node().begin, node().end - node().begin);
}

std::string Value::shown() const {
  if (kind() == Kind::array) return fmt::format("an array of {}", count(*this));
  if (kind() == Kind::object) return "an object";
  std::string_view in = raw();
  if (in.size() <= kLongestShown) return std::string(in);
  std::size_t size = 0;
  while (size < kLongestShown) size += character_size(in.substr(size));
  return std::string(in.substr(0, size)) + "…";
}

std::string Value::text() const {
  const std::string_view in = raw();
  std::string out;
  for (std::size_t i = 1; i + 1 < in.size(); ++i) {
    if (in[i] != '\\') {
      out.push_back(in[i]);
      continue;
    }
    ++i;
    if (in[i] != 'u') {
      out.push_back(escaped(in[i]));
      continue;
    }
    int code = hex_number(in, i + 1);
    i += 4;
    if (is_high_surrogate(code)) {
      code = 0x10000 + ((code - 0xd800) << 10) + (hex_number(in, i + 3) - 0xdc00);
      i += 6;
    }
    append_character(code, out);
  }
  return out;
}

std::uint32_t count(const Value& parent) {
  std::uint32_t n = 0;
  for (std::uint32_t i = parent.first(); i != parent.last(); i = parent.at(i).after()) ++n;
  return parent.kind() == Kind::object ? n / 2 : n;
}

Value element(const Value& array, std::uint32_t k) {
  std::uint32_t i = array.first();
  while (k-- > 0) i = array.at(i).after();
  return array.at(i);
}

std::optional<Value> find_member(const Value& object, std::string_view key) {
  for (std::uint32_t i = object.first(); i != object.last();) {
    const Value name = object.at(i), member = object.at(name.after());
    if (name.text() == key) return member;
    i = member.after();
  }
  return std::nullopt;
}

std::string place(const Document& document, std::size_t offset) {
  const std::string_view before = std::string_view(document.text).substr(0, offset);
  const std::size_t line =
      1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t start = before.rfind('\n') + 1;  // 0 on the first line
  std::size_t column = 1;
  for (char c : before.substr(start)) {
    if ((static_cast<unsigned char>(c) & 0xc0U) != 0x80U) ++column;
  }
  return fmt::format("{}:{}:{}", document.file, line, column);
}

void refuse(const Value& value, const std::string& message) {
  throw input_error("{}: {}", place(*value.document, value.node().begin), message);
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      out.push_back(c);
    }
  }
  return out + '"';
}

}  // namespace footfall::json
