// Soil files and the library made of them. docs/soil-file.md describes the format.
//
//   std::vector<Soil> soils = load_soil_library("soils");
//   const Soil& sand = find_soil(soils, "dry-sand");
//
// All throw InputError with the place in the file, the key, the value found and what is expected:
//   dry-sand.toml:14:1: key 'terramechanics.exponent_n' = 4, expected 0.05 to 3
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "footfall/soil/soil_entry.hpp"

namespace footfall {

Soil load_soil(const std::filesystem::path& file);

// The same from a file's text; `name` stands for the file in messages.
Soil parse_soil(const std::string& text, const std::string& name);

// "dry-sand", as soils are called: small letters, digits, and single hyphens between them.
bool is_soil_name(const std::string& name);

// Every *.toml of a folder, by name.
std::vector<Soil> load_soil_library(const std::filesystem::path& folder);

// The library that scenarios see: the folders soils/ here, above, in $FOOTFALL_DATA, and of the
// program. Of two soils with one name the first in this order counts.
std::vector<Soil> load_soil_library();

// The soil that a command's user names: a soil of the library, or a file of his own by its path. `place` begins the
// message of the error: "--soil".
Soil load_named_soil(const std::string& name, const std::string& place);

// The soil of that name; the message suggests the nearest.
const Soil& find_soil(const std::vector<Soil>& soils, const std::string& name);

}  // namespace footfall
