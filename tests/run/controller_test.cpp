// Controllers: what they tell the actuators, and what they refuse.
#include "footfall/run/controller.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "footfall/error.hpp"
#include "footfall/run/run.hpp"

namespace footfall {
namespace {

using testing::HasSubstr;

const std::filesystem::path kScenarioFolder =
    std::filesystem::path(FOOTFALL_SOURCE_DIR) / "scenarios";

std::string scenario_text(const std::string& robot, const std::string& controller) {
  return "[robot]\nfile = \"" + robot +
         "\"\n[contact]\nmodel = \"none\"\n[step]\nduration_s = 1\n" + "[controller]\n" +
         controller + "\n";
}

RunSetup setup_of(const std::string& robot, const std::string& controller) {
  return prepare_run(parse_scenario(scenario_text(robot, controller), "t.toml", kScenarioFolder));
}

std::string error_of(const std::string& robot, const std::string& controller) {
  try {
    setup_of(robot, controller);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// Two motors, one of them geared, and a position servo that is geared too.
const char* const kLeg = R"(<mujoco model="leg"><worldbody><body name="a"><joint name="hip"/>
  <geom size="0.1"/><body name="b" pos="0 0 -1"><joint name="knee"/><geom size="0.1"/>
  <body name="c" pos="0 0 -1"><joint name="ankle"/><geom size="0.1"/></body></body></body>
  </worldbody>
  <actuator><motor name="hip_motor" joint="hip"/><motor name="knee_motor" joint="knee" gear="5"/>
  <position name="ankle_servo" joint="ankle" kp="30" kv="1" gear="2"/></actuator>
  <keyframe><key name="stand" qpos="0.1 0.2 0.3"/>
  <key name="told" qpos="0.1 0.2 0.3" ctrl="0 0 0.7"/></keyframe></mujoco>)";

std::string write_file(const std::string& name, const std::string& text) {
  const std::filesystem::path folder =  // tests run side by side
      std::filesystem::path(testing::TempDir()) / ("controller_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / name;
  std::ofstream(file) << text;
  return file.string();
}

std::string leg() { return write_file("leg.xml", kLeg); }

TEST(Controller, HoldServesMotorsAndTellsServos) {
  const RunSetup setup =
      setup_of(leg(), "kind = \"hold\"\nkp = { default = 50, knee = 80 }\nkd = 2");
  const Control<double>& c = setup.controller.start;
  EXPECT_EQ(c.kp, (std::vector<double>{50, 80, 0}));
  EXPECT_EQ(c.kd, (std::vector<double>{2, 2, 0}));
  EXPECT_EQ(c.position, (std::vector<double>{0.1, 0.2, 0}));
  EXPECT_EQ(c.control, (std::vector<double>{0, 0, 0.6}));  // gear 2 × 0.3 rad
}

TEST(Controller, HoldObeysAKeyframeThatTellsServos) {
  const RunSetup setup = setup_of(leg(), "kind = \"hold\"\nkeyframe = \"told\"\nkp = 50\nkd = 2");
  EXPECT_EQ(setup.controller.start.control, (std::vector<double>{0, 0, 0.7}));
}

TEST(Controller, GainsMustFitTheRobot) {
  EXPECT_EQ(
      error_of("humanoid", "kind = \"hold\"\nkp = 10"),
      "t.toml:9:1: key 'controller.kp': actuator 'right_elbow_pitch' is a servo with gains of "
      "its own (kp 20, kv 0.4) in the robot's file: remove the key");
  EXPECT_EQ(error_of("humanoid", "kind = \"hold\""), "no error");
  EXPECT_THAT(
      error_of("quadruped", "kind = \"hold\"\nkd = 2"),
      HasSubstr("key 'controller.kp' is missing for joint 'front_left_abduction', whose motor "
                "takes torques"));
  EXPECT_EQ(
      error_of("quadruped", "kind = \"hold\"\nkp = { front_left_nee = 3 }\nkd = 2"),
      "t.toml:9:8: unknown key 'controller.kp.front_left_nee': no motor drives a joint of that "
      "name, did you mean 'controller.kp.front_left_knee'?");
  EXPECT_THAT(error_of(leg(), "kind = \"hold\"\nkp = { ankle = 3 }\nkd = 2"),
              HasSubstr("actuator 'ankle_servo' is a servo with gains of its own"));
  EXPECT_EQ(error_of("box", "kind = \"hold\"\nkp = 1\nkd = 1"),
            "t.toml:9:1: key 'controller.kp': robot 'box' has no motors");
  EXPECT_THAT(error_of("quadruped", "kind = \"hold\"\nkp = 1\nkd = 1\nkeyframe = \"sit\""),
              HasSubstr("t.toml:11:1: robot 'quadruped' has no keyframe 'sit'"));
}

const char* const kMotorLeg = R"(<mujoco model="motor_leg"><worldbody><body><joint name="hip"/>
  <geom size="0.1"/><body pos="0 0 -1"><joint name="knee"/><geom size="0.1"/></body></body>
  </worldbody>
  <actuator><motor name="hip_motor" joint="hip"/><motor name="knee_motor" joint="knee"/></actuator>
  </mujoco>)";

Control<double> control_at(const RunSetup& setup, double time) {
  State<double> state = setup.state;
  state.time = time;
  Control<double> control = setup.controller.start;
  compute_control(setup.controller, state, control);
  return control;
}

TEST(Controller, TorquesAreHeldBetweenSamples) {
  const std::string robot = write_file("motor_leg.xml", kMotorLeg);
  const std::string file =
      write_file("torques.csv",
                 "# by hand\ntime_s, knee_motor, hip_motor\n0.1, 5, 1\n\n0.2, 6, 2\r\n0.3,7,3\n");
  const RunSetup setup = setup_of(robot, "kind = \"torque_file\"\nfile = \"" + file + "\"");
  EXPECT_EQ(control_at(setup, 0).control, (std::vector<double>{1, 5}));
  EXPECT_EQ(control_at(setup, 0.19).control, (std::vector<double>{1, 5}));
  EXPECT_EQ(control_at(setup, 0.2).control, (std::vector<double>{2, 6}));
  EXPECT_EQ(control_at(setup, 0.2 - 1e-14).control, (std::vector<double>{2, 6}));
  EXPECT_EQ(control_at(setup, 9).control, (std::vector<double>{3, 7}));
}

TEST(Controller, TrajectoriesAreLinearBetweenSamples) {
  const std::string file =
      write_file("targets.csv", "time_s,hip,knee,ankle\n0,0,1,0.1\n1,2,0,0.3\n2,2,0,0.3\n");
  const RunSetup setup =
      setup_of(leg(), "kind = \"trajectory_file\"\nkp = 10\nkd = 1\nfile = \"" + file + "\"");
  const Control<double> c = control_at(setup, 0.25);
  EXPECT_DOUBLE_EQ(c.position[0], 0.5);
  EXPECT_DOUBLE_EQ(c.velocity[0], 2);
  EXPECT_DOUBLE_EQ(c.position[1], 0.75);
  EXPECT_DOUBLE_EQ(c.velocity[1], -1);
  EXPECT_DOUBLE_EQ(c.control[2], 2 * 0.15);  // the servo's gear
  const Control<double> late = control_at(setup, 7);
  EXPECT_DOUBLE_EQ(late.position[0], 2);
  EXPECT_DOUBLE_EQ(late.velocity[0], 0);
  const Control<double> early = control_at(setup, -1);
  EXPECT_DOUBLE_EQ(early.position[1], 1);
  EXPECT_DOUBLE_EQ(early.velocity[1], 0);
}

TEST(Controller, TablesAreChecked) {
  struct Case {
    const char *text, *message;
  };
  for (const Case& c : {
           Case{"", "x.csv: no rows, expected a header 'time_s, …' and numbers below it"},
           Case{"time_s,a\n", "x.csv: no rows"},
           Case{"t,a\n0,1\n", "x.csv:1: first column is 't', expected 'time_s'"},
           Case{"time_s,a,a\n0,1,2\n", "x.csv:1: column 3 has the name 'a', expected one that"},
           Case{"time_s,a\n0,nan\n", "x.csv:2:a: 'nan', expected a number of size 1e+09 at most"},
           Case{"time_s,a\n0,inf\n", "x.csv:2:a: 'inf', expected a number of size 1e+09 at most"},
           Case{"time_s,a\n0,1e999\n",
                "x.csv:2:a: '1e999', expected a number of size 1e+09 at most"},
           Case{"time_s,a\n0,1e308\n",
                "x.csv:2:a: '1e308', expected a number of size 1e+09 at most"},
           Case{"time_s,a\n0,1x\n", "x.csv:2:a: '1x', expected a number of size 1e+09 at most"},
           Case{"time_s,a\n0,\n", "x.csv:2:a: '', expected a number of size 1e+09 at most"},
           Case{"time_s,a\n0,1,2\n", "x.csv:2: 3 values, expected 2 as in the header"},
           Case{"time_s,a\n1,1\n1,1\n",
                "x.csv:3: time_s = 1, expected more than 1 of the row before"},
       }) {
    try {
      parse_time_table(c.text, "x.csv");
      ADD_FAILURE() << c.text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(c.message));
    }
  }
}

TEST(Controller, ColumnsMustFitTheRobot) {
  const std::string robot = write_file("motor_leg.xml", kMotorLeg);
  const auto error = [&](const std::string& text) {
    const std::string file = write_file("t.csv", text);
    return error_of(robot, "kind = \"torque_file\"\nfile = \"" + file + "\"");
  };
  EXPECT_THAT(error("time_s,hip_motor\n0,1\n"),
              HasSubstr("t.csv: no column 'knee_motor', expected one for each actuator of robot"));
  EXPECT_THAT(error("time_s,hip_motor,knee_motor,kne_motor\n0,1,2,3\n"),
              HasSubstr("t.csv: unknown column 'kne_motor', did you mean 'knee_motor'?"));
  const std::string file = write_file("t.csv", "time_s\n0\n");
  EXPECT_THAT(error_of("humanoid", "kind = \"torque_file\"\nfile = \"" + file + "\""),
              HasSubstr("actuator 'left_hip_yaw' is a servo, which takes no torques"));
  EXPECT_THAT(error_of("quadruped", "kind = \"torque_file\"\nfile = \"none.csv\""),
              HasSubstr("t.toml:9:1: no file '"));
  EXPECT_THAT(error_of("quadruped", "kind = \"torque_file\""),
              HasSubstr("key 'controller.file' is missing, expected the path of a CSV file"));
}

}  // namespace
}  // namespace footfall
