#include "io/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "input_error.hpp"

namespace footfall {

std::string read_text_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw input_error("'{}' is a folder, expected a file", file.string());
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) throw input_error("file '{}' cannot be opened", file.string());
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) throw input_error("file '{}' cannot be read", file.string());
  return text;
}

void write_text_file(const std::filesystem::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (out) return;
  throw input_error("{}: cannot write: {}", file.string(), std::strerror(errno));
}

}  // namespace footfall
