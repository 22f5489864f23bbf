#include "footfall/report/picture.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "footfall/error.hpp"
#include "footfall/terrain/plane.hpp"
#include "record/run_samples.hpp"
#include "report/xml_mistake.hpp"

namespace footfall::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// A drop onto soft ground, simulated.
void record_drop(const std::filesystem::path& file, const World& world, int steps,
                 double speed = 0) {
  std::vector<double> pose = standing_pose(world.robot);
  if (world.robot.joints.front().type == JointType::free) pose[2] += 0.05;
  State<double> state = make_state<double>(world, pose);
  if (speed != 0) state.qvel[0] = speed;
  const Control<double> control = make_control<double>(world.robot);
  StepWorkspace<double> workspace(world);
  std::vector<FootPatch> feet(world.soles.feet.size());
  RunWriter writer(file, world, test_header(), steps);
  for (int i = 0; i < steps; ++i) {
    const SolverReport<double> report = step(world, control, state, workspace);
    summarize_feet(world, state, workspace, feet);
    writer.append(state, control, feet, report, workspace.times,
                  measure_energy(world, state, workspace));
  }
  writer.close();
}

std::string picture_of(const TemporaryFolder& folder, const World& world, int steps) {
  record_drop(folder / "run.h5", world, steps);
  write_picture(folder / "run.h5", world, folder / "run.svg");
  return read_text(folder / "run.svg");
}

class PictureOf : public ::testing::TestWithParam<const char*> {};

TEST_P(PictureOf, IsWellFormedAndNamesAllFeet) {
  const TemporaryFolder folder;
  const World world = make_test_world(GetParam());
  const std::string svg = picture_of(folder, world, 200);
  EXPECT_EQ(xml_mistake(svg), "");
  EXPECT_THAT(svg, HasSubstr(world.robot.name + " on soft soil"));
  for (const Foot& foot : world.soles.feet) EXPECT_THAT(svg, HasSubstr(foot.name));
  for (const char* title : {"height of", "normal force [N]", "sinkage [mm]", "solver iterations",
                            "time [s]", "test.toml"}) {
    EXPECT_THAT(svg, HasSubstr(title));
  }
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_LT(svg.size(), 1'000'000);
}

INSTANTIATE_TEST_SUITE_P(Robots, PictureOf,
                         ::testing::Values("ball", "box", "single_foot", "quadruped", "humanoid",
                                           "biped", "robosimian", "robosimian_planar"));

TEST(Picture, IsTheSameTwice) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  EXPECT_EQ(picture_of(folder, world, 100), picture_of(folder, world, 100));
}

TEST(Picture, ShowsSlopesAndHeightfields) {
  const TemporaryFolder folder;
  World world = make_test_world();
  world.terrain = make_slope(0.2, 0);
  EXPECT_EQ(xml_mistake(picture_of(folder, world, 50)), "");
  Heightfield field{
      .nx = 11, .ny = 11, .origin_x = -1, .origin_y = -1, .spacing = 0.2, .heights = {}};
  for (int i = 0; i < 121; ++i) field.heights.push_back(0.01 * (i % 7));
  world.terrain = make_terrain(field);
  world.terrain_top = 0.06;
  EXPECT_EQ(xml_mistake(picture_of(folder, world, 50)), "");
}

// A ball thrown across two soils: poses along its way, a mark where it touched, and the soils' names.
TEST(Picture, ShowsTheWayOfARobotThatTravels) {
  const TemporaryFolder folder;
  World world = make_test_world("ball");
  Region region;
  region.name = "right";
  region.soil = 1;
  region.shape = RegionShape::half_plane;
  region.a = 1;
  region.c = 0.5;
  world.terrain.regions = {region};
  auto& soils = std::get<SoilGround>(world.ground).soils;
  soils.push_back({"other", soils[0].law});
  record_drop(folder / "run.h5", world, 600, 3);
  write_picture(folder / "run.h5", world, folder / "run.svg");
  const std::string svg = read_text(folder / "run.svg");
  EXPECT_EQ(xml_mistake(svg), "");
  for (const char* text : {">other<", ", start<", ", end<"}) EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, Not(HasSubstr("hardest impact")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_LT(svg.size(), 200'000);
}

TEST(Picture, TakesNamesThatXmlDoesNot) {
  const TemporaryFolder folder;
  World world = make_test_world();
  world.robot.name = "<robot & \"co\">";
  world.soles.feet[0].name = "a<b>&c";
  const std::string svg = picture_of(folder, world, 30);
  EXPECT_EQ(xml_mistake(svg), "");
  EXPECT_THAT(svg, HasSubstr("a&lt;b&gt;&amp;c"));
}

TEST(Picture, OfOneRowAndOfARunThatBlewUp) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  EXPECT_EQ(xml_mistake(picture_of(folder, world, 1)), "");
  RunWriter writer(folder / "bad.h5", world, test_header(), 20);
  for (int i = 0; i < 20; ++i) {
    Row row = make_row(world, i);
    if (i > 10) {
      for (double& q : row.state.qpos) q = std::numeric_limits<double>::quiet_NaN();
      row.feet[0].sinkage = std::numeric_limits<double>::infinity();
    }
    append(writer, row);
  }
  writer.close();
  write_picture(folder / "bad.h5", world, folder / "bad.svg");
  EXPECT_EQ(xml_mistake(read_text(folder / "bad.svg")), "");
}

TEST(Picture, SaysWhatItCannotDraw) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  write_rows(folder / "empty.h5", world, 0);
  EXPECT_THROW(write_picture(folder / "empty.h5", world, folder / "a.svg"), InputError);
  Row lost = make_row(world, 0);
  lost.state.qpos[0] = std::numeric_limits<double>::quiet_NaN();
  RunWriter writer(folder / "lost.h5", world, test_header(), 1);
  append(writer, lost);
  writer.close();
  EXPECT_THROW(write_picture(folder / "lost.h5", world, folder / "a.svg"), InputError);
  write_rows(folder / "run.h5", world, 3);
  EXPECT_THROW(write_picture(folder / "run.h5", make_test_world("box"), folder / "a.svg"),
               InputError);
  EXPECT_THROW(write_picture(folder / "run.h5", world, folder / "missing/a.svg"), InputError);
  EXPECT_THROW(write_picture(folder / "run.h5", world, "/dev/full"), InputError);
  EXPECT_THROW(write_picture(folder / "missing.h5", world, folder / "a.svg"), InputError);
}

}  // namespace
}  // namespace footfall::test
