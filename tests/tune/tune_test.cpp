// Tuning MuJoCo's ground: what comes out is loaded again and weighed by MuJoCo alone.
#include "footfall/tune/tune.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <mujoco/mujoco.h>

#include <cmath>

#include "footfall/error.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/rig/foot.hpp"
#include "footfall/soft/soft_curve.hpp"
#include "mujoco/model_text.hpp"
#include "support/worlds.hpp"
#include "tune/soft_scene.hpp"

namespace footfall {
namespace {

using ::testing::HasSubstr;
using testing::robot_file;

TuneOptions wanted(double sinkage, const std::string& keyframe = "") {
  TuneOptions o;
  o.sinkage = sinkage;
  o.damping_ratio = 1.5;
  o.keyframe = keyframe;
  return o;
}

// A body on four feet of one kind, under a trunk; `feet` are attributes, `world` more of the scene.
std::string table_on(const std::string& feet, const std::string& world = "",
                     const std::string& more = "") {
  std::string text = fmt::format(R"(<mujoco><option cone="elliptic"/><asset>
    <mesh name="block" vertex="-.02 -.02 -.02 .02 -.02 -.02 -.02 .02 -.02 .02 .02 -.02
                               -.02 -.02 .02 .02 -.02 .02 -.02 .02 .02 .02 .02 .02"/></asset>
    <worldbody>{}<body name="trunk" pos="0 0 0.3"><freejoint/>
    <geom name="trunk" type="box" size="0.15 0.1 0.03" mass="4"/>)",
                                 world);
  for (const auto& [name, x, y] : {std::tuple{"a", 0.1, 0.08}, std::tuple{"b", 0.1, -0.08},
                                   std::tuple{"c", -0.1, 0.08}, std::tuple{"d", -0.1, -0.08}}) {
    text += fmt::format(R"(<body name="{0}" pos="{1} {2} -0.1"><joint axis="0 1 0" damping="1"/>
      <geom type="capsule" size="0.01 0.03" pos="0 0 0.04" mass="0.1" contype="0" conaffinity="0"/>
      <geom name="{0}_foot" {3} mass="0.1"/></body>)",
                        name, x, y, feet);
  }
  return fmt::format("{}</body></worldbody>{}</mujoco>", text, more);
}

TEST(Tune, BallAndBoxAreTheSpecialCases) {
  const Tuned ball = tune_soft_ground(robot_file("ball"), wanted(0.01));
  EXPECT_NEAR(ball.formula_stiffness, ball.ball_stiffness, 1e-9 * ball.ball_stiffness);
  EXPECT_NEAR(-ball.solref.first, 2060.1, 0.7);  // 0.03 % for d₀ ≥ 1e-4
  const Tuned box = tune_soft_ground(robot_file("box"), wanted(0.006));
  EXPECT_NEAR(box.formula_stiffness, box.box_stiffness, 1e-9 * box.box_stiffness);
  EXPECT_NEAR(-box.solref.first, 858.4, 0.3);
  EXPECT_NEAR(-box.solref.second, 87.9, 0.05);
  EXPECT_EQ(box.solimp.width, 0.012);
  for (const Tuned* t : {&ball, &box}) {
    EXPECT_EQ(t->corrections, 0);
    EXPECT_TRUE(t->settled);
    EXPECT_EQ(t->means, "priority");
    const TunedFoot& foot = t->feet.at(0);
    EXPECT_NEAR(foot.inverse_sinkage, foot.wanted_sinkage, 1e-9 * foot.wanted_sinkage);
    EXPECT_NEAR(foot.achieved_sinkage, foot.wanted_sinkage, 1e-4 * foot.wanted_sinkage);
    EXPECT_NEAR(foot.load, t->weight, 1e-4 * t->weight);
  }
}

