// Which column of a file means what: by its name, or by the user's mapping.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/recording_table.hpp"

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

enum class Quantity {
  time,
  sinkage,  // down, from the surface
  height,   // up, zero anywhere
  sinkage_rate,
  body_sinkage,
  normal_force,
  shear_displacement,  // zero at the start of the drag
  shear_displacement_y,
  x,  // zero anywhere
  y,
  tangential_force,
  tangential_force_y,
};
constexpr int kQuantities = 12;
const char* quantity_name(Quantity quantity);  // its key in a mapping

// What a mapping says about one quantity.
struct MappedColumn {
  std::string where;  // file:line:column
  std::string name;
  int column = 0;    // from 1, in place of the name; 0: by name
  std::string unit;  // empty: from the header
  double sign = 1;
};
using ColumnMapping = std::array<std::optional<MappedColumn>, kQuantities>;

ColumnMapping read_mapping(const std::filesystem::path& toml);

struct ChosenColumn {
  int column = -1;  // −1: not there
  std::string name;
  double factor = 1;  // to SI, with the sign
  const Unit* unit = nullptr;
};
struct ChosenColumns {
  std::array<ChosenColumn, kQuantities> of;
  const ChosenColumn& operator[](Quantity q) const { return of[static_cast<std::size_t>(q)]; }
  bool has(Quantity q) const { return (*this)[q].column >= 0; }
  bool drag() const;  // way and force sideways
};

// Throws InputError: nothing that can be used, two columns for one thing, no unit, a unit of
// something else, a mapping that names what is not there.
ChosenColumns choose_columns(const std::vector<TableColumn>& columns, const ColumnMapping& mapping,
                             const std::string& file);

}  // namespace footfall
