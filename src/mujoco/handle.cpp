#include "footfall/mujoco/handle.hpp"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "footfall/error.hpp"
#include "footfall/mujoco/log.hpp"
#include "mujoco/locate.hpp"

namespace footfall {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& mujoco_error) {
  const ErrorPlace place = locate_error(file, mujoco_error);
  const std::string where = place.line > 0
                                ? fmt::format("'{}', line {}", place.file.string(), place.line)
                                : fmt::format("'{}'", place.file.string());
  throw InputError(fmt::format("robot file {}: {}; correct the file (MuJoCo {} reads it)", where,
                               place.what, mj_versionString()));
}

}  // namespace

void require_mujoco_file(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) {
    throw InputError(fmt::format(
        "robot file '{}' does not exist; give the path of an MJCF or URDF file", file.string()));
  }
  if (!std::filesystem::is_regular_file(file, none)) {
    throw InputError(fmt::format(
        "robot file '{}' is not a file; give the path of an MJCF or URDF file", file.string()));
  }
  if (file.extension() == ".json") {
    throw InputError(fmt::format("robot file '{}' cannot be used here, where MuJoCo's own model of "
                                 "the robot is needed; give the MJCF or URDF file it was made from",
                                 file.string()));
  }
}

void MjDelete::operator()(mjModel_* model) const { mj_deleteModel(model); }
void MjDelete::operator()(mjData_* data) const { mj_deleteData(data); }

MjModelPtr load_mujoco_model(const std::filesystem::path& file,
                             std::vector<std::string>* warnings) {
  require_mujoco_file(file);
  static std::mutex one_at_a_time;  // mj_loadXML keeps the last file it parsed in a global
  const std::lock_guard lock(one_at_a_time);

  MujocoLogScope log;
  std::array<char, 2048> message{};
  MjModelPtr model;
  try {
    model.reset(
        mj_loadXML(file.c_str(), nullptr, message.data(), static_cast<int>(message.size())));
    mj_freeLastXML();
  } catch (const MujocoError& error) {
    fail(file, error.what());
  }
  if (!model) fail(file, message.data());

  if (warnings != nullptr) {
    for (const std::string& text : log.take_warnings()) warnings->push_back("MuJoCo: " + text);
    // A compiler warning comes in the message of a successful load, and perhaps in the log too.
    const std::string text = "MuJoCo: " + on_one_line(message.data());
    const bool new_text = message[0] != '\0' &&
                          std::find(warnings->begin(), warnings->end(), text) == warnings->end();
    if (new_text) warnings->push_back(text);
  }
  return model;
}

MjDataPtr make_mujoco_data(const mjModel_& model) {
  const MujocoLogScope log;
  MjDataPtr data(mj_makeData(&model));
  if (!data) throw MujocoError("MuJoCo cannot allocate the state of this model");
  return data;
}

}  // namespace footfall