class TuneRobots : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(
    Poses, TuneRobots,
    // the humanoid's other poses are in the reproduction of Gora 2025
    ::testing::Values(std::pair{"humanoid", "crouch"}, std::pair{"quadruped", "stand"},
                      std::pair{"biped", "stand"}, std::pair{"single_foot", "stand"},
                      std::pair{"robosimian_planar", "stand"}),
    [](const auto& test) { return std::string(test.param.first) + "_" + test.param.second; });

TEST_P(TuneRobots, SinkAsDeepAsWanted) {
  const auto [robot, pose] = GetParam();
  const Tuned t = tune_soft_ground(robot_file(robot), wanted(0.006, pose));
  EXPECT_TRUE(t.settled);
  EXPECT_FALSE(t.held_upright);
  // the formula by a second route: body weights at qpos0, elliptic cones
  double share = 0, load = 0;
  for (const TunedFoot& foot : t.feet) {
    EXPECT_NEAR(foot.inverse_sinkage, 0.006, 1e-10);
    EXPECT_NEAR(foot.achieved_sinkage, 0.006, 0.01 * 0.006) << foot.name;
    share += foot.contacts / foot.inverse_inertia;
    load += foot.load;
  }
  EXPECT_NEAR(share, t.share, 1e-9 * share);
  EXPECT_NEAR(rest_stiffness(t.solimp, share, t.weight, 0.006), t.formula_stiffness,
              1e-9 * t.formula_stiffness);
  EXPECT_NEAR(load, t.weight, 2e-3 * t.weight);
}

// Spheres, boxes, capsules, cylinders, meshes: any foot that MuJoCo knows.
class TuneFeet : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(
    Kinds, TuneFeet,
    ::testing::Values(std::pair{"sphere", R"(type="sphere" size="0.02")"},
                      std::pair{"box", R"(type="box" size="0.02 0.02 0.01")"},
                      std::pair{"capsule", R"(type="capsule" size="0.01 0.02" euler="0 90 0")"},
                      std::pair{"cylinder", R"(type="cylinder" size="0.02 0.01")"},
                      std::pair{"mesh", R"(type="mesh" mesh="block")"}),
    [](const auto& test) { return std::string(test.param.first); });

TEST_P(TuneFeet, ReachTheSinkageInTheWrittenFile) {
  const test::TextFile file(table_on(GetParam().second));
  const test::TextFile patched("");
  TuneOptions o = wanted(0.004);
  o.output = patched.path();
  const Tuned t = tune_soft_ground(file.path(), o);
  ASSERT_EQ(t.feet.size(), 4U);
  for (const TunedFoot& foot : t.feet) EXPECT_NEAR(foot.achieved_sinkage, 0.004, 0.01 * 0.004);
  // the file alone: MuJoCo's own forces at that depth are the weight
  SoftScene scene = make_soft_scene(patched.path());
  EXPECT_FALSE(scene.ground_added);
  find_inverse_rest(scene);
  const double correction = -t.solref.first / t.formula_stiffness;
  for (const FootMeasure& foot : measure_feet(scene)) {
    EXPECT_NEAR(foot.sinkage, 0.004, (1e-5 + std::abs(correction - 1)) * 0.004);
  }
}

TEST(Tune, PyramidsAndImpratioAreInTheFormula) {
  for (const char* option : {R"(cone="pyramidal")", R"(cone="pyramidal" impratio="4")",
                             R"(cone="elliptic" impratio="4")"}) {
    std::string text = table_on(R"(type="sphere" size="0.02" friction="0.6" condim="4")",
                                R"(<geom type="plane" size="1 1 1" friction="0.3"/>)");
    text.replace(text.find(R"(cone="elliptic")"), 15, option);
    const Tuned t = tune_soft_ground(test::TextFile(text).path(), wanted(0.005));
    const bool pyramid = std::string(option).find("pyramidal") != std::string::npos;
    const double ratio = std::string(option).find("impratio") != std::string::npos ? 4 : 1;
    double share = 0;
    for (const TunedFoot& foot : t.feet) {
      EXPECT_NEAR(foot.inverse_sinkage, 0.005, 1e-9);
      EXPECT_NEAR(foot.achieved_sinkage, 0.005, 0.01 * 0.005);
      share += soft_share({foot.inverse_inertia, 4, 0.6, ratio, pyramid});
    }
    EXPECT_NEAR(t.share, share, 1e-9 * share);
    const bool warned = std::any_of(t.warnings.begin(), t.warnings.end(), [](const auto& w) {
      return w.find("pyramidal") != std::string::npos;
    });
    EXPECT_EQ(warned, pyramid);
  }
}

