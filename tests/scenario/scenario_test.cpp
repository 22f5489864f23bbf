// Scenarios: what they mean, and what is said when they are wrong.
#include "footfall/scenario/scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

#include "footfall/error.hpp"
#include "footfall/robot/kinematics.hpp"
#include "io/config.hpp"

namespace footfall {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::filesystem::path kSource = FOOTFALL_SOURCE_DIR;
const std::filesystem::path kScenarios = kSource / "scenarios";

const std::string kText = R"([robot]
file = "../robots/quadruped.xml"
keyframe = "stand"
drop_height_m = 0.1

[soil]
name = "loose-clay"

[step]
duration_s = 3

[controller]
kind = "hold"
kp = 100
kd = 2
)";

Scenario parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_scenario(text, "t.toml", kScenarios, overrides);
}

// The message of the error that the scenario causes, in parsing or in building.
std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    const Scenario scenario = parse(text, overrides);
    const World world = build_world(scenario);
    place_robot(scenario, world);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The scenario with a section [ground].
std::string with_ground(const std::string& keys) {
  std::string section = "[ground]\n";
  section.append(keys).append("\n[step]");
  return replaced(kText, "[step]", section);
}

TEST(Scenario, ReadsWhatIsWrittenAndFillsDefaults) {
  const Scenario s = parse(kText);
  EXPECT_EQ(s.name, "t");
  EXPECT_EQ(s.robot.keyframe, "stand");
  EXPECT_DOUBLE_EQ(*s.robot.drop_height, 0.1);
  EXPECT_TRUE(s.robot.body_contacts);
  EXPECT_TRUE(s.robot.feet.empty());
  EXPECT_EQ(s.ground.kind, GroundKind::plane);
  EXPECT_EQ(s.contact, ContactModel::compliant);
  EXPECT_DOUBLE_EQ(s.step.timestep, 0.001);
  EXPECT_EQ(s.step.integrator, Integrator::implicit);
  EXPECT_EQ(step_count(s), 3000);
  EXPECT_EQ(s.output, "results/t");
  EXPECT_EQ(s.text, kText);
  EXPECT_DOUBLE_EQ(*s.controller.kp.common, 100);
}

// Table 4 of Ding 2013.
TEST(Scenario, SoilsOfTheLibraryAreThoseOfTheTable) {
  struct Row {
    const char* name;
    double k, b, k_t, b_t;
  };
  for (const Row& row :
       {Row{"concrete", 3.4e9, 1.8e5, 2.6e9, 1.5e5}, Row{"wood", 1.5e9, 1.2e5, 1.1e9, 1.0e5},
        Row{"gravel", 2.3e7, 1.4e4, 1.7e7, 1.2e4}, Row{"sand", 9.1e6, 9.0e3, 6.9e6, 7.9e3},
        Row{"compact-clay", 1.7e6, 3.9e3, 1.3e6, 3.4e3},
        Row{"loose-clay", 3.4e5, 1.8e3, 2.6e5, 1.5e3}}) {
    const Scenario s = parse(kText, {std::string("soil.name=") + row.name});
    const CompliantGround<double>& g = *s.soils[0].compliant;
    EXPECT_EQ(s.soils[0].name, row.name);
    EXPECT_DOUBLE_EQ(g.stiffness, row.k);
    EXPECT_DOUBLE_EQ(g.damping, row.b);
    EXPECT_DOUBLE_EQ(g.shear_stiffness, row.k_t);
    EXPECT_DOUBLE_EQ(g.shear_damping, row.b_t);
    EXPECT_DOUBLE_EQ(g.exponent, 1);
    EXPECT_DOUBLE_EQ(g.damping_exponent, 0);
    EXPECT_DOUBLE_EQ(g.rate_exponent, 1);
    EXPECT_GT(g.friction_coefficient, 0);
  }
}

const std::string kShear = "shear_stiffness_N_per_m = 1e5\nshear_damping_Ns_per_m = 1e3\n"
                           "friction_coefficient = 0.5\n";

