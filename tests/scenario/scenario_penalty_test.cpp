// contact.model = "feedback_linearized" and "spring_damper" in a scenario.
#include <gtest/gtest.h>

#include "footfall/error.hpp"
#include "footfall/scenario/scenario.hpp"
#include "footfall/step/measure.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

std::string penalty_text(const std::string& contact, const std::string& more = "",
                         const std::string& robot = "biped") {
  return "[robot]\nfile = \"" + testing::robot_file(robot) +
         "\"\nkeyframe = \"stand\"\ndrop_height_m = 0.0\n[contact]\n" + contact +
         "\n[step]\nduration_s = 1\n" + more;
}

World penalty_world(const std::string& text) {
  return build_world(parse_scenario(text, "t.toml", "."));
}

std::string penalty_error(const std::string& text) {
  try {
    penalty_world(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::string kFeedback = "model = \"feedback_linearized\"\nfriction_coefficient = 0.7\n";

TEST(ScenarioPenalty, ReadsTheModelAndItsDefaults) {
  const World plain = penalty_world(penalty_text(kFeedback));
  ASSERT_TRUE(std::holds_alternative<PenaltyGround>(plain.ground));
  EXPECT_EQ(std::get<PenaltyGround>(plain.ground).law.k_p, 500);
  EXPECT_EQ(std::get<PenaltyGround>(plain.ground).law.k_v, 250);
  EXPECT_EQ(std::get<PenaltyGround>(plain.ground).law.epsilon, -1e-4);
  EXPECT_EQ(std::get<PenaltyGround>(plain.ground).law.clipping, Clipping::radial);
  EXPECT_EQ(std::get<PenaltyGround>(plain.ground).soils[0].friction_coefficient, 0.7);
  for (const Foot& foot : plain.soles.feet) {  // corners only
    EXPECT_EQ(plain.soles.groups[foot.group].point_count, 4);
  }
  const World given = penalty_world(penalty_text(
      kFeedback + "k_p_per_s2 = 3\nk_v_per_s = 4\nepsilon_m = 0\nclipping = \"per_axis\""));
  EXPECT_EQ(std::get<PenaltyGround>(given.ground).law.k_p, 3);
  EXPECT_EQ(std::get<PenaltyGround>(given.ground).law.k_v, 4);
  EXPECT_EQ(std::get<PenaltyGround>(given.ground).law.epsilon, 0);
  EXPECT_EQ(std::get<PenaltyGround>(given.ground).law.clipping, Clipping::per_axis);
  const World spring = penalty_world(
      penalty_text("model = \"spring_damper\"\nstiffness_N_per_m = 1e5\ndamping_Ns_per_m = 300\n"
                   "guard = false\n",
                   "[soil]\nname = \"concrete\"\n"));
  EXPECT_EQ(std::get<PenaltyGround>(spring.ground).law.kind, PenaltyKind::spring_damper);
  EXPECT_EQ(std::get<PenaltyGround>(spring.ground).law.tangential_damping, 300);
  EXPECT_FALSE(std::get<PenaltyGround>(spring.ground).law.guard);
}

// Regions have friction of their own, a plastic soil tan φ; feet stand on uneven ground too.
TEST(ScenarioPenalty, StandsOnEveryKindOfGround) {
  const std::string soil = "[soil]\nname = \"dry-sand\"\n";
  for (const char* ground :
       {"kind = \"plane\"\n[[ground.region]]\nsoil = \"concrete\"\nshape = \"half_plane\"\n"
        "direction_deg = 90",
        "kind = \"slope\"\nslope_deg = 3",
        "kind = \"bumps\"\namplitude_m = 0.002\nwavelength_x_m = 1\nwavelength_y_m = 1"}) {
    const Scenario scenario =
        parse_scenario(penalty_text("model = \"feedback_linearized\"",
                                    std::string("[ground]\n") + ground + "\n" + soil, "quadruped"),
                       "t.toml", FOOTFALL_SOURCE_DIR);
    const World world = build_world(scenario);
    EXPECT_GT(std::get<PenaltyGround>(world.ground).soils[0].friction_coefficient, 0.3);
    State<double> state = place_robot(scenario, world);
    const Control<double> command = testing::hold<double>(world, state.qpos, 300, 15);
    StepWorkspace<double> w(world);
    std::vector<FootPatch> patches(world.soles.feet.size());
    double force = 0;
    for (int k = 0; k < 1000; ++k) step(world, command, state, w);
    summarize_feet(world, state, w, patches);
    for (const FootPatch& patch : patches) force += patch.force.z;
    EXPECT_NEAR(force, world.force_scale, 0.05 * world.force_scale) << ground;
  }
}

TEST(ScenarioPenalty, SaysWhatIsWrong) {
  const auto expect = [](const std::string& text, const std::string& words) {
    EXPECT_NE(penalty_error(text).find(words), std::string::npos) << penalty_error(text);
  };
  expect(penalty_text("model = \"feedback_linearized\""),
         "or key contact.friction_coefficient, all that this contact model needs");
  expect(penalty_text(kFeedback + "stiffness_N_per_m = 1"),
         "key 'contact.stiffness_N_per_m' = 1, expected none unless contact.model = "
         "\"spring_damper\"");
  expect(penalty_text(kFeedback + "epsilon_m = 1e-4"),
         "key 'contact.epsilon_m' = 0.0001, expected -0.1 to 0 m");
  expect(penalty_text(kFeedback + "clipping = \"square\""), "radial");
  expect(penalty_text(kFeedback + "solref = [1, 1]"), "soft_constraint");
  expect(penalty_text("model = \"compliant\"\nk_p_per_s2 = 3", "[soil]\nname = \"concrete\"\n"),
         "expected none unless contact.model = \"feedback_linearized\"");
  expect(penalty_text(kFeedback, "[robot.pad]\nstiffness = 1e5\n"), "section [robot.pad] needs");
  expect("contact = \"spring_damper\"\n[robot]\nfile = \"" + testing::robot_file("biped") +
             "\"\n[step]\nduration_s = 1\n",
         "a section [contact] with stiffness_N_per_m and damping_Ns_per_m");
}

}  // namespace
}  // namespace footfall
