// Media for tests: a made-up one whose wrenches are a formula, and the measured sand where it is at hand.
#pragma once

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>

#include "footfall/granular/wrench_database.hpp"

namespace footfall::testing {

// Numbers in [−1, 1], the same everywhere.
class Uniform {
 public:
  explicit Uniform(unsigned seed) : random_(seed) {}
  double operator()() { return 2.0 * static_cast<double>(random_()) / 4294967295.0 - 1; }

 private:
  std::mt19937 random_;
};

// Smooth, mirrored as a medium is, and without any other symmetry.
inline PlanarWrench formula_wrench(const FootConfiguration& at, const PlanarVelocity& v) {
  const double x = v.x / 0.02, z = v.z / 0.02, turn = v.tilt / 0.3;
  const double down = 0.6 - z, d = at.depth;
  const double stiff = 4000 * (1 + 6 * d) * (1 + 0.4 * at.tilt * at.tilt);
  PlanarWrench w;
  w.force_z = d * stiff * (down * down + 0.1 + 0.3 * turn * at.tilt - 0.2 * x * at.tilt);
  w.force_x = d * stiff * (-0.5 * x * (1 + 0.2 * down) - 0.2 * turn + 0.3 * at.tilt * down);
  w.torque_y = -0.15 * w.force_x + d * stiff * (0.02 * at.tilt - 0.01 * turn);
  return w;
}

inline WrenchDatabase formula_database(int directions = 26) {
  WrenchDatabase database;
  database.medium = "formula";
  database.source = "test";
  database.foot.reference_height = 0.15;
  database.directions = velocity_directions(directions, {0.02, 0.02, 0.3});
  for (const double depth : {0.01, 0.03, 0.05, 0.07}) {
    for (const double tilt : {0.0, 0.3, 0.6, 0.9}) {
      if (depth == 0.07 && tilt == 0.9) continue;  // a corner without data
      database.configurations.push_back({depth, tilt});
      for (const PlanarVelocity& v : database.directions) {
        database.wrenches.push_back(formula_wrench(database.configurations.back(), v));
      }
    }
  }
  return database;
}

// The sand of Zhu 2019, which is not ours to ship: from FOOTFALL_SHARED_DATA, or beside the project.
inline std::optional<WrenchDatabase> measured_sand() {
  const char* folder = std::getenv("FOOTFALL_SHARED_DATA");
  const std::filesystem::path file =
      std::filesystem::path(folder != nullptr ? folder : FOOTFALL_SOURCE_DIR "/../shared/data") /
      "granular_sand.csv";
  if (!std::filesystem::exists(file)) return std::nullopt;
  ImportOptions options;
  options.medium = "sand";
  options.source = "test";
  options.foot.reference_height = 0.1572;
  return import_wrenches(file, options).database;
}

inline constexpr const char* kNoSand =
    "granular_sand.csv is not at hand: set FOOTFALL_SHARED_DATA to its folder";

}  // namespace footfall::testing
