#include "footfall/record/rut_file.hpp"

#include <gmock/gmock.h>
#include <hdf5.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <sstream>

#include "footfall/error.hpp"
#include "io/create_file.hpp"
#include "io/hdf5.hpp"
#include "record/run_samples.hpp"

namespace footfall::test {
namespace {

using ::testing::HasSubstr;

// A file with nothing in it.
void make_file(const std::filesystem::path& path) {
  const hdf5::Session session;
  record::create_file(path, 1 << 16, path.string());
}

// Blocks on both sides of zero; every kind of number that a cell may hold.
RutGrid make_ruts(int blocks, double rim_share = 0.25) {
  RutGrid ruts({.cell = 4e-3, .rim_share = rim_share});
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(0, 0.05);
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (int i = 0; i < blocks; ++i) {
    RutBlock& b = ruts.make_block(17 - 3 * i, (i * 7919) % 1000 - 500);
    for (int k = 0; k < 200; ++k) {
      RutCell& c = b.cells[random() % b.cells.size()];
      c = {uniform(random), 0.05 + uniform(random), uniform(random), -uniform(random), -0.0};
    }
    b.cells[0] = {-0.0, 0.0, -0.0, -0.0, tiny};
    b.cells[1023] = {tiny, 1e300, 0.1 + 0.2, -tiny, std::numeric_limits<double>::max()};
  }
  return ruts;
}

TEST(RutFile, RestoresBitByBit) {
  const TemporaryFolder folder;
  for (const int blocks : {0, 1, 15, 16, 17, 300}) {
    const RutGrid written = make_ruts(blocks);
    make_file(folder / "run.h5");
    EXPECT_FALSE(has_ruts(folder / "run.h5"));
    write_ruts(folder / "run.h5", written);
    EXPECT_TRUE(has_ruts(folder / "run.h5"));
    const RutGrid read = read_ruts(folder / "run.h5");
    EXPECT_TRUE(read == written) << blocks;
    for (int i = 0; i < blocks; ++i) {  // in the same order
      EXPECT_EQ(read.block(i).x, written.block(i).x);
      EXPECT_EQ(read.block(i).y, written.block(i).y);
    }
    EXPECT_TRUE(blocks == 0 || std::signbit(read.block(0).cells[0].sinkage));
  }
}

// A grid that was read goes on as the one that was written.
TEST(RutFile, GoesOnAsBefore) {
  const TemporaryFolder folder;
  RutGrid ruts({.rim_share = 0.5});
  const auto press = [](RutGrid& grid, int i) {
    Footprint print;
    print.x = 0.031 * i - 1;
    print.y = 0.4 * std::sin(i);
    print.radius = 0.04;
    print.point_count = 1;
    print.points[0] = {print.x, print.y, 0.01 + 0.0001 * i, 0.02, 0.001, -0.002};
    return grid.stamp(print);
  };
  for (int i = 0; i < 50; ++i) press(ruts, i);
  make_file(folder / "run.h5");
  write_ruts(folder / "run.h5", ruts);
  RutGrid again = read_ruts(folder / "run.h5");
  for (int i = 25; i < 90; ++i) EXPECT_EQ(press(ruts, i), press(again, i));
  EXPECT_TRUE(ruts == again);
  EXPECT_EQ(ruts.displaced_volume(), again.displaced_volume());
}

TEST(RutFile, IsReplacedAndCompressed) {
  const TemporaryFolder folder;
  make_file(folder / "run.h5");
  write_ruts(folder / "run.h5", make_ruts(5));
  RutGrid sparse({.cell = 1e-3});
  for (int i = 0; i < 100; ++i) sparse.make_block(i, -i).cells[i] = {0.01, 0.01, 0, 0, 0};
  write_ruts(folder / "run.h5", sparse);
  EXPECT_TRUE(read_ruts(folder / "run.h5") == sparse);
  EXPECT_LT(std::filesystem::file_size(folder / "run.h5"), 100 * sizeof(RutBlock) / 10);
}

TEST(RutFile, NeedsNoMoreSpaceThanItSays) {
  const TemporaryFolder folder;
  for (const int blocks : {0, 1, 40}) {
    RutGrid noise;  // does not compress
    std::mt19937_64 random(12);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int i = 0; i < blocks; ++i) {
      for (RutCell& c : noise.make_block(i, i).cells) {
        c = {uniform(random), 1 + uniform(random), uniform(random), uniform(random), 1};
      }
    }
    make_file(folder / "run.h5");
    const std::size_t before = std::filesystem::file_size(folder / "run.h5");
    write_ruts(folder / "run.h5", noise);
    EXPECT_LE(std::filesystem::file_size(folder / "run.h5"), before + ruts_bytes(noise));
  }
}

// --- files that others made -----------------------------------------------------------------

using Change = std::function<void(hid_t ruts, const std::string& file)>;

// What reading says after something was changed in the group.
std::string message_after(const Change& change) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  make_file(path);
  write_ruts(path, make_ruts(20));
  {
    const hdf5::Session session;
    const hdf5::File file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const hdf5::Group group(H5Gopen2(file.get(), "ruts", H5P_DEFAULT));
    change(group.get(), path.string());
  }
  try {
    read_ruts(path);
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(path.string()));
    return std::string(error.what()).substr(path.string().size());
  }
  return "read";
}

