#include "granular_parts.hpp"

#include <fmt/format.h>

#include <map>

#include "foot_options.hpp"
#include "footfall/error.hpp"

namespace footfall::granular_commands {
namespace {

const std::map<std::string, GrainFootShape>& granular_shapes() {
  static const std::map<std::string, GrainFootShape> shapes = {
      {"cylinder", GrainFootShape::cylinder},
      {"box", GrainFootShape::box},
      {"sphere", GrainFootShape::sphere}};
  return shapes;
}

// A size that this foot must have, or must not.
double granular_size(const GranularFootOptions& o, const char* name,
                     const std::optional<double>& value, bool wanted) {
  if (wanted != value.has_value()) {
    throw InputError(wanted ? fmt::format("--foot {} needs --{}-m", o.foot, name)
                            : fmt::format("--{}-m does not belong to --foot {}", name, o.foot));
  }
  if (value) check_option(fmt::format("{}-m", name).c_str(), *value, 1e-4, 10, "m");
  return value.value_or(0);
}

}  // namespace

void add_foot_options(CLI::App& sub, GranularFootOptions& options) {
  sub.add_option("--foot", options.foot, "cylinder, box or sphere")
      ->check(CLI::IsMember(granular_shapes()))
      ->capture_default_str();
  sub.add_option("--radius-m", options.radius, "Of a cylinder or sphere [m]");
  sub.add_option("--length-m", options.length, "Of a box, along x [m]");
  sub.add_option("--width-m", options.width, "Of a box, along y [m]");
  sub.add_option("--height-m", options.height, "Of a cylinder or box along its axis [m]");
  sub.add_option("--reference-height-m", options.reference_height,
                 "Of p_r, where torques are taken, above the sole [m]");
}

void add_speed_options(CLI::App& sub, PlanarVelocity& speeds) {
  sub.add_option("--speed-x-m-per-s", speeds.x, "Of the directions [m/s]")->capture_default_str();
  sub.add_option("--speed-z-m-per-s", speeds.z, "Of the directions [m/s]")->capture_default_str();
  sub.add_option("--speed-tilt-rad-per-s", speeds.tilt, "Of the directions [rad/s]")
      ->capture_default_str();
}

GrainFoot make_foot(const GranularFootOptions& o) {
  const GrainFootShape shape = granular_shapes().at(o.foot);
  const bool box = shape == GrainFootShape::box, sphere = shape == GrainFootShape::sphere;
  GrainFoot foot{.shape = shape};
  foot.radius = granular_size(o, "radius", o.radius, !box);
  foot.length_x = granular_size(o, "length", o.length, box);
  foot.width_y = granular_size(o, "width", o.width, box);
  foot.height = granular_size(o, "height", o.height, !sphere);
  if (!o.reference_height) throw InputError("a foot needs --reference-height-m: where p_r is");
  check_option("reference-height-m", *o.reference_height, 0, 10, "m");
  foot.reference_height = *o.reference_height;
  return foot;
}

}  // namespace footfall::granular_commands
