// Each element that Footfall does not simulate gives an error that names it.
#include <gmock/gmock.h>

#include "mujoco/model_text.hpp"

namespace footfall::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A small robot with room for one more thing in each section.
struct Extra {
  const char* name;       // of the test
  const char* where;      // section: option, geom, joint, body (beside the leg), rest (top level)
  const char* text;       // what is added
  const char* complaint;  // must be in the message
};

std::string robot_with(const Extra& extra) {
  const auto at = [&](const char* place) {
    return std::string(place) == extra.where ? extra.text : "";
  };
  return std::string("<mujoco><option ") + at("option") + ">" + at("flag") + "</option>" +
         "<worldbody><geom name='floor' type='plane' size='1 1 1'/>" + at("world") +
         "<body name='trunk' pos='0 0 1'><freejoint name='root'/>" +
         "<geom name='trunk' size='0.2' " + at("geom") + "/><site name='s1'/>" + at("body") +
         "<body name='leg' pos='0 0 -0.3' " + at("leg") + "><joint name='knee' axis='0 1 0' " +
         at("joint") + "/><geom name='foot' size='0.05' pos='0 0 -0.2'/>" +
         "<site name='s2' pos='0 0 -0.2'/></body></body></worldbody>" + at("rest") + "</mujoco>";
}

class Unsupported : public ::testing::TestWithParam<Extra> {};

TEST_P(Unsupported, IsNamedInTheError) {
  const std::string message = refusal_of(robot_with(GetParam()));
  EXPECT_THAT(message, HasSubstr("asks for what Footfall does not simulate"));
  EXPECT_THAT(message, HasSubstr(GetParam().complaint));
  EXPECT_THAT(message, HasSubstr("Unsupported_IsNamedInTheError")) << "the file's name";
  EXPECT_THAT(message, Not(HasSubstr("\n")));
}

constexpr const char* kBallBody =
    "<body name='arm' pos='1 0 0'><joint name='ball' type='ball'/><geom size='0.1'/></body>";

