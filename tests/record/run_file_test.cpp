#include "footfall/record/run_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <hdf5.h>
#include <mujoco/mujoco.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

#include "footfall/error.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/robot/kinematics.hpp"
#include "footfall/version.hpp"
#include "record/run_samples.hpp"

namespace footfall::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Equal to the last bit, also for numbers that are none.
void expect_same(const RunColumn& column, int row, const std::vector<double>& expected) {
  ASSERT_EQ(column.width, static_cast<int>(expected.size())) << column.name;
  for (int k = 0; k < column.width; ++k) {
    const double found = column.at(row, k);
    EXPECT_EQ(std::memcmp(&found, &expected[k], sizeof found), 0)
        << column.name << " row " << row << ": " << found << " against " << expected[k];
  }
}

std::vector<double> list3(const Vec3d& v) { return {v.x, v.y, v.z}; }

void expect_same(const RunContents& run, int index, const Row& row) {
  expect_same(run.column("time"), index, {row.state.time});
  expect_same(run.column("state/qpos"), index, row.state.qpos);
  expect_same(run.column("state/qvel"), index, row.state.qvel);
  expect_same(run.column("state/control"), index, row.control.control);
  for (int f = 0; f < static_cast<int>(row.feet.size()); ++f) {
    const FootPatch& patch = row.feet[f];
    const auto check = [&](const char* name, const std::vector<double>& expected) {
      expect_same(run.foot_column(f, name), index, expected);
    };
    check("sinkage", {patch.sinkage});
    check("sinkage_rate", {patch.sinkage_rate});
    check("pad_compression", {patch.pad_compression});
    check("contact_area", {patch.contact_area});
    check("center", list3(patch.center));
    check("normal", list3(patch.normal));
    check("velocity", list3(patch.velocity));
    check("shear_displacement", list3(patch.shear_displacement));
    check("normal_force", {patch.normal_force});
    check("tangential_force", {patch.tangential_force});
    check("force", list3(patch.force));
    check("moment", list3(patch.moment));
    check("friction_use", {patch.friction_use});
    check("touching", {patch.touching ? 1.0 : 0.0});
  }
  expect_same(run.column("solver/iterations"), index, {row.report.iterations});
  expect_same(run.column("solver/residual"), index, {row.report.residual});
  expect_same(run.column("solver/converged"), index, {row.report.converged ? 1.0 : 0.0});
  for (int s = 0; s < kStageCount; ++s) {
    expect_same(run.column(std::string("stages/") + kStageNames[s]), index, {row.times.seconds[s]});
  }
  expect_same(run.column("body_contacts/normal_force"), index, row.body.normal_force);
  expect_same(run.column("body_contacts/force"), index, list3(row.body.force));
  expect_same(run.column("body_contacts/moment"), index, list3(row.body.moment));
  expect_same(run.column("momentum/linear"), index, list3(row.momentum.linear));
  expect_same(run.column("momentum/change"), index, list3(row.momentum.change));
  expect_same(run.column("energy/kinetic"), index, {row.energy.kinetic});
  expect_same(run.column("energy/gravity"), index, {row.energy.gravity});
  expect_same(run.column("energy/springs"), index, {row.energy.springs});
  expect_same(run.column("energy/ground"), index, {row.energy.ground});
  expect_same(run.column("energy/total"), index, {row.energy.total()});
}

TEST(RunFile, GivesBackEveryNumberToTheLastBit) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  write_rows(folder / "run.h5", world, 2345);
  const RunContents run = read_run(folder / "run.h5");
  ASSERT_EQ(run.row_count, 2345);
  EXPECT_TRUE(run.complete);
  EXPECT_EQ(run.columns.size(),
            4 + 4 * 14 + 3 + kStageCount + 5 + 5);  // nothing else, nothing less
  for (int i = 0; i < run.row_count; ++i) expect_same(run, i, make_row(world, i));
}

// Chunks of equal rows are stored in another way than those that move; both in one file.
TEST(RunFile, GivesBackRowsThatRepeat) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  const auto index = [](int row) { return row < 1200 || row > 3500 ? row : 7; };
  {
    RunWriter writer(folder / "run.h5", world, test_header(), 4321);
    for (int i = 0; i < 4321; ++i) append(writer, make_row(world, index(i)));
    writer.close();
  }
  const RunContents run = read_run(folder / "run.h5");
  ASSERT_EQ(run.row_count, 4321);
  for (int i = 0; i < run.row_count; ++i) expect_same(run, i, make_row(world, index(i)));
  // 1000 of 4321 rows are equal to their neighbours for a whole chunk.
  write_rows(folder / "moving.h5", world, 4321);
  EXPECT_LT(std::filesystem::file_size(folder / "run.h5"),
            0.85 * static_cast<double>(std::filesystem::file_size(folder / "moving.h5")));
}

