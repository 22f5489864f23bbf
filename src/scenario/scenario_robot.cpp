// [robot] and [controller].
#include <fmt/format.h>

#include "scenario/scenario_parts.hpp"

namespace footfall {
namespace {

// A list of feet, each a name or a list of names.
std::vector<std::vector<std::string>> read_feet(const TableReader& reader) {
  const char* expected =
      "\"auto\" or a list of names of geoms or bodies, of which those in a list of "
      "their own are one foot";
  if (!reader.has("feet")) return {};
  const ConfigNode& node = reader.node("feet");
  if (node.kind == ConfigNode::Kind::text && node.text == "auto") return {};
  if (node.kind != ConfigNode::Kind::array || node.elements.empty())
    reader.refuse("feet", expected);
  std::vector<std::vector<std::string>> feet;
  for (const ConfigNode& element : node.elements) {
    std::vector<std::string>& foot = feet.emplace_back();
    if (element.kind == ConfigNode::Kind::text) {
      foot.push_back(element.text);
      continue;
    }
    if (element.kind != ConfigNode::Kind::array || element.elements.empty())
      reader.refuse("feet", expected);
    for (const ConfigNode& part : element.elements) {
      if (part.kind != ConfigNode::Kind::text) reader.refuse("feet", expected);
      foot.push_back(part.text);
    }
  }
  return feet;
}

GainChoice read_gain(const TableReader& reader, const std::string& key, const Range& range) {
  GainChoice gain;
  if (!reader.has(key)) return gain;
  const ConfigNode& node = reader.node(key);
  if (node.kind != ConfigNode::Kind::table) {
    gain.common = reader.number(key, range);
    return gain;
  }
  for (const std::string& joint : node.keys) {
    const double number =
        checked_number(*node.find(joint), reader.key_path(key) + "." + joint, range);
    if (joint == "default") {
      gain.common = number;
    } else {
      gain.gains[joint] = number;
    }
  }
  return gain;
}

// [robot.pad]: a soft layer under every foot, Ding 2013 (9).
FootPad read_pad(const ConfigNode& section) {
  const TableReader reader(
      section, "robot.pad",
      {"stiffness", "exponent", "damping", "damping_exponent", "rate_exponent"});
  FootPad pad;
  pad.stiffness = reader.number("stiffness", {1, 1e12, "1 to 1e12 N/m^n"});
  pad.exponent = reader.number_or("exponent", 1, {0.2, 5, "0.2 to 5"});
  pad.damping = reader.number_or("damping", 0, {0, 1e9, "0 to 1e9 N s^q/m^(p+q)"});
  pad.damping_exponent = reader.number_or("damping_exponent", 0, {0, 5, "0 to 5"});
  pad.rate_exponent = reader.number_or("rate_exponent", 1, {0.05, 5, "0.05 to 5"});
  return pad;
}

const std::vector<std::string> kControllers = {"none", "hold", "torque_file", "trajectory_file",
                                               "walk", "trot"};

}  // namespace

RobotChoice read_robot(const ConfigNode& section, NamedFiles& files) {
  const TableReader reader(section, "robot",
                           {"file", "keyframe", "feet", "body_contacts", "pad", "drop_height_m",
                            "align_to_ground", "linear_velocity_m_per_s",
                            "angular_velocity_rad_per_s"});
  RobotChoice robot;
  reader.text("file", "the path of an MJCF, URDF or robot.json file");
  robot.file = find_file(robot_files(), reader, "file", files);
  robot.keyframe = reader.text_if_given("keyframe", "the name of a keyframe");
  robot.feet = read_feet(reader);
  reader.read("body_contacts", robot.body_contacts);
  if (reader.has("pad")) {
    if (reader.node("pad").kind != ConfigNode::Kind::table) reader.refuse("pad", "[robot.pad]");
    robot.pad = read_pad(reader.node("pad"));
  }
  reader.read("drop_height_m", robot.drop_height, {-100, 1e4, "-100 to 1e4 m"});
  reader.read("align_to_ground", robot.align_to_ground);
  robot.linear_velocity = reader.vector_if_given(
      "linear_velocity_m_per_s", {-1e4, 1e4, "three numbers [x, y, z] within ±1e4 m/s"});
  robot.angular_velocity = reader.vector_if_given(
      "angular_velocity_rad_per_s", {-1e4, 1e4, "three numbers [x, y, z] within ±1e4 rad/s"});
  return robot;
}

ControllerChoice read_controller(const ConfigNode& section, NamedFiles& files) {
  std::vector<std::string> keys = gait_keys();
  for (const char* key : {"file", "kd", "kp", "keyframe", "kind"}) keys.insert(keys.begin(), key);
  const TableReader reader(section, "controller", keys);
  ControllerChoice out;
  out.kind = static_cast<ControllerKind>(reader.choice_or("kind", 0, kControllers));
  const std::string& kind = kControllers[static_cast<std::size_t>(out.kind)];
  const auto refuse_unless = [&](bool used, const std::vector<std::string>& unused) {
    if (!used) {
      reader.refuse_given(unused, fmt::format("it left out with controller kind '{}'", kind));
    }
  };
  const bool hold = out.kind == ControllerKind::hold;
  const bool trajectory = out.kind == ControllerKind::trajectory_file;
  const bool reads_file = trajectory || out.kind == ControllerKind::torque_file;
  refuse_unless(hold, {"keyframe"});
  const bool gait = out.kind == ControllerKind::walk || out.kind == ControllerKind::trot;
  refuse_unless(hold || trajectory || gait, {"kp", "kd"});
  refuse_unless(reads_file, {"file"});
  out.keyframe = reader.text_if_given("keyframe", "the name of a keyframe");
  out.kp = read_gain(reader, "kp", {0, 1e9, "0 N m/rad or more, for all joints or by joint"});
  out.kd = read_gain(reader, "kd", {0, 1e9, "0 N m s/rad or more, for all joints or by joint"});
  read_gait(reader, out);
  if (reads_file) {
    reader.text("file", "the path of a CSV file");
    out.file = find_file(plain_files(), reader, "file", files);
  }
  return out;
}

}  // namespace footfall
