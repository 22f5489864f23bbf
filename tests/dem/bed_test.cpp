// Beds and feet in them, by balances that hold whatever the contact law is.
#include <cmath>
#include <numbers>

#include "dem/bed_file.hpp"
#include "dem/lammps_support.hpp"
#include "footfall/error.hpp"

namespace footfall {
namespace {

// Soft, so that a timestep is long; a few hundred grains.
BedOptions small_bed() {
  BedOptions options{.grains = {}, .length_x = 0.14, .width_y = 0.14, .depth = 0.11};
  options.grains.youngs_modulus = 1e6;
  return options;
}

// Settled once for all tests.
class SmallBed : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (find_program({"lmp"}).empty()) return;
    folder = new TestFolder;
    engine = make_lammps_engine().release();
    bed = new Bed(engine->prepare_bed(small_bed(), *folder / "bed", {.folder = *folder / "work"}));
    std::filesystem::copy_file(bed->file, *folder / "bed.data");  // for inputs run by hand
  }
  static void TearDownTestSuite() {
    delete bed;
    delete engine;
    delete folder;
  }
  void SetUp() override { FOOTFALL_SKIP_WITHOUT_LAMMPS(); }

  static std::vector<GrainSample> drive(const GrainFoot& foot, const std::vector<FootPose>& path,
                                        double interval = 0.01, int processes = 1) {
    return engine->drive_foot(*bed, foot, path, interval,
                              {.processes = processes, .folder = *folder / "drive"});
  }

  static inline TestFolder* folder = nullptr;
  static inline GrainEngine* engine = nullptr;
  static inline Bed* bed = nullptr;
};

const GrainFoot kFoot{.shape = GrainFootShape::cylinder, .radius = 0.02, .height = 0.2};

double bed_mass(const Bed& bed) {
  const Grains& g = bed.options.grains;
  return static_cast<double>(bed.grain_count) * 4.0 / 3.0 * std::numbers::pi *
         std::pow(g.radius, 3) * g.density;
}

// The input with the wall forces measured: LAMMPS sums them up only where it is asked for contacts.
std::string with_wall_forces(std::string input) {
  for (const char* plane :
       {"zplane 0.0 NULL", "xplane 0.0 0.14000000000000001", "yplane 0.0 0.14000000000000001"}) {
    const std::size_t at = input.find(plane);
    EXPECT_NE(at, std::string::npos) << plane;
    input.insert(at + std::string(plane).size(), " contacts");
  }
  return input;
}

const char* const kWallSums = "compute walls all reduce sum f_floor[2] f_floor[3] f_floor[4] "
                              "f_sides_x[2] f_sides_x[3] f_sides_x[4] "
                              "f_sides_y[2] f_sides_y[3] f_sides_y[4]\n"
                              "variable wx equal c_walls[1]+c_walls[4]+c_walls[7]\n"
                              "variable wy equal c_walls[2]+c_walls[5]+c_walls[8]\n"
                              "variable wz equal c_walls[3]+c_walls[6]+c_walls[9]\n";

TEST_F(SmallBed, IsFlatAndLooselyPacked) {
  EXPECT_NEAR(bed->surface_height, bed->options.depth, 2 * bed->options.grains.radius);
  EXPECT_GT(bed->packing, 0.45);
  EXPECT_LT(bed->packing, 0.64);
  EXPECT_GT(bed->grain_count, 200);
  EXPECT_FALSE(std::filesystem::exists(*folder / "work"));
}

// On average over time: a bed that has just been loaded still swings a little.
TEST_F(SmallBed, FloorAndWallsCarryItsWeight) {
  const auto rows =
      run_rows(*folder,
               with_wall_forces(grains_input(bed->options, "bed.data", bed->timestep)) + kWallSums +
                   "thermo 1\nthermo_style custom step v_wx v_wy v_wz\nthermo_modify format "
                   "float %.17g\nrun 500\n",
               4);
  ASSERT_EQ(rows.size(), 501U);
  double mean[3] = {};
  for (const std::vector<double>& row : rows) {
    for (std::size_t k = 0; k < 3; ++k) mean[k] += row[1 + k] / static_cast<double>(rows.size());
  }
  const double weight = bed_mass(*bed) * kGrainGravity;
  EXPECT_NEAR(mean[0], 0, 1e-3 * weight);
  EXPECT_NEAR(mean[1], 0, 1e-3 * weight);
  EXPECT_NEAR(mean[2], weight, 1e-3 * weight);
}