TEST(Tune, MixingCannotUndoIt) {
  // feet that outrank the ground: it outranks them in turn
  const std::string outranking =
      table_on(R"(type="sphere" size="0.02" priority="3" solref="0.01 1" friction="0.7")",
               R"(<geom name="floor" type="plane" size="1 1 1" solref="0.05 1" priority="1"/>)");
  const Tuned by_priority = tune_soft_ground(test::TextFile(outranking).path(), wanted(0.005));
  EXPECT_EQ(by_priority.means, "priority");
  EXPECT_EQ(by_priority.ground, "floor");
  EXPECT_THAT(by_priority.lines, HasSubstr(R"(priority="4")"));
  EXPECT_THAT(by_priority.lines, HasSubstr(R"(friction="0.7 )"));
  // a <pair> decides before any priority: it is the one that is changed, and the others get theirs
  const std::string paired = table_on(
      R"(type="sphere" size="0.02")", R"(<geom name="floor" type="plane" size="1 1 1"/>)",
      R"(<contact><pair geom1="floor" geom2="a_foot" friction="0.5 0.5 0.01 0 0"/></contact>)");
  const test::TextFile patched("");
  TuneOptions o = wanted(0.005);
  o.output = patched.path();
  const Tuned by_pair = tune_soft_ground(test::TextFile(paired).path(), o);
  EXPECT_EQ(by_pair.means, "pair");
  EXPECT_THAT(by_pair.lines, HasSubstr("friction=\"0.5 0.5 0.01"));
  for (const TunedFoot& foot : by_pair.feet) EXPECT_NEAR(foot.achieved_sinkage, 0.005, 5e-5);
  const MjModelPtr written = load_mujoco_model(patched.path());
  ASSERT_EQ(written->npair, 4);
  for (int p = 0; p < 4; ++p) {
    EXPECT_NEAR(written->pair_solref[2 * p], by_pair.solref.first, 1e-5 * -by_pair.solref.first);
  }
}

// Sinkage of the first contact of a model that MuJoCo alone has stepped for a while.
double settled_sinkage(const std::string& text) {
  const MjModelPtr m = load_mujoco_model(test::TextFile(text).path());
  const MjDataPtr d = make_mujoco_data(*m);
  for (int i = 0; i < 3000; ++i) mj_step(m.get(), d.get());
  return d->ncon > 0 ? -d->contact[0].dist : std::nan("");
}

TEST(Tune, PastedLinesDoWhatTheFileDoes) {
  const auto tune_and_paste = [](std::string text, const std::string& old) {
    const Tuned t = tune_soft_ground(test::TextFile(text).path(), wanted(0.003));
    std::string lines = t.lines;
    if (t.means == "pair") {  // the element alone
      const std::size_t begin = lines.find("<pair");
      lines = lines.substr(begin, lines.find("/>") + 2 - begin);
    }
    return text.replace(text.find(old), old.size(), lines);
  };
  const std::string ball = R"(<body name="a" pos="0.3 0 .149"><freejoint/>
    <geom name="b" type="sphere" size=".05"/></body></worldbody>)";
  // a margin and a friction reference of the pair's own
  const std::string pair =
      R"(<pair geom1="floor" geom2="b" condim="1" solref="-100 -10" solreffriction="-50 -5" margin="0.01"/>)";
  const std::string paired = tune_and_paste(
      R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1" pos="0 0 0.1"/>)" + ball +
          "<contact>" + pair + "</contact></mujoco>",
      pair);
  EXPECT_THAT(paired, HasSubstr(R"(solreffriction="-50 -5")"));
  EXPECT_NEAR(settled_sinkage(paired), 0.003, 3e-5);
  // a floor with a place, a look and masks of its own, and no name
  const std::string floor =
      R"(<geom type="box" size="1 1 .1" material="m" contype="5" margin="0.002"/>)";
  const std::string ranked = tune_and_paste(
      R"(<mujoco><option cone="elliptic"/><asset><material name="m" rgba="1 0 0 1"/></asset><worldbody>)" +
          floor + ball + "</mujoco>",
      floor);
  EXPECT_THAT(ranked, HasSubstr(R"(material="m")"));
  EXPECT_THAT(ranked, HasSubstr(R"(contype="5")"));
  EXPECT_NEAR(settled_sinkage(ranked), 0.003, 3e-5);
}

