// Damaged files: every loader gives a heightfield that passes its own check, or InputError.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "footfall/error.hpp"
#include "footfall/io/heightfield.hpp"
#include "io/write_files.hpp"

namespace footfall {
namespace {

using namespace test;
using Parse = std::function<Heightfield(const std::string&)>;

constexpr int kMutationCount = 2000;

// Flips, overwrites, cuts, inserts or doubles a piece.
void mutate(std::mt19937_64& random, std::string& bytes) {
  if (bytes.empty()) return;
  const std::size_t place = random() % bytes.size(), length = random() % 16;
  switch (random() % 6) {
  case 0:
    bytes[place] = static_cast<char>(bytes[place] ^ (1 << random() % 8));
    break;
  case 1:
    bytes[place] = static_cast<char>(random());
    break;
  case 2:
    bytes.resize(place);
    break;
  case 3:
    bytes.erase(place, length);
    break;
  case 4:
    bytes.insert(place, length, static_cast<char>(random()));
    break;
  case 5:
    bytes.insert(place, bytes.substr(place, length));
    break;
  }
}

// How many damaged files were still read; each that was is usable.
int survive(const std::string& good, const Parse& parse) {
  std::mt19937_64 random(1);
  int read = 0;
  for (int i = 0; i < kMutationCount; ++i) {
    std::string bytes = good;
    for (std::uint64_t count = 1 + random() % 4; count > 0; --count) mutate(random, bytes);
    try {
      check_heightfield(parse(bytes));
      ++read;
    } catch (const InputError& error) {
      EXPECT_STRNE(error.what(), "");
    }
  }
  return read;
}

std::vector<double> make_heights() {
  std::vector<double> heights;
  for (int i = 0; i < 60; ++i) heights.push_back(0.01 * i * (i % 7 - 3));
  return heights;
}

TEST(DamagedFiles, Csv) {
  const int read = survive(write_csv(make_heights(), 10), [](const std::string& text) {
    return parse_csv_heightfield(text, "a.csv", {});
  });
  EXPECT_GT(read, 0);
  EXPECT_LT(read, kMutationCount);
}

TEST(DamagedFiles, Npy) {
  for (const NpyLayout& layout : {NpyLayout{}, NpyLayout{">i2", true, 2}}) {
    const int read = survive(write_npy(make_heights(), 10, layout), [](const std::string& bytes) {
      return parse_npy_heightfield(bytes, "a.npy", {});
    });
    EXPECT_GT(read, 0);
    EXPECT_LT(read, kMutationCount);
  }
}

TEST(DamagedFiles, Png) {
  std::vector<std::uint16_t> greys;
  for (unsigned i = 0; i < 60; ++i) greys.push_back(static_cast<std::uint16_t>(i * 977));
  for (const PngLayout& layout : {PngLayout{}, PngLayout{16, 0, true}}) {
    const int read = survive(write_png(greys, 10, layout), [](const std::string& bytes) {
      return parse_png_heightfield(bytes, "a.png", {}, {});
    });
    EXPECT_LT(read, kMutationCount);
  }
}

}  // namespace
}  // namespace footfall
