// The run files that a server may show: those of one folder, or a single one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace footfall::serve {

struct RunEntry {
  std::string name;  // path in the folder, as "trot/run.h5"
  std::uintmax_t bytes = 0;
  std::filesystem::file_time_type changed;
};

class RunFolder {
 public:
  // A folder, or a run file, which is then the only one that is shown. Throws InputError.
  explicit RunFolder(const std::filesystem::path& path);

  bool is_single() const { return !single_.empty(); }
  const std::string& single() const { return single_; }  // the name of the only file
  const std::filesystem::path& root() const { return root_; }

  // HDF5 files in it and in its folders, the newest first; hidden folders and links to folders are left
  // out, and what lies deeper than kDepth.
  std::vector<RunEntry> list() const;

  // The file of that name, with all links followed. Nothing: there is none, or it lies outside.
  std::optional<std::filesystem::path> find(const std::string& name) const;

  static constexpr int kDepth = 6;
  static constexpr std::size_t kMostEntries = 2000;

 private:
  std::filesystem::path root_;  // canonical
  std::string single_;
};

}  // namespace footfall::serve
