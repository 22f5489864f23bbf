// A program that works for us, in a process group of its own, started without a shell. It never outlives us: its
// group is ended when the object goes, and the kernel ends it when we are killed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall {

// The path of the first of the programs that the PATH has; empty: none. A name with '/' is a path.
std::filesystem::path find_program(const std::vector<std::string>& names);

// Adds the words of a text, which stand between spaces.
void add_words(const std::string& text, std::vector<std::string>& words);

struct ProcessOptions {
  std::vector<std::string> arguments;         // the first is the program's path
  std::filesystem::path folder = {};          // it works in; empty: ours
  std::vector<std::string> environment = {};  // "NAME=value" besides ours, or instead of ours
  std::filesystem::path log = {};             // where all goes that it prints; empty: to output()
};

struct ProcessEnd {
  int status = 0;  // exit status, where no signal ended it
  int signal = 0;  // that ended it, or 0
  bool stopped = false;
};

class Process {
 public:
  // To be called by a thread that lives as long as the process. Throws std::system_error.
  explicit Process(const ProcessOptions& options);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // To its standard input. False: it does not read any more.
  bool write(std::string_view bytes);
  void close_input();
  int output() const { return output_; }  // file descriptor of its stdout and stderr

  // How it ended; nothing: it still runs. wait() looks until then.
  std::optional<ProcessEnd> status();
  std::optional<ProcessEnd> wait(std::chrono::steady_clock::time_point until);
  // Asks the whole group to end.
  void ask_to_end();

  // The end of its log.
  std::string last_lines(int count) const;

 private:
  std::optional<ProcessEnd> look(int flags);

  pid_t pid_ = -1;
  int input_ = -1, output_ = -1;
  std::optional<ProcessEnd> end_;
  std::filesystem::path log_;
};

// Runs a program to its end, and hands on what it prints line by line. `stop` is asked ten times a second;
// true, and also on_line throwing: the group is asked to end, and killed where it does not.
ProcessEnd run_process(const ProcessOptions& options,
                       const std::function<void(std::string_view)>& on_line,
                       const std::function<bool()>& stop = {});

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

}  // namespace footfall
