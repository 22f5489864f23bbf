// A check that a text is XML, for tests of pictures.
#pragma once

#include <cctype>
#include <string>
#include <vector>

namespace footfall::test {

// What is wrong with a text as XML: tags that do not match, bare < or &, attributes without
// quotes. Empty: nothing. Knows what our pictures use of XML, and no more.
inline std::string xml_mistake(const std::string& text) {
  std::vector<std::string> open;
  std::size_t i = 0, roots = 0;
  while (i < text.size()) {
    if (text[i] == '&') {
      const std::string entity = text.substr(i, text.find(';', i) - i);
      if (entity != "&amp" && entity != "&lt" && entity != "&gt" && entity != "&quot") {
        return "bare & at " + std::to_string(i);
      }
    }
    if (text[i] != '<') {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    bool quoted = false;
    for (; end < text.size() && (quoted || text[end] != '>'); ++end) {
      if (text[end] == '"') quoted = !quoted;
      if (text[end] == '<') return "< inside a tag at " + std::to_string(end);
    }
    if (end >= text.size()) return "a tag without end at " + std::to_string(i);
    const std::string tag = text.substr(i + 1, end - i - 1);
    i = end + 1;
    if (tag.starts_with("?")) continue;
    std::string name;
    for (const char c : tag.substr(tag.starts_with("/") ? 1 : 0)) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) break;
      name += c;
    }
    if (name.empty()) return "a tag without name at " + std::to_string(i);
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != name) return "unexpected </" + name + ">";
      open.pop_back();
    } else if (!tag.ends_with("/")) {
      roots += open.empty() ? 1 : 0;
      open.push_back(name);
    }
  }
  if (!open.empty()) return "<" + open.back() + "> is not closed";
  return roots == 1 ? "" : "not exactly one root";
}

}  // namespace footfall::test
