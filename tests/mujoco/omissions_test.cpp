// What is left out without harm, and what the ground can touch.
#include <gmock/gmock.h>

#include "mujoco/model_text.hpp"

namespace footfall::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A trunk with a foot; `trunk` and `foot` are more attributes of their geoms.
std::string robot(const std::string& world, const std::string& trunk, const std::string& foot,
                  const std::string& rest) {
  return "<mujoco><default><geom contype='0' conaffinity='1'/></default><worldbody>" + world +
         "<body name='trunk' pos='0 0 1'><freejoint/><geom name='trunk' size='0.2' " + trunk +
         "/><site name='s'/><body name='leg' pos='0 0 -0.3'><joint name='knee' range='-1 1'/>"
         "<geom name='foot' size='0.05' pos='0 0 -0.2' " +
         foot + "/></body></body></worldbody>" + rest + "</mujoco>";
}

std::vector<std::string> warnings_of(const std::string& text) { return load_text(text).warnings; }

TEST(Omissions, WorldGeomsAreNotPartOfTheRobot) {
  const RobotModel model =
      load_text(robot("<geom name='floor' type='plane' size='1 1 1' contype='1'/><geom size='0.1'/>"
                      "<site/><light/><camera/><camera/>",
                      "", "", ""));
  EXPECT_EQ(model.geoms.size(), 2U);
  EXPECT_THAT(model.warnings,
              ElementsAre("shape left out, because Footfall's scenario brings the ground: "
                          "geom 'floor', unnamed geom 1",
                          "left out, without effect on the motion: 2 sites, 2 cameras, 1 light"));
}

TEST(Omissions, FrictionOfTheFilesGroundIsNamed) {
  const std::string floor = "<geom name='ice' type='plane' size='1 1 1' friction='0.05'/>";
  EXPECT_THAT(
      warnings_of(robot(floor, "", "", "")),
      Contains("friction of the file's own ground not used: geom 'ice' (friction 0.05); that "
               "of the scenario's soil is"));
  const std::string plain = "<geom name='floor' type='plane' size='1 1 1'/>";
  EXPECT_THAT(warnings_of(robot(plain, "", "", "")), Not(Contains(HasSubstr("friction"))));
}

TEST(Omissions, OptionsOfTheSolverAreNamed) {
  const auto with = [](const std::string& options) {
    return warnings_of(robot("", "", "", "<option " + options + "/>"));
  };
  EXPECT_THAT(with("integrator='RK4' solver='PGS' iterations='7' noslip_iterations='3'"),
              Contains("options of the file not used: integrator=\"RK4\", solver=\"PGS\", "
                       "iterations=\"7\", noslip_iterations=\"3\"; the scenario's [step] says how "
                       "to integrate, and Footfall has its own solver"));
  EXPECT_THAT(with("impratio='10'"), Contains(HasSubstr("impratio=\"10\"")));
  // what Footfall does anyway, and MuJoCo's own numbers
  EXPECT_THAT(with("integrator='implicitfast' cone='elliptic' iterations='100' impratio='1'"),
              Not(Contains(HasSubstr("option"))));
}

TEST(Omissions, HeightfieldsAreLeftOut) {
  const RobotModel model =
      load_text("<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset>"
                "<worldbody><geom name='hills' type='hfield' hfield='h'/><body name='b'>"
                "<geom name='ramp' type='plane' size='1 1 1'/></body></worldbody></mujoco>");
  EXPECT_THAT(model.geoms, IsEmpty());
  EXPECT_THAT(model.warnings, ElementsAre(HasSubstr("geom 'hills', geom 'ramp'")));
}

TEST(Omissions, GeomsOfFixedBodiesAreOnlyLookedAt) {
  const RobotModel model = load_text(
      "<mujoco><worldbody><body name='base'><geom name='base' size='0.1'/><body pos='0 0 -1'>"
      "<joint/><geom name='arm' size='0.1'/></body></body></worldbody></mujoco>");
  ASSERT_EQ(model.geoms.size(), 2U);
  EXPECT_FALSE(model.geoms[0].collides);
  EXPECT_TRUE(model.geoms[1].collides);
  EXPECT_THAT(model.warnings,
              ElementsAre("touches nothing, because it is fixed to the world: geom 'base'"));
}

