// Lengths for people.
#pragma once

#include <string>

namespace footfall {

// "12.3 mm", "0.31 m": in the unit in which it reads best.
std::string length_text(double metres);

}  // namespace footfall
