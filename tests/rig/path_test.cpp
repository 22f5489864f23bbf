#include "footfall/rig/path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "footfall/error.hpp"
#include "footfall/rig/drag.hpp"
#include "footfall/rig/drop.hpp"
#include "footfall/rig/press.hpp"
#include "rig/grounds.hpp"

namespace footfall {
namespace {

using namespace rig_test;
using testing::HasSubstr;

std::filesystem::path write(const std::string& text) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() /
      (std::string("footfall_path_") +
       testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv");
  std::ofstream(file) << text;
  return file;
}

std::string mistake(const std::string& text) {
  try {
    read_path(write(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

// The rows of a press and of a drag, followed again.
TEST(Path, RepeatsAPressAndADrag) {
  const RigGround ground = on(dry_sand(), make_cylinder(0.05, 0.08));
  const PressResult p =
      press(ground, {}, {.load = 200, .cycles = 3, .staged = true, .unload = true});
  std::vector<PathPoint> path;
  path.reserve(p.series.size() + 1);
  for (const RigSample& s : p.series) path.push_back({1e6 * s.time, s.sinkage, 0, 0});  // at rest
  path.erase(path.begin());
  path.insert(path.begin(), {-1, 0, 0, 0});
  const std::vector<RigSample> again = follow_path(ground, {}, path);
  ASSERT_EQ(again.size(), p.series.size());
  for (std::size_t i = 0; i < again.size(); ++i) {
    EXPECT_NEAR(again[i].normal_force, p.series[i].normal_force, 1e-5);
  }

  const DragResult d = drag(ground, {}, {.sinkage = 0.02, .reverse = true});
  path = {{-1e6, 0, 0, 0}, {-1, 0.02, 0, 0}};
  for (const RigSample& s : d.series)
    path.push_back({s.time, s.sinkage, s.shear_displacement.x, 0});
  const std::vector<RigSample> dragged = follow_path(ground, {}, path);
  for (std::size_t i = 0; i < d.series.size(); ++i) {
    EXPECT_NEAR(dragged[i + 2].tangential_force.x, d.series[i].tangential_force.x, 1e-5);
  }
}

// A drop's rows with their rates give its forces back, damping and all.
TEST(Path, RepeatsADrop) {
  PlasticSoil soil = dry_sand();
  soil.damping = 300;
  soil.damping_exponent = 0.5;
  const RigGround ground = on(soil, make_disc(0.05));
  const DropResult r =
      drop(ground, {}, {.mass = 20, .height = 0.05, .duration = 0.2, .sample_rate = 20000});
  std::vector<PathPoint> path;
  path.reserve(r.series.size());
  for (const RigSample& s : r.series) path.push_back({s.time, s.sinkage, 0, 0});
  const std::vector<RigSample> again = follow_path(ground, {}, path);
  for (std::size_t i = 1; i < again.size(); ++i) {
    EXPECT_NEAR(again[i].normal_force, r.series[i].normal_force, 5e-3 * r.peak_force);
  }
}

// Held still, pad and soil come to the statics of (49).
TEST(Path, APadHeldStillIsInBalance) {
  const RigFoot foot{.pad = FootPad{.stiffness = 1e4, .exponent = 1.2, .damping = 200},
                     .foot_mass = 2};
  const RigGround ground = on(dry_sand(), make_disc(0.05));
  const PressResult rest = press(ground, foot, {.load = 150});
  const double depth = rest.end.body_sinkage;
  const std::vector<RigSample> s =
      follow_path(ground, foot, {{0, -0.001, 0, 0}, {2000, depth, 0, 0}, {2020, depth, 0, 0}});
  EXPECT_EQ(s[0].normal_force, 0);
  EXPECT_NEAR(s[2].pad_compression, rest.end.pad_compression, 1e-6);
  EXPECT_NEAR(s[2].normal_force, s[2].pad_force + 2 * kRigGravity, 1e-3);
  EXPECT_NEAR(s[2].normal_force, rest.end.normal_force, 2e-3);
}

TEST(Path, ReadsTables) {
  const std::vector<PathPoint> p =
      read_path(write("time_s, z_m, x_m ,note\n0,0.01,0,1\n\n0.5,-0.02,3e-2,2\r\n"));
  ASSERT_EQ(p.size(), 2u);
  EXPECT_EQ(p[1].sinkage, 0.02);
  EXPECT_EQ(p[1].x, 0.03);
  EXPECT_EQ(p[1].y, 0);
}

TEST(Path, RefusesColumnsThatItWouldMisread) {
  EXPECT_THAT(mistake("time,z_m\n0,0\n"), HasSubstr("csv:1: column 'time', expected time_s"));
  for (const std::string name : {"x_mm", "x", "X_m", "x [mm]", "x(m)"}) {
    EXPECT_THAT(mistake("time_s,z_m," + name + "\n0,0,0\n1,0,0\n"),
                HasSubstr("csv:1: column '" + name + "', expected x_m"));
  }
  EXPECT_THAT(mistake("time_s,z_m,sinkage_mm\n0,0,0\n1,0,0\n"),
              HasSubstr("csv:1: column 'sinkage_mm', expected sinkage_m"));
  EXPECT_THAT(mistake("time_s,z_m,z_m\n0,0,0\n1,0,0\n"), HasSubstr("csv:1: column 'z_m' twice"));
  EXPECT_THAT(mistake("time_s,z_m,x_m,shear_displacement_x_m\n0,0,0,0\n1,0,0,0\n"),
              HasSubstr("columns x_m and shear_displacement_x_m, expected only one"));
  EXPECT_EQ(mistake("time_s,z_m,x_force_N,sinkage_rate_m_per_s,note\n0,0,0,0,a\n1,0,0,0,b\n"),
            "none");
}

TEST(Path, RefusesPointsOutOfThisWorld) {
  EXPECT_THAT(mistake("time_s,sinkage_m\n0,0\n1,1e200\n"),
              HasSubstr("csv:3: 1e+200 m in column 2, expected -1000 to 10 m"));
  EXPECT_THAT(mistake("time_s,z_m\n0,-10.5\n1,0\n"),
              HasSubstr("csv:2: -10.5 m in column 2, expected -10 to 1000 m"));
  EXPECT_THAT(mistake("time_s,z_m,y_m\n0,0,-2e6\n1,0,0\n"),
              HasSubstr("csv:2: -2000000 m in column 3, expected -1e+06 to 1e+06 m"));
  EXPECT_THAT(mistake("time_s,z_m\n0,0\n1e300,0\n"),
              HasSubstr("csv:3: 1e+300 s in column 1, expected -1e+09 to 1e+09 s"));
}

TEST(Path, SaysInWhichRowTheMistakeIs) {
  EXPECT_THAT(mistake("a,b\n0,0\n"), HasSubstr("csv:1: columns a, b, expected time_s"));
  EXPECT_THAT(mistake("time_s,z_m,sinkage_m\n0,0,0\n1,0,0\n"), HasSubstr("only one of them"));
  EXPECT_THAT(mistake("time_s,z_m\n0,0\n1,zero\n"), HasSubstr("csv:3: 'zero' in column 2"));
  EXPECT_THAT(mistake("time_s,z_m\n0,0\n1,nan\n"), HasSubstr("csv:3: 'nan' in column 2"));
  EXPECT_THAT(mistake("time_s,z_m\n0,0\n\n0,1\n"), HasSubstr("csv:4: time_s = 0, expected above"));
  EXPECT_THAT(mistake("time_s,z_m\n0,0\n1\n"), HasSubstr("csv:3: 1 columns, expected 2"));
  EXPECT_THAT(mistake("time_s,z_m\n0,0\n"), HasSubstr("1 rows of data, expected 2 or more"));
  EXPECT_THROW(read_path("/nowhere/path.csv"), InputError);
}

}  // namespace
}  // namespace footfall
