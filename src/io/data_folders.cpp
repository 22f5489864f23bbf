#include "io/data_folders.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "input_error.hpp"
#include "io/config.hpp"

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

}  // namespace

std::vector<fs::path> data_folders(const fs::path& scenario_folder) {
  const fs::path base = scenario_folder.empty() ? fs::path(".") : scenario_folder;
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
    folders.push_back(library / ".." / "share" / "footfall");         // lib/
    folders.push_back(library / ".." / ".." / "share" / "footfall");  // lib/x86_64-linux-gnu/
  }
  return folders;
}

fs::path find_file(const std::string& name, const fs::path& scenario_folder,
                   const std::string& library, const std::vector<std::string>& extensions,
                   const std::string& place) {
  std::error_code error;
  const auto is_file = [&](const fs::path& file) { return fs::is_regular_file(file, error); };
  const fs::path direct = scenario_folder / name;  // an absolute name stays as it is
  if (is_file(direct)) return direct.lexically_normal();
  const bool bare = fs::path(name).filename() == fs::path(name);
  if (bare && !library.empty()) {
    for (const fs::path& folder : data_folders(scenario_folder)) {
      for (const std::string& extension : extensions) {
        const fs::path file = folder / library / (name + extension);
        if (is_file(file)) return file.lexically_normal();
      }
    }
    throw input_error("{}: no file '{}' and no '{}' in a folder {}{}", place,
                      direct.lexically_normal().string(), name, library,
                      suggestion(name, list_library(scenario_folder, library, extensions)));
  }
  throw input_error("{}: no file '{}'", place, direct.lexically_normal().string());
}

std::vector<std::string> list_library(const fs::path& scenario_folder, const std::string& library,
                                      const std::vector<std::string>& extensions) {
  std::set<std::string> names;
  for (const fs::path& folder : data_folders(scenario_folder)) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder / library, error)) {
      const std::string extension = entry.path().extension().string();
      if (std::find(extensions.begin(), extensions.end(), extension) == extensions.end()) continue;
      names.insert(entry.path().stem().string());
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace footfall
