#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "footfall/robot/assemble.hpp"
#include "footfall/robot/robot_file.hpp"
#include "input_error.hpp"
#include "robot/json.hpp"
#include "robot/robot_fields.hpp"

namespace footfall {
namespace {

using robot_file::list_fields;
using robot_file::OfNumbers;

class RobotWriter {
 public:
  RobotWriter(const std::string& robot, std::string& out) : robot_(robot), out_(out) {}

  template <class Field>
  void operator()(const char* key, const Field& field) {
    out_ += fmt::format("{}\n{}\"{}\": ", first_ ? "" : ",", indent_, key);
    first_ = false;
    path_ = prefix_ + key;
    write(field);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw input_error("robot '{}' cannot be written: key '{}' {}", robot_, path_, what);
  }

  void write(double value) {
    if (!std::isfinite(value)) refuse(fmt::format("= {}, expected a finite number", value));
    // the fewest digits that read back to the same bits; some programs would take -0 for the integer 0
    out_ += value == 0 && std::signbit(value) ? "-0.0" : fmt::format("{}", value);
  }
  void write(float value) {
    if (!std::isfinite(value)) refuse(fmt::format("= {}, expected a finite number", value));
    out_ += fmt::format("{}", value);
  }
  void write(int value) { out_ += fmt::format("{}", value); }
  void write(bool value) { out_ += value ? "true" : "false"; }
  void write(const std::string& text) {
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t size = json::character_size(rest);
      if (size == 0) refuse("is not UTF-8");
      rest.remove_prefix(size);
    }
    out_ += json::quoted(text);
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void write(Enum value) {
    out_ += json::quoted(robot_file::names_of(value)[static_cast<std::size_t>(value)]);
  }
  template <OfNumbers Field>
  void write(const Field& field) {
    write(robot_file::to_numbers(field));
  }
  template <class Element, std::size_t N>
  void write(const std::array<Element, N>& elements) {
    write_list(elements);
  }
  template <class Element>
  void write(const std::vector<Element>& elements) {
    write_list(elements);
  }

  template <class List>
  void write_list(const List& elements) {
    const std::string list = path_;
    out_ += '[';
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (i > 0) out_ += ", ";
      path_ = fmt::format("{}[{}]", list, i);
      write(elements[i]);
    }
    out_ += ']';
  }

  template <class Part>
    requires requires(RobotWriter& writer, const Part& part) { list_fields(writer, part); }
  void write(const Part& part) {
    prefix_ = path_ + ".";
    indent_ = "    ";
    first_ = true;
    out_ += '{';
    list_fields(*this, part);
    out_ += "\n  }";
    first_ = false;
    indent_ = "  ";
    prefix_.clear();
  }

  const std::string& robot_;
  std::string& out_;
  // Parts of the robot do not have parts of their own, so there are two levels.
  const char* indent_ = "  ";
  std::string prefix_;  // "bodies[3]."
  std::string path_;    // of the value under way, for messages
  bool first_ = true;   // no key of this object has been written
};

bool same_numbers(const RobotModel& a, const RobotModel& b) {
  bool same = true;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Body &x = a.bodies[i], &y = b.bodies[i];
    same = same && x.root == y.root && x.first_joint == y.first_joint &&
           x.joint_count == y.joint_count;
  }
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    const Joint &x = a.joints[i], &y = b.joints[i];
    same = same && x.q_index == y.q_index && x.v_index == y.v_index;
  }
  for (std::size_t i = 0; i < a.dofs.size(); ++i) {
    const Dof &x = a.dofs[i], &y = b.dofs[i];
    same = same && x.joint == y.joint && x.body == y.body && x.parent == y.parent;
  }
  return same;
}

}  // namespace

std::string write_robot(const RobotModel& model) {
  std::string out = "{";
  RobotWriter writer(model.name, out);
  writer("format", std::string(robot_file::kFormat));
  writer("version", kRobotFileVersion);
  list_fields(writer, model);
  out += "\n}\n";
  RobotModel numbered = model;
  if (const std::optional<RobotFault> fault = assemble_robot(numbered)) {
    throw input_error("robot '{}' cannot be written: {}", model.name, fault->message());
  }
  if (!same_numbers(model, numbered)) {
    throw input_error("robot '{}' cannot be written: its joints or dofs are not numbered in the "
                      "order of its bodies",
                      model.name);
  }
  return out;
}

void check_robot_file_name(const std::filesystem::path& file) {
  if (file.extension() != ".json") {
    throw input_error("robot file '{}' cannot be written: its name must end in .json, by which the "
                      "file is known when it is read",
                      file.string());
  }
}

void write_robot_file(const RobotModel& model, const std::filesystem::path& file) {
  check_robot_file_name(file);
  const std::string text = write_robot(model);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) throw input_error("robot file '{}' cannot be written", file.string());
}

}  // namespace footfall
