#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "io/write_files.hpp"

namespace footfall::test {
namespace {

template <class Number>
std::string bytes_of(double value) {
  const auto number = static_cast<Number>(value);
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

// One element, little-endian on the machines that run the tests.
std::string element_bytes(double value, const std::string& type) {
  if (type == "f4") return bytes_of<float>(value);
  if (type == "f8") return bytes_of<double>(value);
  if (type == "i1") return bytes_of<std::int8_t>(value);
  if (type == "u1") return bytes_of<std::uint8_t>(value);
  if (type == "i2") return bytes_of<std::int16_t>(value);
  if (type == "u2") return bytes_of<std::uint16_t>(value);
  if (type == "i4") return bytes_of<std::int32_t>(value);
  if (type == "u4") return bytes_of<std::uint32_t>(value);
  if (type == "i8") return bytes_of<std::int64_t>(value);
  if (type == "u8") return bytes_of<std::uint64_t>(value);
  throw std::invalid_argument(type);
}

void append(png_structp png, png_bytep data, std::size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))
      ->append(reinterpret_cast<const char*>(data), count);
}
void flush(png_structp) {}

}  // namespace

std::string write_csv(const std::vector<double>& heights, int nx) {
  std::string text;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const bool line_end = (i + 1) % static_cast<std::size_t>(nx) == 0;
    text += fmt::format("{}{}", heights[i], line_end ? "\n" : ",");
  }
  return text;
}

std::string npy_file(const std::string& dictionary, const std::string& data, int version) {
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  std::string header = dictionary;
  while ((8 + length_bytes + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i)
    file += static_cast<char>(header.size() >> (8 * i) & 255);
  return file + header + data;
}

std::string write_npy(const std::vector<double>& heights, int nx, const NpyLayout& layout) {
  const std::size_t columns = static_cast<std::size_t>(nx), rows = heights.size() / columns;
  std::string data;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const std::size_t from = layout.fortran_order ? i % rows * columns + i / rows : i;
    std::string element = element_bytes(heights[from], layout.type.substr(1));
    if (layout.type[0] == '>') std::reverse(element.begin(), element.end());
    data += element;
  }
  const std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}, {}), }}", layout.type,
                  layout.fortran_order ? "True" : "False", rows, columns);
  return npy_file(dictionary, data, layout.version);
}

std::string write_png(const std::vector<std::uint16_t>& greys, int width, const PngLayout& layout) {
  const std::size_t columns = static_cast<std::size_t>(width), rows = greys.size() / columns;
  std::string file;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &file, append, flush);
  png_set_IHDR(png, info, static_cast<png_uint_32>(columns), static_cast<png_uint_32>(rows),
               layout.depth, layout.color_type,
               layout.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  const std::size_t stride = png_get_rowbytes(png, info);
  std::vector<png_byte> pixels(stride * rows);
  std::vector<png_bytep> lines(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    lines[row] = &pixels[row * stride];
    if (layout.color_type != PNG_COLOR_TYPE_GRAY || layout.depth < 8) continue;
    for (std::size_t column = 0; column < columns; ++column) {
      const std::uint16_t grey = greys[row * columns + column];
      if (layout.depth == 8) {
        lines[row][column] = static_cast<png_byte>(grey);
      } else {
        lines[row][2 * column] = static_cast<png_byte>(grey >> 8);
        lines[row][2 * column + 1] = static_cast<png_byte>(grey & 255);
      }
    }
  }
  png_write_image(png, lines.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return file;
}

}  // namespace footfall::test
