// A soil as one line of keys and values in SI units, as MuJoCo's plugin has it in a model file:
//
//   name=dry-sand law=bekker exponent=1.1 cohesive_modulus=990 frictional_modulus=1528430 cohesion=1040 …
//   name=concrete law=compliant stiffness=3.4e9 …
//
// Keys are the fields of PlasticSoil and CompliantGround; what is left out has the field's default.
#pragma once

#include <map>
#include <string>

#include "footfall/soil/soil_entry.hpp"

namespace footfall {

// "key=value key=value" as a table. Throws InputError that names what is no such pair or stands twice.
std::map<std::string, std::string> parse_pairs(const std::string& line);

// One of the soil's two laws: the plastic one where it has both.
std::string soil_line(const Soil& soil);

// Throws InputError with the key, its value and what is expected.
Soil parse_soil_line(const std::string& line);

}  // namespace footfall
