// A strict reader of JSON (RFC 8259) that knows where every value stands.
//
// No comments, no trailing commas, no numbers such as 01, .5 or NaN, no text that is not UTF-8. The
// document keeps the text and a flat list of nodes; line and column are counted only for a message:
//   robot.json:14:20: key 'bodies[3].mass_kg' = "two", expected a number
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::json {

inline constexpr std::size_t kLargestText = std::size_t{64} << 20;  // [bytes]
inline constexpr int kDeepest = 16;  // arrays and objects in each other

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

// An array's nodes follow it; an object's too, as key, value, key, value, …
struct Node {
  std::uint32_t begin, end;  // first character, and the one after the last
  std::uint32_t next;        // the node after this one and all within it
  Kind kind;
};

struct Document {
  std::string file;  // its name in messages
  std::string text;
  std::vector<Node> nodes;  // [0] is the whole
};

// Throws InputError with the place of the first mistake.
Document parse(std::string file, std::string text);

// A value of a document that outlives it.
struct Value {
  const Document* document;
  std::uint32_t index;

  const Node& node() const { return document->nodes[index]; }
  Kind kind() const { return node().kind; }
  std::uint32_t first() const { return index + 1; }   // node within it
  std::uint32_t last() const { return node().next; }  // node behind it
  Value at(std::uint32_t other) const { return {document, other}; }
  std::uint32_t after() const { return node().next; }
  std::string_view raw() const;  // as the file writes it
  std::string shown() const;     // the same for a message: short
  std::string text() const;      // of a string: without quotes and escapes
};

// Members of an object, elements of an array.
std::uint32_t count(const Value& parent);
// Element k of an array, which must have it.
Value element(const Value& array, std::uint32_t k);
// The value of a key, if the object has it.
std::optional<Value> find_member(const Value& object, std::string_view key);

// "file:line:column", both from 1; columns count characters, not bytes.
std::string place(const Document& document, std::size_t offset);

// Throws InputError "place: message".
[[noreturn]] void refuse(const Value& value, const std::string& message);

// Bytes of the UTF-8 character at the head of the text; 0: there is none.
std::size_t character_size(std::string_view text);

// The text in quotes, with escapes. It must be UTF-8.
std::string quoted(std::string_view text);

}  // namespace footfall::json
