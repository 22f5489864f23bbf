// Models written in the tests themselves.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/load.hpp"

namespace footfall::test {

// A file that lives as long as this object.
class TextFile {
 public:
  explicit TextFile(const std::string& text, const std::string& extension = ".xml") {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(info->test_suite_name()) + "_" + info->name() + "_" +
                       std::to_string(count_++) + extension;
    for (char& c : name) {
      if (c == '/') c = '_';
    }
    path_ = std::filesystem::path(::testing::TempDir()) / name;
    std::ofstream(path_) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

inline RobotModel load_text(const std::string& text) { return load_robot(TextFile(text).path()); }

// What load_robot says about a text that it must refuse; empty if it does not.
inline std::string refusal_of(const std::string& text) {
  try {
    load_text(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline std::filesystem::path robot_file(const std::string& name) {
  return std::filesystem::path(FOOTFALL_SOURCE_DIR) / "robots" / (name + ".xml");
}

}  // namespace footfall::test
