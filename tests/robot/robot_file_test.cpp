// Robots as files: what is written reads back to the same bits, what is wrong is said in one
// message with its place, and no bytes make the reader crash.
#include "footfall/robot/robot_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>

#include "footfall/mujoco/load.hpp"
#include "footfall/robot/dynamics.hpp"
#include "mujoco/model_text.hpp"
#include "robot/json.hpp"
#include "support/made_robots.hpp"

namespace footfall {
namespace {

using ::testing::HasSubstr;

// ---- all fields of a robot as one list of words, by a route that the writer does not share ----

class Words {
 public:
  std::vector<std::string> list;

  void add(const std::string& text) { list.push_back(text); }
  void add(int value) { list.push_back(std::to_string(value)); }
  void add(bool value) { list.push_back(value ? "true" : "false"); }
  void add(double value) {
    list.push_back(fmt::format("{:x}", std::bit_cast<std::uint64_t>(value)));
  }
  void add(float value) {
    list.push_back(fmt::format("{:x}", std::bit_cast<std::uint32_t>(value)));
  }
  void add(JointType type) { add(static_cast<int>(type)); }
  void add(GeomType type) { add(static_cast<int>(type)); }
  void add(const Vec3d& v) { add_all(v.x, v.y, v.z); }
  void add(const Quatd& q) { add_all(q.w, q.x, q.y, q.z); }
  void add(const Mat3d& m) { add_all(m.x, m.y, m.z); }
  void add(const Sym3<double>& m) { add_all(m.xx, m.xy, m.xz, m.yy, m.yz, m.zz); }
  template <class Element, std::size_t N>
  void add(const std::array<Element, N>& elements) {
    for (const Element& element : elements) add(element);
  }
  template <class Element>
  void add(const std::vector<Element>& elements) {
    add(static_cast<int>(elements.size()));
    for (const Element& element : elements) add(element);
  }
  void add(const Body& b) {
    add_all(b.name, b.parent, b.root, b.position, b.rotation, b.quat, b.mass, b.com, b.inertia,
            b.gravity_compensation, b.first_joint, b.joint_count);
  }
  void add(const Joint& j) {
    add_all(j.name, j.type, j.body, j.q_index, j.v_index, j.axis, j.anchor, j.q0, j.stiffness,
            j.spring_ref, j.spring_ref_quat, j.spring_ref_position, j.limited, j.lower, j.upper,
            j.actuator_force_limited, j.actuator_force_lower, j.actuator_force_upper);
  }
  void add(const Dof& d) {
    add_all(d.joint, d.body, d.parent, d.armature, d.damping, d.friction_loss);
  }
  void add(const Geom& g) {
    add_all(g.name, g.type, g.body, g.position, g.rotation, g.size, g.friction, g.collides,
            g.vertices, g.triangles, g.rgba);
  }
  void add(const Actuator& a) {
    add_all(a.name, a.joint, a.dof, a.gear, a.gain, a.bias0, a.bias1, a.bias2, a.control_limited,
            a.control_lower, a.control_upper, a.force_limited, a.force_lower, a.force_upper);
  }
  void add(const Keyframe& k) { add_all(k.name, k.qpos, k.qvel, k.control); }
  template <class... Fields>
  void add_all(const Fields&... fields) {
    (add(fields), ...);
  }
};

std::vector<std::string> words_of(const RobotModel& r) {
  Words words;
  words.add_all(r.name, r.source_file, r.bodies, r.joints, r.dofs, r.geoms, r.actuators,
                r.keyframes, r.gravity, r.qpos0, r.file_timestep, r.warnings);
  return words.list;
}

void expect_same_after_writing(const RobotModel& robot) {
  const std::string text = write_robot(robot);
  const RobotModel read = read_robot_text(text, "robot.json");
  EXPECT_EQ(words_of(read), words_of(robot)) << robot.name;
  EXPECT_EQ(write_robot(read), text) << robot.name;
}

TEST(RobotFile, EveryShippedRobotReadsBackToTheSameBits) {
  int count = 0;
  const std::filesystem::path folder = std::filesystem::path(FOOTFALL_SOURCE_DIR) / "robots";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".xml" && entry.path().extension() != ".urdf") continue;
    expect_same_after_writing(load_robot(entry.path()));
    ++count;
  }
  EXPECT_GE(count, 9);
}