std::string with_soil(const std::string& soil) {
  return replaced(kText, "name = \"loose-clay\"\n", soil + "\n" + kShear);
}

// Table 5 of Ding 2013: what each law knows already.
TEST(Scenario, EveryLawFixesItsOwn) {
  const auto ground = [](const std::string& soil) {
    return *parse(with_soil(soil)).soils[0].compliant;
  };
  const auto spring = ground("law = \"spring\"\nstiffness = 7e4");
  EXPECT_EQ(spring.exponent, 1);
  EXPECT_EQ(spring.damping, 0);
  const auto hertz = ground("law = \"hertz\"\nstiffness = 7e4\nexponent = 1.5");
  EXPECT_EQ(hertz.exponent, 1.5);
  EXPECT_EQ(hertz.damping, 0);
  const auto simple =
      ground("law = \"simplified_hunt_crossley\"\nstiffness = 7e4\nexponent = 1.5\ndamping = 9");
  EXPECT_EQ(simple.damping_exponent, 1.5);
  EXPECT_EQ(simple.rate_exponent, 1);
  const auto full = ground("law = \"hunt_crossley\"\nstiffness = 1e4\nexponent = 1.3\n"
                           "damping = 500\ndamping_exponent = 0.3\nrate_exponent = 1.1");
  EXPECT_EQ(full.damping_exponent, 0.3);
  EXPECT_EQ(full.rate_exponent, 1.1);
}

TEST(Scenario, SoilsHaveNoDefaults) {
  EXPECT_EQ(error_of(with_soil("law = \"spring\"")),
            "t.toml:6:2: key 'soil.stiffness' is missing, expected above 0 and at most 1e12 N/m");
  EXPECT_EQ(error_of(with_soil("stiffness = 1e5")),
            "t.toml:6:2: key 'soil.law' is missing, expected one of: spring, linear, hertz, "
            "simplified_hunt_crossley, hunt_crossley");
  EXPECT_EQ(error_of(with_soil("law = \"hunt_crossley\"\nstiffness = 1e4\nexponent = 1.3\n"
                               "damping = 500\nrate_exponent = 1.1")),
            "t.toml:6:2: key 'soil.damping_exponent' is missing, expected 0 to 5");
  EXPECT_EQ(error_of(replaced(kText, "name = \"loose-clay\"", "law = \"spring\"\nstiffness = 1")),
            "t.toml:6:2: key 'soil.shear_stiffness_N_per_m' is missing, expected above 0 and at "
            "most 1e12 N/m");
  EXPECT_THAT(error_of(replaced(kText, "[soil]\nname = \"loose-clay\"\n", "")),
              StartsWith("t.toml: section [soil] is missing"));
}

TEST(Scenario, ALawRefusesWhatItFixes) {
  EXPECT_EQ(
      error_of(with_soil("law = \"linear\"\nstiffness = 1\ndamping = 1\nexponent = 2")),
      "t.toml:10:1: key 'soil.exponent' = 2, expected it left out: law 'linear' fixes it to 1");
  // from the library it is no contradiction: another law simply does not use it
  EXPECT_EQ(error_of(kText, {"soil.law=spring"}), "no error");
  EXPECT_EQ(error_of(kText, {"soil.law=hertz"}),
            "t.toml:6:2: key 'soil.exponent' is missing, expected 1 to 5");
}

TEST(Scenario, ValuesBesideALibrarySoilReplaceItsOwn) {
  const Scenario s = parse(kText, {"soil.stiffness=2e5", "soil.friction_coefficient=0.9"});
  EXPECT_DOUBLE_EQ(s.soils[0].compliant->stiffness, 2e5);
  EXPECT_DOUBLE_EQ(s.soils[0].compliant->friction_coefficient, 0.9);
  EXPECT_DOUBLE_EQ(s.soils[0].compliant->damping, 1.8e3);
}

