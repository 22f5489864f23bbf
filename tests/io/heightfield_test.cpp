// CSV, npy and PNG: what is written comes back; what is broken is refused, with place and reason.
#include "footfall/io/heightfield.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "footfall/error.hpp"
#include "io/write_files.hpp"

namespace footfall {
namespace {

using namespace test;

constexpr GridPlacement kPlacement{.origin_x = -1, .origin_y = 2, .spacing = 0.1};
const std::vector<double> kHeights = {0.5,     -1.25, 3,   1e-3, 7,  -2e4,
                                      1.0 / 3, 0,     0.1, 12,   13, 14};  // 4 × 3

template <class Parse>
std::string parse_error_of(const Parse& parse) {
  try {
    parse();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}
Heightfield parse_csv(const std::string& text) {
  return parse_csv_heightfield(text, "a.csv", kPlacement);
}
Heightfield parse_npy(const std::string& bytes) {
  return parse_npy_heightfield(bytes, "a.npy", kPlacement);
}
Heightfield parse_png(const std::string& bytes) {
  return parse_png_heightfield(bytes, "a.png", kPlacement, {.height_min = -1, .height_max = 3});
}
std::string csv_error(const std::string& text) {
  return parse_error_of([&] { return parse_csv(text); });
}
std::string npy_error(const std::string& bytes) {
  return parse_error_of([&] { return parse_npy(bytes); });
}
std::string png_error(const std::string& bytes) {
  return parse_error_of([&] { return parse_png(bytes); });
}

void expect_grid(const Heightfield& field, int nx, int ny) {
  EXPECT_EQ(field.nx, nx);
  EXPECT_EQ(field.ny, ny);
  EXPECT_EQ(field.origin_x, kPlacement.origin_x);
  EXPECT_EQ(field.origin_y, kPlacement.origin_y);
  EXPECT_EQ(field.spacing, kPlacement.spacing);
  EXPECT_NO_THROW(check_heightfield(field));
}

TEST(Csv, RoundTrip) {
  const Heightfield field = parse_csv(write_csv(kHeights, 4));
  expect_grid(field, 4, 3);
  EXPECT_EQ(field.heights, kHeights);
}

TEST(Csv, TakesBlanksCommentsAndForeignLineEnds) {
  const std::string text = "\xef\xbb\xbf# made by hand\r\n\r\n 1, +2\t,3e0 # first\r\n\n4 5\t6";
  EXPECT_EQ(parse_csv(text).heights, (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(Csv, ErrorsSayLineAndColumn) {
  EXPECT_EQ(csv_error("1,2\n3,x4\n"), "a.csv:2:3: expected a number, found 'x'");
  EXPECT_EQ(csv_error("1,2\n3;4\n"), "a.csv:2:2: expected a comma or a blank, found ';'");
  EXPECT_EQ(csv_error("1,2\n3,\n"), "a.csv:2:3: expected a number after the comma");
  EXPECT_EQ(csv_error("1,,2\n"), "a.csv:1:3: expected a number, found ','");
  EXPECT_EQ(csv_error("1,2\n\n3,4,5\n"), "a.csv:3:6: 3 numbers in this line, 2 in those before");
  EXPECT_EQ(csv_error("1,2\n3\n"), "a.csv:2:2: 1 numbers in this line, 2 in those before");
  EXPECT_EQ(csv_error("1,nan\n3,4\n"), "a.csv:1:3: height = nan m, expected [-1e5, 1e5]");
  EXPECT_EQ(csv_error("1,2\n-inf,4\n"), "a.csv:2:1: height = -inf m, expected [-1e5, 1e5]");
  EXPECT_EQ(csv_error("1,1e999\n3,4\n"), "a.csv:1:3: height = 1e999 m, expected [-1e5, 1e5]");
  EXPECT_EQ(csv_error(std::string("1,\0", 3)), "a.csv:1:3: expected a number, found byte 0x00");
}

TEST(Csv, RefusesEmptyAndThinGrids) {
  EXPECT_EQ(csv_error(""), "a.csv: no numbers in the file");
  EXPECT_EQ(csv_error("\n# nothing\n"), "a.csv: no numbers in the file");
  EXPECT_EQ(csv_error("1,2,3\n"),
            "a.csv: the grid has 3 × 1 points (x × y), expected at least 2 × 2");
  EXPECT_EQ(csv_error("1\n2\n"),
            "a.csv: the grid has 1 × 2 points (x × y), expected at least 2 × 2");
}

TEST(Npy, RoundTripOfFloatsInEveryLayout) {
  for (const char* type : {"<f8", ">f8", "<f4", ">f4"}) {
    for (const bool fortran : {false, true}) {
      for (const int version : {1, 2, 3}) {
        const Heightfield field = parse_npy(write_npy(kHeights, 4, {type, fortran, version}));
        expect_grid(field, 4, 3);
        for (std::size_t i = 0; i < kHeights.size(); ++i) {
          const bool is_double = std::string(type).ends_with('8');
          const double expected = is_double ? kHeights[i] : static_cast<float>(kHeights[i]);
          EXPECT_EQ(field.heights[i], expected) << type << fortran << version;
        }
      }
    }
  }
}

TEST(Npy, RoundTripOfIntegers) {
  const std::vector<double> positive = {0, 1, 2, 100, 127, 3}, mixed = {0, -1, 2, -100, 127, 3};
  for (const char* type : {"|u1", "<u2", ">u2", "<u4", ">u4", "<u8", ">u8"}) {
    EXPECT_EQ(parse_npy(write_npy(positive, 3, {.type = type})).heights, positive) << type;
  }
  for (const char* type : {"|i1", "<i2", ">i2", "<i4", ">i4", "<i8", ">i8"}) {
    EXPECT_EQ(parse_npy(write_npy(mixed, 3, {.type = type})).heights, mixed) << type;
  }
}

TEST(Npy, RefusesWhatIsNoHeightfield) {
  const std::string good = write_npy(kHeights, 4, {});
  EXPECT_EQ(npy_error(""), "a.npy: not an npy file: it does not start with \\x93NUMPY");
  EXPECT_EQ(npy_error("PK\x03\x04"), "a.npy: not an npy file: it does not start with \\x93NUMPY");
  EXPECT_EQ(npy_error(good.substr(0, 8)), "a.npy: npy header cut off after 8 bytes");
  EXPECT_EQ(npy_error(good.substr(0, 40)), "a.npy: npy header cut off: 30 of 118 bytes");
  EXPECT_EQ(npy_error(good.substr(0, good.size() - 1)),
            "a.npy: npy array of 3 × 4 elements with 95 bytes of data, expected 96");
  EXPECT_EQ(npy_error(good + "x"),
            "a.npy: npy array of 3 × 4 elements with 97 bytes of data, expected 96");
  std::string version = good;
  version[6] = 9;
  EXPECT_EQ(npy_error(version), "a.npy: npy format version 9, expected 1, 2 or 3");
  std::vector<double> bad = kHeights;
  bad[6] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(npy_error(write_npy(bad, 4, {})),
            "a.npy: height at [1, 2] = inf m, expected [-1e5, 1e5]");
}

std::string npy_header_error(const std::string& type, const std::string& order,
                             const std::string& shape) {
  const std::string dictionary =
      "{'descr': " + type + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  return npy_error(npy_file(dictionary, "data"));
}

TEST(Npy, RefusesBadHeaders) {
  EXPECT_EQ(npy_header_error("'<c16'", "False", "(2, 2)"),
            "a.npy: npy array of type '<c16', expected f4, f8, i1 to i8 or u1 to u8");
  EXPECT_EQ(npy_header_error("''", "False", "(2, 2)"),
            "a.npy: npy array of type '', expected f4, f8, i1 to i8 or u1 to u8");
  EXPECT_EQ(npy_header_error("[('x', '<f8')]", "False", "(2, 2)"),
            "a.npy: npy array of records, expected plain numbers");
  EXPECT_EQ(npy_header_error("'<f8'", "Maybe", "(2, 2)"),
            "a.npy: npy fortran_order = Maybe, 'sh, expected True or False");
  EXPECT_EQ(npy_header_error("'<f8'", "False", "(8,)"),
            "a.npy: npy array of shape (8,), expected (ny, nx)");
  EXPECT_EQ(npy_header_error("'<f8'", "False", "(2, 2, 2)"),
            "a.npy: npy array of shape (2, 2, 2), expected (ny, nx)");
  EXPECT_EQ(npy_header_error("'<f8'", "False", "(-2, 2)"),
            "a.npy: npy array of shape (-2, 2), expected (ny, nx)");
  EXPECT_EQ(npy_header_error("'<f8'", "False", "(1, 9)"),
            "a.npy: the grid has 9 × 1 points (x × y), expected at least 2 × 2");
  EXPECT_EQ(npy_header_error("'<f8'", "False", "(4000000000, 5000000000)"),
            "a.npy: the grid has 5000000000 × 4000000000 points (x × y), expected at most 67108864 "
            "in all");
  EXPECT_EQ(npy_header_error("'<f8'", "False", "(99999999999999999999, 2)"),
            "a.npy: npy array of shape (99999999999999999999, 2), expected (ny, nx)");
  EXPECT_EQ(npy_error(npy_file("{}", "")), "a.npy: npy header without 'descr'");
}

const std::vector<std::uint16_t> kGreys8 = {0, 51, 102, 153, 204, 255};
const std::vector<std::uint16_t> kGreys16 = {0, 13107, 26214, 39321, 52428, 65535};

TEST(Png, GreyMapsToTheRangeAndTheTopRowIsTheLargestY) {
  for (const bool interlaced : {false, true}) {
    for (const int depth : {8, 16}) {
      const auto& greys = depth == 8 ? kGreys8 : kGreys16;
      const Heightfield field =
          parse_png(write_png(greys, 3, {.depth = depth, .interlaced = interlaced}));
      expect_grid(field, 3, 2);
      // white is 3, black −1; greys go up by a fifth of that, the image's top row comes last
      const double expected[] = {1.4, 2.2, 3, -1, -0.2, 0.6};
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(field.heights[i], expected[i], 1e-15) << depth;
      EXPECT_EQ(field.heights[2], 3);
      EXPECT_EQ(field.heights[3], -1);
    }
  }
}

TEST(Png, SixteenBitsRoundTrip) {
  std::vector<std::uint16_t> greys;
  for (unsigned i = 0; i < 40 * 30; ++i) greys.push_back(static_cast<std::uint16_t>(i * 40503u));
  const Heightfield field =
      parse_png_heightfield(write_png(greys, 40, {.depth = 16}), "a.png", kPlacement,
                            {.height_min = 0, .height_max = 65535});
  for (std::size_t iy = 0; iy < 30; ++iy) {
    for (std::size_t ix = 0; ix < 40; ++ix) {
      EXPECT_NEAR(field.heights[iy * 40 + ix], greys[(29 - iy) * 40 + ix], 1e-9);
    }
  }
}

TEST(Png, RefusesWhatIsNoHeightfield) {
  const std::string good = write_png(kGreys8, 3, {});
  EXPECT_EQ(png_error(""), "a.png: not a PNG file: it does not start with \\x89PNG");
  EXPECT_EQ(png_error("GIF89a"), "a.png: not a PNG file: it does not start with \\x89PNG");
  EXPECT_EQ(png_error(good.substr(0, 20)), "a.png: PNG: the file is cut off");
  EXPECT_EQ(png_error(good.substr(0, good.size() - 16)), "a.png: PNG: the file is cut off");
  EXPECT_EQ(png_error(write_png(kGreys8, 3, {.color_type = PNG_COLOR_TYPE_RGB})),
            "a.png: PNG of colour type 2, expected 0 (greyscale without alpha)");
  EXPECT_EQ(png_error(write_png(kGreys8, 3, {.depth = 4})),
            "a.png: PNG of 4 bits per pixel, expected 8 or 16");
  EXPECT_EQ(png_error(write_png(kGreys8, 6, {})),
            "a.png: the grid has 6 × 1 points (x × y), expected at least 2 × 2");
  std::string flipped = good;
  flipped[good.size() - 20] ^= 1;  // in the pixels: their checksum does not hold
  EXPECT_TRUE(png_error(flipped).starts_with("a.png: PNG: ")) << png_error(flipped);
}

TEST(Png, ChecksTheRange) {
  const std::string good = write_png(kGreys8, 3, {});
  const auto with = [&](const GreyRange& range) {
    return parse_error_of([&] { return parse_png_heightfield(good, "a.png", kPlacement, range); });
  };
  EXPECT_EQ(with({.height_min = 2, .height_max = 1}),
            "height_max = 1 m, expected [height_min = 2, 1e5]");
  EXPECT_EQ(with({.height_min = std::nan("")}), "height_min = nan m, expected [-1e5, 1e5]");
}

TEST(Placement, IsChecked) {
  const auto with = [](const GridPlacement& placement) {
    return parse_error_of([&] { return parse_csv_heightfield("1,2\n3,4\n", "a.csv", placement); });
  };
  EXPECT_EQ(with({.spacing = 0}), "spacing = 0 m, expected [1e-6, 1e4]");
  EXPECT_EQ(with({.origin_y = 1e9}), "origin_y = 1000000000 m, expected [-1e7, 1e7]");
}

TEST(LoadHeightfield, ChoosesByExtension) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "footfall_heightfield_test";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return folder / name;
  };
  EXPECT_EQ(load_heightfield(write("a.csv", write_csv(kHeights, 4)), kPlacement).heights, kHeights);
  EXPECT_EQ(load_heightfield(write("a.NPY", write_npy(kHeights, 4, {})), kPlacement).heights,
            kHeights);
  EXPECT_EQ(load_heightfield(write("a.png", write_png(kGreys8, 3, {})), kPlacement).heights[2], 1);
  EXPECT_THROW(load_heightfield(write("a.tif", "II"), kPlacement), InputError);
  EXPECT_THROW(load_heightfield(write("empty.csv", ""), kPlacement), InputError);
  EXPECT_THROW(load_heightfield(folder / "absent.csv", kPlacement), InputError);
  std::filesystem::create_directories(folder / "folder.csv");
  EXPECT_THROW(load_heightfield(folder / "folder.csv", kPlacement), InputError);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace footfall
