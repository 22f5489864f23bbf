// footfall rig: one foot on one soil, without robot: press, drop, drag, or any path.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "commands.hpp"
#include "footfall/error.hpp"
#include "footfall/rig/mesh_file.hpp"
#include "footfall/soil/library.hpp"
#include "rig_options.hpp"

namespace footfall {
namespace rig {
namespace {

// A size that this foot must have, or must not.
void check_size(const Options& o, const char* name, const std::optional<double>& value,
                bool wanted) {
  if (wanted == value.has_value()) return;
  throw InputError(wanted ? fmt::format("--foot {} needs --{} in m", o.foot, name)
                          : fmt::format("--{} does not belong to --foot {}", name, o.foot));
}

FootSole make_mesh_sole(const Options& o) {
  if (o.mesh.empty()) throw InputError("--foot mesh needs --mesh FILE.stl or FILE.obj");
  const double scale = o.mesh_scale.value_or(1);
  check_option("mesh-scale", scale, 1e-6, 1e6, "");
  TriangleMesh mesh = read_mesh(o.mesh);
  for (Vec3d& v : mesh.vertices) v = scale * v;
  const double spacing = o.mesh_spacing.value_or(plan_size(mesh) / 100);
  check_option("mesh-spacing", spacing, 1e-6, 1, "m");
  return make_mesh(mesh.vertices, mesh.faces, spacing);
}

std::optional<FootSole> make_sole(const Options& o) {
  const bool round = o.foot == "disc" || o.foot == "cylinder" || o.foot == "sphere";
  if (o.foot.empty()) {
    if (o.radius || o.length || o.width || !o.mesh.empty()) {
      throw InputError("sizes need --foot disc, rectangle, cylinder, sphere or mesh");
    }
    return {};
  }
  check_size(o, "radius", o.radius, round);
  check_size(o, "length", o.length, o.foot == "rectangle");
  check_size(o, "width", o.width, o.foot == "rectangle" || o.foot == "cylinder");
  if (o.foot == "mesh") return make_mesh_sole(o);
  if (!o.mesh.empty()) throw InputError(fmt::format("--mesh needs --foot mesh, not {}", o.foot));
  if (o.mesh_scale || o.mesh_spacing) {
    throw InputError("--mesh-scale and --mesh-spacing need --foot mesh");
  }
  if (o.foot == "disc") return make_disc(*o.radius);
  if (o.foot == "rectangle") return make_rectangle(*o.length, *o.width);
  if (o.foot == "cylinder") return make_cylinder(*o.radius, *o.width);
  return make_sphere(*o.radius);
}

Soil find_rig_soil(const std::string& name) {
  if (name.ends_with(".toml") || name.find('/') != std::string::npos) return load_soil(name);
  return find_soil(load_soil_library(), name);
}

RigFoot make_rig_foot(const Options& o) {
  check_option("foot-mass", o.foot_mass, 0, 1e6, "kg");
  RigFoot foot{.pad = {}, .foot_mass = o.foot_mass};
  if (!o.pad_stiffness) {
    if (o.pad_exponent || o.pad_damping || o.pad_damping_exponent || o.pad_rate_exponent) {
      throw InputError("a pad needs --pad-stiffness in N/m^n, above 0");
    }
    return foot;
  }
  if ((o.pad_damping_exponent || o.pad_rate_exponent) && !o.pad_damping) {
    throw InputError("--pad-damping-exponent and --pad-rate-exponent need --pad-damping");
  }
  foot.pad = FootPad{.stiffness = *o.pad_stiffness,
                     .exponent = o.pad_exponent.value_or(1),
                     .damping = o.pad_damping.value_or(0),
                     .damping_exponent = o.pad_damping_exponent.value_or(0),
                     .rate_exponent = o.pad_rate_exponent.value_or(1)};
  try {
    check_pad(*foot.pad);
  } catch (const InputError& error) {
    throw InputError(fmt::format("pad: {}", error.what()));
  }
  return foot;
}

std::string foot_text(const Options& o) {
  if (o.foot.empty()) return "foot";
  if (o.foot == "mesh")
    return fmt::format("mesh {}", std::filesystem::path(o.mesh).filename().string());
  std::string text = o.foot;
  if (o.radius) text += fmt::format(", radius {}", length_text(*o.radius));
  if (o.length) text += fmt::format(", length {}", length_text(*o.length));
  if (o.width) text += fmt::format(", width {}", length_text(*o.width));
  return text;
}

}  // namespace

void check_option(const char* name, double value, double least, double most, const char* unit) {
  if (value >= least && value <= most) return;
  const std::string space = *unit == 0 ? "" : fmt::format(" {}", unit);
  throw InputError(
      fmt::format("--{} {}{}, expected {} to {}{}", name, value, space, least, most, space));
}

void add_options(CLI::App& app, Options& o) {
  app.add_option("--foot", o.foot, "disc, rectangle, cylinder, sphere or mesh")
      ->check(CLI::IsMember({"disc", "rectangle", "cylinder", "sphere", "mesh"}));
  app.add_option("--radius", o.radius, "Of a disc, cylinder or sphere [m]");
  app.add_option("--length", o.length, "Of a rectangle [m]");
  app.add_option("--width", o.width, "Of a rectangle, or of a cylinder along its axis [m]");
  app.add_option("--mesh", o.mesh, "STL or OBJ file, z up, lengths in m");
  app.add_option("--mesh-scale", o.mesh_scale, "Factor on the mesh's lengths (0.001: mm)");
  app.add_option("--mesh-spacing", o.mesh_spacing, "Longest edge of a mesh's element [m]");
  app.add_option("--soil", o.soil, "Name in the soil library, or a soil file")->required();
  app.add_option("--form", o.form, "Normal force: exact, or a formula of Ding 2013 by its number")
      ->check(CLI::IsMember(force_form_names()))
      ->capture_default_str();
  app.add_flag("--one-sided", o.one_sided, "Only one side of a round foot carries: half");
  app.add_option("--pad-stiffness", o.pad_stiffness, "A pad below the body [N/m^n]");
  app.add_option("--pad-exponent", o.pad_exponent, "n of the pad; without it 1");
  app.add_option("--pad-damping", o.pad_damping, "[N s^q/m^(p+q)]; without it 0");
  app.add_option("--pad-damping-exponent", o.pad_damping_exponent, "p; without it 0");
  app.add_option("--pad-rate-exponent", o.pad_rate_exponent, "q; without it 1");
  app.add_option("--foot-mass", o.foot_mass, "Of the foot below the pad [kg]");
  app.add_flag("--json", o.json, "Print JSON, and nothing else, on stdout");
  app.add_option("--csv", o.csv, "Write what was recorded as a table");
  app.add_option("--plot", o.plot, "Draw it as an SVG file");
}

Setup make_setup(const Options& o) {
  if (!o.plot.empty() && !o.plot.ends_with(".svg")) {
    throw InputError(fmt::format("--plot {}, expected a name that ends in .svg", o.plot));
  }
  const Soil soil = find_rig_soil(o.soil);
  NormalLaw law{.form = ForceForm::exact, .one_sided = o.one_sided};
  const std::vector<std::string>& forms = force_form_names();
  law.form = static_cast<ForceForm>(std::find(forms.begin(), forms.end(), o.form) - forms.begin());
  Setup setup{.ground = make_rig_ground(make_sole(o), soil, law),
              .foot = make_rig_foot(o),
              .title = fmt::format("{} on {}", foot_text(o), soil.name)};
  return setup;
}

void write_files(const Options& options, const std::vector<RigSample>& series, const Plot& plot) {
  if (!options.csv.empty()) write_series(series, options.csv);
  if (!options.plot.empty()) write_plot(options.plot, plot);
}

std::vector<double> column(const std::vector<RigSample>& series, double RigSample::* field,
                           double factor) {
  std::vector<double> values;
  values.reserve(series.size());
  for (const RigSample& s : series) values.push_back(factor * s.*field);
  return values;
}

void print_json(const Json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_row(const char* name, const std::string& value) {
  fmt::print("  {:<22}{}\n", name, value);
}

void print_files(const Options& options) {
  if (!options.csv.empty()) fmt::print("\nTable: {}\n", options.csv);
  if (!options.plot.empty())
    fmt::print("{}Picture: {}\n", options.csv.empty() ? "\n" : "", options.plot);
}

std::string length_text(double metres) {
  const double size = std::abs(metres);
  if (size >= 0.1) return fmt::format("{:.4g} m", metres);
  if (size >= 1e-4 || size == 0) return fmt::format("{:.4g} mm", 1e3 * metres);
  return fmt::format("{:.4g} µm", 1e6 * metres);
}

}  // namespace rig

void add_rig_command(CLI::App& app) {
  CLI::App* rig = app.add_subcommand("rig", "Test one foot on one soil, without a robot");
  rig->require_subcommand(0, 1);
  rig->footer("Examples:\n"
              "  footfall rig press --foot cylinder --radius 0.05 --width 0.08 --soil dry-sand "
              "--sinkage 0.01\n"
              "  footfall rig press --foot disc --radius 0.05 --soil dry-sand --load 300 --unload");
  rig::add_press(*rig);
  rig::add_drop(*rig);
  rig::add_drag(*rig);
  rig::add_path(*rig);
  // Instead of CLI11's own check, which does not name the word that it found. After the tests were
  // added, as they would take the permission over.
  rig->allow_extras();
  rig->callback([rig] {
    if (!rig->get_subcommands().empty()) return;
    const std::vector<std::string> words = rig->remaining();
    throw InputError(words.empty() ? "rig needs a test: expected press, drop, drag or path"
                                   : fmt::format("rig has no test '{}', expected press, drop, "
                                                 "drag or path",
                                                 words[0]));
  });
}

}  // namespace footfall