TEST(RunFile, KeepsNumbersThatAreNone) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  Row row = make_row(world, 0);
  row.state.qpos[3] = std::numeric_limits<double>::quiet_NaN();
  row.state.qvel[0] = std::numeric_limits<double>::infinity();
  row.feet[1].sinkage = -0.0;
  row.feet[2].force.y = std::numeric_limits<double>::denorm_min();
  RunWriter writer(folder / "run.h5", world, test_header(), 1);
  append(writer, row);
  writer.close();
  expect_same(read_run(folder / "run.h5"), 0, row);
}

TEST(RunFile, SaysWhatMadeIt) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  write_rows(folder / "run.h5", world, 1);
  const RunContents run = read_run(folder / "run.h5");
  EXPECT_EQ(run.text("scenario_text"), test_header().scenario_text);
  EXPECT_EQ(run.text("scenario_path"), test_header().scenario_path);
  EXPECT_EQ(run.text("command"), test_header().command);
  EXPECT_EQ(run.text("footfall_version"), version);
  EXPECT_EQ(run.text("footfall_build"), build_description());
  EXPECT_EQ(run.text("mujoco_version"), "4.0.0");
  EXPECT_EQ(run.text("robot_name"), "quadruped");
  EXPECT_EQ(run.text("robot_file"), world.robot.source_file);
  EXPECT_EQ(run.number("timestep_s"), 0.001);
  EXPECT_THAT(run.list("foot_names"), ElementsAre("front_left_foot", "front_right_foot",
                                                  "rear_left_foot", "rear_right_foot"));
  EXPECT_THAT(run.list("soil_names"), ElementsAre("soft soil"));
  EXPECT_EQ(run.list("body_names").at(1), "trunk");
  EXPECT_EQ(run.list("joint_names").size(), 13);
  EXPECT_EQ(run.list("dof_names").at(0), "root.linear_x");
  EXPECT_EQ(run.list("dof_names").at(8), "front_left_knee");
  EXPECT_EQ(run.list("actuator_names").size(), 12);
  EXPECT_EQ(run.column("state/qpos").units.at(0), "m");
  EXPECT_EQ(run.column("state/qpos").units.at(7), "rad");
  EXPECT_EQ(run.column("state/control").units.at(0), "N m");
  EXPECT_EQ(run.foot_column(0, "force").frame, "W");
}