TEST(Omissions, MasksDecideWhatTouchesTheGroundOfTheFile) {
  const std::string floor = "<geom type='plane' size='1 1 1' contype='1' conaffinity='1'/>";
  const RobotModel with_floor =
      load_text(robot(floor, "contype='2' conaffinity='2'", "contype='0' conaffinity='1'", ""));
  EXPECT_FALSE(with_floor.geoms[0].collides);
  EXPECT_TRUE(with_floor.geoms[1].collides);
  EXPECT_THAT(with_floor.warnings[1], HasSubstr("touches no ground"));
  EXPECT_THAT(with_floor.warnings[1], HasSubstr("geom 'trunk'"));

  const RobotModel without =
      load_text(robot("", "contype='2' conaffinity='2'", "contype='0' conaffinity='0'", ""));
  EXPECT_TRUE(without.geoms[0].collides);
  EXPECT_FALSE(without.geoms[1].collides);
  EXPECT_THAT(without.warnings, ElementsAre(HasSubstr("1 site")));
}

TEST(Omissions, APairWithTheGroundMakesAGeomCollide) {
  const RobotModel model = load_text(
      robot("<geom name='floor' type='plane' size='1 1 1'/>", "", "contype='0' conaffinity='0'",
            "<contact><pair geom1='foot' geom2='floor' condim='6'/></contact>"));
  EXPECT_TRUE(model.geoms[1].collides);
  EXPECT_THAT(model.warnings.back(), HasSubstr("of 1 contact pair only the geom"));
}

TEST(Omissions, LinksThatCouldTouchEachOther) {
  const std::string arm = "<body name='arm'><joint/><geom name='hand' size='0.1' ";
  const auto with_arm = [&](const std::string& masks, const std::string& rest) {
    std::string text = robot("", masks, masks, rest);
    const std::size_t place = text.find("<body name='leg'");
    return text.insert(place, arm + masks + "/></body>");
  };
  EXPECT_THAT(warnings_of(with_arm("", "")), ElementsAre(HasSubstr("1 site")));
  EXPECT_THAT(warnings_of(with_arm("contype='1'", "")).back(),
              HasSubstr("MuJoCo would let 1 pair touch, such as body 'arm' and body 'leg'"));
  EXPECT_THAT(
      warnings_of(with_arm("contype='1'", "<contact><exclude body1='leg' body2='arm'/></contact>")),
      ElementsAre(HasSubstr("1 site")));
}

TEST(Omissions, LinksThatAContactPairLetsTouch) {
  const std::vector<std::string> warnings =
      warnings_of(robot("", "", "", "<contact><pair geom1='foot' geom2='trunk'/></contact>"));
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_THAT(warnings[1], HasSubstr("let 1 pair touch, such as body 'trunk' and body 'leg'"));
}

TEST(Omissions, LongListsAreCut) {
  std::string text = robot("", "", "", "");
  for (int i = 0; i < 9; ++i) text.insert(text.find("<body"), "<geom size='1'/>");
  EXPECT_THAT(warnings_of(text)[0], HasSubstr("unnamed geom 3 and 5 more"));
}

TEST(Omissions, SolverParameters) {
  EXPECT_THAT(warnings_of(robot("", "solref='0.01 1'", "condim='6'", "")).back(),
              HasSubstr("solref, solimp, condim, margin or gap of 2 geoms not used"));
  std::string text = robot("", "", "", "");
  text.insert(text.find("range='-1 1'"), "solreflimit='0.01 1' ");
  EXPECT_THAT(warnings_of(text).back(), HasSubstr("not used: joint 'knee'"));
}

TEST(Omissions, IdleTendonsAndInactiveEqualities) {
  const std::vector<std::string> warnings =
      warnings_of(robot("", "", "",
                        "<tendon><fixed name='t'><joint joint='knee' coef='1'/></fixed></tendon>"
                        "<equality><joint name='off' joint1='knee' active='false'/></equality>"
                        "<sensor><jointpos joint='knee'/></sensor>"));
  EXPECT_THAT(warnings,
              ElementsAre("left out, without effect on the motion: 1 sensor, 1 site, 1 tendon",
                          "left out, because it is not active: equality 'off'"));
}

TEST(Omissions, OptionsThatOurStepDoesNotHave) {
  std::string text = robot("", "", "", "");
  text.insert(text.find("<worldbody>"),
              "<option><flag eulerdamp='disable' sleep='enable' energy='enable'/></option>");
  const std::vector<std::string> warnings = warnings_of(text);
  ASSERT_EQ(warnings.size(), 3U);
  EXPECT_THAT(warnings[1], HasSubstr("eulerdamp"));
  EXPECT_THAT(warnings[2], HasSubstr("sleep"));
}

// ---- meshes ----

