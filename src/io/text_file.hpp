// Files as whole texts.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace footfall {

// Both throw InputError, with the file's name and the cause.
std::string read_text_file(const std::filesystem::path& file);
void write_text_file(const std::filesystem::path& file, std::string_view text);

}  // namespace footfall