TEST(Scenario, SaysWhatIsWrong) {
  struct Case {
    std::string from, to, message;
  };
  const Case cases[] = {
      {"duration_s = 3", "duration_s = -3",
       "t.toml:10:1: key 'step.duration_s' = -3, expected above 0 s, at most 1e6 s"},
      {"duration_s = 3", "duration_s = \"long\"",
       "t.toml:10:1: key 'step.duration_s' = \"long\", expected a number, above 0 s, at most 1e6 "
       "s"},
      {"duration_s = 3", "duration_s = nan",
       "t.toml:10:1: key 'step.duration_s' = nan, expected above 0 s, at most 1e6 s"},
      {"duration_s = 3", "",
       "t.toml:9:2: key 'step.duration_s' is missing, expected above 0 s, at "
       "most 1e6 s"},
      {"duration_s = 3", "duration_s = 1e-5",
       "t.toml:10:1: key 'step.duration_s' = 1e-05, expected at least one step of 0.001 s"},
      {"duration_s", "duration",
       "t.toml:10:1: unknown key 'step.duration', did you mean "
       "'step.duration_s'?"},
      {"duration_s = 3", "duration_s = 3\nrecord_every = 0.5",
       "t.toml:11:1: key 'step.record_every' = 0.5, expected a whole number, 1 or more"},
      {"duration_s = 3", "duration_s = 3\njoint_limits = 1",
       "t.toml:11:1: key 'step.joint_limits' = 1, expected true or false"},
      {"duration_s = 3", "duration_s = 3\nintegrator = \"rk5\"",
       "t.toml:11:1: key 'step.integrator' = \"rk5\", expected one of: euler, implicitfast, "
       "implicit"},
      {"duration_s = 3", "duration_s = 3\nintegrator = \"rk4\"",
       "t.toml:11:1: integrator = \"rk4\" needs a robot without contacts: set contact.model = "
       "\"none\""},
      {"[controller]", "[controler]",
       "t.toml:12:2: unknown key 'controler', did you mean 'controller'?"},
      {"kp = 100", "kp = \"stiff\"",
       "t.toml:14:1: key 'controller.kp' = \"stiff\", expected a "
       "number, 0 N m/rad or more, for all joints or by joint"},
      {"kind = \"hold\"", "kind = \"none\"",
       "t.toml:14:1: key 'controller.kp' = 100, expected it left out with controller kind 'none'"},
      {"kind = \"hold\"", "kind = \"dance\"",
       "t.toml:13:1: key 'controller.kind' = \"dance\", expected one of: none, hold, torque_file, "
       "trajectory_file"},
      {"keyframe = \"stand\"", "keyframe = \"stnad\"",
       "t.toml:3:1: robot 'quadruped' has no keyframe 'stnad', did you mean 'stand'?"},
      {"keyframe = \"stand\"", "feet = [\"trunk\", \"front_left_fot\"]",
       "t.toml:3:1: foot 'front_left_fot' is no geom or body of robot 'quadruped', did you mean "
       "'front_left_foot'?"},
      {"keyframe = \"stand\"", "feet = [\"trunk\", \"trunk\"]",
       "t.toml:3:1: foot 'trunk' is named twice"},
      {"keyframe = \"stand\"", "feet = []",
       "t.toml:3:1: key 'robot.feet' = [], expected \"auto\" or a list of names of geoms or "
       "bodies, of which those in a list of their own are one foot"},
      {"keyframe = \"stand\"", "feet = [[\"trunk\", \"head\"], \"trunk\"]",
       "t.toml:3:1: foot 'trunk' is named twice"},
      {"keyframe = \"stand\"", "feet = [[]]", "t.toml:3:1: key 'robot.feet' = [ [] ], expected "},
      {"keyframe = \"stand\"", "linear_velocity_m_per_s = [1, 2]",
       "t.toml:3:1: key 'robot.linear_velocity_m_per_s' = [ 1, 2 ], expected three numbers [x, y, "
       "z] within ±1e4 m/s"},
      {"../robots/quadruped.xml", "quadrupe",
       "t.toml:2:1: robot 'quadrupe' is not in the robot library"},
      {"loose-clay", "loose-caly",
       "t.toml:7:1: soil 'loose-caly' is not in the soil library, and there is no file"},
      {"name = \"loose-clay\"", "name = 3",
       "t.toml:7:1: key 'soil.name' = 3, expected a soil of the library, or the path of a soil "
       "file"},
      {"name = \"loose-clay\"", "name = \"sand\"\nfile = \"x.toml\"",
       "t.toml:8:1: key 'soil.file' = \"x.toml\", expected either 'name' or 'file', not both"},
      {"name = \"loose-clay\"", "name = \"sand\"\ncohesion = 500",
       "t.toml:8:1: unknown key 'soil.cohesion', did you mean 'soil.terramechanics.cohesion_kPa'?"},
      {"name = \"loose-clay\"", "name = \"sand\"\nzzzzzzzz = 500",
       "t.toml:8:1: unknown key 'soil.zzzzzzzz', expected one of: name, file, terramechanics, "
       "law, "},
      {"[step]", "[ground]\nkind = \"sloop\"\n[step]",
       "t.toml:10:1: key 'ground.kind' = \"sloop\", expected one of: plane, slope, heightfield, "
       "ramp, stairs, bumps, noise (did you mean 'slope'?)"},
      {"[step]", "[ground]\nslope_deg = 3\n[step]",
       "t.toml:10:1: key 'ground.slope_deg' belongs to kind 'slope', but ground.kind is 'plane'"},
      {"[step]", "[ground]\nkind = \"slope\"\nslope_deg = 95\n[step]",
       "t.toml:11:1: key 'ground.slope_deg' = 95, expected 0 to 88 degrees"},
      {"[step]", "[contact]\nmodel = \"bekker\"\n[step]",
       "t.toml:10:1: key 'contact.model' = \"bekker\", expected one of: compliant, "
       "terramechanics, none"},
      {"[robot]", "[robot", "t.toml:1:7: "},
      {"[step]\nduration_s = 3\n", "",
       "t.toml: section [step] is missing, expected one with "
       "duration_s"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(error_of(replaced(kText, c.from, c.to)), HasSubstr(c.message)) << c.to;
  }
}

TEST(Scenario, OverridesAreCheckedLikeTheFile) {
  EXPECT_EQ(
      error_of(kText, {"soil.stiffness=-3"}),
      "--set soil.stiffness=-3: key 'soil.stiffness' = -3, expected above 0 and at most 1e12 N/m");
  EXPECT_EQ(error_of(kText, {"soil.stifness=3"}),
            "--set soil.stifness=3: unknown key 'soil.stifness', did you mean 'soil.stiffness'?");
  EXPECT_EQ(error_of(kText, {"soill.stiffness=3"}),
            "--set soill.stiffness=3: unknown key 'soill', did you mean 'soil'?");
  EXPECT_EQ(error_of(kText, {"step.duration_s"}),
            "--set step.duration_s: expected key.path=value, as in --set step.duration_s=2");
  EXPECT_EQ(error_of(kText, {"soil.name.x=1"}), "--set soil.name.x=1: 'name' is no section");
  EXPECT_THAT(error_of(kText, {"soil.name=\"a"}),
              StartsWith("--set soil.name=\"a: '\"a' is no TOML "));
  EXPECT_THAT(error_of(kText, {"soil.stiffness=1\nsoil.damping=2"}), StartsWith("--set "));
}

TEST(Scenario, OverridesBecomePartOfTheText) {
  const Scenario s = parse(kText, {"step.duration_s=0.5", "robot.feet=[\"trunk\"]",
                                   "ground.kind=slope", "ground.slope_deg=7"});
  EXPECT_DOUBLE_EQ(s.duration, 0.5);
  EXPECT_EQ(s.ground.kind, GroundKind::slope);
  const Scenario again = parse(s.text);
  EXPECT_DOUBLE_EQ(again.duration, 0.5);
  EXPECT_EQ(again.robot.feet, std::vector<std::vector<std::string>>{{"trunk"}});
  EXPECT_DOUBLE_EQ(again.ground.slope, 7 * std::numbers::pi / 180);
  EXPECT_THAT(s.text, StartsWith("# --set step.duration_s=0.5\n"));
}

TEST(Scenario, RegionsNameTheirSoils) {
  const std::string text = replaced(kText, "[step]", R"([soils.wet]
name = "loose-clay"
friction_coefficient = 0.2

[[ground.region]]
soil = "wet"
shape = "circle"
center_x_m = 1
center_y_m = 0
radius_m = 0.5

[[ground.region]]
name = "path"
soil = "wood"
shape = "half_plane"
direction_deg = 90
distance_m = 2

[step])");
  const World world = build_world(parse(text));
  ASSERT_EQ(soil_names(world.ground), (std::vector<std::string>{"loose-clay", "wet", "wood"}));
  EXPECT_EQ(soil_at(world.terrain, 0, 0), 0);
  EXPECT_EQ(soil_at(world.terrain, 1.2, 0), 1);
  EXPECT_EQ(soil_at(world.terrain, 0, 2.5), 2);
  EXPECT_DOUBLE_EQ(compliant_soil(world.ground, 1)->friction_coefficient, 0.2);

  EXPECT_EQ(
      error_of(text, {"ground.region.1.soil=wod"}),
      "--set ground.region.1.soil=wod: soil 'wod' is not in the soil library, and there is no "
      "file 'wod.toml', did you mean 'wood'?; [soils] has wet");
  EXPECT_EQ(error_of(text, {"ground.region.0.x_min_m=3"}),
            "--set ground.region.0.x_min_m=3: key 'ground.region.0.x_min_m' = 3, expected it left "
            "out: shape is 'circle', and it belongs to 'rectangle'");
  EXPECT_EQ(error_of(text, {"ground.region.2.soil=wood"}),
            "--set ground.region.2.soil=wood: '2' is no index into the array, expected 0 to 1");
}

TEST(Scenario, EveryKindOfGround) {
  const auto height = [](const std::string& keys, double x, double y) {
    const World world = build_world(parse(with_ground(keys)));
    return sample_ground(world.terrain, x, y).height;
  };
  EXPECT_DOUBLE_EQ(height("kind = \"plane\"\nheight_m = 0.3", 1, 1), 0.3);
  EXPECT_NEAR(height("kind = \"slope\"\nslope_deg = 45\ndirection_deg = 90", 5, 1), 1, 1e-12);
  EXPECT_NEAR(height("kind = \"ramp\"\nlength_m = 1\nrise_m = 0.2", 3, 0), 0.2, 1e-12);
  EXPECT_NEAR(
      height("kind = \"stairs\"\nstep_height_m = 0.1\nstep_depth_m = 0.5\nstep_count = 3", 4, 0),
      0.3, 1e-12);
  EXPECT_NEAR(height("kind = \"bumps\"\namplitude_m = 0.02\nwavelength_x_m = 1\nwavelength_y_m = 0",
                     0, 0.3),
              0.02, 1e-12);
  EXPECT_LE(std::abs(height("kind = \"noise\"\namplitude_m = 0.02\nwavelength_m = 1\nseed = 3", 0.3,
                            0.4)),
            0.02);
  const std::filesystem::path csv =
      std::filesystem::path(::testing::TempDir()) / ("ground" + std::to_string(getpid()) + ".csv");
  std::ofstream(csv) << "0, 1\n2, 3\n";
  const std::string file = "kind = \"heightfield\"\nfile = \"" + csv.string() + "\"\n";
  EXPECT_DOUBLE_EQ(height(file + "spacing_m = 0.5", 0.5, 0.5), 3);
  const auto error = [&](const std::string& keys) { return error_of(with_ground(keys)); };
  EXPECT_THAT(error(file), HasSubstr("key 'ground.spacing_m' is missing, expected 1e-6 to 1e4 m"));
  EXPECT_THAT(error(file + "spacing_m = 1\nheight_min_m = 0"),
              HasSubstr("key 'ground.height_min_m' = 0, expected it left out: only an image's"));
  EXPECT_THAT(error("kind = \"heightfield\"\nfile = \"none.csv\""),
              HasSubstr("t.toml:11:1: no file '"));
}

TEST(Scenario, DropHeightIsTheGapUnderTheLowestSole) {
  for (const char* ground : {"kind = \"plane\"\nheight_m = 0.4",
                             "kind = \"slope\"\nslope_deg = 20\ndirection_deg = 30"}) {
    const std::string text = with_ground(ground);
    const Scenario scenario = parse(text);
    const World world = build_world(scenario);
    const State<double> state = place_robot(scenario, world);
    RobotData<double> data(world.robot);
    compute_positions(world.robot, state.qpos.data(), data);
    double lowest = 1e9;
    for (const SolePoint& p : world.soles.points) {
      if (p.foot < 0) continue;
      for (const Vec3d& reach : reach_of(p)) {
        const Vec3d center = data.p_WB[world.soles.feet[p.foot].body] +
                             data.R_WB[world.soles.feet[p.foot].body] * reach;
        const GroundPoint<double> g = sample_ground(world.terrain, center.x, center.y);
        lowest = std::min(lowest, center.z - g.height - p.radius / g.normal.z);
      }
    }
    EXPECT_NEAR(lowest, 0.1, 1e-12) << ground;
  }
}

TEST(Scenario, APlanarRobotIsDroppedAlongItsSlide) {
  const std::string text = "[robot]\nfile = \"single_foot\"\ndrop_height_m = 0.2\n[soil]\n"
                           "name = \"sand\"\n[step]\nduration_s = 1\n";
  const Scenario scenario = parse(text);
  const World world = build_world(scenario);
  const std::vector<double> stand = find_pose(world.robot, "stand", "");
  const State<double> state = place_robot(scenario, world);
  const int z = world.robot.joints[1].q_index;
  EXPECT_NEAR(state.qpos[z] - stand[z], 0.2, 1e-6);
  EXPECT_THAT(error_of(text, {"robot.linear_velocity_m_per_s=[1,0,0]"}),
              HasSubstr("needs a robot whose first joint is free"));
}

TEST(Scenario, ABoxAlignedWithTheSlopeTouchesItEverywhere) {
  const Scenario scenario = load_scenario(kScenarios / "box_on_slope.toml");
  const World world = build_world(scenario);
  const State<double> state = place_robot(scenario, world);
  const Quatd q{state.qpos[3], state.qpos[4], state.qpos[5], state.qpos[6]};
  EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-12);
  RobotData<double> data(world.robot);
  compute_positions(world.robot, state.qpos.data(), data);
  int on_ground = 0;
  for (const SolePoint& p : world.soles.points) {
    const Vec3d at = data.p_WB[1] + data.R_WB[1] * p.position;
    on_ground += std::abs(at.z - sample_ground(world.terrain, at.x, at.y).height) < 1e-9 ? 1 : 0;
  }
  EXPECT_EQ(on_ground, 8);  // cells, by their middles
}

