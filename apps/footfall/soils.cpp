// footfall soils: the soil library as a table, in full, under a foot, and as curves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "footfall/foot/validity.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/report/plot.hpp"
#include "footfall/rig/foot.hpp"
#include "input_error.hpp"
#include "soils_show.hpp"

namespace footfall {
namespace {

struct SoilsOptions {
  std::vector<std::string> names;
  std::string kind = "all";
  std::string search;
  std::string sort = "name";
  std::string foot;
  std::optional<double> radius, length, width, load;  // SI
  std::string plot;
  bool json = false;
};

// ---- which soils ----

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool mentions(const Soil& soil, const std::string& text) {
  const std::string all = fmt::format("{}\n{}\n{}\n{}\n{}", soil.name, soil.description,
                                      soil.source, soil.validity, soil.notes);
  return lower_case(all).find(lower_case(text)) != std::string::npos;
}

std::vector<SoilRow> select_soils(const SoilsOptions& options) {
  std::vector<Soil> soils;
  if (options.names.empty()) soils = load_soil_library();
  for (const std::string& name : options.names) soils.push_back(load_named_soil(name, ""));
  std::vector<SoilRow> rows;
  for (Soil& soil : soils) {
    if (options.kind == "plastic" && !soil.plastic) continue;
    if (options.kind == "elastic" && !soil.compliant) continue;
    if (mentions(soil, options.search)) rows.push_back({.soil = std::move(soil)});
  }
  return rows;
}

// The value that rows are sorted by; soils without it come last.
double sort_value(const SoilRow& row, const std::string& key) {
  constexpr double kLast = std::numeric_limits<double>::infinity();
  if (key == "sinkage") return row.sinkage.value_or(kLast);
  if (key == "moisture") return row.soil.moisture.value_or(kLast);
  if (!row.soil.plastic) return kLast;
  const PlasticSoil& s = *row.soil.plastic;
  if (key == "exponent") return s.pressure.exponent;
  if (key == "cohesion") return s.cohesion;
  return key == "friction_angle" ? s.friction_angle : s.shear_modulus;
}

void sort_rows(std::vector<SoilRow>& rows, const SoilsOptions& options) {
  if (options.sort == "name") {
    if (!options.names.empty()) return;  // as they were asked for
    std::stable_sort(rows.begin(), rows.end(),
                     [](const SoilRow& a, const SoilRow& b) { return a.soil.name < b.soil.name; });
    return;
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const SoilRow& a, const SoilRow& b) {
    return sort_value(a, options.sort) < sort_value(b, options.sort);
  });
}

// ---- under a foot ----

std::optional<FootSole> make_foot(const SoilsOptions& o) {
  struct Size {
    const char* name;
    const std::optional<double>& value;
    std::initializer_list<const char*> feet;  // that have it
  };
  const Size sizes[] = {{"--radius", o.radius, {"disc", "cylinder", "sphere"}},
                        {"--length", o.length, {"rectangle"}},
                        {"--width", o.width, {"rectangle", "cylinder"}}};
  if (o.foot.empty()) {
    for (const Size& s : sizes) {
      if (s.value) throw input_error("{} = {:g} m, expected --foot beside it", s.name, *s.value);
    }
    return std::nullopt;
  }
  for (const Size& s : sizes) {
    const bool has = std::find(s.feet.begin(), s.feet.end(), o.foot) != s.feet.end();
    if (has && !s.value) throw input_error("--foot {} needs {} in metres", o.foot, s.name);
    if (!has && s.value) {
      throw input_error("{} = {:g} m, expected it left out: it does not belong to --foot {}",
                        s.name, *s.value, o.foot);
    }
  }
  if (o.foot == "disc") return make_disc(*o.radius);
  if (o.foot == "sphere") return make_sphere(*o.radius);
  if (o.foot == "cylinder") return make_cylinder(*o.radius, *o.width);
  return make_rectangle(*o.length, *o.width);
}

std::string foot_text(const SoilsOptions& o) {
  std::string text = o.foot;
  if (o.radius) text += fmt::format(", radius {:g} mm", 1000 * *o.radius);
  if (o.length) text += fmt::format(", length {:g} mm", 1000 * *o.length);
  if (o.width) text += fmt::format(", width {:g} mm", 1000 * *o.width);
  return text;
}

// As `footfall rig press` has it. Elastic ground counts for one foot, whatever its size.
void add_sinkage(const FootSole& foot, double load, std::vector<SoilRow>& rows) {
  for (SoilRow& row : rows) {
    row.sinkage = find_rest(make_rig_ground(foot, row.soil), load);
    if (!row.soil.plastic) continue;
    row.beyond = outside_validity({.width = contact_width(foot), .sinkage = *row.sinkage},
                                  valid_depth(foot), &*row.soil.plastic);
    if (row.beyond.empty()) continue;
    fmt::print(stderr, "footfall: warning: {}: {}\n", row.soil.name, row.beyond);
  }
}

// ---- curves ----

constexpr double kDeepest = 0.05;        // of the sinkage axis [m]
constexpr double kFarthest = 0.1;        // of the shear displacement axis [m]
constexpr double kPlateRadius = 0.05;    // where no foot is given [m]
constexpr double kShearPressure = 50e3;  // under which shear stress is shown [Pa]
constexpr int kPoints = 200;

template <class Curve>
PlotLine sample(const std::string& label, double end, const Curve& curve) {
  PlotLine line{.label = label};
  for (int i = 0; i <= kPoints; ++i) {
    const double x = end * i / kPoints;
    line.x.push_back(1e3 * x);
    line.y.push_back(curve(x));
  }
  return line;
}

// Soils that differ a hundredfold need a logarithmic axis to be seen together.
void choose_scale(PlotPanel& panel) {
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (const PlotLine& line : panel.lines) {
    least = std::min(least, line.y.back());
    largest = std::max(largest, line.y.back());
  }
  panel.y.log = largest > 20 * least;
  if (panel.y.log) panel.y.low = std::pow(10, std::floor(std::log10(least / 20)));
}

// Pressure over sinkage and shear stress over shear displacement; with a foot its normal force too, and with a
// load [N] its tangential force. `foot_words` describe the foot. Throws InputError if no soil is plastic.
Plot plot_soils(const std::vector<Soil>& soils, const std::optional<FootSole>& foot,
                const std::optional<double>& load, const std::string& foot_words) {
  const PlotAxis sinkage{.label = "sinkage", .unit = "mm"};
  const PlotAxis displacement{.label = "shear displacement", .unit = "mm"};
  const double width = foot ? contact_width(*foot) : kPlateRadius;
  PlotPanel pressure{.title = fmt::format("Pressure under a sole of b = {:g} mm", 1e3 * width),
                     .x = sinkage,
                     .y = {.label = "pressure", .unit = "kPa"}};
  PlotPanel shear{.title = fmt::format("Shear stress at {:g} kPa", kShearPressure / 1e3),
                  .x = displacement,
                  .y = {.label = "shear stress", .unit = "kPa"}};
  PlotPanel normal{.title = "Normal force on the foot",
                   .x = sinkage,
                   .y = {.label = "normal force", .unit = "N"}};
  PlotPanel tangential{.title = fmt::format("Tangential force under {:g} N", load.value_or(0)),
                       .x = displacement,
                       .y = {.label = "tangential force", .unit = "N"}};
  for (const Soil& soil : soils) {
    if (!soil.plastic) continue;
    const PlasticSoil& s = *soil.plastic;
    const double modulus = sinkage_modulus(s, width);
    pressure.lines.push_back(sample(soil.name, kDeepest, [&](double d) {
      return modulus * std::pow(d, s.pressure.exponent) / 1e3;
    }));
    const double strength = s.cohesion + kShearPressure * std::tan(s.friction_angle);
    shear.lines.push_back(sample(soil.name, kFarthest,
                                 [&](double j) { return strength * mobilized_shear(s, j) / 1e3; }));
    if (!foot) continue;
    const SoleLaw law = make_sole_law(*foot, s);
    normal.lines.push_back(
        sample(soil.name, kDeepest, [&](double d) { return normal_force(law, d).force; }));
    if (!load) continue;
    const double limit =
        shear_strength(*foot, s, find_rest(make_rig_ground(foot, soil), *load), *load);
    tangential.lines.push_back(
        sample(soil.name, kFarthest, [&](double j) { return limit * mobilized_shear(s, j); }));
  }
  if (pressure.lines.empty()) {
    throw InputError("--plot draws plastic soils, and none of those selected is plastic");
  }
  Plot plot{.title = pressure.lines.size() == 1 ? pressure.lines[0].label : "Soils",
            .subtitle = foot ? "foot: " + foot_words : "",
            .panels = {pressure, shear}};
  if (foot) plot.panels.push_back(normal);
  if (foot && load) plot.panels.push_back(tangential);
  for (PlotPanel& panel : plot.panels) choose_scale(panel);
  return plot;
}

void run_soils(const SoilsOptions& options) {
  const std::optional<FootSole> foot = make_foot(options);
  if (options.load && !foot) {
    throw input_error("--load = {:g} N, expected --foot beside it", *options.load);
  }
  if (options.load && !(*options.load >= 0 && *options.load <= 1e9)) {
    throw input_error("--load = {:g} N, expected 0 to 1e9 N", *options.load);
  }
  if (options.sort == "sinkage" && !options.load) {
    throw InputError("--sort sinkage needs --foot and --load");
  }
  if (foot && !options.load && options.plot.empty()) {
    throw InputError("--foot needs --load in newtons, or --plot");
  }
  if (!options.plot.empty() && !options.plot.ends_with(".svg")) {
    throw input_error("--plot {}, expected a name that ends in .svg", options.plot);
  }
  std::vector<SoilRow> rows = select_soils(options);
  if (foot && options.load) add_sinkage(*foot, *options.load, rows);
  sort_rows(rows, options);
  if (!options.plot.empty()) {
    std::vector<Soil> soils;
    soils.reserve(rows.size());
    for (const SoilRow& row : rows) soils.push_back(row.soil);
    write_plot(options.plot, plot_soils(soils, foot, options.load, foot_text(options)));
  }
  if (options.json) {
    print_soils_json(rows, options.load);
    return;
  }
  const std::string under =
      options.load ? fmt::format("{:g} N ({})", *options.load, foot_text(options)) : "";
  if (rows.empty()) {
    fmt::print("No soil fits.\n");
  } else if (options.names.empty()) {
    print_soil_table(rows, options.kind != "elastic", options.kind != "plastic", under);
  } else {
    print_soil_details(rows, under);
  }
  if (!options.plot.empty()) fmt::print("Plot: {}\n", options.plot);
}

}  // namespace

