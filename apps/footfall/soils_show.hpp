// Soils on the screen, for footfall soils.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "footfall/soil/soil_entry.hpp"

namespace footfall {

struct SoilRow {
  Soil soil;
  std::optional<double> sinkage = {};  // under the load [m]
  std::string beyond = {};             // what of that no law holds for; empty: nothing
};

// One line a soil. `under` describes load and foot; empty: no sinkage is shown.
void print_soil_table(const std::vector<SoilRow>& rows, bool plastic, bool elastic,
                      const std::string& under);

// Everything that is known of each soil.
void print_soil_details(const std::vector<SoilRow>& rows, const std::string& under);

// The same for programs, with the keys and units of soil files.
Json soil_json(const Soil& soil);
void print_soils_json(const std::vector<SoilRow>& rows, const std::optional<double>& load);

}  // namespace footfall
