// Where files that a configuration or a command names are looked for: one rule for soils, robots and media.
//
// A name given on the command line (--set, --soil, …) counts from the folder that the user stands in, one written in a
// file from that file's folder. `my-sand.toml`, `./my-sand.toml` and `sands/my-sand` are paths; a bare name, `my-sand`,
// is looked for in the library first, then as my-sand.toml in that folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/config.hpp"

namespace footfall {

// What a name can stand for.
struct FileKind {
  const char* word;                     // "soil", for messages
  const char* library;                  // folder of the library, "soils"; empty: there is none
  std::vector<std::string> extensions;  // that may be left out, each with its dot
};
const FileKind& soil_files();
const FileKind& robot_files();
const FileKind& medium_files();
const FileKind& plain_files();  // by their path alone

// Folders that may hold robots/ and soils/: `folder`, the one above, $FOOTFALL_DATA,
// the installed share/footfall beside the program or the library, the source tree around a build.
std::vector<std::filesystem::path> data_folders(const std::filesystem::path& folder);

// The file of that name. `folder`: of the file that says the name; empty: the current one. `place` begins the message of the
// InputError; where it begins with "--", the name was given on the command line.
std::filesystem::path find_file(const FileKind& kind, const std::string& name,
                                const std::filesystem::path& folder, const std::string& place);

// Names in a library of the data folders, without extensions.
std::vector<std::string> list_library(const std::filesystem::path& folder, const FileKind& kind);

// The files that a configuration names.
struct NamedFiles {
  std::filesystem::path folder;  // of the configuration
  // What --set named and would not be found again from `folder`: overrides "key.path='/absolute/path'".
  std::vector<std::string> elsewhere = {};
};
// The file that a key's text names.
std::filesystem::path find_file(const FileKind& kind, const TableReader& reader,
                                const std::string& key, NamedFiles& files);

}  // namespace footfall
