// Files for the tests of recordings: written into the temporary folder under the test's own name.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "footfall/error.hpp"
#include "footfall/identify/rig_test.hpp"

namespace footfall::rig_files {

inline std::filesystem::path temporary(const std::string& ending) {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  return std::filesystem::temp_directory_path() /
         ("footfall_" + std::to_string(getpid()) + "_" + info->test_suite_name() + "_" +
          info->name() + ending);
}

// A file that is there as long as this.
struct File {
  explicit File(const std::string& text, const std::string& ending = ".csv")
      : path(temporary(ending)) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ~File() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::filesystem::path path;
};

inline Recording read(const std::string& text, const ReadOptions& options = {}) {
  const File file(text);
  std::vector<std::string> warnings;
  return read_recording(file.path, options, warnings);
}

inline std::string mistake(const std::string& text, const ReadOptions& options = {}) {
  const File file(text);
  std::vector<std::string> warnings;
  try {
    prepare_test(read_recording(file.path, options, warnings), {}, warnings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace footfall::rig_files
