// Ruts in a run file: the group /ruts, which docs/run-file.md describes. What is read is bit by bit
// what was written, blocks in the same order.
//
// Whatever goes wrong is an InputError with the file's name, the dataset and the value.
#pragma once

#include <filesystem>

#include "footfall/terrain/ruts.hpp"

namespace footfall {

// The format_version that run files are written in; docs/run-file.md says what each changed.
inline constexpr int kNewestRunFormat = 2;

// Adds the group to a run file that is not open, or makes a file of it alone; replaces a group that is
// there.
void write_ruts(const std::filesystem::path& run_file, const RutGrid& ruts);

// Bytes that it adds to a file, at most.
std::size_t ruts_bytes(const RutGrid& ruts);

bool has_ruts(const std::filesystem::path& run_file);
RutGrid read_ruts(const std::filesystem::path& run_file);

}  // namespace footfall
