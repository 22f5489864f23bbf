// What footfall compare varies: one thing in a scenario, over a list of values.
#pragma once

#include <string>
#include <vector>

namespace footfall::compare_command {

struct Variant {
  std::string name;                    // as it is called in tables: the value
  std::vector<std::string> overrides;  // "key.path=value"
};

struct VariantList {
  std::string key;  // that is varied, as "soil.name"
  std::vector<Variant> variants;
};

// Parts between commas that stand in no bracket or quotes.
std::vector<std::string> split_values(const std::string& text);

// From the options of the command line: lists of contact models and soils, and key=value or
// key=value,value,… . One of them has several values, the others hold for all variants. Throws InputError.
VariantList make_variants(const std::string& contacts, const std::string& soils,
                          const std::vector<std::string>& settings);

}  // namespace footfall::compare_command
