// The soils of a world, as files of the library would have them.
#pragma once

#include <string>
#include <vector>

#include "footfall/ground/world.hpp"

namespace footfall::record {

// The values of each soil, as the text of a soil file; of one that does not count only its name.
std::vector<std::string> soil_texts(const World& world);

}  // namespace footfall::record
