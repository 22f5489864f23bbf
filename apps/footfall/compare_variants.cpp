#include "compare_variants.hpp"

#include <set>

#include "input_error.hpp"

namespace footfall::compare_command {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// A key of the scenario with the values it takes.
struct Setting {
  std::string key;
  std::vector<std::string> values;
};

Setting read_setting(const std::string& text) {
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos || equal == 0) {
    throw input_error("--set '{}', expected key.path=value or key.path=value,value,…", text);
  }
  return {text.substr(0, equal), split_values(text.substr(equal + 1))};
}

}  // namespace

std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> out(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      out.emplace_back();
      continue;
    }
    out.back() += c;
  }
  for (std::string& value : out) value = trimmed(value);
  return out;
}

VariantList make_variants(const std::string& contacts, const std::string& soils,
                          const std::vector<std::string>& settings) {
  std::vector<Setting> all;
  if (!contacts.empty()) all.push_back({"contact.model", split_values(contacts)});
  if (!soils.empty()) all.push_back({"soil.name", split_values(soils)});
  for (const std::string& text : settings) all.push_back(read_setting(text));
  const Setting* varied = nullptr;
  std::vector<std::string> common;
  for (const Setting& s : all) {
    if (s.values.size() == 1) {
      common.push_back(s.key + "=" + s.values[0]);
      continue;
    }
    if (varied != nullptr) {
      throw input_error("'{}' and '{}' both have several values, expected one of them", varied->key,
                        s.key);
    }
    varied = &s;
  }
  if (varied == nullptr) {
    throw InputError(
        "nothing to compare: give several values to one of --contact, --soil and --set, "
        "as in --soil dry-sand,concrete");
  }
  VariantList out{varied->key, {}};
  std::set<std::string> names;
  for (const std::string& value : varied->values) {
    if (value.empty() || !names.insert(value).second) {
      throw input_error("value '{}' of '{}', expected each value once and none empty", value,
                        varied->key);
    }
    out.variants.push_back({value, common});
    out.variants.back().overrides.push_back(varied->key + "=" + value);
  }
  return out;
}

}  // namespace footfall::compare_command
