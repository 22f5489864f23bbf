// The sections of a scenario, one reader each.
#pragma once

#include "config/config.hpp"
#include "footfall/simulate/scenario.hpp"

namespace footfall {

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
