// Parameters that every file has one of, such as where its touch was: "slide_offset" of a single
// file, "slide_offset_1", "slide_offset_2", … of several.
#pragma once

#include <string>

#include "footfall/identify/part.hpp"

namespace footfall {

std::string per_file_name(const std::string& base, std::size_t file, std::size_t files);

// What fixes or frees the name without a number does so in all files.
PartOptions for_all_files(PartOptions options, const std::string& base, std::size_t files);

}  // namespace footfall
