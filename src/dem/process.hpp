// A program that runs beside ours, heard line by line, and gone when we are.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall {

struct ProcessCall {
  std::vector<std::string> arguments;                  // the first is the program's path
  std::filesystem::path folder;                        // it works in
  std::vector<std::string> environment;                // "NAME=value" besides ours
  std::function<void(std::string_view)> on_line = {};  // of its stdout and stderr
  std::function<bool()> stop = {};                     // asked ten times a second; true: end it
};

struct ProcessEnd {
  int status = 0;  // exit status, where no signal ended it
  int signal = 0;  // that ended it, or 0
  bool stopped = false;
};

// The path of a program by its name, or an empty path where the PATH has none. A name with '/' is a path.
std::filesystem::path find_program(const std::string& name);

// Starts it without a shell, in a process group of its own, and waits for its end. It is ended with its
// group when `stop` says so, when on_line throws, and when our thread dies, be it by kill -9. Throws EngineError where it
// cannot be started.
ProcessEnd run_process(const ProcessCall& call);

}  // namespace footfall
