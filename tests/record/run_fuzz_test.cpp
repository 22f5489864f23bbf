// Damaged run files: every one is read or refused with an InputError, none crashes the reader.
#include <gmock/gmock.h>
#include <hdf5.h>

#include <fstream>
#include <sstream>

#include "footfall/error.hpp"
#include "footfall/record/run_data.hpp"
#include "record/run_samples.hpp"

// HDF5 leaks memory of its own when it gives up on a damaged file. What we leave open of it is
// counted instead, below.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace footfall::test {
namespace {

using ::testing::HasSubstr;

std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

// Reads the file, the robot and the ground in it. False: it was refused, by name.
bool is_readable(const std::filesystem::path& file) {
  try {
    const RunContents run = read_run(file);
    const RobotModel robot = read_robot(run);
    read_feet(run, robot);
    read_terrain(run);
    read_soils(run);
    return true;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(file.string()));
    return false;
  }
}

TEST(DamagedRunFile, IsRefusedWhenCutShort) {
  const TemporaryFolder folder;
  write_rows(folder / "run.h5", make_test_world(), 40);
  const std::string whole = read_bytes(folder / "run.h5");
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    write_bytes(folder / "cut.h5", whole.substr(0, random() % whole.size()));
    EXPECT_FALSE(is_readable(folder / "cut.h5"));
  }
}

TEST(DamagedRunFile, IsReadOrRefused) {
  const TemporaryFolder folder;
  write_rows(folder / "run.h5", make_test_world(), 40);
  const std::string whole = read_bytes(folder / "run.h5");
  std::mt19937 random(6);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole;
    const int changes = 1 + static_cast<int>(random() % 20);
    for (int k = 0; k < changes; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    write_bytes(folder / "damaged.h5", bytes);
    refused += is_readable(folder / "damaged.h5") ? 0 : 1;
  }
  EXPECT_GT(refused, 100);  // headers have checksums: most damage outside the rows is seen
}

// Zeros and blocks in the wrong place, as a failing disk leaves them.
TEST(DamagedRunFile, IsReadOrRefusedWithLostBlocks) {
  const TemporaryFolder folder;
  write_rows(folder / "run.h5", make_test_world(), 40);
  const std::string whole = read_bytes(folder / "run.h5");
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole;
    const std::size_t length = 1 + random() % 4096;
    const std::size_t to = random() % (bytes.size() - length);
    const std::string block = i % 2 == 0 ? std::string(length, '\0')
                                         : bytes.substr(random() % (bytes.size() - length), length);
    bytes.replace(to, length, block);
    write_bytes(folder / "damaged.h5", bytes);
    is_readable(folder / "damaged.h5");
  }
}

TEST(DamagedRunFile, LeavesNothingOpen) {
  const TemporaryFolder folder;
  write_rows(folder / "run.h5", make_test_world(), 40);
  std::string bytes = read_bytes(folder / "run.h5");
  EXPECT_TRUE(is_readable(folder / "run.h5"));
  for (std::size_t i = 2000; i < bytes.size(); i += 997) bytes[i] = static_cast<char>(~bytes[i]);
  write_bytes(folder / "damaged.h5", bytes);
  EXPECT_FALSE(is_readable(folder / "damaged.h5"));
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

TEST(DamagedRunFile, IsRefusedWhenItIsSomethingElse) {
  const TemporaryFolder folder;
  EXPECT_FALSE(is_readable(folder / "missing.h5"));
  write_bytes(folder / "empty.h5", "");
  EXPECT_FALSE(is_readable(folder / "empty.h5"));
  write_bytes(folder / "text.h5", "time [s],qpos[0] [m]\n0,1\n");
  EXPECT_FALSE(is_readable(folder / "text.h5"));
  const hid_t other =
      H5Fcreate((folder / "other.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(other);
  EXPECT_FALSE(is_readable(folder / "other.h5"));
}

}  // namespace
}  // namespace footfall::test