// Velocity Verlet changes the momentum by exactly the trapezoids of the forces: those of foot, walls and weight.
TEST_F(SmallBed, FootsForceIsWhatTheGrainsMomentumLacks) {
  const std::vector<FootPose> path = {{0, 0, -0.03, 0.2}, {0.1, 0.01, 0.03, 0.3}};
  const DriveSteps steps = drive_steps(path, 1e-3, bed->timestep);
  std::string input = with_wall_forces(drive_input(*bed, kFoot, path, steps));
  const std::size_t thermo = input.find("thermo ");
  input.insert(
      thermo, std::string(kWallSums) +
                  "variable px equal mass(all)*vcm(all,x)\nvariable py equal mass(all)*vcm(all,y)\n"
                  "variable pz equal mass(all)*vcm(all,z)\n");
  const std::string old = "thermo_style custom step";
  input.replace(input.find(old), old.size(),
                "thermo_style custom step v_wx v_wy v_wz v_px v_py v_pz");
  const std::string often = fmt::format("thermo {}\n", steps.per_sample);
  input.replace(input.find(often), often.size(), "thermo 1\n");
  const auto rows = run_rows(*folder, input, 13);
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(steps.of.back()) + 1);
  const double weight[3] = {0, 0, -bed_mass(*bed) * kGrainGravity};
  double impulse[3] = {}, foot[3] = {};
  for (std::size_t i = 1; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto force = [&](const std::vector<double>& row) {
        return row[1 + k] + row[7 + k] + weight[k];
      };
      impulse[k] += 0.5 * steps.timestep * (force(rows[i - 1]) + force(rows[i]));
      foot[k] += 0.5 * steps.timestep * (rows[i - 1][7 + k] + rows[i][7 + k]);
    }
  }
  EXPECT_LT(foot[2], -0.01);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(rows.back()[4 + k] - rows[0][4 + k], impulse[k], 1e-9 * std::abs(foot[2])) << k;
  }
}

TEST_F(SmallBed, TorqueIsAboutTheReferencePoint) {
  const std::vector<FootPose> path = {
      {0, 0, -0.03, 0}, {0.1, 0, 0.03, 0}, {0.16, 0.01, 0.035, 0.3}};
  GrainFoot other = kFoot;
  other.reference_height = 0;
  const std::vector<GrainSample> high = drive(kFoot, path), low = drive(other, path);
  ASSERT_EQ(high.size(), 17U);
  ASSERT_EQ(low.size(), high.size());
  EXPECT_GT(high.back().force[2], 1);
  EXPECT_LT(high.back().force[0], 0);   // against the motion
  EXPECT_GT(high.back().torque[1], 0);  // which is below p_r
  for (std::size_t i = 0; i < high.size(); ++i) {
    const GrainSample &a = high[i], &b = low[i];
    EXPECT_NEAR(a.pose.time, 0.01 * static_cast<double>(i), 1e-12);
    const double x = 0.25 * std::sin(a.pose.tilt), z = 0.25 * std::cos(a.pose.tilt);
    const double size = 1 + std::abs(a.force[0]) + std::abs(a.force[1]) + std::abs(a.force[2]);
    EXPECT_EQ(a.force[2], b.force[2]);
    EXPECT_NEAR(a.torque[0], b.torque[0] + z * a.force[1], 1e-12 * size) << i;
    EXPECT_NEAR(a.torque[1], b.torque[1] - (z * a.force[0] - x * a.force[2]), 1e-12 * size) << i;
    EXPECT_NEAR(a.torque[2], b.torque[2] - x * a.force[1], 1e-12 * size) << i;
  }
  EXPECT_NEAR(high.back().pose.tilt, 0.3, 1e-12);
}

// The same area of sole meets about the same; each shape is a region of its own to LAMMPS.
TEST_F(SmallBed, HoldsUpFeetOfEveryShape) {
  const std::vector<FootPose> path = {{0, 0, -0.03, 0}, {0.12, 0, 0.02, 0}};
  const GrainFoot box{
      .shape = GrainFootShape::box, .length_x = 0.036, .width_y = 0.036, .height = 0.1};
  const GrainFoot ball{.shape = GrainFootShape::sphere, .radius = 0.02};
  for (const GrainFoot& foot : {kFoot, box, ball}) {
    const std::vector<GrainSample> samples =
        drive(foot, path, 0.02, foot.shape == GrainFootShape::box ? 2 : 1);
    ASSERT_EQ(samples.size(), 7U);
    EXPECT_EQ(samples[0].force[2], 0);
    EXPECT_GT(samples.back().force[2], 0.3);
    EXPECT_LT(samples.back().force[2], 40);
  }
}

TEST_F(SmallBed, RefusesPathsInGrainsOrThroughWalls) {
  const auto message = [&](const std::vector<FootPose>& path) -> std::string {
    try {
      drive(kFoot, path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({{0, 0, 0.02, 0}, {1, 0, 0.03, 0}}).find("begins with the foot"),
            std::string::npos);
  EXPECT_NE(message({{0, 0, -0.05, 0}, {1, 0, 0.2, 0}}).find("floor of the bed"),
            std::string::npos);
  EXPECT_NE(message({{0, 0, -0.05, 0}, {1, 0.06, 0.02, 0}}).find("wall"), std::string::npos);
  EXPECT_NE(message({{0, 0, -0.05, 0}, {0, 0, 0.02, 0}}).find("later"), std::string::npos);
  EXPECT_NE(message({{0, 0, -0.05, 0}, {1, NAN, 0.02, 0}}).find("expected numbers"),
            std::string::npos);
}

TEST_F(SmallBed, ThatIsCutShortIsFound) {
  std::filesystem::copy_file(bed->file, *folder / "cut");
  std::filesystem::resize_file(*folder / "cut", std::filesystem::file_size(bed->file) - 40);
  Bed cut = *bed;
  cut.file = *folder / "cut";
  try {
    engine->drive_foot(cut, kFoot, std::vector<FootPose>{{0, 0, -0.03, 0}, {0.1, 0, 0, 0}}, 0.01,
                       {.folder = *folder / "drive"});
    FAIL();
  } catch (const EngineError& error) {
    EXPECT_NE(std::string(error.what()).find("not whole"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace footfall
