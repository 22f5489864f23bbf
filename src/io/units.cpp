#include "io/units.hpp"

#include <cctype>

namespace footfall {
namespace {

// The first of several names for one unit is the one that messages show.
constexpr Unit kUnits[] = {
    {"s", Dimension::time, 1},        {"ms", Dimension::time, 1e-3},
    {"us", Dimension::time, 1e-6},    {"min", Dimension::time, 60},
    {"m", Dimension::length, 1},      {"cm", Dimension::length, 1e-2},
    {"mm", Dimension::length, 1e-3},  {"um", Dimension::length, 1e-6},
    {"N", Dimension::force, 1},       {"kN", Dimension::force, 1e3},
    {"mN", Dimension::force, 1e-3},   {"m/s", Dimension::speed, 1},
    {"cm/s", Dimension::speed, 1e-2}, {"mm/s", Dimension::speed, 1e-3},
};

struct Alias {
  const char *other, *name;
};
constexpr Alias kAliases[] = {
    {"\xC2\xB5m", "um"}, {"\xCE\xBCm", "um"}, {"\xC2\xB5s", "us"},  {"\xCE\xBCs", "us"},
    {"sec", "s"},        {"m_per_s", "m/s"},  {"cm_per_s", "cm/s"}, {"mm_per_s", "mm/s"},
    {"m s^-1", "m/s"},   {"mm s^-1", "mm/s"},
};

std::string trim_name(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

}  // namespace

const Unit* find_unit(std::string_view name) {
  for (const Alias& alias : kAliases) {
    if (name == alias.other) name = alias.name;
  }
  for (const Unit& unit : kUnits) {
    if (name == unit.name) return &unit;
  }
  return nullptr;
}

std::string unit_names(Dimension dimension) {
  std::string names;
  for (const Unit& unit : kUnits) {
    if (unit.dimension == dimension) names += (names.empty() ? "" : ", ") + std::string(unit.name);
  }
  return names;
}

Header split_header(const std::string& text) {
  const std::string all = trim_name(text);
  if (!all.empty() && (all.back() == ']' || all.back() == ')')) {
    const auto open = all.rfind(all.back() == ']' ? '[' : '(');
    if (open != std::string::npos) {
      return {trim_name(all.substr(0, open)),
              trim_name(all.substr(open + 1, all.size() - open - 2))};
    }
  }
  // From the left, so that the longest unit is found: m_per_s before s.
  for (auto at = all.find('_'); at != std::string::npos; at = all.find('_', at + 1)) {
    if (at > 0 && find_unit(all.substr(at + 1)) != nullptr) {
      return {all.substr(0, at), all.substr(at + 1)};
    }
  }
  // A stroke also stands in paths of HDF5 files: only before a unit is it one of ours.
  for (auto at = all.find('/'); at != std::string::npos; at = all.find('/', at + 1)) {
    const std::string unit = trim_name(all.substr(at + 1));
    if (at > 0 && find_unit(unit) != nullptr) return {trim_name(all.substr(0, at)), unit};
  }
  return {all, ""};
}

std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const bool gap = c == ' ' || c == '-' || c == '_' || c == '.';
    if (!gap) {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!plain.empty() && plain.back() != '_') {
      plain += '_';
    }
  }
  while (!plain.empty() && plain.back() == '_') plain.pop_back();
  return plain;
}

}  // namespace footfall
