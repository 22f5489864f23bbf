#include "dem/bed_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace footfall {
namespace {

// A point of the foot's own frame (origin in the sole's centre, z along the axis) in the box's.
GrainPosition placed(const GrainPosition& p, const Bed& bed, const FootPose& pose) {
  const double s = std::sin(pose.tilt), c = std::cos(pose.tilt);
  return {0.5 * bed.options.length_x + pose.x + c * p[0] + s * p[2],
          0.5 * bed.options.width_y + p[1], bed.surface_height - pose.depth - s * p[0] + c * p[2]};
}

// The way back.
GrainPosition in_foot(const GrainPosition& p, const Bed& bed, const FootPose& pose) {
  const double s = std::sin(pose.tilt), c = std::cos(pose.tilt);
  const double x = p[0] - 0.5 * bed.options.length_x - pose.x;
  const double z = p[2] - bed.surface_height + pose.depth;
  return {c * x - s * z, p[1] - 0.5 * bed.options.width_y, s * x + c * z};
}

// From a foot's surface to a point of its frame, negative inside.
double distance(const GrainPosition& p, const GrainFoot& foot) {
  const auto around = [](std::initializer_list<double> beyond) {
    double outside = 0, inside = -std::numeric_limits<double>::infinity();
    for (const double d : beyond) {
      outside += std::pow(std::max(d, 0.0), 2);
      inside = std::max(inside, d);
    }
    return outside > 0 ? std::sqrt(outside) : inside;
  };
  const double axial = std::abs(p[2] - 0.5 * foot.height) - 0.5 * foot.height;
  switch (foot.shape) {
  case GrainFootShape::cylinder:
    return around({std::hypot(p[0], p[1]) - foot.radius, axial});
  case GrainFootShape::box:
    return around(
        {std::abs(p[0]) - 0.5 * foot.length_x, std::abs(p[1]) - 0.5 * foot.width_y, axial});
  case GrainFootShape::sphere:
    return std::hypot(p[0], p[1], p[2] - foot.radius) - foot.radius;
  }
  return 0;
}

// Points whose hull the foot's lowest and outermost parts are in; a circle by its octagon around.
std::vector<GrainPosition> outline(const GrainFoot& foot, double height) {
  const bool box = foot.shape == GrainFootShape::box;
  const double x = box ? 0.5 * foot.length_x : foot.radius;
  const double y = box ? 0.5 * foot.width_y : foot.radius;
  std::vector<GrainPosition> points;
  for (const double z : {0.0, height}) {
    for (const double a : {-1.0, 1.0}) {
      if (box) {
        points.push_back({a * x, -y, z});
        points.push_back({a * x, y, z});
      } else {
        points.push_back({a * x, 0, z});
        points.push_back({0, a * y, z});
      }
    }
  }
  return points;
}

}  // namespace

std::vector<GrainPosition> read_grain_positions(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw EngineError(fmt::format("{}: the bed cannot be read", file.string()));
  const auto incomplete = [&](std::size_t found, std::size_t expected) {
    return EngineError(
        fmt::format("{}: the bed is not whole, {} of {} grains; remove it to have it made "
                    "again, and see that the disk is not full",
                    file.string(), found, expected));
  };
  std::string line;
  std::size_t count = 0;
  while (std::getline(in, line) && !line.starts_with("Atoms")) {
    std::istringstream words(line);
    std::size_t number = 0;
    std::string what;
    if (words >> number >> what && what == "atoms") count = number;
  }
  std::vector<GrainPosition> grains;
  std::getline(in, line);
  while (grains.size() < count && std::getline(in, line)) {
    std::istringstream words(line);
    double id = 0, type = 0, diameter = 0, density = 0;
    GrainPosition p{};
    if (!(words >> id >> type >> diameter >> density >> p[0] >> p[1] >> p[2])) break;
    grains.push_back(p);
  }
  if (count == 0 || grains.size() < count) throw incomplete(grains.size(), count);
  // Velocities come after the positions: a file is whole when they are.
  std::size_t moving = 0;
  while (std::getline(in, line) && !line.starts_with("Velocities")) {
  }
  std::getline(in, line);
  while (std::getline(in, line)) {
    if (std::count(line.begin(), line.end(), ' ') >= 6 && in.good()) ++moving;
  }
  if (moving < count) throw incomplete(moving, count);
  return grains;
}

double surface_height(const std::vector<GrainPosition>& grains, const BedOptions& options) {
  const double width = 2 * options.grains.radius;
  const auto rows = std::max<std::int64_t>(std::llround(options.length_x / width), 1);
  const auto columns = std::max<std::int64_t>(std::llround(options.width_y / width), 1);
  std::vector<double> top(static_cast<std::size_t>(rows * columns), 0);
  for (const GrainPosition& p : grains) {
    const auto cell = [](double x, double length, std::int64_t cells) {
      return std::clamp<std::int64_t>(
          static_cast<std::int64_t>(x / length * static_cast<double>(cells)), 0, cells - 1);
    };
    const auto at = static_cast<std::size_t>(cell(p[0], options.length_x, rows) * columns +
                                             cell(p[1], options.width_y, columns));
    top[at] = std::max(top[at], p[2] + options.grains.radius);
  }
  double sum = 0;
  for (const double height : top) sum += height;
  return sum / static_cast<double>(top.size());
}

double clearance(const std::vector<GrainPosition>& grains, const Bed& bed, const GrainFoot& foot,
                 const FootPose& pose) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const GrainPosition& p : grains) {
    shortest =
        std::min(shortest, distance(in_foot(p, bed, pose), foot) - bed.options.grains.radius);
  }
  return shortest;
}

double wall_clearance(const Bed& bed, const GrainFoot& foot, const FootPose& pose) {
  double shortest = std::numeric_limits<double>::infinity();
  // Only what may have grains around it: up to a little above the surface.
  const double upper =
      std::clamp(pose.depth / std::max(std::cos(pose.tilt), 0.1), 0.0, foot.height);
  for (const GrainPosition& point : outline(foot, upper)) {
    const GrainPosition p = placed(point, bed, pose);
    shortest = std::min(
        {shortest, p[0], bed.options.length_x - p[0], p[1], bed.options.width_y - p[1], p[2]});
  }
  return shortest;
}

}  // namespace footfall
