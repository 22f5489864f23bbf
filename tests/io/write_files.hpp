// Heightfield files as other programs write them, in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace footfall::test {

// heights[iy * nx + ix] as CSV, one line per y
std::string write_csv(const std::vector<double>& heights, int nx);

struct NpyLayout {
  std::string type = "<f8";  // NumPy's descr
  bool fortran_order = false;
  int version = 1;
};
std::string write_npy(const std::vector<double>& heights, int nx, const NpyLayout& layout);

// An npy file from the text of its header's dictionary and its data.
std::string npy_file(const std::string& dictionary, const std::string& data, int version = 1);

struct PngLayout {
  int depth = 8;
  int color_type = 0;  // PNG_COLOR_TYPE_GRAY
  bool interlaced = false;
};
// An image of `width` columns; the first row is the top. Samples beyond grey are zero.
std::string write_png(const std::vector<std::uint16_t>& greys, int width, const PngLayout& layout);

}  // namespace footfall::test
