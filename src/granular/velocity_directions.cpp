#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "footfall/granular/wrench_database.hpp"

namespace footfall {

std::vector<PlanarVelocity> velocity_directions(int count, const PlanarVelocity& speeds) {
  if (count != 26 && count != 58) {
    throw InputError(fmt::format("directions = {}, expected 26 or 58", count));
  }
  check_range("speed x", speeds.x, 1e-12, 1e6, "above 0 and at most 1e6 m/s");
  check_range("speed z", speeds.z, 1e-12, 1e6, "above 0 and at most 1e6 m/s");
  check_range("speed of tilting", speeds.tilt, 1e-12, 1e6, "above 0 and at most 1e6 rad/s");
  const double s = std::numbers::sqrt2 / 2;
  const std::array<double, 8> x{0, s, 1, s, 0, -s, -1, -s}, z{-1, -s, 0, s, 1, s, 0, -s};
  const int rings = (count - 2) / 8;
  std::vector<PlanarVelocity> directions;
  directions.push_back({0, 0, speeds.tilt});
  for (int ring = 1; ring <= rings; ++ring) {
    // angles of mirrored rings from one number, so that they are mirrored bit by bit
    const int from_pole = std::min(ring, rings + 1 - ring);
    const bool middle = 2 * ring == rings + 1;
    const double angle = std::numbers::pi * from_pole / (rings + 1);
    const double radius = middle ? 1 : std::sin(angle);
    const double along = middle ? 0 : std::copysign(std::cos(angle), from_pole - ring + 0.5);
    for (std::size_t i = 0; i < x.size(); ++i) {
      directions.push_back(
          {radius * x[i] * speeds.x, radius * z[i] * speeds.z, along * speeds.tilt});
    }
  }
  directions.push_back({0, 0, -speeds.tilt});
  return directions;
}

std::vector<int> mirrored_directions(const std::vector<PlanarVelocity>& directions) {
  PlanarVelocity largest{};
  for (const PlanarVelocity& v : directions) {
    largest = {std::max(largest.x, std::abs(v.x)), std::max(largest.z, std::abs(v.z)),
               std::max(largest.tilt, std::abs(v.tilt))};
  }
  const auto close = [](double a, double b, double scale) {
    return std::abs(a - b) <= 1e-9 * scale;
  };
  std::vector<int> mirrored;
  for (const PlanarVelocity& v : directions) {
    int found = -1;
    for (std::size_t i = 0; i < directions.size() && found < 0; ++i) {
      const PlanarVelocity& u = directions[i];
      if (close(u.x, -v.x, largest.x) && close(u.z, v.z, largest.z) &&
          close(u.tilt, -v.tilt, largest.tilt)) {
        found = static_cast<int>(i);
      }
    }
    if (found < 0) {
      throw InputError(fmt::format(
          "direction {} ({} m/s, {} m/s, {} rad/s) has none that mirrors it: a foot that leans the "
          "other way needs ({}, {}, {}) too",
          mirrored.size(), v.x, v.z, v.tilt, -v.x, v.z, -v.tilt));
    }
    mirrored.push_back(found);
  }
  return mirrored;
}

}  // namespace footfall
