// A soil as the text of a soil file, docs/soil-file.md: what load_soil reads again, value by value.
//
// Numbers are the shortest that read back as they were. Soil files have kPa, mm and degrees: where no
// number of the file becomes exactly the value in SI units (one in forty), the nearest is written, a
// rounding away; a soil that was read from a file is always written back exactly.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "footfall/soil/soil_entry.hpp"

namespace footfall {

struct SoilComments {
  std::vector<std::string> head = {};              // lines above everything
  std::map<std::string, std::string> values = {};  // behind a key's value, "exponent_n"
};

std::string soil_text(const Soil& soil, const SoilComments& comments = {});

}  // namespace footfall
