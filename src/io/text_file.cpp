#include "io/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "footfall/io/new_file.hpp"
#include "input_error.hpp"

namespace footfall {

namespace {
constexpr std::streamsize kPiece = 1 << 16;
constexpr std::size_t kMostPiped = 256 << 20;  // from what has no size, as /dev/zero [bytes]
}  // namespace

std::string read_text_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw input_error("'{}' is a folder, expected a file", file.string());
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) throw input_error("file '{}' cannot be opened", file.string());
  const bool is_plain = std::filesystem::is_regular_file(file, ignored);  // not a pipe, say
  std::string text(is_plain ? std::filesystem::file_size(file, ignored) : 0, '\0');
  in.read(text.data(),
          static_cast<std::streamsize>(text.size()));  // in one piece is several times as fast
  text.resize(static_cast<std::size_t>(in.gcount()));
  std::string piece(kPiece, '\0');
  while (in.read(piece.data(), kPiece), in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (is_plain || text.size() <= kMostPiped) continue;
    throw input_error("file '{}' does not end, expected at most {} MiB from a device or a pipe",
                      file.string(), kMostPiped >> 20U);
  }
  if (in.bad()) throw input_error("file '{}' cannot be read", file.string());
  note_input(file);
  return text;
}

void write_text_file(const std::filesystem::path& file, std::string_view text) {
  NewFile target(file);
  std::ofstream out(target.partial(), std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw OutputError(fmt::format("{}: cannot write: {}", file.string(), std::strerror(errno)));
  target.keep();
}

void make_folder(const std::filesystem::path& folder, const char* word) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw OutputError(
        fmt::format("{} '{}' cannot be made: {}", word, folder.string(), error.message()));
}

}  // namespace footfall
