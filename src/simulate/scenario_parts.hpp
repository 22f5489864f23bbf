// The sections of a scenario, one reader each, and where files are looked for.
#pragma once

#include "footfall/simulate/scenario.hpp"
#include "simulate/config.hpp"

namespace footfall {

// Folders that may hold robots/ and soils/: that of the scenario, the one above, $FOOTFALL_DATA,
// the installed share/footfall beside the program, the source tree around a build.
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

RobotChoice read_robot(const ConfigNode& section, const std::filesystem::path& folder);

// The soil of `section`, or of the library where it names one. `path` is its key: soil, soils.wet.
SoilChoice read_soil(const ConfigNode& section, const std::string& path,
                     const std::filesystem::path& folder);
// The soil of that name in the library.
SoilChoice read_library_soil(const std::string& name, const std::filesystem::path& folder,
                             const std::string& place);

// Regions may add soils of the library to `soils`.
GroundChoice read_ground(const ConfigNode& section, const std::filesystem::path& folder,
                         std::vector<SoilChoice>& soils);
Terrain build_terrain(const Scenario& scenario);

ControllerChoice read_controller(const ConfigNode& section, const std::filesystem::path& folder);

}  // namespace footfall