// Every kind of joint and geom, welded bodies, two trees, limits, springs, servos, a mesh, odd names.
constexpr const char* kEverything = R"(
<mujoco model="every &quot;kind&quot; \ of thing, für alle">
  <option gravity="0.1 0 -9.81"/>
  <asset><mesh name="m" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset>
  <worldbody>
  <body name="a" pos="0 0 0.5" gravcomp="0.3"><freejoint/>
    <geom type="box" size=".1 .05 .03" pos="0.01 0.02 0.03" euler="10 20 30" mass="2"/>
    <body name="welded" pos="0.1 0 0.1" euler="10 0 5">
      <geom type="ellipsoid" size="0.04 0.03 0.02" mass="0.3" rgba="0.1 0.2 0.3 0.7"/>
      <body name="b" pos="0.1 0 0" euler="0 20 0">
        <joint type="ball" pos="0.01 0.02 0.03" armature="0.01" damping="0.2"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02" mass="0.4"/>
        <body name="c" pos="0.2 0 0">
          <joint name="h" type="hinge" axis="1 2 3" pos="0.01 -0.02 0.01" ref="10" stiffness="3"
                 springref="20" frictionloss="0.1" limited="true" range="-30 70"
                 actuatorfrclimited="true" actuatorfrcrange="-5 6"/>
          <joint name="s" type="slide" axis="0 1 1"/>
          <geom type="mesh" mesh="m" mass="0.5" friction="0.3"/>
          <geom type="sphere" size="0.05" mass="0" contype="0" conaffinity="0"/>
        </body>
      </body>
    </body>
  </body>
  <body name="post" pos="-1 0 1"><geom type="sphere" size=".02" mass="0.2"/>
    <body name="arm" pos="0 0 0.2"><joint name="t" axis="0 1 0"/>
      <geom type="cylinder" fromto="0 0 0 0.1 0 -0.3" size=".02" mass="0.2"/>
    </body>
  </body>
  </worldbody>
  <actuator>
    <position joint="h" kp="20" kv="1" ctrllimited="true" ctrlrange="-1 1"/>
    <motor joint="t" gear="3" forcelimited="true" forcerange="-2 2"/>
  </actuator>
  <keyframe><key name="k" qpos="0 0 1 1 0 0 0 1 0 0 0 0.1 0.2 0.3"/></keyframe>
</mujoco>)";

TEST(RobotFile, ARobotOfEveryKindOfPartReadsBackToTheSameBits) {
  expect_same_after_writing(test::load_text(kEverything));
}

TEST(RobotFile, NumbersOfAllSizesReadBackToTheSameBits) {
  RobotModel robot = testing::make_hopper();
  const double values[] = {-0.0,
                           0.1,
                           1.0 / 3,
                           1e22,
                           123456789012345680.0,
                           std::numeric_limits<double>::denorm_min(),
                           1e-308,
                           1.7e308};
  for (const double value : values) {
    robot.bodies[1].com = {value, -value, std::nextafter(value, 1)};
    expect_same_after_writing(robot);
  }
  std::mt19937_64 random(7);
  for (int i = 0; i < 300; ++i) {
    for (double* x : {&robot.joints[1].q0, &robot.actuators[0].gain, &robot.actuators[1].bias1}) {
      do *x = std::bit_cast<double>(random());
      while (!std::isfinite(*x));
    }
    robot.geoms[0].rgba[1] = std::bit_cast<float>(static_cast<std::uint32_t>(random() >> 34));
    if (!std::isfinite(robot.geoms[0].rgba[1])) robot.geoms[0].rgba[1] = 0;
    expect_same_after_writing(robot);
  }
}

TEST(RobotFile, TextsReadBack) {
  RobotModel robot = testing::make_hopper();
  robot.warnings = {"", "a \"quote\", a \\, a /\n\ttab\x01", "für 足 🦿"};
  expect_same_after_writing(robot);
  std::string text = write_robot(robot);
  text.replace(text.find("🦿"), std::string("🦿").size(), "\\ud83e\\uDDBF\\u00fc\\/\\b\\f");
  EXPECT_EQ(read_robot_text(text, "x").warnings[2], "für 足 🦿ü/\b\f");
}