TEST(Scenario, FeetMayBeBodies) {
  const World world =
      build_world(parse(kText, {"robot.feet=[\"front_left_calf\"]", "robot.body_contacts=false"}));
  EXPECT_EQ(world.soles.feet.size(), 1U);  // the geom of that name comes before the body
  const World humanoid = build_world(parse(
      kText, {"robot.file=humanoid", "robot.keyframe=stand", "robot.feet=[\"left_foot_link\"]"}));
  ASSERT_EQ(humanoid.soles.feet.size(), 1U);
  EXPECT_EQ(humanoid.soles.feet[0].name, "left_foot");
}

TEST(Scenario, WhatIsNamedTogetherIsOneFoot) {
  const World world = build_world(
      parse(kText, {"robot.feet=[[\"front_left_foot\", \"front_left_thigh\"], \"trunk\"]"}));
  ASSERT_EQ(world.soles.feet.size(), 2U);
  const Foot& leg = world.soles.feet[0];
  EXPECT_EQ(leg.name, "front_left_foot");  // on which it stands
  EXPECT_EQ(leg.group_count, 2);
  EXPECT_EQ(world.robot.geoms[leg.geoms[1]].name, "front_left_thigh");
  EXPECT_NE(world.soles.groups[leg.group].body, world.soles.groups[leg.group + 1].body);
  // the calf was not named: it touches as a part of the body
  const int calf = world.robot.find_geom("front_left_calf");
  for (const SoleGroup& group : world.soles.groups) {
    if (group.geom == calf) {
      EXPECT_EQ(group.foot, -1);
    }
  }
}

