#include "footfall/mujoco/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mujoco/mujoco.h>

#include <fstream>
#include <iterator>

#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/log.hpp"
#include "footfall/robot/robot_file.hpp"
#include "mujoco/build.hpp"
#include "placed.hpp"

namespace footfall {
namespace {

// A URDF's top element is <robot>, an MJCF's is <mujoco>.
bool is_urdf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return text.find("<robot") < text.find("<mujoco");
}

bool has_free_joint(const RobotModel& model) {
  for (const Joint& joint : model.joints) {
    if (joint.type == JointType::free) return true;
  }
  return false;
}

void refuse_unsupported(const mjModel& m, const std::string& source) {
  std::vector<std::string> problems;
  from_mujoco::find_unsupported_elements(m, problems);
  from_mujoco::find_unsupported_options(m, problems);
  from_mujoco::find_unsupported_actuators(m, problems);
  if (problems.empty()) return;
  throw InputError(fmt::format("robot file '{}' asks for what Footfall does not simulate: {}; "
                               "remove it from the file",
                               source, fmt::join(problems, "; ")));
}

}  // namespace

RobotModel build_robot(const mjModel_& m, const std::string& source) {
  refuse_unsupported(m, source);
  RobotModel model;
  model.name = m.names;  // MuJoCo puts the model's own name first
  model.source_file = source;
  model.gravity = from_mujoco::vec3(m.opt.gravity);
  model.file_timestep = m.opt.timestep;
  model.qpos0.assign(m.qpos0, m.qpos0 + m.nq);
  placed(fmt::format("robot file '{}': ", source), [&] {
    from_mujoco::build_bodies(m, model);
    from_mujoco::build_joints(m, model);
  });
  from_mujoco::build_geoms(m, model);
  from_mujoco::build_actuators(m, model);
  from_mujoco::build_keyframes(m, model);
  placed(fmt::format("robot file '{}': ", source), [&] { check_magnitudes(model); });
  from_mujoco::warn_of_omissions(m, model.warnings);
  return model;
}

RobotModel load_robot(const std::filesystem::path& file) {
  if (file.extension() == ".json") return read_robot_file(file);
  std::vector<std::string> warnings;
  const MjModelPtr m = load_mujoco_model(file, &warnings);
  RobotModel model = build_robot(*m, file.string());
  if (is_urdf(file) && !has_free_joint(model)) {
    warnings.emplace_back(
        "the URDF's base link is fixed to the world: to let the robot move, add a "
        "link 'world' and a joint of type floating from it to the base link");
  }
  model.warnings.insert(model.warnings.begin(), warnings.begin(), warnings.end());
  return model;
}

namespace from_mujoco {

void build_keyframes(const mjModel& m, RobotModel& model) {
  for (int k = 0; k < m.nkey; ++k) {
    const mjtNum* qpos = m.key_qpos + k * m.nq;
    const mjtNum* qvel = m.key_qvel + k * m.nv;
    const mjtNum* control = m.key_ctrl + k * m.nu;
    model.keyframes.push_back({.name = name_or_index(m, mjOBJ_KEY, k, k),
                               .qpos = {qpos, qpos + m.nq},
                               .qvel = {qvel, qvel + m.nv},
                               .control = {control, control + m.nu}});
  }
}

MjModelPtr compile_edited(const std::string& name, const char* text,
                          const std::function<void(mjSpec&)>& edit) {
  char error[1000] = "";
  const std::unique_ptr<mjSpec, decltype(&mj_deleteSpec)> spec(
      text == nullptr ? mj_parseXML(name.c_str(), nullptr, error, sizeof(error))
                      : mj_parseXMLString(text, nullptr, error, sizeof(error)),
      &mj_deleteSpec);
  if (spec != nullptr) edit(*spec);
  MjModelPtr model(spec == nullptr ? nullptr : mj_compile(spec.get(), nullptr));
  if (model != nullptr) return model;
  throw InputError(
      fmt::format("{}: {}", name, on_one_line(spec == nullptr ? error : mjs_getError(spec.get()))));
}

std::string name_or_index(const mjModel& m, mjtObj kind, int id, int index) {
  const char* name = mj_id2name(&m, kind, id);
  if (name != nullptr) return name;
  return fmt::format("{}_{}", mju_type2Str(kind), index);
}

std::string label(const mjModel& m, mjtObj kind, int id) {
  const char* name = mj_id2name(&m, kind, id);
  if (name != nullptr) return fmt::format("{} '{}'", mju_type2Str(kind), name);
  return fmt::format("unnamed {} {}", mju_type2Str(kind), id);
}

std::string list_of(const std::vector<std::string>& labels) {
  constexpr std::size_t most = 4;
  if (labels.size() <= most + 1) return fmt::format("{}", fmt::join(labels, ", "));
  return fmt::format("{} and {} more", fmt::join(labels.begin(), labels.begin() + most, ", "),
                     labels.size() - most);
}

}  // namespace from_mujoco
}  // namespace footfall