TEST(RobotFile, TheOrderOfKeysIsFree) {
  const RobotModel robot = testing::make_hopper();
  std::string text = write_robot(robot);
  const std::size_t begin = text.find("\"keyframes\""), end = text.rfind("\n}");
  const std::string moved = text.substr(begin, end - begin) + ",\n  ";
  text.erase(text.rfind(',', begin), end - text.rfind(',', begin));
  text.insert(text.find("\"format\""), moved);
  EXPECT_EQ(words_of(read_robot_text(text, "x")), words_of(robot));
}

TEST(RobotFile, ARobotMadeByHandMoves) {
  const RobotModel robot = testing::make_hopper();
  EXPECT_EQ(robot.bodies[3].root, 1);
  EXPECT_EQ(robot.dofs[7].parent, 5);
  RobotData<double> data(robot);
  compute_positions(robot, robot.qpos0.data(), data);
  std::vector<RigidInertia<double>> scratch(robot.bodies.size());
  std::vector<double> M(64);
  mass_matrix(robot, data, scratch, M.data());
  EXPECT_DOUBLE_EQ(M[0], 3.0);  // to push the base takes the mass of all
  EXPECT_NEAR(M[7 * 8 + 7], 0.005, 1e-15);
}

// ---- what cannot be written ----

std::string complaint_of_writer(const RobotModel& robot) {
  try {
    write_robot(robot);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RobotFile, WhatAFileCannotHoldIsNotWritten) {
  RobotModel robot = testing::make_hopper();
  robot.bodies[2].mass = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint_of_writer(robot), "robot 'hopper' cannot be written: key 'bodies[2].mass_kg' "
                                        "= nan, expected a finite number");
  robot = testing::make_hopper();
  robot.joints[0].name = "\xff";
  EXPECT_THAT(complaint_of_writer(robot), HasSubstr("key 'joints[0].name' is not UTF-8"));
  robot = testing::make_hopper();
  robot.joints[1].q_index = 8;
  EXPECT_THAT(complaint_of_writer(robot), HasSubstr("not numbered in the order of its bodies"));
  robot = testing::make_hopper();
  robot.geoms[0].body = 9;
  EXPECT_THAT(complaint_of_writer(robot), HasSubstr("key 'geoms[0].body' = 9, expected 1 to 3"));
  EXPECT_THROW(write_robot_file(testing::make_hopper(), "robot.xml"), InputError);
  EXPECT_THROW(write_robot_file(testing::make_hopper(), "/no/such/folder/robot.json"), InputError);
}

// ---- what cannot be read ----

