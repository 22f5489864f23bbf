#include "footfall/granular/wrench_database.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "footfall/error.hpp"

namespace footfall {
namespace {

using ::testing::HasSubstr;

std::filesystem::path scratch_file(const std::string& name) {
  // one for each process: tests of this file run beside each other
  return std::filesystem::path(::testing::TempDir()) /
         fmt::format("wrench_database_{}_{}", getpid(), name);
}

WrenchDatabase awkward_database() {
  WrenchDatabase database;
  database.medium = "a \"quoted\" \\ medium\n";
  database.source = "test";
  database.foot = {GrainFootShape::box, 0.05, 0.1 / 3, 0.2 / 3, 0.3, -0.0};
  database.directions = velocity_directions(26, {0.02, 0.02, 0.3});
  database.configurations = {{0.1 / 3, 0.0}, {5e-324, -1.5}, {0.07, 0.3}};
  for (int k = 0; k < 3 * 26; ++k) {
    database.wrenches.push_back({std::sin(k) / 3, k == 5 ? -0.0 : 1e7 * k / 7, 5e-324 * k});
  }
  return database;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::string read_all(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The message that reading `text` ends with.
std::string refusal(const std::string& text) {
  const std::filesystem::path file = scratch_file("refused.csv");
  std::ofstream(file, std::ios::binary) << text;
  try {
    read_wrench_database(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(WrenchDatabase, ReadsBackTheSameBits) {
  const WrenchDatabase written = awkward_database();
  const std::filesystem::path file = scratch_file("bits.csv");
  write_wrench_database(file, written);
  const WrenchDatabase read = read_wrench_database(file);
  EXPECT_EQ(read.medium, written.medium);
  EXPECT_EQ(read.source, written.source);
  EXPECT_EQ(read.foot.shape, GrainFootShape::box);
  EXPECT_TRUE(same_bits(read.foot.length_x, written.foot.length_x));
  EXPECT_TRUE(same_bits(read.foot.reference_height, written.foot.reference_height));
  ASSERT_EQ(read.directions.size(), 26U);
  for (std::size_t i = 0; i < 26; ++i) {
    EXPECT_TRUE(same_bits(read.directions[i].x, written.directions[i].x)) << i;
    EXPECT_TRUE(same_bits(read.directions[i].z, written.directions[i].z)) << i;
    EXPECT_TRUE(same_bits(read.directions[i].tilt, written.directions[i].tilt)) << i;
  }
  ASSERT_EQ(read.configurations.size(), 3U);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_TRUE(same_bits(read.configurations[j].depth, written.configurations[j].depth));
    EXPECT_TRUE(same_bits(read.configurations[j].tilt, written.configurations[j].tilt));
  }
  ASSERT_EQ(read.wrenches.size(), written.wrenches.size());
  for (std::size_t k = 0; k < read.wrenches.size(); ++k) {
    EXPECT_TRUE(same_bits(read.wrenches[k].force_x, written.wrenches[k].force_x)) << k;
    EXPECT_TRUE(same_bits(read.wrenches[k].force_z, written.wrenches[k].force_z)) << k;
    EXPECT_TRUE(same_bits(read.wrenches[k].torque_y, written.wrenches[k].torque_y)) << k;
  }
}

TEST(WrenchDatabase, RefusesEveryTruncation) {
  const std::filesystem::path file = scratch_file("whole.csv");
  write_wrench_database(file, awkward_database());
  const std::string text = read_all(file);
  for (std::size_t length = 0; length < text.size();
       length += length + 400 < text.size() ? 397 : 7) {
    EXPECT_NE(refusal(text.substr(0, length)), "") << length;
  }
  EXPECT_EQ(refusal(text), "");
}

TEST(WrenchDatabase, NamesFileAndLineOfWhatIsWrong) {
  const std::filesystem::path file = scratch_file("good.csv");
  write_wrench_database(file, awkward_database());
  const std::string text = read_all(file);
  const std::string bad = scratch_file("refused.csv").string();
  const std::size_t first = text.find("torque_y_Nm\n") + 12;
  const auto first_line =
      1 + std::count(text.begin(), text.begin() + static_cast<long>(first), '\n');
  const std::string row = text.substr(first, text.find('\n', first) + 1 - first);
  EXPECT_THAT(refusal(replaced(text, row, "")), HasSubstr("ends after 77 rows, expected 78"));
  EXPECT_THAT(refusal(text + row), HasSubstr(fmt::format("is in line {} too", first_line)));
  EXPECT_THAT(refusal(replaced(text, row, replaced(row, ",0,0,", ",0,25,"))),
              HasSubstr("direction 25"));
  EXPECT_THAT(refusal(replaced(text, row, replaced(row, ",0,0,", ",0,26,"))),
              HasSubstr(fmt::format("{}:{}: direction = 26, expected 0 to 25", bad, first_line)));
  EXPECT_THAT(refusal(replaced(text, row, replaced(row, ",0,0,", ",0,0,nan"))),
              HasSubstr(fmt::format("{}:{}: force_x_N = 'nan", bad, first_line)));
  EXPECT_THAT(refusal(replaced(text, "0.07,0.3,", "-0.07,0.3,")),
              HasSubstr("depth_m = -0.07, expected above 0"));
  EXPECT_THAT(refusal(replaced(text, "rows = 78", "rows = 77")), HasSubstr("expected 78"));
  EXPECT_THAT(refusal(replaced(text, "torque_y_Nm", "torque")), HasSubstr("column 'torque'"));
  EXPECT_THAT(refusal(replaced(text, "medium", "medum")), HasSubstr("did you mean 'medium'?"));
  EXPECT_THAT(refusal("depth_m\n"), HasSubstr("footfall granular import"));
  WrenchDatabase database = awkward_database();
  database.wrenches[3].force_z = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(write_wrench_database(scratch_file("nan.csv"), database), InputError);
  EXPECT_FALSE(std::filesystem::exists(scratch_file("nan.csv")));
}

TEST(VelocityDirections, LieOnTheEllipsoidAndAreClosedUnderMirroring) {
  for (const int count : {26, 58}) {
    const PlanarVelocity speeds{0.02, 0.03, 0.3};
    const std::vector<PlanarVelocity> v = velocity_directions(count, speeds);
    ASSERT_EQ(v.size(), static_cast<std::size_t>(count));
    const std::vector<int> mirrored = mirrored_directions(v);
    for (std::size_t i = 0; i < v.size(); ++i) {
      EXPECT_NEAR(std::hypot(v[i].x / 0.02, v[i].z / 0.03, v[i].tilt / 0.3), 1, 1e-15);
      const auto k = static_cast<std::size_t>(mirrored[i]);
      EXPECT_EQ(v[k].x, -v[i].x);
      EXPECT_EQ(v[k].z, v[i].z);
      EXPECT_EQ(v[k].tilt, -v[i].tilt);
      EXPECT_EQ(mirrored[k], static_cast<int>(i));
    }
    EXPECT_EQ(v.front().tilt, 0.3);
    EXPECT_EQ(v.back().tilt, -0.3);
    const std::size_t middle = static_cast<std::size_t>(count) / 2 - 4;
    EXPECT_EQ(v[middle].z, -0.03);
    EXPECT_EQ(v[middle].tilt, 0);
    EXPECT_GT(v[middle + 1].x, 0);
  }
  EXPECT_THROW(velocity_directions(27, {1, 1, 1}), InputError);
  EXPECT_THROW(mirrored_directions({{1, 0, 0}}), InputError);
}

}  // namespace
}  // namespace footfall
