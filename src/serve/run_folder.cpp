#include "serve/run_folder.hpp"

#include <algorithm>

#include "input_error.hpp"

namespace footfall::serve {
namespace {

namespace fs = std::filesystem;

bool has_run_ending(const fs::path& file) {
  return file.extension() == ".h5" || file.extension() == ".hdf5";
}

bool lies_in(const fs::path& root, const fs::path& file) {
  const auto [at_root, at_file] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
  return at_root == root.end() && at_file != file.end();
}

}  // namespace

RunFolder::RunFolder(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) {
    throw input_error("'{}' cannot be read: {}; expected a run file or a folder of them",
                      path.string(), error.message());
  }
  const bool is_folder = fs::is_directory(real, error);
  if (!is_folder && !fs::is_regular_file(real, error)) {
    throw input_error("'{}' is neither a run file nor a folder of them", path.string());
  }
  root_ = is_folder ? real : real.parent_path();
  if (!is_folder) single_ = real.filename().string();
}

std::vector<RunEntry> RunFolder::list() const {
  std::vector<RunEntry> entries;
  std::error_code error;
  fs::recursive_directory_iterator at(root_, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    const fs::path& file = at->path();
    std::error_code ignored;  // a file may go while we look at it
    if (at->is_directory(ignored)) {
      const bool hidden = file.filename().string().starts_with('.');
      if (hidden || at.depth() + 1 >= kDepth) at.disable_recursion_pending();
      continue;
    }
    if (!has_run_ending(file) || entries.size() >= kMostEntries) continue;
    const std::string name = file.lexically_relative(root_).string();
    const std::optional<fs::path> found = find(name);
    if (!found) continue;
    entries.push_back({name, fs::file_size(*found, ignored), fs::last_write_time(*found, ignored)});
  }
  std::sort(entries.begin(), entries.end(), [](const RunEntry& a, const RunEntry& b) {
    return a.changed != b.changed ? a.changed > b.changed : a.name < b.name;
  });
  return entries;
}

std::optional<fs::path> RunFolder::find(const std::string& name) const {
  const fs::path asked(name);
  if (name.empty() || asked.is_absolute() || name.find('\0') != std::string::npos) {
    return std::nullopt;
  }
  if (is_single() && name != single_) return std::nullopt;
  std::error_code error;
  fs::path real = fs::canonical(root_ / asked, error);
  if (error || !lies_in(root_, real) || !fs::is_regular_file(real, error)) return std::nullopt;
  if (!is_single() && !has_run_ending(real)) return std::nullopt;
  return real;
}

}  // namespace footfall::serve