std::string complaint_of_reader(const std::string& text) {
  try {
    read_robot_text(text, "r.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// The hopper's file with the first `from` after `after` replaced, and what is said of it. A message
// without a place begins with the place of the first `from`.
struct Mistake {
  const char* after;
  const char* from;
  const char* to;
  const char* message;
};

constexpr Mistake kMistakes[] = {
    // JSON
    {"", "{", "", "':' after the end of the value"},
    {"", "{\n", "{,\n", "',', expected a key in quotes"},
    {"", "{\n", "[", "':', expected ',' or ']'"},
    {"\"name\"", ":", "", "'\"', expected ':' after a key"},
    {"\"gravity_m_per_s2\"", "0, 0,", "0 0,", "'0', expected ',' or ']'"},
    {"\"gravity_m_per_s2\"", "0, 0,", "00, 0,", "a number begins with 0"},
    {"\"gravity_m_per_s2\"", "0, 0,", "0., 0,", "',', expected a digit after the point"},
    {"\"gravity_m_per_s2\"", "0, 0,", ".5, 0,", "'.', expected a value"},
    {"\"gravity_m_per_s2\"", "0, 0,", "+1, 0,", "'+', expected a value"},
    {"\"gravity_m_per_s2\"", "0, 0,", "1e, 0,", "',', expected a digit of the exponent"},
    {"\"gravity_m_per_s2\"", "0, 0,", "-, 0,", "',', expected a digit"},
    {"\"gravity_m_per_s2\"", "0, 0,", "NaN, 0,", "'N', expected a value"},
    {"\"gravity_m_per_s2\"", "0, 0,", "nan, 0,", "'n', expected a value"},
    {"\"gravity_m_per_s2\"", "0, 0,", "0x1, 0,", "'x', expected ',' or ']'"},
    {"\"gravity_m_per_s2\"", "]", ",]", "']', expected a value"},
    {"\"collides\"", "true", "True", "'T', expected a value"},
    {"\"name\"", "\"hopper\"", "'hopper'", "''', expected a value"},
    {"\"name\"", "hopper", "hop\nper", "byte 0x0a in a text"},
    {"\"name\"", "hopper", "hop\\per", "unknown escape in a text"},
    {"\"name\"", "hopper", "hop\\u12g4", "expected four hexadecimal digits"},
    {"\"name\"", "hopper", "hop\\ud83e", "half of a surrogate pair"},
    {"\"name\"", "hopper", "hop\\uddbf", "half of a surrogate pair"},
    {"\"name\"", "hopper", "hop\xc3(", "byte 0xc3 is not UTF-8"},
    {"\"name\"", "hopper", "hop\xed\xa0\x80", "byte 0xed is not UTF-8"},
    {"\"version\"", "1,", "1, // the first\n", "'/', expected a key in quotes"},
    {"\"control\"", "\n}\n", "\n}\n}", "'}' after the end of the value"},
    {"\"control\"", "\n}\n", "\n", "the file ends, expected ',' or '}'"},
    {"", "{", "\xef\xbb\xbf{", "expected a value"},
    // keys and types
    {"", "\"format\": \"footfall-robot\",", "", "key 'format' is missing"},
    {"", "footfall-robot", "urdf", "key 'format' = \"urdf\", expected \"footfall-robot\""},
    {"\"version\": ", "1", "2", "key 'version' = 2, expected 1"},
    {"\"bodies\"", "\"mass_kg\"", "\"mass_g\"",
     "unknown key 'bodies[0].mass_g', did you mean 'bodies[0].mass_kg'?"},
    {"\"bodies\"", "\"mass_kg\"", "\"mass\"", "did you mean 'bodies[0].mass_kg'?"},
    {"\"trunk\"", "\"mass_kg\": 2,", "", "key 'bodies[1].mass_kg' is missing"},
    {"\"trunk\"", "\"mass_kg\": 2,", "\"mass_kg\": 2, \"mass_kg\": 2,",
     "key 'bodies[1].mass_kg' stands here twice"},
    {"\"mass_kg\": ", "0", "\"0\"", "key 'bodies[0].mass_kg' = \"0\", expected a number"},
    {"\"mass_kg\": ", "0", "null", "key 'bodies[0].mass_kg' = null, expected a number"},
    {"\"mass_kg\": ", "0", "1e999", "= 1e999, expected a number that the computer can hold"},
    {"\"left\"", "\"parent\": 1", "\"parent\": 1.0", "= 1.0, expected an integer"},
    {"\"left\"", "\"parent\": 1", "\"parent\": 99999999999", "expected an integer that"},
    {"\"collides\": ", "true", "1", "key 'geoms[0].collides' = 1, expected true or false"},
    {"\"name\": ", "\"hopper\"", "7", "key 'name' = 7, expected a text in quotes"},
    {"\"type\": ", "\"free\"", "\"fre\"", "one of \"free\", \"ball\", \"hinge\", \"slide\""},
    {"\"gravity_m_per_s2\": ", "[0, 0, -9.81]", "[0, 0]",
     "= an array of 2, expected an array of 3"},
    {"\"gravity_m_per_s2\": ", "[0, 0, -9.81]", "9.81", "= 9.81, expected an array of 3 numbers"},
    {"\"gravity_m_per_s2\": ", "[0, 0, -9.81]", "[0, 0, {}]", "'gravity_m_per_s2[2]' = an object"},
    {"\"warnings\": ", "[]", "{}", "key 'warnings' = an object, expected an array"},
    {"\"bodies\": ", "[{", "[[], {", "key 'bodies[0]' = an array of 0, expected an object"},
    // values
    {"\"trunk\"", "\"parent\": 0", "\"parent\": 1", "key 'bodies[1].parent' = 1, expected 0 to 0"},
    {"\"left\"", "\"parent\": 1", "\"parent\": -1", "key 'bodies[2].parent' = -1, expected 0 to 1"},
    {"\"trunk\"", "\"mass_kg\": 2", "\"mass_kg\": -2", "= -2, expected 0 or more"},
    {"\"trunk\"", "[1, 0, 0, 0]", "[1, 0, 0, 1]", "is no unit quaternion"},
    {"\"trunk\"", "[1, 0, 0, 0]", "[0, 1, 0, 0]", "is not the rotation of quaternion_wxyz"},
    {"\"left_hip\"", "\"body\": 2", "\"body\": 4", "key 'joints[1].body' = 4, expected 1 to 3"},
    {"\"left_hip\"", "\"body\": 2", "\"body\": 0", "key 'joints[1].body' = 0, expected 1 to 3"},
    {"\"right_hip\"", "\"body\": 3", "\"body\": 1", "in the order of their bodies"},
    {"\"left_hip\"", "\"hinge\"", "\"free\"", "key 'dofs' has 8 elements, expected 13"},
    {"\"left_hip\"", "\"body\": 2", "\"body\": 1",
     "key 'joints[0].type' = \"free\", expected only"},
    {"\"left_hip\"", "[0, 1, 0]", "[0, 2, 0]", "key 'joints[1].axis' has length 2, expected 1"},
    {"\"left_hip\"", "\"limited\": false,\n    \"lower\": 0",
     "\"limited\": true,\n    \"lower\": 1", "key 'joints[1].upper' = 0, expected at least 1"},
    {"\"dofs\"", "\"armature\": 0", "\"armature\": -1", "'dofs[0].armature' = -1, expected 0"},
    {"\"geoms\"", "\"body\": 2", "\"body\": 0", "key 'geoms[0].body' = 0, expected 1 to 3"},
    {"\"geoms\"", "[1, 0, 0, 0, 1, 0, 0, 0, 1]", "[1, 0, 0, 0, 1, 0, 0, 0, -1]", "is no rotation"},
    {"\"geoms\"", "\"triangles\": []", "\"triangles\": [[0, 1, 2]]", "has the corner 0, expected"},
    {"\"geoms\"", "\"sphere\"", "\"mesh\"", "key 'geoms[0].vertices_m' is empty"},
    {"\"actuators\"", "\"joint\": 1", "\"joint\": 3", "'actuators[0].joint' = 3, expected 0 to 2"},
    {"\"actuators\"", "\"dof\": 6", "\"dof\": 7", "'actuators[0].dof' = 7, expected 6 to 6"},
    {"\"timestep_s\": ", "0.001", "0", "key 'timestep_s' = 0, expected above 0"},
    {"\"qpos0\": ", "[0, 0, 0.4, 1,", "[0, 0, 0.4, 0,",
     "the orientation of joint 'base', which is"},
    {"\"qpos0\": ", "[0, ", "[", "key 'qpos0' has 8 elements, expected 9"},
    {"\"qvel\": ", "[0, ", "[", "key 'keyframes[0].qvel' has 7 elements, expected 8"},
    {"\"qvel\"", "\"control\": [0, 0]", "\"control\": []", "has 0 elements, expected 2"},
};

TEST(RobotFile, EveryMistakeIsOneMessageWithItsPlace) {
  const std::string good = write_robot(testing::make_hopper());
  ASSERT_EQ(complaint_of_reader(good), "");
  for (const Mistake& mistake : kMistakes) {
    std::string text = good;
    const std::size_t at = text.find(mistake.from, text.find(mistake.after));
    ASSERT_NE(at, std::string::npos) << mistake.after << " … " << mistake.from;
    text.replace(at, std::string(mistake.from).size(), mistake.to);
    const std::string message = complaint_of_reader(text);
    EXPECT_THAT(message, HasSubstr(mistake.message)) << mistake.to;
    EXPECT_THAT(message, ::testing::MatchesRegex("r\\.json:[0-9]+:[0-9]+: [^\n]+")) << mistake.to;
  }
  EXPECT_GE(std::size(kMistakes), 60U);
}

TEST(RobotFile, PlacesAreLineAndColumn) {
  std::string text = write_robot(testing::make_hopper());
  text.replace(text.find("hopper"), 6, "fü\\x");
  EXPECT_THAT(complaint_of_reader(text), HasSubstr("r.json:4:14: unknown escape"));
  EXPECT_EQ(complaint_of_reader(""), "r.json:1:1: the file is empty, expected {");
  EXPECT_EQ(complaint_of_reader(" \n "), "r.json:2:2: the file is empty, expected {");
  EXPECT_THAT(complaint_of_reader("7"), HasSubstr("r.json:1:1: 7, expected {"));
  EXPECT_THAT(complaint_of_reader("{}"), HasSubstr("r.json:1:1: key 'format' is missing"));
}

TEST(RobotFile, DepthIsLimited) {
  std::string text = write_robot(testing::make_hopper());
  const std::string deep(1000000, '[');
  text.insert(text.find("[]"), deep);
  EXPECT_THAT(complaint_of_reader(text), HasSubstr("more than 16 deep"));
  EXPECT_THAT(complaint_of_reader(deep), HasSubstr("r.json:1:17: arrays and objects"));
}

TEST(RobotFile, LongKeysAndTextsAreShownShort) {
  std::string text = write_robot(testing::make_hopper());
  const std::string good = text;
  text.insert(text.find("\"name\""), "\"" + std::string(2000000, 'x') + "\": 1, ");
  EXPECT_LT(complaint_of_reader(text).size(), 700U);
  text = good;
  text.replace(text.find("\"free\""), 6, "\"" + std::string(2000000, 'x') + "\"");
  EXPECT_LT(complaint_of_reader(text).size(), 200U);
}

std::string complaint_of_file(const std::filesystem::path& file) {
  try {
    read_robot_file(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RobotFile, FilesThatAreNoFilesOrTooLargeAreRefused) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("footfall_robot_{}", ::getpid());
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "hopper.json";
  write_robot_file(testing::make_hopper(), file);
  EXPECT_EQ(words_of(load_robot(file)), words_of(testing::make_hopper()));
  std::filesystem::resize_file(file, json::kLargestText + 1);
  EXPECT_THAT(complaint_of_file(file), HasSubstr("67108865 bytes, expected at most 67108864"));
  EXPECT_THAT(complaint_of_file(folder), HasSubstr("is not a file"));
  EXPECT_THAT(complaint_of_file(folder / "none.json"), HasSubstr("does not exist"));
  std::filesystem::remove_all(folder);
}

// Seeded edits of single bytes, of pieces and of numbers: read or refused, never anything else.
TEST(RobotFile, DamagedFilesNeverCrash) {
  const std::string good = write_robot(test::load_text(kEverything));
  std::mt19937 random(20240501);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::string bytes = "{}[]\",:\\0123456789-+.eEtfnu \n\x01\x80\xff";
  const std::vector<std::string> words = {"null", "-1", "1e308", "99", "[]", "{}", "\"\"", "true"};
  int refused = 0, read = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = good;
    const std::size_t edits = 1 + below(3);
    for (std::size_t k = 0; k < edits; ++k) {
      const std::size_t at = below(text.size());
      switch (below(5)) {
      case 0:
        text[at] = bytes[below(bytes.size())];
        break;
      case 1:
        text.insert(at, 1, bytes[below(bytes.size())]);
        break;
      case 2:
        text.erase(at, 1 + below(20));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), below(60)));
        break;
      default: {  // a whole number
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit == std::string::npos) break;
        const std::size_t end = text.find_first_not_of("0123456789.e-", digit);
        text.replace(digit, end - digit, words[below(words.size())]);
      }
      }
    }
    const std::string message = complaint_of_reader(text);
    (message.empty() ? read : refused) += 1;
    EXPECT_TRUE(message.empty() || message.starts_with("r.json:")) << message;
  }
  EXPECT_GT(refused, 2000);
  EXPECT_GT(read, 50);  // some edits only change a value
}

}  // namespace
}  // namespace footfall