// A unit cube with a ninth vertex inside, which is not part of the hull.
constexpr const char* kCube = R"(
<mujoco>
  <asset><mesh name='cube' vertex='0 0 0  1 0 0  0 1 0  1 1 0  0 0 1  1 0 1  0 1 1  1 1 1
                                   0.5 0.5 0.5'/></asset>
  <worldbody><body pos='0 0 1'><freejoint/><geom type='mesh' mesh='cube' pos='1 2 3'/></body>
  </worldbody>
</mujoco>)";

TEST(Meshes, AreTheirConvexHull) {
  const RobotModel model = load_text(kCube);
  const Geom& cube = model.geoms[0];
  EXPECT_EQ(cube.type, GeomType::mesh);
  ASSERT_EQ(cube.vertices.size(), 8U);
  EXPECT_EQ(cube.triangles.size(), 12U);
  // In the body's frame the cube lies where the file puts it, wherever MuJoCo's frame G is.
  for (const Vec3d& vertex : cube.vertices) {
    const Vec3d p = cube.position + cube.rotation * vertex - Vec3d{1, 2, 3};
    for (double coordinate : {p.x, p.y, p.z}) {
      EXPECT_NEAR(coordinate * (1 - coordinate), 0, 1e-6) << "single precision";
    }
  }
}

TEST(Meshes, TrianglesFaceOutwards) {
  const RobotModel model = load_text(kCube);
  const Geom& cube = model.geoms[0];
  for (const auto& t : cube.triangles) {
    const Vec3d a = cube.vertices[t[0]];
    const Vec3d n = cross(cube.vertices[t[1]] - a, cube.vertices[t[2]] - a);
    EXPECT_GT(dot(n, a), 0) << "the cube's centre is the origin of G";
  }
}

TEST(Meshes, OnlyLookedAtKeepTheirOwnTriangles) {
  std::string text = kCube;
  text.insert(text.find("pos='1 2 3'"), "contype='0' conaffinity='0' ");
  const RobotModel model = load_text(text);
  EXPECT_FALSE(model.geoms[0].collides);
  EXPECT_GE(model.geoms[0].vertices.size(), 8U);
  EXPECT_GE(model.geoms[0].triangles.size(), 12U);
}

// ---- URDF ----

constexpr const char* kUrdfLeg = R"(
  <link name="trunk"><inertial><mass value="3"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="leg"><inertial><origin xyz="0 0 -0.1"/><mass value="0.5"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 -0.2"/><geometry><sphere radius="0.03"/></geometry></collision>
  </link>
  <joint name="hip" type="revolute"><parent link="trunk"/><child link="leg"/>
    <origin xyz="0 0.1 0"/><axis xyz="0 1 0"/><dynamics damping="0.2" friction="0.1"/>
    <limit lower="-0.5" upper="1.5" effort="20" velocity="9"/></joint>)";

TEST(Urdf, FloatingBase) {
  const TextFile file(std::string("<robot name='u'><link name='world'/>") + kUrdfLeg +
                          "<joint name='float' type='floating'><parent link='world'/>"
                          "<child link='trunk'/></joint></robot>",
                      ".urdf");
  const RobotModel model = load_robot(file.path());
  ASSERT_EQ(model.joints.size(), 2U);
  EXPECT_EQ(model.joints[0].type, JointType::free);
  const Joint& hip = model.joints[1];
  EXPECT_EQ(hip.name, "hip");
  EXPECT_EQ(hip.lower, -0.5);
  EXPECT_EQ(hip.upper, 1.5);
  EXPECT_TRUE(hip.actuator_force_limited);
  EXPECT_EQ(hip.actuator_force_upper, 20);
  EXPECT_EQ(model.dofs[6].damping, 0.2);
  EXPECT_EQ(model.dofs[6].friction_loss, 0.1);
  EXPECT_NEAR(model.total_mass(), 3.5, 1e-12);
  ASSERT_EQ(model.geoms.size(), 1U);
  EXPECT_EQ(model.geoms[0].size.x, 0.03);
  EXPECT_TRUE(model.geoms[0].collides);
  EXPECT_THAT(model.warnings, IsEmpty());
}

TEST(Urdf, FixedBaseIsPointedOut) {
  const TextFile file(std::string("<robot name='u'>") + kUrdfLeg + "</robot>", ".urdf");
  const RobotModel model = load_robot(file.path());
  EXPECT_EQ(model.velocity_size(), 1);
  EXPECT_THAT(model.warnings, ElementsAre(HasSubstr("base link is fixed to the world")));
}

}  // namespace
}  // namespace footfall::test
