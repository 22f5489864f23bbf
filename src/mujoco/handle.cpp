#include "footfall/mujoco/handle.hpp"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "footfall/error.hpp"
#include "footfall/mujoco/log.hpp"

namespace footfall {
namespace {

struct ErrorLocation {
  std::filesystem::path file;
  int line = 0;      // 0: not known
  std::string what;  // MuJoCo's message on one line, without the line number
};

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Splits "…, Element 'geom', line 12" or "… Line number=12: …" into its words and its number, and
// takes out of the words what says nothing to a user.
ErrorLocation split_line_number(const fs::path& file, const std::string& mujoco_error) {
  static const std::regex number(R"(,? ?[Ll]ine(?: number=| )(\d+))");
  static const std::regex no_name(R"(,? Element name '', id \d+)");
  static const std::regex kind(R"(^(?:XML )?Error: )");
  static const std::regex parser(R"(XML parse error \d+: Error=(\w+) ErrorID=\d+ \(\w+\):?)");
  ErrorLocation place{file, 0, on_one_line(mujoco_error)};
  std::smatch match;
  if (std::regex_search(place.what, match, number)) {
    place.line = std::stoi(match[1].str().substr(0, 9));
    place.what = match.prefix().str() + match.suffix().str();
  }
  place.what = std::regex_replace(place.what, no_name, "");
  place.what = std::regex_replace(place.what, kind, "");
  place.what = std::regex_replace(place.what, parser, "the XML is not well formed, $1");
  return place;
}

// The files that `file` includes, and those that they include.
std::set<fs::path> included_files(const fs::path& file) {
  static const std::regex include(R"(<include\s[^>]*file\s*=\s*["']([^"']+)["'])");
  std::set<fs::path> found;
  std::vector<fs::path> todo{file};
  while (!todo.empty()) {
    const std::string text = read_text(todo.back());
    const fs::path folder = todo.back().parent_path();
    todo.pop_back();
    for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it) {
      const fs::path name = (*it)[1].str();
      for (const fs::path& candidate : {file.parent_path() / name, folder / name}) {
        std::error_code none;
        if (!fs::is_regular_file(candidate, none)) continue;
        if (found.insert(candidate.lexically_normal()).second) todo.push_back(candidate);
        break;
      }
    }
  }
  return found;
}

// What MuJoCo's parser says about an included file alone; its top element may have any name.
std::string parse_error(const fs::path& file) {
  static const std::regex top(R"(<(/?)mujocoinclude\b)");
  const std::string text = std::regex_replace(read_text(file), top, "<$1mujoco");
  std::array<char, 2048> message{};
  mjSpec* spec =
      mj_parseXMLString(text.c_str(), nullptr, message.data(), static_cast<int>(message.size()));
  if (spec != nullptr) mj_deleteSpec(spec);
  return message.data();
}

// Reads MuJoCo's message about `file`. MuJoCo reports errors inside included files with the number
// 0; then the included files are searched for one that raises the same message by itself.
ErrorLocation locate_error(const fs::path& file, const std::string& mujoco_error) {
  ErrorLocation place = split_line_number(file, mujoco_error);
  const bool in_include = mujoco_error.find("Include error") != std::string::npos;
  if (place.line > 0 && !in_include) return place;

  const std::set<fs::path> includes = included_files(file);
  const MujocoLogScope log;
  for (const fs::path& candidate : includes) {
    const ErrorLocation own = split_line_number(candidate, parse_error(candidate));
    if (own.line > 0 && place.what.find(own.what) != std::string::npos) return own;
  }
  if (!includes.empty() && mujoco_error.find("line 0") != std::string::npos) {
    place.what += " (in a file that it includes)";
  }
  return place;
}

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& mujoco_error) {
  const ErrorLocation place = locate_error(file, mujoco_error);
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