TEST(RunFile, KeepsALongScenario) {
  const TemporaryFolder folder;
  RunHeader header = test_header();
  while (header.scenario_text.size() < 300'000) header.scenario_text += header.scenario_text;
  RunWriter writer(folder / "run.h5", make_test_world(), header, 0);
  writer.close();
  EXPECT_EQ(read_run(folder / "run.h5").text("scenario_text"), header.scenario_text);
}

// By HDF5 itself, so that no dataset can hide from our reader.
herr_t expect_unit(hid_t file, const char* name, const H5O_info_t* info, void* count) {
  if (info->type != H5O_TYPE_DATASET) return 0;
  ++*static_cast<int*>(count);
  for (const char* attribute : {"unit", "meaning"}) {
    EXPECT_GT(H5Aexists_by_name(file, name, attribute, H5P_DEFAULT), 0)
        << name << " has no " << attribute;
  }
  H5O_info_t times;
  EXPECT_GE(H5Oget_info_by_name2(file, name, &times, H5O_INFO_TIME, H5P_DEFAULT), 0);
  EXPECT_EQ(times.mtime, 0) << name << " has a timestamp";
  return 0;
}

TEST(RunFile, HasAUnitOnEveryDataset) {
  const TemporaryFolder folder;
  write_rows(folder / "run.h5", make_test_world(), 1);
  const hid_t file = H5Fopen((folder / "run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  int count = 0;
  EXPECT_GE(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, expect_unit, &count, H5O_INFO_ALL), 0);
  EXPECT_GT(count, 80);
  H5Fclose(file);
  const RunContents run = read_run(folder / "run.h5");
  for (const RunColumn& c : run.columns)
    EXPECT_FALSE(c.unit.empty() || c.meaning.empty()) << c.name;
  for (const RunColumn& c : run.constants) EXPECT_FALSE(c.unit.empty()) << c.name;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(RunFile, IsTheSameTwice) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  write_rows(folder / "a.h5", world, 1500);
  write_rows(folder / "b.h5", world, 1500);
  const std::string a = bytes_of(folder / "a.h5"), b = bytes_of(folder / "b.h5");
  ASSERT_EQ(a.size(), b.size());
  const auto different = std::mismatch(a.begin(), a.end(), b.begin()).first;
  EXPECT_EQ(different - a.begin(), static_cast<long>(a.size())) << "the first different byte";
}

TEST(RunFile, IsReadableAfterAKill) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    RunWriter writer(folder / "run.h5", world, test_header(), 100'000);
    for (int i = 0; i < 2600; ++i) append(writer, make_row(world, i));
    ::_exit(0);  // no destructor, no buffer is written
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  const RunContents run = read_run(folder / "run.h5");
  EXPECT_FALSE(run.complete);
  EXPECT_GE(run.row_count, 2000);
  for (int i = 0; i < run.row_count; i += 97) expect_same(run, i, make_row(world, i));
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

// What others see while it is written: rows up to the last flush, at every moment.
TEST(RunFile, IsReadableWhileItIsWritten) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  RunWriter writer(folder / "run.h5", world, test_header(), 100'000);
  const auto expect_rows = [&](int rows) {
    std::filesystem::copy_file(folder / "run.h5", folder / "copy.h5",
                               std::filesystem::copy_options::overwrite_existing);
    const RunContents run = read_run(folder / "copy.h5");  // as after a kill at this moment
    EXPECT_FALSE(run.complete);
    EXPECT_EQ(run.row_count, rows);
    EXPECT_EQ(writer.flushed_rows(), rows);
    if (rows > 0) expect_same(run, rows - 1, make_row(world, rows - 1));
  };
  for (int i = 0; i < 3500; ++i) {
    append(writer, make_row(world, i));
    if (i == 2 || i == 998 || i == 999 || i == 2700) expect_rows((i + 1) / 1000 * 1000);
    if (i != 1234) continue;
    writer.flush();  // in the middle of a chunk
    expect_rows(1235);
  }
  writer.close();
  EXPECT_TRUE(read_run(folder / "run.h5").complete);
}

TEST(RunFile, HoldsItsEnd) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  const std::string summary = R"({"robot": "Füße", "list": [1, 2]})" + std::string(10'000, ' ');
  for (const bool complete : {true, false}) {
    RunWriter writer(folder / "run.h5", world, test_header(), 10);
    append(writer, make_row(world, 0));
    writer.close({.summary = summary, .complete = complete});
    const RunContents run = read_run(folder / "run.h5");
    EXPECT_EQ(run.complete, complete);
    EXPECT_EQ(run.text("summary"), summary);
    EXPECT_EQ(run.row_count, 1);
  }
}

TEST(RunFile, OfANewerVersionIsRefusedByName) {
  const TemporaryFolder folder;
  write_rows(folder / "run.h5", make_test_world(), 1);
  const hid_t file = H5Fopen((folder / "run.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t version = H5Aopen(file, "format_version", H5P_DEFAULT);
  const int newer = 99;
  H5Awrite(version, H5T_NATIVE_INT, &newer);
  H5Aclose(version);
  H5Fclose(file);
  EXPECT_THAT(message_of([&] { read_run(folder / "run.h5"); }),
              HasSubstr("format_version 99, this program reads 1 to 2: a newer footfall reads it"));
}

TEST(RunFile, FlushesEverySecond) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    RunWriter writer(folder / "run.h5", world, test_header(), 0);
    append(writer, make_row(world, 0));
    ::usleep(1'050'000);
    append(writer, make_row(world, 1));  // flushes, in the middle of a chunk
    append(writer, make_row(world, 2));
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  const RunContents run = read_run(folder / "run.h5");
  ASSERT_EQ(run.row_count, 2);
  expect_same(run, 1, make_row(world, 1));
}

TEST(RunFile, KeepsRowsWithoutClose) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  {
    RunWriter writer(folder / "run.h5", world, test_header(), 0);
    for (int i = 0; i < 10; ++i) append(writer, make_row(world, i));
  }
  const RunContents run = read_run(folder / "run.h5");
  EXPECT_FALSE(run.complete);
  EXPECT_EQ(run.row_count, 10);
}

TEST(RunFile, IsReplacedByTheNextRunButNoOtherFileIs) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  write_rows(folder / "run.h5", world, 5);
  write_rows(folder / "run.h5", world, 3);
  EXPECT_EQ(read_run(folder / "run.h5").row_count, 3);
  std::ofstream(folder / "notes.txt") << "the only copy";
  EXPECT_THROW(write_rows(folder / "notes.txt", world, 1), InputError);
  EXPECT_EQ(bytes_of(folder / "notes.txt"), "the only copy");
}

TEST(RunFile, NamesTheFileAndTheReasonWhenItCannotBeMade) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  EXPECT_THAT(message_of([&] { write_rows(folder / "no_such_folder/run.h5", world, 1); }),
              AllOf(HasSubstr("no_such_folder/run.h5"), HasSubstr("No such file or directory")));
  EXPECT_THAT(message_of([&] { write_rows("/dev/full", world, 1); }), HasSubstr("/dev/full"));
}

// A file may not grow beyond `bytes`: as a full disk, but of one process. Exits 0 if that gave the
// right error, and does so by the ordinary way out, through HDF5's own clean-up.
[[noreturn]] void run_out_of_space(const std::filesystem::path& file, rlim_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const World world = make_test_world();
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  const std::string message = message_of([&] { write_rows(file, world, 20'000); });
  const bool right = message.find(file.string()) != std::string::npos &&
                     message.find("File too large") != std::string::npos;
  if (!right) fprintf(stderr, "%s\n", message.c_str());
  std::exit(right ? 0 : 1);
}

class FullDisk : public ::testing::TestWithParam<rlim_t> {};

TEST_P(FullDisk, IsAnInputErrorAndNotACrash) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "run.h5";
  EXPECT_EXIT(run_out_of_space(file, GetParam()), ::testing::ExitedWithCode(0),
              Not(HasSubstr("HDF5")));
}

INSTANTIATE_TEST_SUITE_P(Bytes, FullDisk,
                         ::testing::Values(0, 100, 5'000, 60'000, 100'000, 500'000, 2'000'000,
                                           5'000'000));

// The descriptor of an open file, found among those of this process.
int descriptor_of(const std::filesystem::path& file) {
  for (int fd = 3; fd < 200; ++fd) {
    std::error_code error;
    const auto link = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), error);
    if (!error && link == file) return fd;
  }
  return -1;
}

// As if the disk had been pulled out: no space could have been reserved against that.
[[noreturn]] void lose_the_disk(const std::filesystem::path& file, bool reserve_fails) {
  const World world = make_test_world();
  auto writer = std::make_unique<RunWriter>(file, world, test_header(), 0);
  const int fd = descriptor_of(std::filesystem::canonical(file));
  ::close(fd);
  // A read-only descriptor takes no space and no rows; /dev/null neither, but says so only later.
  ::dup2(::open(reserve_fails ? file.c_str() : "/dev/full", reserve_fails ? O_RDONLY : O_RDWR), fd);
  const std::string message = message_of([&] {
    for (int i = 0; i < 1000; ++i) append(*writer, make_row(world, i));
  });
  writer.reset();
  if (message.find(file.string()) == std::string::npos) {
    fprintf(stderr, "%s\n", message.c_str());
    std::exit(1);
  }
  std::exit(0);
}

TEST(RunFile, SurvivesALostDisk) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "run.h5";
  EXPECT_EXIT(lose_the_disk(file, true), ::testing::ExitedWithCode(0), Not(HasSubstr("HDF5")));
  EXPECT_EXIT(lose_the_disk(file, false), ::testing::ExitedWithCode(0), Not(HasSubstr("HDF5")));
}

