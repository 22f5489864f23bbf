#include "io/data_folders.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "input_error.hpp"

namespace footfall {

namespace fs = std::filesystem;

namespace {

// Where the file lies that holds this code: a shared library, or the program.
fs::path library_folder() {
  Dl_info info{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): dladdr asks for an address
  if (dladdr(reinterpret_cast<const void*>(&data_folders), &info) == 0) return {};
  std::error_code error;
  const fs::path file = fs::canonical(info.dli_fname, error);
  return error ? fs::path() : file.parent_path();
}

bool is_file(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error);
}

bool is_on_command_line(const std::string& place) { return place.starts_with("--"); }

bool has_extension(const FileKind& kind, const std::string& name) {
  return std::any_of(kind.extensions.begin(), kind.extensions.end(),
                     [&](const std::string& extension) { return name.ends_with(extension); });
}

// The file, or the first with an extension of its kind added; empty: there is none.
fs::path with_extension(const FileKind& kind, const fs::path& file) {
  if (is_file(file)) return file;
  for (const std::string& extension : kind.extensions) {
    if (is_file(file.string() + extension)) return file.string() + extension;
  }
  return {};
}

// The user's own libraries come before those of the scenario.
std::vector<fs::path> library_folders(const fs::path& base, const fs::path& folder) {
  std::vector<fs::path> folders = data_folders(base);
  if (base == folder) return folders;
  const std::vector<fs::path> more = data_folders(folder);
  folders.insert(folders.end(), more.begin(), more.end());
  return folders;
}

// Adds what lies in a folder, without extensions.
void add_names(const fs::path& folder, const FileKind& kind, std::set<std::string>& names) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string extension = entry.path().extension().string();
    const auto& known = kind.extensions;
    if (std::find(known.begin(), known.end(), extension) == known.end()) continue;
    names.insert(entry.path().stem().string());
  }
}

[[noreturn]] void refuse_name(const FileKind& kind, const std::string& name, const fs::path& base,
                              const fs::path& folder, const std::string& place) {
  const std::string start = place.empty() ? "" : place + ": ";
  const bool bare = fs::path(name).filename() == fs::path(name);
  if (bare && *kind.library != 0) {
    std::set<std::string> known;
    for (const fs::path& data : library_folders(base, folder)) {
      add_names(data / kind.library, kind, known);
    }
    if (known.empty()) {
      throw input_error(
          "{}{} '{}': no folder {}/ was found, set FOOTFALL_DATA to the folder that holds it",
          start, kind.word, name, kind.library);
    }
    add_names(base.empty() ? fs::path(".") : base, kind, known);
    const std::string file = has_extension(kind, name) ? name : name + kind.extensions.front();
    throw input_error("{}{} '{}' is not in the {} library, and there is no file '{}'{}", start,
                      kind.word, name, kind.word, (base / file).lexically_normal().string(),
                      suggestion(name, {known.begin(), known.end()}));
  }
  // Names in files count from the file, those of commands from where the user stands: the other may have been meant.
  const fs::path other =
      base.empty() ? with_extension(kind, folder / name) : with_extension(kind, name);
  const std::string hint =
      other.empty() ? ""
                    : fmt::format(", but '{}' is one: names {}", other.lexically_normal().string(),
                                  base.empty() ? "on the command line count from the current folder"
                                               : "in a file count from that file's folder");
  throw input_error("{}no file '{}'{}", start, (base / name).lexically_normal().string(), hint);
}

}  // namespace

const FileKind& soil_files() {
  static const FileKind kind{"soil", "soils", {".toml"}};
  return kind;
}
const FileKind& robot_files() {
  static const FileKind kind{"robot", "robots", {".xml", ".urdf", ".json"}};
  return kind;
}
const FileKind& medium_files() {
  static const FileKind kind{"medium", "media", {".csv"}};
  return kind;
}
const FileKind& plain_files() {
  static const FileKind kind{"file", "", {}};
  return kind;
}

std::vector<fs::path> data_folders(const fs::path& folder) {
  const fs::path base = folder.empty() ? fs::path(".") : folder;
  std::vector<fs::path> folders = {base, base / ".."};
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  if (const char* data = std::getenv("FOOTFALL_DATA"); data != nullptr && *data != '\0') {
    folders.emplace_back(data);
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path bin = program.parent_path();
    folders.push_back(bin / ".." / "share" / "footfall");  // installed
    folders.push_back(bin / ".." / "..");                  // build/<preset>/ of the source tree
  }
  const fs::path library = library_folder();
  if (!library.empty() && library != program.parent_path()) {
    folders.push_back(library / "share" / "footfall");                // the Python package
    folders.push_back(library / ".." / "share" / "footfall");         // lib/
    folders.push_back(library / ".." / ".." / "share" / "footfall");  // lib/x86_64-linux-gnu/
  }
  return folders;
}

fs::path find_file(const FileKind& kind, const std::string& name, const fs::path& folder,
                   const std::string& place) {
  const fs::path base = is_on_command_line(place) ? fs::path() : folder;
  const fs::path direct = base / name;  // an absolute name stays as it is
  const bool bare = fs::path(name).filename() == fs::path(name) && name != "." && name != "..";
  const bool whole = !bare || has_extension(kind, name) || *kind.library == 0;
  if (whole && is_file(direct)) return direct.lexically_normal();
  if (bare && *kind.library != 0) {
    for (const fs::path& data : library_folders(base, folder)) {
      const fs::path found = with_extension(kind, data / kind.library / name);
      if (!found.empty()) return found.lexically_normal();
    }
  }
  const fs::path beside = with_extension(kind, direct);
  if (!beside.empty()) return beside.lexically_normal();
  refuse_name(kind, name, base, folder, place);
}

fs::path find_file(const FileKind& kind, const TableReader& reader, const std::string& key,
                   NamedFiles& files) {
  const ConfigNode& node = reader.node(key);
  const fs::path found = find_file(kind, node.text, files.folder, node.where);
  if (!is_on_command_line(node.where)) return found;
  // without --set, is it the same file?
  bool is_same = false;
  std::error_code error;
  try {
    const fs::path again = find_file(kind, node.text, files.folder, "");
    is_same = fs::equivalent(found, again, error);
  } catch (const InputError&) {
    is_same = false;  // it is not found there at all
  }
  if (is_same) return found;
  files.elsewhere.push_back(
      fmt::format("{}='{}'", reader.key_path(key), fs::absolute(found, error).string()));
  return found;
}

std::vector<std::string> list_library(const fs::path& folder, const FileKind& kind) {
  std::set<std::string> names;
  for (const fs::path& data : data_folders(folder)) add_names(data / kind.library, kind, names);
  return {names.begin(), names.end()};
}

}  // namespace footfall
