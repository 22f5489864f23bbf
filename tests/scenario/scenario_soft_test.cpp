// contact.model = "soft_constraint" in a scenario.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "footfall/error.hpp"
#include "footfall/scenario/scenario.hpp"
#include "footfall/step/measure.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

std::string scenario_text(const std::string& contact, const std::string& more = "") {
  return "[robot]\nfile = \"" + testing::robot_file("quadruped") +
         "\"\nkeyframe = \"stand\"\ndrop_height_m = 0.0\n[contact]\nmodel = \"soft_constraint\"\n" +
         contact + "\n[step]\nduration_s = 1\n" + more;
}

Scenario parse_soft(const std::string& text) { return parse_scenario(text, "t.toml", "."); }

std::string soft_error_of(const std::string& text) {
  try {
    build_world(parse_soft(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ScenarioSoft, GroundsNumbersReplaceMujocosDefaults) {
  const World world = build_world(parse_soft(
      scenario_text("cone = \"elliptic\"\nimpratio = 3\nexact_diagonal = true\n"
                    "solref = [-1000, -50]\nsolimp = [0.2, 0.8, 0.01, 0.4, 3]\n"
                    "friction = [0.7, 0.01, 0.001]\ncondim = 4\npriority = 5\nmargin_m = 0.002")));
  ASSERT_NE(soft_constraints(world.ground), nullptr);
  EXPECT_EQ(soft_constraints(world.ground)->cone, SoftCone::elliptic);
  EXPECT_EQ(soft_constraints(world.ground)->impratio, 3);
  EXPECT_TRUE(soft_constraints(world.ground)->exact_diagonal);
  ASSERT_FALSE(soft_constraints(world.ground)->pairings.empty());
  for (const SoftPairing& pairing : soft_constraints(world.ground)->pairings) {  // by priority
    EXPECT_EQ(pairing.law.solref.first, -1000);
    EXPECT_EQ(pairing.law.solimp.power, 3);
    EXPECT_EQ(pairing.law.friction[2], 0.01);
    EXPECT_EQ(pairing.law.condim, 4);
    EXPECT_GE(pairing.law.margin, 0.002);
  }
}

TEST(ScenarioSoft, OnlyFeetTouchWithoutBodyContacts) {
  const std::string all = scenario_text("");
  std::string feet = all;
  feet.insert(feet.find("keyframe"), "body_contacts = false\n");
  const World world = build_world(parse_soft(feet));
  EXPECT_EQ(soft_constraints(world.ground)->pairings.size(), world.soles.feet.size());
  EXPECT_GT(soft_constraints(build_world(parse_soft(all)).ground)->pairings.size(),
            soft_constraints(world.ground)->pairings.size());
}

// Feet carry the robot's weight on a slope too, and reports tell by how much each.
TEST(ScenarioSoft, StandingFeetCarryTheWeight) {
  const World world = build_world(parse_soft(
      scenario_text("cone = \"elliptic\"", "[ground]\nkind = \"slope\"\nslope_deg = 5\n")));
  const Scenario scenario = parse_soft(
      scenario_text("cone = \"elliptic\"", "[ground]\nkind = \"slope\"\nslope_deg = 5\n"));
  State<double> state = place_robot(scenario, world);
  const Control<double> command = testing::hold<double>(world, state.qpos, 100, 5);
  StepWorkspace<double> workspace(world);
  for (int k = 0; k < 2000; ++k) {
    const SolverReport<double> report = step(world, command, state, workspace);
    ASSERT_TRUE(report.converged) << k;
  }
  std::vector<FootPatch> patches(world.soles.feet.size());
  summarize_feet(world, state, workspace, patches);
  Vec3d force{0, 0, 0};
  for (const FootPatch& patch : patches) {
    force += patch.force;
    EXPECT_TRUE(patch.touching);
    EXPECT_GT(patch.sinkage, 0);
    EXPECT_LE(patch.friction_use, 1 + 1e-9);
  }
  EXPECT_NEAR(force.z, world.force_scale, 0.02 * world.force_scale);
  EXPECT_NEAR(force.x, 0, 0.02 * world.force_scale);
}

// By default the step is 1 ms.
TEST(ScenarioSoft, WarnsOfStepsThatAreTooLong) {
  const auto long_steps = [](const std::string& contact) {
    std::vector<std::string> found;
    for (const std::string& text : build_world(parse_soft(scenario_text(contact))).robot.warnings) {
      if (text.find("a step of") != std::string::npos) found.push_back(text);
    }
    return found;
  };
  EXPECT_THAT(long_steps("solref = [-1000, -900]"), ::testing::IsEmpty());
  EXPECT_THAT(long_steps("solref = [0.001, 1]"), ::testing::IsEmpty());
  EXPECT_THAT(long_steps("solref = [-1000, -2000]\npriority = 1"),
              ::testing::ElementsAre(::testing::HasSubstr("damping times step is 2, expected at "
                                                          "most 1")));
  EXPECT_THAT(long_steps("solref = [0.001, 1]\nrefsafe = false\npriority = 1"),
              ::testing::ElementsAre(::testing::HasSubstr("a step of 0.5 ms would do")));
}

TEST(ScenarioSoft, SaysWhatDoesNotFit) {
  EXPECT_NE(soft_error_of(scenario_text("", "[soil]\nname = \"sand\"\n")).find("'soil'"),
            std::string::npos);
  EXPECT_NE(soft_error_of(scenario_text("", "[ground]\nkind = \"bumps\"\namplitude_m = 0.1\n"
                                            "wavelength_x_m = 1\nwavelength_y_m = 1\n"))
                .find("ground.kind = \"plane\" or \"slope\""),
            std::string::npos);
  EXPECT_NE(soft_error_of(scenario_text("solref = [0.02, -1]")).find("contact.solref"),
            std::string::npos);
  EXPECT_NE(soft_error_of(scenario_text("condim = 5")).find("1, 3, 4 or 6"), std::string::npos);
  EXPECT_NE(soft_error_of(scenario_text("", "joint_time_constant_s = 0.01\n")).find("solreflimit"),
            std::string::npos);
  const std::string compliant = "[robot]\nfile = \"" + testing::robot_file("ball") +
                                "\"\n[contact]\nmodel = \"compliant\"\ncondim = 3\n[soil]\nname = "
                                "\"sand\"\n[step]\nduration_s = 1\n";
  EXPECT_NE(soft_error_of(compliant).find("unless contact.model = \"soft_constraint\""),
            std::string::npos);
}

}  // namespace
}  // namespace footfall
