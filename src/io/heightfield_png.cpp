// libpng reports errors by longjmp. So the two functions that call setjmp own nothing: everything
// with a destructor lives in their caller.
#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <vector>

#include "footfall/io/heightfield.hpp"
#include "input_error.hpp"
#include "terrain/grid.hpp"

namespace footfall {
namespace {

struct PngReader {
  explicit PngReader(std::string_view bytes_to_read);
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  std::string_view bytes;
  std::size_t at = 0;      // next byte to read
  char message[120] = "";  // libpng's, once it has failed
  png_structp png = nullptr;
  png_infop info = nullptr;
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* reader = static_cast<PngReader*>(png_get_error_ptr(png));
  std::snprintf(reader->message, sizeof reader->message, "%s", message);
  png_longjmp(png, 1);
}
void on_warning(png_structp, png_const_charp) {}  // what matters is an error

void on_read(png_structp png, png_bytep destination, std::size_t count) {
  auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
  if (reader->bytes.size() - reader->at < count) png_error(png, "the file is cut off");
  std::memcpy(destination, reader->bytes.data() + reader->at, count);
  reader->at += count;
}

PngReader::PngReader(std::string_view bytes_to_read) : bytes(bytes_to_read) {
  png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
  if (png != nullptr) info = png_create_info_struct(png);
  if (info == nullptr) throw std::bad_alloc();
  png_set_read_fn(png, this, on_read);
}

bool read_info(PngReader& reader) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_set_user_limits(reader.png, 0x7fffffff, 0x7fffffff);  // check_grid_size says it better
  png_read_info(reader.png, reader.info);
  return true;
}

bool read_pixels(PngReader& reader, png_bytepp rows) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  png_read_image(reader.png, rows);
  png_read_end(reader.png, nullptr);
  return true;
}

[[noreturn]] void fail_png(const std::string& file, std::string_view what) {
  throw input_error("{}: {}", file, what);
}

void check_image(const PngReader& reader, const std::string& file) {
  const int color = png_get_color_type(reader.png, reader.info);
  if (color != PNG_COLOR_TYPE_GRAY) {
    fail_png(file,
             fmt::format("PNG of colour type {}, expected 0 (greyscale without alpha)", color));
  }
  const int depth = png_get_bit_depth(reader.png, reader.info);
  if (depth != 8 && depth != 16) {
    fail_png(file, fmt::format("PNG of {} bits per pixel, expected 8 or 16", depth));
  }
  check_grid_size(file, png_get_image_width(reader.png, reader.info),
                  png_get_image_height(reader.png, reader.info));
}

void check_range(const GreyRange& range) {
  check_value(is_height(range.height_min), "height_min", range.height_min, "m", "[-1e5, 1e5]");
  check_value(is_height(range.height_max) && range.height_max >= range.height_min, "height_max",
              range.height_max, "m", fmt::format("[height_min = {}, 1e5]", range.height_min));
}

// The pixel's share of full white, in [0, 1].
double whiteness(const png_byte* row, std::size_t column, int depth) {
  if (depth == 8) return row[column] / 255.0;
  return (row[2 * column] * 256 + row[2 * column + 1]) / 65535.0;  // PNG is big-endian
}

}  // namespace

Heightfield parse_png_heightfield(std::string_view bytes, const std::string& file,
                                  const GridPlacement& placement, const GreyRange& range) {
  check_range(range);
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n"))
    fail_png(file, "not a PNG file: it does not start with \\x89PNG");
  PngReader reader(bytes);
  if (!read_info(reader)) fail_png(file, fmt::format("PNG: {}", reader.message));
  check_image(reader, file);

  const int depth = png_get_bit_depth(reader.png, reader.info);
  const std::size_t width = png_get_image_width(reader.png, reader.info);
  const std::size_t height = png_get_image_height(reader.png, reader.info);
  std::vector<png_byte> pixels(width * height * static_cast<std::size_t>(depth / 8));
  std::vector<png_bytep> rows(height);
  for (std::size_t i = 0; i < height; ++i) rows[i] = &pixels[i * pixels.size() / height];
  if (!read_pixels(reader, rows.data())) fail_png(file, fmt::format("PNG: {}", reader.message));

  Heightfield field = empty_heightfield(file, static_cast<std::int64_t>(width),
                                        static_cast<std::int64_t>(height), placement);
  for (std::size_t iy = 0; iy < height; ++iy) {
    for (std::size_t ix = 0; ix < width; ++ix) {
      const double white = whiteness(rows[height - 1 - iy], ix, depth);
      field.heights[iy * width + ix] = (1 - white) * range.height_min + white * range.height_max;
    }
  }
  return field;
}

}  // namespace footfall