TEST(RunFile, RefusesRowsOfAnotherShape) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  RunWriter writer(folder / "run.h5", world, test_header(), 0);
  Row row = make_row(world, 0);
  row.feet.pop_back();
  EXPECT_THROW(append(writer, row), std::invalid_argument);
  row = make_row(world, 0);
  row.state.qpos.push_back(0);
  EXPECT_THROW(append(writer, row), std::invalid_argument);
  append(writer, make_row(world, 0));
  writer.close();
  EXPECT_THROW(append(writer, make_row(world, 1)), InputError);
  EXPECT_EQ(read_run(folder / "run.h5").row_count, 1);
}

TEST(RunFile, TakesFeetWithDifficultNames) {
  const TemporaryFolder folder;
  World world = make_test_world();
  const char* names[] = {"leg/foot", "leg:foot", "..", "a, \"b\""};
  for (int i = 0; i < 4; ++i) world.soles.feet[i].name = names[i];
  write_rows(folder / "run.h5", world, 2);
  const RunContents run = read_run(folder / "run.h5");
  EXPECT_THAT(run.list("foot_names"), ElementsAre("leg/foot", "leg:foot", "..", "a, \"b\""));
  expect_same(run, 1, make_row(world, 1));
}

TEST(RunFile, TakesEveryRobot) {
  const TemporaryFolder folder;
  for (const char* name : {"ball", "box", "single_foot", "humanoid", "biped", "robosimian"}) {
    const World world = make_test_world(name);
    write_rows(folder / "run.h5", world, 3);
    EXPECT_EQ(read_run(folder / "run.h5").row_count, 3) << name;
  }
}

