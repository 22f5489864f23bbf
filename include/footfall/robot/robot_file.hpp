// A robot as a plain file of JSON, which needs no other program to be written or read:
// docs/robot-file.md. Every number reads back to the same bits.
#pragma once

#include <filesystem>
#include <string>

#include "footfall/error.hpp"
#include "footfall/robot/model.hpp"

namespace footfall {

inline constexpr int kRobotFileVersion = 1;

// Throws InputError if the robot has what the file cannot hold: a number that is not finite, a text
// that is not UTF-8, or parts that assemble_robot would refuse or number otherwise.
std::string write_robot(const RobotModel& model);
// Throws InputError where a robot file cannot have this name.
void check_robot_file_name(const std::filesystem::path& file);
void write_robot_file(const RobotModel& model, const std::filesystem::path& file);  // .json

// `file` is the text's name in messages. All that is wrong is an InputError with line and column.
RobotModel read_robot_text(std::string text, const std::string& file);
RobotModel read_robot_file(const std::filesystem::path& file);

}  // namespace footfall