void add_soils_command(CLI::App& app) {
  auto [command, options] = add_command<SoilsOptions>(
      app, "soils", "List the soil library, and show single soils", run_soils);
  command.footer(
      "Examples:\n"
      "  footfall soils\n"
      "  footfall soils dry-sand lete-sand --plot sands.svg\n"
      "  footfall soils --kind plastic --foot disc --radius 0.05 --load 100 --sort sinkage\n"
      "  footfall soils --search snow --json\n"
      "\ndocs/soil-file.md describes soil files.");
  command.add_option("names", options.names,
                     "Soils to show in full: names of the library, or files ending in .toml");
  command.add_option("--kind", options.kind, "plastic, elastic or all")
      ->check(CLI::IsMember({"all", "plastic", "elastic"}))
      ->capture_default_str();
  command.add_option("--search", options.search, "Only soils whose texts mention this");
  command
      .add_option("--sort", options.sort,
                  "name, exponent, cohesion, friction_angle, shear_modulus, moisture or sinkage; "
                  "soils without it come last")
      ->check(CLI::IsMember({"name", "exponent", "cohesion", "friction_angle", "shear_modulus",
                             "moisture", "sinkage"}))
      ->capture_default_str();
  command.add_option("--foot", options.foot, "disc, rectangle, cylinder or sphere")
      ->check(CLI::IsMember({"disc", "rectangle", "cylinder", "sphere"}));
  command.add_option("--radius", options.radius, "Of a disc, cylinder or sphere [m]");
  command.add_option("--length", options.length, "Of a rectangle [m]");
  command.add_option("--width", options.width, "Of a rectangle or cylinder [m]");
  command.add_option("--load", options.load, "Show how deep the foot sinks under it [N]");
  command.add_option("--plot", options.plot,
                     "Draw pressure and shear stress of the plastic soils to this SVG file");
  command.add_flag("--json", options.json, "Print JSON, with the keys and units of soil files");
}

}  // namespace footfall
