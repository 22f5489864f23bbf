#include "foot_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "footfall/rig/mesh_file.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

// A size that this foot must have, or must not.
void check_size(const FootOptions& o, const char* name, const std::optional<double>& value) {
  const bool wanted = has_size(o.foot, name);
  if (wanted == value.has_value()) return;
  throw InputError(wanted ? fmt::format("--foot {} needs --{} in m", o.foot, name)
                          : fmt::format("--{} does not belong to --foot {}", name, o.foot));
}

FootSole make_mesh_sole(const FootOptions& o) {
  if (o.mesh.empty()) throw InputError("--foot mesh needs --mesh FILE.stl or FILE.obj");
  const double scale = o.mesh_scale.value_or(1);
  check_option("mesh-scale", scale, 1e-6, 1e6, "");
  TriangleMesh mesh = read_mesh(o.mesh);
  for (Vec3d& v : mesh.vertices) v = scale * v;
  const double spacing = o.mesh_spacing.value_or(plan_size(mesh) / 100);
  check_option("mesh-spacing", spacing, 1e-6, 1, "m");
  return make_mesh(mesh.vertices, mesh.faces, spacing);
}

}  // namespace

void add_foot_options(CLI::App& app, FootOptions& o) {
  app.add_option("--foot", o.foot, "disc, rectangle, cylinder, sphere or mesh")
      ->check(CLI::IsMember(foot_shapes()));
  app.add_option("--radius", o.radius, "Of a disc, cylinder or sphere [m]");
  app.add_option("--length", o.length, "Of a rectangle [m]");
  app.add_option("--width", o.width, "Of a rectangle, or of a cylinder along its axis [m]");
  app.add_option("--mesh", o.mesh, "STL or OBJ file, z up, lengths in m");
  app.add_option("--mesh-scale", o.mesh_scale, "Factor on the mesh's lengths (0.001: mm)");
  app.add_option("--mesh-spacing", o.mesh_spacing, "Longest edge of a mesh's element [m]");
}

void add_form_options(CLI::App& app, FormOptions& o) {
  app.add_option("--form", o.form, "Normal force: exact, or a formula of Ding 2013 by its number")
      ->check(CLI::IsMember(force_form_names()))
      ->capture_default_str();
  app.add_flag("--one-sided", o.one_sided, "Only one side of a round foot carries: half");
}

const std::vector<std::string>& foot_shapes() {
  static const std::vector<std::string> shapes = {"disc", "rectangle", "cylinder", "sphere",
                                                  "mesh"};
  return shapes;
}

bool has_size(const std::string& foot, const std::string& size) {
  if (size == "radius") return foot == "disc" || foot == "cylinder" || foot == "sphere";
  if (size == "length") return foot == "rectangle";
  if (size == "width") return foot == "rectangle" || foot == "cylinder";
  return foot == "mesh";
}

// Of no robot, and most likely in another unit.
void warn_of_size(const char* name, const std::optional<double>& size) {
  constexpr double kSmallest = 1e-3, kLargest = 1;
  if (!size || !(*size > 0) || (*size >= kSmallest && *size <= kLargest)) return;
  fmt::print(stderr, "footfall: warning: --{} {} m: feet have {} to {} m\n", name, *size, kSmallest,
             kLargest);
}

std::optional<FootSole> make_sole(const FootOptions& o) {
  if (o.foot.empty()) {
    if (o.radius || o.length || o.width || !o.mesh.empty()) {
      throw InputError("sizes need --foot disc, rectangle, cylinder, sphere or mesh");
    }
    return {};
  }
  warn_of_size("radius", o.radius);
  warn_of_size("length", o.length);
  warn_of_size("width", o.width);
  check_size(o, "radius", o.radius);
  check_size(o, "length", o.length);
  check_size(o, "width", o.width);
  if (o.foot == "mesh") return make_mesh_sole(o);
  if (!o.mesh.empty()) throw input_error("--mesh needs --foot mesh, not {}", o.foot);
  if (o.mesh_scale || o.mesh_spacing) {
    throw InputError("--mesh-scale and --mesh-spacing need --foot mesh");
  }
  if (o.foot == "disc") return make_disc(*o.radius);
  if (o.foot == "rectangle") return make_rectangle(*o.length, *o.width);
  if (o.foot == "cylinder") return make_cylinder(*o.radius, *o.width);
  return make_sphere(*o.radius);
}

NormalLaw make_form(const FormOptions& o) {
  const std::vector<std::string>& forms = force_form_names();
  const auto place = std::find(forms.begin(), forms.end(), o.form) - forms.begin();
  return {.form = static_cast<ForceForm>(place), .one_sided = o.one_sided};
}

std::string foot_text(const FootOptions& o) {
  if (o.foot.empty()) return "foot";
  if (o.foot == "mesh")
    return fmt::format("mesh {}", std::filesystem::path(o.mesh).filename().string());
  std::string text = o.foot;
  if (o.radius) text += fmt::format(", radius {}", length_text(*o.radius));
  if (o.length) text += fmt::format(", length {}", length_text(*o.length));
  if (o.width) text += fmt::format(", width {}", length_text(*o.width));
  return text;
}

void check_option(const char* name, double value, double least, double most, const char* unit) {
  if (value >= least && value <= most) return;
  const std::string space = *unit == 0 ? "" : fmt::format(" {}", unit);
  throw input_error("--{} {}{}, expected {} to {}{}", name, value, space, least, most, space);
}

void check_ending(const char* option, const std::string& file, const char* ending) {
  if (file.empty() || file.ends_with(ending)) return;
  throw input_error("--{} {}, expected a name that ends in {}", option, file, ending);
}

}  // namespace footfall