TEST(Scenario, AFootThatIsFoundHasAllShapesOfItsBody) {
  const World world = build_world(parse(kText));
  ASSERT_EQ(world.soles.feet.size(), 4U);
  EXPECT_EQ(world.soles.feet[0].name, "front_left_foot");
  EXPECT_EQ(world.soles.feet[0].geoms,
            (std::vector<int>{world.robot.find_geom("front_left_foot"),
                              world.robot.find_geom("front_left_calf")}));
}

TEST(Scenario, WithoutContactNothingTouches) {
  const std::string text =
      replaced(kText, "[soil]\nname = \"loose-clay\"\n", "[contact]\nmodel = \"none\"\n");
  const World world = build_world(parse(text));
  EXPECT_TRUE(world.soles.points.empty());
}

TEST(Scenario, SoilFilesAreCheckedToo) {
  const std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) / ("mud" + std::to_string(getpid()) + ".toml");
  const std::string text =
      replaced(kText, "name = \"loose-clay\"", "file = \"" + file.string() + "\"");
  std::ofstream(file) << "name = \"mud\"\n[compliant]\nlaw = \"spring\"\nstiffnes = 1\n";
  EXPECT_EQ(error_of(text), file.string() + ":4:1: unknown key 'compliant.stiffnes', did you mean "
                                            "'compliant.stiffness'?");
  std::ofstream(file) << "name = \"mud\"\n[compliant]\nlaw = \"spring\"\nstiffness = -1\n" + kShear;
  EXPECT_EQ(error_of(text),
            file.string() +
                ":4:1: key 'compliant.stiffness' = -1, expected above 0 and at most 1e12 N/m");
  std::ofstream(file) << "name = \"mud\"\n";
  EXPECT_THAT(error_of(text), HasSubstr("needs a section [compliant] or [terramechanics]"));
}

