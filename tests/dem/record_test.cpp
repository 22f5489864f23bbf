// Files of paths and recorded wrenches.
#include "footfall/dem/record.hpp"

#include <fstream>

#include "dem/lammps_support.hpp"
#include "footfall/error.hpp"

namespace footfall {
namespace {

std::string path_refusal(const TestFolder& folder, const std::string& text) {
  std::ofstream(folder / "path.csv") << text;
  try {
    read_foot_path(folder / "path.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(GrainRecords, ARecordingComesBackAndIsAPath) {
  const TestFolder folder;
  const std::vector<GrainSample> samples = {
      {.pose = {0, 0.1, -0.05, 0.25}, .force = {1, 2, 3}, .torque = {4, 5, 6}},
      {.pose = {0.5, -0.125, 0.0625, -1.5}, .force = {-1, 0, 150.5}, .torque = {0, -2.5, 0}}};
  write_grain_samples(folder / "samples.csv", samples, {"of two samples"});
  const std::vector<GrainSample> again = read_grain_samples(folder / "samples.csv");
  const std::vector<FootPose> path = read_foot_path(folder / "samples.csv");
  ASSERT_EQ(again.size(), 2U);
  ASSERT_EQ(path.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again[i].pose.time, samples[i].pose.time);
    EXPECT_EQ(path[i].x, samples[i].pose.x);
    EXPECT_EQ(path[i].depth, samples[i].pose.depth);
    EXPECT_EQ(path[i].tilt, samples[i].pose.tilt);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(again[i].force[k], samples[i].force[k]);
      EXPECT_EQ(again[i].torque[k], samples[i].torque[k]);
    }
  }
}

TEST(GrainRecords, PathsThatAreNoneAreRefusedWithTheirPlace) {
  const TestFolder folder;
  EXPECT_NE(path_refusal(folder, "time_s,x_m\n0,0\n1,0\n").find("expected depth_m"),
            std::string::npos);
  EXPECT_NE(path_refusal(folder, "time_s,depth_m\n0,0\n0,1\n").find("path.csv:3: time_s = 0"),
            std::string::npos);
  EXPECT_NE(path_refusal(folder, "time_s,depth_m,tilt_rad\n0,0,0\n1,0,20\n")
                .find("path.csv:3: tilt_rad = 20"),
            std::string::npos);
  EXPECT_NE(path_refusal(folder, "time_s,depth_m\n0,nan\n1,0\n").find("path.csv:2"),
            std::string::npos);
  EXPECT_NE(path_refusal(folder, "time_s,depth_m\n0,0\n").find("2 or more"), std::string::npos);
  EXPECT_NE(path_refusal(folder, "").find("path.csv"), std::string::npos);
}

}  // namespace
}  // namespace footfall
