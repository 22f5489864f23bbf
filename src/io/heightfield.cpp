#include "footfall/io/heightfield.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <system_error>

#include "footfall/io/new_file.hpp"
#include "input_error.hpp"
#include "terrain/grid.hpp"

namespace footfall {
namespace {

constexpr std::uintmax_t kMaxFileBytes = 4ull << 30;

std::string read_heightfield_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw input_error("heightfield '{}': no such file", path.string());
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kMaxFileBytes) {
    throw input_error("heightfield '{}': {} bytes, expected at most {}", path.string(), size,
                      kMaxFileBytes);
  }
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) {
    throw input_error("heightfield '{}': cannot be read", path.string());
  }
  note_input(path);
  return bytes;
}

std::string heightfield_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace

Heightfield load_heightfield(const std::filesystem::path& path, const GridPlacement& placement,
                             const GreyRange& range) {
  const std::string extension = heightfield_extension(path), file = path.string();
  if (extension == ".csv")
    return parse_csv_heightfield(read_heightfield_file(path), file, placement);
  if (extension == ".npy")
    return parse_npy_heightfield(read_heightfield_file(path), file, placement);
  if (extension == ".png")
    return parse_png_heightfield(read_heightfield_file(path), file, placement, range);
  throw input_error("heightfield '{}': extension '{}', expected .csv, .npy or .png", file,
                    extension);
}

}  // namespace footfall