TEST(Scenario, EveryScenarioOfTheProjectIsGood) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kScenarios)) {
    if (entry.path().extension() != ".toml") continue;
    const Scenario scenario = load_scenario(entry.path());
    const World world = build_world(scenario);
    place_robot(scenario, world);
    ++count;
  }
  EXPECT_GE(count, 4);
}

// Damaged text is refused or understood; nothing else may happen.
TEST(Scenario, DamagedTextNeverCrashes) {
  std::ifstream in(kScenarios / "quadruped_bumps.toml");
  const std::string good{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::string letters = "=[]{}\"'.,-+#\n 0159eEnaif_mskxyz\\\x80\xff";
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::string text = good;
    for (std::size_t k = 0; k <= random() % 6; ++k) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = letters[random() % letters.size()];
        break;
      case 1:
        text.erase(at, 1 + random() % 20);
        break;
      case 2:
        text.insert(at, 1, letters[random() % letters.size()]);
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), random() % 40));
      }
      if (text.empty()) text.push_back(' ');
    }
    try {
      parse(text);
    } catch (const InputError& error) {
      ++refused;
      EXPECT_STRNE(error.what(), "");
    }
  }
  EXPECT_GT(refused, 200);
}

TEST(Suggestion, FindsTheNearestWord) {
  const std::vector<std::string> known = {"stiffness", "damping", "shear_stiffness_N_per_m"};
  EXPECT_EQ(nearest_word("stifness", known), "stiffness");
  EXPECT_EQ(nearest_word("dampign", known), "damping");
  EXPECT_EQ(nearest_word("shear_stiffness", known), "shear_stiffness_N_per_m");
  EXPECT_EQ(nearest_word("cohesion", known), "");
  EXPECT_EQ(suggestion("x", {"ab", "cd"}), ", did you mean 'ab'?");
  EXPECT_EQ(suggestion("cohesion", {"a", "b"}), ", expected one of: a, b");
}

}  // namespace
}  // namespace footfall
