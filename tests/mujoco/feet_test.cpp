#include "footfall/robot/feet.hpp"

#include <gmock/gmock.h>

#include "mujoco/model_text.hpp"

namespace footfall::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> names_of_feet(const RobotModel& model) {
  std::vector<std::string> names;
  for (int g : find_feet(model)) names.push_back(model.geoms[g].name);
  return names;
}

std::vector<std::string> feet_of_robot(const char* name) {
  return names_of_feet(load_robot(robot_file(name)));
}

TEST(Feet, OfOurRobots) {
  EXPECT_THAT(feet_of_robot("ball"), ElementsAre("ball_foot"));
  EXPECT_THAT(feet_of_robot("box"), ElementsAre("box_foot"));
  EXPECT_THAT(feet_of_robot("single_foot"), ElementsAre("single_foot"));
  EXPECT_THAT(feet_of_robot("humanoid"), ElementsAre("left_foot", "right_foot"));
  EXPECT_THAT(feet_of_robot("biped"), ElementsAre("left_foot", "right_foot"));
  for (const char* four_legged : {"quadruped", "robosimian", "robosimian_planar"}) {
    EXPECT_THAT(feet_of_robot(four_legged), ElementsAre("front_left_foot", "front_right_foot",
                                                        "rear_left_foot", "rear_right_foot"));
  }
}

// One leg of a biped: heel and toe at one level, an ankle ball above them, a shoe to look at below.
constexpr const char* kLeg = R"(
  <body pos='0 0 -0.4'><joint axis='0 1 0'/>
    <geom type='capsule' size='0.03' fromto='0 0 0 0 0 -0.3' mass='1'/>
    <geom name='heel' size='0.02' pos='-0.05 0 -0.4'/>
    <geom name='ankle' size='0.02' pos='0 0 -0.35'/>
    <body pos='0 0 -0.4'>
      <geom name='toe' type='box' size='0.03 0.02 0.02' pos='0.05 0 0'/>
      <geom name='shoe' size='0.05' contype='0' conaffinity='0'/>
    </body>
  </body>)";

TEST(Feet, HeelAndToeOfOneLink) {
  const RobotModel model = load_text(
      std::string("<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='0.2'/>") + kLeg +
      "<body pos='0 0.3 0'><joint/><geom name='hand' size='0.05'/></body>"
      "</body></worldbody></mujoco>");
  EXPECT_THAT(names_of_feet(model), ElementsAre("heel", "toe"));
}

TEST(Feet, StandKeyframeDecidesWhichEndIsLow) {
  const std::string start = "<mujoco><worldbody><body pos='0 0 1'><freejoint/>"
                            "<geom size='0.1'/>"
                            "<body><joint name='a' axis='0 1 0'/>"
                            "<geom name='a' size='0.05' pos='0 0 -0.5'/></body>"
                            "<body><joint name='b' axis='0 1 0'/>"
                            "<geom name='b' size='0.05' pos='0 0 0.5'/></body>"
                            "</body></worldbody>";
  const std::string upright = "<key qpos='0 0 1 1 0 0 0 0 0'/>";
  const std::string flipped = "<key name='stand' qpos='0 0 1 0 1 0 0 0 0'/>";
  EXPECT_THAT(names_of_feet(load_text(start + "</mujoco>")), ElementsAre("a"));
  EXPECT_THAT(
      names_of_feet(load_text(start + "<keyframe>" + upright + flipped + "</keyframe></mujoco>")),
      ElementsAre("b"));
}

TEST(Feet, FollowGravity) {
  const char* text = "<mujoco><option gravity='9.81 0 0'/><worldbody><body><freejoint/>"
                     "<geom size='0.1'/>"
                     "<body><joint/><geom name='along_x' size='0.05' pos='0.5 0 0'/></body>"
                     "<body><joint/><geom name='along_z' size='0.05' pos='0 0 -0.5'/></body>"
                     "</body></worldbody></mujoco>";
  EXPECT_THAT(names_of_feet(load_text(text)), ElementsAre("along_x"));
}

TEST(Feet, EveryShapeReachesAsFarAsItDoes) {
  // Each shape hangs from its own link with its lowest point at −0.5 m; one of 0.2 m is too high.
  const char* text = R"(
<mujoco>
  <asset><mesh name='wedge' vertex='0 0 0  0.1 0 0  0 0.1 0  0 0 0.1'/></asset>
  <default><joint axis='1 0 0'/></default>
  <worldbody><body><freejoint/><geom size='0.1'/>
    <body><joint/><geom name='sphere' size='0.1' pos='0 0 -0.4'/></body>
    <body><joint/><geom name='capsule' type='capsule' size='0.05 0.1' pos='0 0 -0.35'/></body>
    <body><joint/><geom name='lying' type='cylinder' size='0.1 0.3' euler='90 0 0' pos='0 0 -0.4'/></body>
    <body><joint/><geom name='box' type='box' size='0.1 0.1 0.2' pos='0 0 -0.3'/></body>
    <body><joint/><geom name='egg' type='ellipsoid' size='0.1 0.05 0.2' euler='90 0 0' pos='0 0 -0.45'/></body>
    <body><joint/><geom name='mesh' type='mesh' mesh='wedge' pos='0 0 -0.5'/></body>
    <body><joint/><geom name='high' size='0.1' pos='0 0 -0.1'/></body>
  </body></worldbody>
</mujoco>)";
  const RobotModel model = load_text(text);
  EXPECT_THAT(names_of_feet(model),
              ElementsAre("sphere", "capsule", "lying", "box", "egg", "mesh"));
}

TEST(Feet, NoneWithoutCollidingGeoms) {
  EXPECT_THAT(names_of_feet(load_text("<mujoco><worldbody><body><freejoint/><geom size='0.1' "
                                      "contype='0' conaffinity='0'/></body></worldbody></mujoco>")),
              IsEmpty());
  EXPECT_THAT(names_of_feet(load_text("<mujoco/>")), IsEmpty());
}

}  // namespace
}  // namespace footfall::test