Change with_value(const char* dataset, int block, int cell, double value) {
  return [=](hid_t ruts, const std::string&) {
    const hdf5::Dataset data(H5Dopen2(ruts, dataset, H5P_DEFAULT));
    const hdf5::Space space(H5Dget_space(data.get()));
    const hsize_t at[] = {static_cast<hsize_t>(block), static_cast<hsize_t>(cell)}, one = 1;
    H5Sselect_elements(space.get(), H5S_SELECT_SET, 1, at);
    const hdf5::Space single(H5Screate_simple(1, &one, nullptr));
    H5Dwrite(data.get(), H5T_NATIVE_DOUBLE, single.get(), space.get(), H5P_DEFAULT, &value);
  };
}
Change with_attribute(const char* name, double value) {
  return [=](hid_t ruts, const std::string& file) {
    H5Adelete(ruts, name);
    hdf5::write_number(ruts, name, value, file);
  };
}
template <class Number>
Change with_table(const char* name, const std::vector<int>& shape, Number value) {
  return [=](hid_t ruts, const std::string& file) {
    H5Ldelete(ruts, name, H5P_DEFAULT);
    std::size_t count = 1;
    for (const int n : shape) count *= static_cast<std::size_t>(n);
    hdf5::write_table(ruts, {name, "m", "", "", shape}, std::vector<Number>(count, value), file);
  };
}

TEST(RutFile, RefusesValuesByName) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message_after([](hid_t, const std::string&) {}), "read");
  EXPECT_EQ(message_after(with_value("sinkage", 18, 5, -0.25)),
            ": ruts/sinkage[18, 5] = -0.25 m, expected a finite number, not negative");
  EXPECT_EQ(message_after(with_value("rim", 0, 1023, -1e-9)),
            ": ruts/rim[0, 1023] = -1e-09 m, expected a finite number, not negative");
  EXPECT_THAT(message_after(with_value("sinkage", 0, 0, nan)), HasSubstr("sinkage[0, 0] = nan m"));
  EXPECT_THAT(message_after(with_value("sinkage_max", 19, 7, inf)),
              HasSubstr("sinkage_max[19, 7] = inf m"));
  EXPECT_EQ(message_after(with_value("shear_displacement_y", 3, 4, nan)),
            ": ruts/shear_displacement_y[3, 4] = nan m, expected a finite number");
  EXPECT_EQ(message_after(with_value("shear_displacement_x", 3, 4, -2)), "read");
  EXPECT_EQ(message_after(with_value("sinkage", 2, 0, 0.5)),
            ": ruts/sinkage_max[2, 0] = 0 m, expected at least sinkage = 0.5 m");
}

TEST(RutFile, RefusesOtherShapes) {
  EXPECT_EQ(message_after(with_table("sinkage", {20, 1023}, 0.0)),
            ": ruts/sinkage has shape (20, 1023), expected (20, 1024)");
  EXPECT_THAT(message_after(with_table("rim", {21, 1024}, 0.0)), HasSubstr("(21, 1024)"));
  EXPECT_THAT(message_after(with_table("rim", {20}, 0.0)), HasSubstr("(20)"));
  EXPECT_EQ(message_after(with_table("block_y", {19}, 0)),
            ": ruts/block_y has 19 entries, expected 20 as ruts/block_x");
  EXPECT_THAT(message_after(with_table("block_x", {20, 2}, 0)), HasSubstr("2 dimensions"));
  EXPECT_THAT(message_after(with_table("block_x", {20}, 0.0)), HasSubstr("whole numbers"));
  EXPECT_THAT(message_after(with_table("rim", {20, 1024}, 0)), HasSubstr("ruts/rim"));
  EXPECT_THAT(message_after(with_table("block_x", {20}, 1 << 30)),
              HasSubstr("block_x[0] = 1073741824, expected [-7812501, 7812501]"));
  EXPECT_THAT(message_after([](hid_t ruts, const std::string& file) {
                with_table("block_x", {20}, 4)(ruts, file);
                with_table("block_y", {20}, -6)(ruts, file);
              }),
              HasSubstr("block_x[1] = 4, block_y = -6: this block was there before"));
  EXPECT_THAT(message_after([](hid_t ruts, const std::string&) {
                H5Ldelete(ruts, "sinkage_max", H5P_DEFAULT);
              }),
              HasSubstr("cannot read ruts/sinkage_max"));
}

TEST(RutFile, RefusesOtherAttributes) {
  EXPECT_EQ(message_after(with_attribute("block_cells", 64)),
            ": ruts: block_cells = 64, expected 32");
  EXPECT_EQ(message_after(with_attribute("cell_m", 5)),
            ": ruts: cell_m = 5, expected [0.001, 0.05]");
  EXPECT_EQ(message_after(with_attribute("rim_share", -1)),
            ": ruts: rim_share = -1, expected [0, 1]");
  EXPECT_THAT(message_after([](hid_t ruts, const std::string& file) {
                H5Adelete(ruts, "cell_m");
                hdf5::write_text(ruts, "cell_m", "five", file);
              }),
              HasSubstr("attribute cell_m of ruts is not a number"));
}

// Bytes changed at random: the file is read or refused by name, and nothing crashes.
TEST(RutFile, DamageIsReadOrRefused) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  make_file(path);
  write_ruts(path, make_ruts(2));
  std::ostringstream whole;
  whole << std::ifstream(path, std::ios::binary).rdbuf();
  std::mt19937 random(13);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole.str();
    for (int k = 1 + static_cast<int>(random() % 20); k > 0; --k) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    if (i % 3 == 0) bytes.resize(random() % bytes.size());
    std::ofstream(path, std::ios::binary) << bytes;
    try {
      read_ruts(path);
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path.string()));
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(RutFile, RefusesFilesWithoutRuts) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_ruts(folder / "none.h5"), InputError);
  EXPECT_THROW(has_ruts(folder / "none.h5"), InputError);
  EXPECT_THROW(write_ruts(folder / "none" / "none.h5", RutGrid()), InputError);
  make_file(folder / "run.h5");
  EXPECT_THROW(read_ruts(folder / "run.h5"), InputError);
}

}  // namespace
}  // namespace footfall::test
