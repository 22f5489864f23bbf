// Files as whole texts.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace footfall {

// Both throw InputError, with the file's name and the cause. A file is written whole or not at all.
std::string read_text_file(const std::filesystem::path& file);
void write_text_file(const std::filesystem::path& file, std::string_view text);

// With those above it. Throws InputError, where the message calls it `word`.
void make_folder(const std::filesystem::path& folder, const char* word = "folder");

}  // namespace footfall
