// A MuJoCo model for the plugin footfall.soil: extension, instance and configuration added, contact of the feet with the
// ground taken out of MuJoCo's own, and nothing else changed. docs/mujoco-plugin.md.
//
// Feet and ground are parted by one bit that no geom of the file uses: the ground keeps that bit alone, as its
// conaffinity, and every other geom that met the ground gets it into its contype. So all other pairs are as before,
// stairs in the ground's own body included. All pairs of the old and the new model are compared before a file is
// written.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace footfall {

struct SoilModelOptions {
  std::string soil;     // the plugin's attribute: lines of soil/soil_line.hpp, `;` between them
  std::string regions;  // likewise
  std::string pad;      // keys and values of a pad under every foot
  std::filesystem::path wrenches;  // of law=wrench_space: a file of ground/wrench_file.hpp
  std::string ground;  // name of its geom; empty: the file's only one, or a plane is added
  std::vector<std::string> feet;  // names of geoms; empty: found as robot/feet.hpp says
  int prints = 64;                // footprints that are remembered
  std::filesystem::path output;
};

struct SoilModelReport {
  std::string ground;
  bool ground_added = false;
  std::vector<std::string> feet;
  std::vector<std::string> named;  // feet that had no name and were given one
  int bit = 0;                     // that parts them
  int moved_geoms = 0;             // geoms that got it
  int parted_pairs = 0;            // pairs of geoms that MuJoCo no longer looks at
};

// Throws InputError with what is wrong.
SoilModelReport write_soil_model(const std::filesystem::path& file,
                                 const SoilModelOptions& options);

}  // namespace footfall
