// A program that works for us, in a process group of its own. It never outlives us: its group is killed
// when the object goes, and the kernel kills it when we are killed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::serve {

// The first of the programs that is found in PATH; empty: none.
std::filesystem::path find_program(const std::vector<std::string>& names);

struct ChildOptions {
  std::filesystem::path program;
  std::vector<std::string> arguments = {};
  std::map<std::string, std::string> environment = {};  // added to ours
  std::filesystem::path log = {};                       // where all goes that it prints
};

class Child {
 public:
  // To be called by a thread that lives as long as the child. Throws std::system_error.
  explicit Child(const ChildOptions& options);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // To its standard input. False: it does not read any more.
  bool write(std::string_view bytes);
  void close_input();

  // Its exit status, of a signal 128 and its number; nothing: it still runs. wait() looks until then.
  std::optional<int> status();
  std::optional<int> wait(std::chrono::steady_clock::time_point until);

  // The end of what it printed.
  std::string last_lines(int count) const;

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  std::optional<int> status_;
  std::filesystem::path log_;
};

// A folder under the system's own for such, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();  // throws std::system_error
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace footfall::serve
