// Units that data files may use, and how a header states them.
#pragma once

#include <string>
#include <string_view>

namespace footfall {

enum class Dimension { time, length, force, speed };

struct Unit {
  const char* name;
  Dimension dimension;
  double factor;  // SI per unit
};

const Unit* find_unit(std::string_view name);  // nullptr: not known
std::string unit_names(Dimension dimension);   // "m, cm, mm, um", for messages

// "Fz [kN]", "Fz (kN)", "Fz / kN" or "Fz_kN" is name Fz and unit kN. The unit is empty where there
// is none; in brackets or after a stroke it may be one that we do not know.
struct Header {
  std::string name, unit;
};
Header split_header(const std::string& text);

// For comparing names: small letters, words joined by _.
std::string plain_name(const std::string& name);

}  // namespace footfall