const Extra kExtras[] = {
    {"Connect", "rest",
     "<equality><connect name='loop' body1='trunk' body2='leg' anchor='0 0 0'/></equality>",
     "equality 'loop' (connect: a closed loop)"},
    {"Weld", "rest", "<equality><weld name='glue' body1='trunk' body2='leg'/></equality>",
     "equality 'glue' (weld)"},
    {"JointCoupling", "rest", "<equality><joint name='mimic' joint1='knee'/></equality>",
     "equality 'mimic' (joint coupling)"},
    {"TendonSpring", "rest",
     "<tendon><fixed name='strap' stiffness='3'><joint joint='knee' coef='1'/></fixed></tendon>",
     "tendon 'strap' (stiffness)"},
    {"TendonDamper", "rest",
     "<tendon><fixed name='strap' damping='3'><joint joint='knee' coef='1'/></fixed></tendon>",
     "tendon 'strap' (damping)"},
    {"TendonLimit", "rest",
     "<tendon><spatial name='rope' range='0 1'><site site='s1'/><site site='s2'/></spatial>"
     "</tendon>",
     "tendon 'rope' (length limits)"},
    {"TendonFriction", "rest",
     "<tendon><spatial name='rope' frictionloss='1'><site site='s1'/><site site='s2'/></spatial>"
     "</tendon>",
     "tendon 'rope' (frictionloss)"},
    {"TendonArmature", "rest",
     "<tendon><fixed name='strap' armature='1'><joint joint='knee' coef='1'/></fixed></tendon>",
     "tendon 'strap' (armature)"},
    {"TendonActuator", "rest",
     "<tendon><fixed name='strap'><joint joint='knee' coef='1'/></fixed></tendon>"
     "<actuator><motor name='winch' tendon='strap'/></actuator>",
     "actuator 'winch' (tendon transmission)"},
    {"SiteActuator", "rest", "<actuator><motor name='jet' site='s1'/></actuator>",
     "actuator 'jet' (site transmission)"},
    {"Adhesion", "rest", "<actuator><adhesion name='gecko' body='leg' ctrlrange='0 1'/></actuator>",
     "actuator 'gecko' (body (adhesion) transmission)"},
    {"Muscle", "rest",
     "<actuator><muscle name='biceps' joint='knee' lengthrange='0 1'/></actuator>",
     "actuator 'biceps' (activation dynamics of type muscle)"},
    {"Integrator", "rest",
     "<actuator><intvelocity name='iv' joint='knee' actrange='-1 1'/></actuator>",
     "actuator 'iv' (activation dynamics of type integrator)"},
    {"Filter", "rest", "<actuator><position name='slow' joint='knee' timeconst='0.1'/></actuator>",
     "actuator 'slow' (activation dynamics of type filter"},
    {"Damper", "rest",
     "<actuator><damper name='brake' joint='knee' kv='1' ctrlrange='0 1'/></actuator>",
     "actuator 'brake' (gain that depends on length or velocity)"},
    {"Pid", "rest", "<actuator><pid name='pid' joint='knee' kp='3' ki='1'/></actuator>",
     "actuator 'pid' (activation dynamics of type PID)"},
    {"PdWithTwoInputs", "rest", "<actuator><pid name='pd' joint='knee' kp='3' kv='1'/></actuator>",
     "actuator 'pd' (gain that is not constant)"},
    {"DcMotor", "rest",
     "<actuator><dcmotor name='dc' joint='knee' motorconst='0.1' resistance='1'/></actuator>",
     "actuator 'dc' ("},
    {"Delay", "rest",
     "<actuator><motor name='late' joint='knee' nsample='5' delay='0.01'/></actuator>",
     "actuator 'late' (delay of 0.01 s)"},
    {"ActuatorDampingPolynomial", "rest",
     "<actuator><motor name='oily' joint='knee' damping='0 1 0'/></actuator>",
     "actuator 'oily' (nonlinear damping)"},
    {"ZeroGear", "rest", "<actuator><motor name='loose' joint='knee' gear='0'/></actuator>",
     "actuator 'loose' (gear of 0)"},
    {"GearAlongTwoAxes", "rest",
     "<actuator><motor name='skew' joint='root' gear='1 1 0 0 0 0'/></actuator>",
     "actuator 'skew' (gear along several axes"},
    {"TorqueInParentFrame", "rest",
     "<actuator><motor name='gyro' jointinparent='root' gear='0 0 0 1 0 0'/></actuator>",
     "actuator 'gyro' (torque in the parent's frame"},
    {"StiffnessPolynomial", "joint", "stiffness='1 2 0'", "joint 'knee' (nonlinear stiffness)"},
    {"DampingPolynomial", "joint", "damping='1 0 2'", "joint 'knee' (nonlinear damping)"},
    {"SpringYield", "joint", "stiffness='1' springyield='0.1'", "joint 'knee' (springyield"},
    {"BallLimit", "body",
     "<body name='arm'><joint name='shoulder' type='ball' range='0 60'/><geom size='0.1'/></body>",
     "joint 'shoulder' (range of a ball joint)"},
    {"GeomAdhesion", "geom", "adhesion='1'", "geom 'trunk' (adhesion)"},
    {"SurfaceVelocity", "geom", "surfacevel='1 0 0 0 0 0'", "geom 'trunk' (surfacevel)"},
    {"ExcludedGround", "rest",
     "<contact><exclude name='ghost' body1='world' body2='leg'/></contact>",
     "exclude 'ghost' (a body that the ground does not touch)"},
    {"Mocap", "world",
     "<body name='target' mocap='true'><geom size='0.1' contype='0' conaffinity='0'/></body>",
     "body 'target' (mocap)"},
    {"Flex", "world",
     "<body name='cloth' pos='0 0 2'><flexcomp name='cloth' type='grid' count='3 3 1' dim='2' "
     "spacing='0.1 0.1 0.1' mass='1'/></body>",
     "flex 'cloth' (deformable)"},
    {"Density", "option", "density='1.2'", "option density=\"1.2\" (forces of a fluid)"},
    {"Viscosity", "option", "viscosity='0.1'", "option viscosity=\"0.1\""},
    {"FlagGravity", "flag", "<flag gravity='disable'/>", "option flag gravity=\"disable\""},
    {"FlagContact", "flag", "<flag contact='disable'/>", "option flag contact=\"disable\""},
    {"FlagConstraint", "flag", "<flag constraint='disable'/>", "flag constraint=\"disable\""},
    {"FlagLimit", "flag", "<flag limit='disable'/>", "option flag limit=\"disable\""},
    {"FlagSpring", "flag", "<flag spring='disable'/>", "option flag spring=\"disable\""},
    {"FlagDamper", "flag", "<flag damper='disable'/>", "option flag damper=\"disable\""},
    {"FlagFriction", "flag", "<flag frictionloss='disable'/>", "flag frictionloss=\"disable\""},
    {"FlagClamp", "flag", "<flag clampctrl='disable'/>", "option flag clampctrl=\"disable\""},
    {"FlagActuation", "flag", "<flag actuation='disable'/>", "flag actuation=\"disable\""},
};