TEST(Tune, AFootKeepsItsIdentityWhenMoreOfItTouches) {
  // heels are 0.7 mm above toes: lowered by 0.5 mm only toes touch, settled on soft servos both do
  std::string text = R"(<mujoco><option cone="elliptic"/><worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/><body name="base" pos="0 0 .3"><freejoint/>
    <geom type="box" size=".1 .1 .05" mass="5"/>)";
  for (const auto& [name, y] : {std::pair{"l", 0.1}, std::pair{"r", -0.1}}) {
    text += fmt::format(R"(<body name="{0}" pos="0 {1} 0"><joint name="{0}j" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02" mass=".5"/>
      <geom name="{0}_toe" type="sphere" pos=".1 0 -.25" size=".03" mass=".1"/>
      <geom name="{0}_heel" type="sphere" pos="-.1 0 -.2493" size=".03" mass=".1"/></body>)",
                        name, y);
  }
  text += R"(</body></worldbody><actuator><position joint="lj" kp="300" kv="5"/>
    <position joint="rj" kp="300" kv="5"/></actuator></mujoco>)";
  const Tuned t = tune_soft_ground(test::TextFile(text).path(), wanted(0.0005));
  ASSERT_EQ(t.feet.size(), 2U);
  EXPECT_EQ(t.feet[0].name, "l");
  for (const TunedFoot& foot : t.feet) EXPECT_NEAR(foot.inverse_sinkage, 0.0005, 1e-6);
}

TEST(Tune, SaysWhenCorrectionsDoNotReachTheSinkage) {
  TuneOptions o = wanted(0.003);
  o.damping_ratio = 100;
  o.longest_settling = 3;
  const std::string ball = R"(<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .05"><freejoint/><geom type="sphere" size=".05"/></body></worldbody></mujoco>)";
  const Tuned t = tune_soft_ground(test::TextFile(ball).path(), o);
  ASSERT_GT(std::abs(t.feet.at(0).achieved_sinkage - 0.003), 3e-5);
  EXPECT_THAT(t.warnings, ::testing::Contains(HasSubstr("wanted 3 mm")));
}

TEST(Tune, HeelAndToeAreOneFoot) {
  // geoms without names and of different friction: pairs, for which they get names
  const std::string feet =
      R"(type="sphere" size="0.02" pos="0.03 0 0" friction="1.5" mass="0.1"/>
         <geom type="sphere" size="0.02" pos="-0.03 0 0")";
  const test::TextFile patched("");
  TuneOptions o = wanted(0.005);
  o.output = patched.path();
  const Tuned t = tune_soft_ground(test::TextFile(table_on(feet)).path(), o);
  EXPECT_EQ(t.means, "pair");
  ASSERT_EQ(t.feet.size(), 4U);
  EXPECT_EQ(t.feet[0].name, "a");
  for (const TunedFoot& foot : t.feet) {
    EXPECT_EQ(foot.contacts, 2);
    EXPECT_NEAR(foot.achieved_sinkage, 0.005, 5e-5);
  }
  const MjModelPtr written = load_mujoco_model(patched.path());
  EXPECT_EQ(written->npair, 8);
}

