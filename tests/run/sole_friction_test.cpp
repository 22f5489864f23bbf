// Friction of the robot's own shapes: a sled that slides over the ground.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "footfall/error.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/run/run.hpp"

namespace footfall {
namespace {

constexpr const char* kConcrete = "[soil]\nname = \"concrete\"\n";  // 0.8

// `friction`: attribute of the sled's geom. The scenario's text but for the ground.
std::string sled_text(const std::string& friction) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / ("sled" + friction + ".xml");
  std::ofstream(file) << "<mujoco><worldbody><body name='sled' pos='0 0 0.05'><freejoint/>"
                         "<geom type='box' size='0.2 0.1 0.01' mass='10' "
                      << (friction.empty() ? "" : "friction='" + friction + "'")
                      << "/></body></worldbody></mujoco>";
  return "[robot]\nfile = \"" + file.string() +
         "\"\ndrop_height_m = 0\nlinear_velocity_m_per_s = [3, 0, 0]\n"
         "[step]\nduration_s = 0.2\n";
}

Scenario sled(const std::string& friction, const std::string& ground) {
  return parse_scenario(sled_text(friction) + ground, "sled.toml",
                        std::filesystem::path(FOOTFALL_SOURCE_DIR) / "scenarios");
}

// Tangential over normal force of the sliding sled, mean over the last tenth of a second.
double sliding_friction(const std::string& friction, const std::string& ground) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "sled";
  RunOptions options;
  options.output = folder;
  run(sled(friction, ground), options);
  const RunContents data = read_run(folder / "run.h5");
  double tangential = 0, normal = 0;
  for (int row = data.row_count / 2; row < data.row_count; ++row) {
    EXPECT_GT(data.column("state/qvel").at(row, 0), 0.1) << "it slides, row " << row;
    tangential += data.foot_column(0, "tangential_force").at(row);
    normal += data.foot_column(0, "normal_force").at(row);
  }
  EXPECT_NEAR(normal / (data.row_count - data.row_count / 2), 98.1, 10);
  return tangential / normal;
}

TEST(SoleFriction, TheSmallerOfSoilAndSoleCounts) {
  EXPECT_NEAR(sliding_friction("0.05", kConcrete), 0.05, 1e-4);
  EXPECT_NEAR(sliding_friction("0.3", kConcrete), 0.3, 1e-4);
  EXPECT_NEAR(sliding_friction("1.5", kConcrete), 0.8, 1e-4);
}

TEST(SoleFriction, AShapeThatSaysNothingLowersNoSoil) {
  EXPECT_NEAR(sliding_friction("", kConcrete), 0.8, 1e-4);
  const std::string rough = std::string(kConcrete) + "friction_coefficient = 1.0\n";
  EXPECT_NEAR(sliding_friction("", rough), 1.0, 1e-4);
  const World world =
      build_world(sled("", std::string(kConcrete) + "friction_coefficient = 1.2\n"));
  EXPECT_EQ(ground_strength(world.ground, world.robot, world.soles, 0, 0).friction_coefficient,
            1.2);
}

TEST(SoleFriction, TheSoilAloneWhereTheScenarioSaysSo) {
  const std::string alone =
      std::string(kConcrete) + "[contact]\nmodel = \"compliant\"\nsole_friction = \"soil\"\n";
  EXPECT_NEAR(sliding_friction("0.05", alone), 0.8, 1e-4);
}

TEST(SoleFriction, OnPlasticSoilAndHardGroundToo) {
  const std::string sand = "[soil]\nname = \"dry-sand\"\n[soil.terramechanics]\n"
                           "cohesion_kPa = 0\nshear_modulus_K_mm = 2\n"
                           "[contact]\nmodel = \"terramechanics\"\n";
  EXPECT_NEAR(sliding_friction("0.1", sand), 0.1, 2e-3);
  EXPECT_NEAR(sliding_friction("", sand), std::tan(28 * std::numbers::pi / 180), 1e-2);
  const std::string hard = std::string(kConcrete) +
                           "[contact]\nmodel = \"spring_damper\"\nstiffness_N_per_m = 1e5\n"
                           "damping_Ns_per_m = 1e3\n";
  EXPECT_NEAR(sliding_friction("0.1", hard), 0.1, 1e-3);
  EXPECT_NEAR(sliding_friction("0.1", hard + "friction_coefficient = 0.6\n"), 0.6, 1e-3);
}

// What a gait plans with is what the ground then gives.
TEST(SoleFriction, PlannersKnowIt) {
  const auto strength = [](const std::string& friction) {
    const World world = build_world(sled(friction, kConcrete));
    return ground_strength(world.ground, world.robot, world.soles, 0, 0).friction_coefficient;
  };
  EXPECT_EQ(strength("0.25"), 0.25);
  EXPECT_EQ(strength(""), 0.8);
}

TEST(SoleFriction, TheKeyIsRefusedWhereItMeansNothing) {
  const auto refused = [](const std::string& contact) {
    try {
      sled("", contact);
    } catch (const InputError& error) {
      return std::string(error.what()).find("'contact.sole_friction'") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused("[contact]\nmodel = \"resistive_force\"\nsole_friction = \"soil\"\n"));
  EXPECT_TRUE(refused("[contact]\nmodel = \"feedback_linearized\"\nfriction_coefficient = 0.5\n"
                      "sole_friction = \"smaller\"\n"));
  EXPECT_TRUE(refused(std::string(kConcrete) +
                      "[contact]\nmodel = \"compliant\"\nsole_friction = \"larger\"\n"));
}

}  // namespace
}  // namespace footfall
