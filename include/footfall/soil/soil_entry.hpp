// A soil as the library has it: with a name, and with what its parameters are worth.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "footfall/soil/soil.hpp"

namespace footfall {

// A soil of the library: its parameters and what a reader must know of them.
struct Soil {
  std::string name;         // kebab-case
  std::string description;  // one line
  std::string source;       // citation
  std::string validity;
  std::string notes;
  std::string shear_source;                          // where K comes from
  std::string friction_source;                       // where μ comes from
  std::optional<double> moisture;                    // of the dry weight [-]
  std::optional<CompliantGround<double>> compliant;  // [compliant]
  std::optional<PlasticSoil> plastic;                // [terramechanics]
  std::filesystem::path file;
};

}  // namespace footfall