TEST(RunFile, HoldsTheRobot) {
  const TemporaryFolder folder;
  for (const char* name : {"quadruped", "humanoid", "robosimian_planar", "robosimian"}) {
    const World world = make_test_world(name);
    write_rows(folder / "run.h5", world, 1);
    const RobotModel robot = read_robot(read_run(folder / "run.h5"));
    RobotData<double> ours(robot), theirs(world.robot);
    const std::vector<double> qpos = make_row(world, 3).state.qpos;
    compute_positions(robot, qpos.data(), ours);
    compute_positions(world.robot, qpos.data(), theirs);
    for (int b = 0; b < world.robot.body_count(); ++b) {
      EXPECT_EQ(std::memcmp(&ours.p_WB[b], &theirs.p_WB[b], sizeof ours.p_WB[b]), 0) << b;
      EXPECT_EQ(std::memcmp(&ours.R_WB[b], &theirs.R_WB[b], sizeof ours.R_WB[b]), 0) << b;
    }
    for (std::size_t b = 0; b < robot.bodies.size(); ++b) {
      EXPECT_EQ(norm(robot.bodies[b].com - world.robot.bodies[b].com), 0);
    }
    ASSERT_EQ(robot.geoms.size(), world.robot.geoms.size());
    for (std::size_t i = 0; i < robot.geoms.size(); ++i) {
      EXPECT_EQ(robot.geoms[i].type, world.robot.geoms[i].type);
      EXPECT_EQ(robot.geoms[i].size.x, world.robot.geoms[i].size.x);
      EXPECT_EQ(robot.geoms[i].rgba, world.robot.geoms[i].rgba);
    }
  }
}

TEST(RunFile, HoldsTheFeetAndTheGround) {
  const TemporaryFolder folder;
  World world = make_test_world("humanoid");
  auto& laws = std::get<SoilGround>(world.ground).soils;
  laws.push_back({"Kies & <Sand>", laws[0].law});
  std::get<CompliantGround<double>>(laws[1].law).stiffness = 3e6;
  Region box, disc, half;
  box = {.name = "a",
         .soil = 1,
         .shape = RegionShape::rectangle,
         .x_min = 1,
         .x_max = 2,
         .y_min = -3,
         .y_max = 4};
  disc = {.name = "b",
          .soil = 0,
          .shape = RegionShape::circle,
          .center_x = 5,
          .center_y = 6,
          .radius = 7};
  half = {.name = "c", .soil = 1, .shape = RegionShape::half_plane, .a = 0.6, .b = 0.8, .c = 9};
  world.terrain.regions = {box, disc, half};
  write_rows(folder / "run.h5", world, 1);
  const RunContents run = read_run(folder / "run.h5");
  const std::vector<RunFoot> feet = read_feet(run, read_robot(run));
  ASSERT_EQ(feet.size(), world.soles.feet.size());
  for (std::size_t i = 0; i < feet.size(); ++i) {
    EXPECT_EQ(feet[i].name, world.soles.feet[i].name);
    EXPECT_EQ(feet[i].body, world.soles.feet[i].body);
    EXPECT_EQ(feet[i].geom, world.soles.feet[i].geom);
    EXPECT_EQ(feet[i].shape, world.soles.feet[i].shape);
    const SoleGroup& group = world.soles.groups[world.soles.feet[i].group];
    ASSERT_EQ(static_cast<int>(feet[i].sole.size()), group.point_count);
    EXPECT_EQ(norm(feet[i].sole[1] - world.soles.points[group.first_point + 1].position), 0);
  }
  const std::vector<Region> regions = read_terrain(run).regions;
  ASSERT_EQ(regions.size(), 3U);
  EXPECT_EQ(regions[0].y_max, 4);
  EXPECT_EQ(regions[0].soil, 1);
  EXPECT_EQ(regions[1].radius, 7);
  EXPECT_EQ(regions[2].b, 0.8);
  const std::vector<RunSoil> soils = read_soils(run);
  ASSERT_EQ(soils.size(), 2U);
  EXPECT_EQ(soils[1].name, "Kies & <Sand>");
  EXPECT_EQ(soils[1].stiffness, 3e6);
  EXPECT_FALSE(soils[1].plastic);
  EXPECT_THAT(run.list("soil_texts")[1], HasSubstr("stiffness = 3000000"));
}

}  // namespace
}  // namespace footfall::test
