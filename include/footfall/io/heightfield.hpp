// Heightfields from files: CSV and npy hold metres, PNG holds grey that a range maps to metres.
//
// Which way is up in a file:
//   CSV   a line per y, the first line at the smallest y; along the line x grows
//   npy   array[iy, ix], shape (ny, nx)
//   PNG   as one looks at a map: the image's top row is the largest y, x grows to the right
// Whatever cannot be used (no file, another format, ragged rows, a number that is none, fewer than
// 2 × 2 points, more than kMaxGridPoints) throws InputError with the file and the place in it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "footfall/terrain/terrain.hpp"

namespace footfall {

// What an image's grey means.
struct GreyRange {
  double height_min = 0;  // of black [m]
  double height_max = 1;  // of white [m], not below height_min
};

// By the file's extension: .csv, .npy or .png. The range of greys matters to images only.
Heightfield load_heightfield(const std::filesystem::path& path, const GridPlacement& placement,
                             const GreyRange& range = {});

// The same from memory; `file` names the source in errors.
// CSV: numbers parted by commas or blanks; empty lines and what follows a # are skipped.
Heightfield parse_csv_heightfield(std::string_view text, const std::string& file,
                                  const GridPlacement& placement);
// npy: format 1 to 3; f4, f8, integers of 1 to 8 bytes; either byte order; C or Fortran order.
Heightfield parse_npy_heightfield(std::string_view bytes, const std::string& file,
                                  const GridPlacement& placement);
// PNG: greyscale of 8 or 16 bits, no gamma applied.
Heightfield parse_png_heightfield(std::string_view bytes, const std::string& file,
                                  const GridPlacement& placement, const GreyRange& range);

}  // namespace footfall
