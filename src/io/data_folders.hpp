// Where files that a configuration names are looked for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace footfall {

// Folders that may hold robots/ and soils/: that of the scenario, the one above, $FOOTFALL_DATA,
// the installed share/footfall beside the program or the library, the source tree around a build.
std::vector<std::filesystem::path> data_folders(const std::filesystem::path& scenario_folder);

// A file named in a scenario: beside it, else in `library` ("robots") of the data folders, where
// the extensions may be left out. Throws InputError; `place` begins its message.
std::filesystem::path find_file(const std::string& name,
                                const std::filesystem::path& scenario_folder,
                                const std::string& library,
                                const std::vector<std::string>& extensions,
                                const std::string& place);

// Names in a library ("soils") of the data folders, without extensions, for suggestions.
std::vector<std::string> list_library(const std::filesystem::path& scenario_folder,
                                      const std::string& library,
                                      const std::vector<std::string>& extensions);

}  // namespace footfall