TEST(Tune, ARobotThatTipsOverIsHeldUpright) {
  const Tuned t = tune_soft_ground(robot_file("humanoid"), wanted(0.015));
  EXPECT_TRUE(t.held_upright);
  for (const TunedFoot& foot : t.feet) EXPECT_NEAR(foot.achieved_sinkage, 0.015, 0.01 * 0.015);
  EXPECT_THAT(t.warnings, ::testing::Contains(HasSubstr("tips over")));
}

TEST(Tune, WarnsAboutStepsThatAreTooLong) {
  TuneOptions o = wanted(1e-4);
  o.damping_ratio = 5;
  const Tuned t = tune_soft_ground(robot_file("box"), o);
  EXPECT_THAT(t.warnings, ::testing::Contains(HasSubstr("damping times step is")));
  EXPECT_THAT(t.warnings, ::testing::Contains(HasSubstr("does not follow the load")));
}

TEST(Tune, SaysWhatIsWrong) {
  const auto error = [](const std::string& text, const TuneOptions& o) -> std::string {
    try {
      tune_soft_ground(test::TextFile(text).path(), o);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const std::string feet = R"(type="sphere" size="0.02")";
  EXPECT_THAT(error(table_on(feet), wanted(-1)), HasSubstr("sinkage = -1"));
  EXPECT_THAT(error(table_on(feet), wanted(0.01, "leap")), HasSubstr("keyframe 'leap'"));
  TuneOptions no_such = wanted(0.01);
  no_such.ground = "moon";
  EXPECT_THAT(error(table_on(feet), no_such), HasSubstr("ground geom 'moon'"));
  EXPECT_THAT(
      error(table_on(feet, R"(<geom type="plane" size="1 1 1" euler="5 0 0"/>)"), wanted(0.01)),
      HasSubstr("slopes by 5 degrees"));
  std::string floating = table_on(feet);
  floating.replace(floating.find("<option"), 7, R"(<option gravity="0 0 0")");
  EXPECT_THAT(error(floating, wanted(0.01)), HasSubstr("gravity = 0"));
  std::string fixed = table_on(feet);
  fixed.replace(fixed.find("<freejoint/>"), 12, R"(<joint axis="0 0 1"/>)");
  EXPECT_THAT(error(fixed, wanted(0.01)), HasSubstr("cannot sink"));
  fixed.replace(fixed.find(R"(name="trunk" pos)"), 12, "");
  EXPECT_THAT(error(fixed, wanted(0.01)), HasSubstr("unnamed body 1"));
}

// ---- soils ----

TEST(TuneToSoil, AsksTheRigForEachFoot) {
  const std::vector<Soil> soils = load_soil_library(std::string(FOOTFALL_SOURCE_DIR) + "/soils");
  const Soil& sand = find_soil(soils, "dry-sand");
  const std::vector<FootOnSoil> feet = ask_soil(robot_file("humanoid"), sand, {});
  ASSERT_EQ(feet.size(), 2U);
  const double load = 1.762 * 9.81 / 2;
  const double expected = find_rest(make_rig_ground(make_rectangle(0.05, 0.04), sand), load);
  for (const FootOnSoil& foot : feet) {
    EXPECT_NEAR(foot.load, load, 1e-6);
    EXPECT_NEAR(foot.sinkage, expected, 1e-9);
    EXPECT_GT(foot.damping_ratio, 0.3);  // sand hardly bounces
    EXPECT_LT(foot.damping_ratio, 1);
  }
  TuneOptions o;
  o.keyframe = "crouch";
  const Tuned t = tune_to_soil(robot_file("humanoid"), sand, o);
  EXPECT_NEAR(t.feet.at(0).achieved_sinkage, expected, 0.01 * expected);
  EXPECT_NEAR(t.damping_ratio_at_rest, feet[0].damping_ratio, 1e-9);
}

TEST(TuneToSoil, ElasticGroundHasTheDampingOfItsSpring) {
  Soil soil;
  soil.compliant = CompliantGround<double>{2000, 1, 20, 0, 1, 1e4, 0, 0.8};
  const std::vector<FootOnSoil> feet = ask_soil(robot_file("ball"), soil, {});
  EXPECT_NEAR(feet.at(0).sinkage, 9.81 / 2000, 1e-9);
  EXPECT_NEAR(feet.at(0).damping_ratio, 20 / (2 * std::sqrt(2000.0)), 1e-6);
}

// ---- curves ----

// Force of MuJoCo's own ground under a ball of 1 kg, S = 1 kg.
Recording press_in_mujoco(const SoftReference& r, const SoftImpedance& i, double noise) {
  SoftScene scene = make_soft_scene(robot_file("ball"));
  set_softness(scene, r, i);
  const double touch = lift_for_sinkage(scene, 0);
  testing::Random random(3);
  Recording recording;
  recording.file = "press.csv";
  for (int k = 1; k <= 200; ++k) {
    const double sinkage = 1e-4 * k;
    place(scene, touch - sinkage);
    const double force = scene.weight - missing_force(scene);
    recording.sinkage.push_back(sinkage);
    recording.normal_force.push_back(force + noise * random());
    recording.rows.push_back(k);
  }
  recording.zero_is_known = true;
  return recording;
}

TEST(TuneToCurve, GivesBackWhatMadeTheCurve) {
  const SoftImpedance shape{0.2, 0.9, 0.012, 0.5, 2};
  const SoftFit clean = fit_soft_ground(press_in_mujoco({-3000, -50}, shape, 0), 1, 1);
  EXPECT_TRUE(clean.fit.converged);
  EXPECT_NEAR(clean.solref.first, -3000, 3000 * 1e-5);
  EXPECT_NEAR(clean.solimp.d0, 0.2, 1e-5);
  EXPECT_NEAR(clean.solimp.d_width, 0.9, 1e-6);
  EXPECT_NEAR(clean.solimp.width, 0.012, 1e-7);
  EXPECT_NEAR(clean.solimp.power, 2, 1e-4);
  EXPECT_NEAR(clean.solref.second, -2 * std::sqrt(3000.0), 1e-3);

  const SoftFit noisy = fit_soft_ground(press_in_mujoco({-3000, -50}, shape, 1), 1, 1);
  const double truth[] = {3000, 0.2, 0.9, 0.012, 2};
  for (std::size_t k = 0; k < 5; ++k) {
    const Estimate& e = noisy.fit.parameters.at(k);
    EXPECT_GT(e.standard_error, 0) << e.name;
    EXPECT_LT(std::abs(e.value - truth[k]), 4 * e.standard_error) << e.name;
  }
}

TEST(TuneToCurve, RatesGiveTheDamping) {
  Recording recording = press_in_mujoco({-3000, -50}, {0.2, 0.9, 0.012, 0.5, 2}, 0);
  const SoftLaw<double> law = make_soft_law({-3000, -50}, {0.2, 0.9, 0.012, 0.5, 2}, {});
  for (std::size_t k = 0; k < recording.sinkage.size(); ++k) {
    const double rate = 0.1 * std::sin(0.1 * static_cast<double>(k));
    recording.sinkage_rate.push_back(rate);
    recording.normal_force[k] = moving_force(law, 1, recording.sinkage[k], rate, 0);
  }
  const SoftFit fit = fit_soft_ground(recording, 1, 1);
  EXPECT_NEAR(fit.solref.second, -50, 1e-3);
  EXPECT_NEAR(fit.solref.first, -3000, 0.1);
}

TEST(TuneToCurve, TheRobotRestsWhereTheCurveCarriesIt) {
  const TunedToCurve result = tune_to_curve(
      robot_file("ball"), press_in_mujoco({-2000, -50}, {0.1, 0.9, 0.02, 0.5, 2}, 0), {});
  const TunedFoot& foot = result.tuned.feet.at(0);
  EXPECT_NEAR(foot.achieved_sinkage, foot.wanted_sinkage, 1e-3 * foot.wanted_sinkage);
}

}  // namespace
}  // namespace footfall