INSTANTIATE_TEST_SUITE_P(Elements, Unsupported, ::testing::ValuesIn(kExtras),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(UnsupportedTogether, AreAllNamed) {
  const std::string message =
      refusal_of(robot_with({"", "rest",
                             "<equality><weld name='glue' body1='trunk' body2='leg'/></equality>"
                             "<actuator><motor name='jet' site='s1'/><motor site='s2'/></actuator>",
                             ""}));
  EXPECT_THAT(message, HasSubstr("equality 'glue' (weld); actuator 'jet' (site transmission); "
                                 "unnamed actuator 1 (site transmission); remove"));
}

TEST(UnsupportedTogether, ServoOnABallJoint) {
  const std::string text = std::string("<mujoco><worldbody>") + kBallBody +
                           "</worldbody><actuator><position name='servo' joint='ball' "
                           "gear='1 0 0'/></actuator></mujoco>";
  EXPECT_THAT(refusal_of(text), HasSubstr("actuator 'servo' (position servo on a ball joint)"));
}

TEST(UnsupportedTogether, RotorOnABallJoint) {
  const std::string text = std::string("<mujoco><worldbody>") + kBallBody +
                           "</worldbody><actuator><motor name='rotor' joint='ball' "
                           "gear='1 0 0' armature='0.1'/></actuator></mujoco>";
  EXPECT_THAT(refusal_of(text), HasSubstr("actuator 'rotor' (damping or armature"));
}

TEST(UnsupportedTogether, SharedForceLimitOfAJoint) {
  const std::string text = robot_with({"", "joint", "actuatorfrcrange='-1 1'", ""});
  const std::string two = "<actuator><motor name='a' joint='knee'/>"
                          "<motor name='b' joint='knee'/></actuator></mujoco>";
  const std::string with_two = text.substr(0, text.rfind("</mujoco>")) + two;
  EXPECT_EQ(refusal_of(text), "");
  EXPECT_THAT(refusal_of(with_two),
              HasSubstr("actuator 'a' (shares the actuatorfrcrange of joint 'knee'"));
}

TEST(UnsupportedTogether, DisabledGroupOfActuators) {
  const std::string text = robot_with({"", "option", "actuatorgroupdisable='2'", ""});
  const std::string motor =
      "<actuator><motor name='idle' joint='knee' group='2'/></actuator></mujoco>";
  EXPECT_EQ(refusal_of(text), "");
  EXPECT_THAT(refusal_of(text.substr(0, text.rfind("</mujoco>")) + motor),
              HasSubstr("actuator 'idle' (its group 2 is switched off"));
}

TEST(UnsupportedTogether, GravityCompensationByActuators) {
  const std::string start = "<mujoco><worldbody><body gravcomp='1'><joint name='lift' "
                            "actuatorgravcomp='true' ";
  const std::string end = "/><geom size='0.1'/></body></worldbody>";
  const std::string motor = "<actuator><motor joint='lift'/></actuator></mujoco>";
  EXPECT_EQ(refusal_of(start + end + motor), "");
  EXPECT_THAT(refusal_of(start + end + "</mujoco>"),
              HasSubstr("joint 'lift' (actuatorgravcomp, which MuJoCo ignores"));
  EXPECT_THAT(refusal_of(start + "actuatorfrcrange='-1 1'" + end + motor),
              HasSubstr("joint 'lift' (actuatorgravcomp together with actuatorfrcrange)"));
}

}  // namespace
}  // namespace footfall::test
