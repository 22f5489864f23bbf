// Where in a robot's file an error is.
#pragma once

#include <filesystem>
#include <string>

namespace footfall {

struct ErrorPlace {
  std::filesystem::path file;
  int line = 0;      // 0: not known
  std::string what;  // MuJoCo's message on one line, without the line number
};

// Reads MuJoCo's message about `file`. MuJoCo reports errors inside included files with the number
// 0; then the included files are searched for one that raises the same message by itself.
ErrorPlace locate_error(const std::filesystem::path& file, const std::string& mujoco_error);

}  // namespace footfall
