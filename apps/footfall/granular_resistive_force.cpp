// footfall granular resistive-force: a medium's database by resistive force theory, and the scale that fits
// a measured one.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "foot_options.hpp"
#include "footfall/error.hpp"
#include "footfall/granular/resistive_force.hpp"
#include "granular_parts.hpp"
#include "io/data_folders.hpp"

namespace footfall::granular_commands {
namespace {

struct ResistiveCommand {
  std::string command_line;
  GranularFootOptions foot;
  ResistiveMedium medium;
  std::optional<double> scale;
  int directions = 26;
  PlanarVelocity speeds{0.02, 0.02, 0.3};
  std::string fit, output;
  bool json = false;
};

// Far below what the theory is worth, and the same on every machine.
double round_to_micro(double value) { return std::round(1e6 * value) / 1e6 + 0.0; }

Json fit_json(const ResistiveFit& fit) {
  return {{"scale", fit.scale},
          {"error", fit.error},
          {"force_x_error", fit.force_x_error},
          {"force_z_error", fit.force_z_error},
          {"torque_error", fit.torque_error}};
}

void print_fit(const std::string& file, const ResistiveFit& fit) {
  fmt::print("Resistive force theory against {}\n\n", file);
  fmt::print("scale         {:.4f}  (1: a flat plate meets 1 N/cm³ going down)\n", fit.scale);
  fmt::print("error         {:.1f} %  of the wrenches, all together\n", 100 * fit.error);
  fmt::print("  force x     {:.1f} %\n  force z     {:.1f} %\n  torque y    {:.1f} %\n",
             100 * fit.force_x_error, 100 * fit.force_z_error, 100 * fit.torque_error);
}

void check_resistive_options(const ResistiveCommand& c) {
  if (c.fit.empty() == !c.scale) throw InputError("expected --scale or --fit, one of them");
  if (c.fit.empty() && c.output.empty()) throw InputError("--scale needs --output FILE.csv");
  if (c.output.empty()) return;
  check_ending("output", c.output, ".csv");
  if (c.medium.name.empty()) throw InputError("--output needs --medium, the medium's name");
  if (c.medium.depths.empty() || c.medium.tilts.empty()) {
    throw InputError("--output needs --depths-m and --tilts-rad, the grid");
  }
  if (c.scale) check_option("scale", *c.scale, 1e-6, 1e6, "");
}

void run_resistive_force(ResistiveCommand c) {
  check_resistive_options(c);
  Json json;
  if (!c.fit.empty()) {
    const ResistiveFit fit =
        fit_resistive_scale(read_wrench_database(find_file(medium_files(), c.fit, "", "--fit")));
    c.scale = fit.scale;
    json["fit"] = fit_json(fit);
    if (!c.json) print_fit(c.fit, fit);
  }
  if (!c.output.empty()) {
    c.medium.scale = *c.scale;
    WrenchDatabase made = make_resistive_database(c.medium, make_foot(c.foot),
                                                  velocity_directions(c.directions, c.speeds));
    made.source = c.command_line;
    for (PlanarWrench& w : made.wrenches) {
      w = {round_to_micro(w.force_x), round_to_micro(w.force_z), round_to_micro(w.torque_y)};
    }
    write_wrench_database(c.output, made);
    json["output"] = c.output;
    json["configurations"] = made.configurations.size();
    json["directions"] = made.directions.size();
    if (!c.json) {
      fmt::print("{}: {} configurations, {} directions, scale {:g}\n", c.output,
                 made.configurations.size(), made.directions.size(), *c.scale);
    }
  }
  if (c.json) print_json(json);
}

}  // namespace

void add_resistive_force(CLI::App& granular, const std::string& command_line) {
  auto [sub, c] = add_command<ResistiveCommand>(
      granular, "resistive-force", "A medium by resistive force theory, in milliseconds",
      run_resistive_force);
  c.command_line = command_line;
  add_foot_options(sub, c.foot);
  sub.add_option("--scale", c.scale,
                 "Of the medium: stress per depth under a plate going down [N/cm³]");
  sub.add_option("--fit", c.fit, "A measured database: find the scale instead");
  sub.add_option("--medium", c.medium.name, "The medium's name");
  sub.add_option("--depths-m", c.medium.depths, "The grid's depths, above 0 [m]");
  sub.add_option("--tilts-rad", c.medium.tilts, "The grid's tilts, 0 to pi/2 [rad]");
  sub.add_option("--directions", c.directions, "26 or 58")->capture_default_str();
  add_speed_options(sub, c.speeds);
  sub.add_option("-o,--output", c.output, "The database, FILE.csv");
  sub.add_flag("--json", c.json, "Print JSON, and nothing else, on stdout");
  sub.footer("Examples:\n"
             "  footfall granular resistive-force --radius-m 0.04 --height-m 0.308 "
             "--reference-height-m 0.25 \\\n"
             "      --scale 1.5 --depths-m 0.05 0.1 0.2 --tilts-rad 0 0.5 1 --medium dense-sand "
             "-o dense-sand.csv\n"
             "  footfall granular resistive-force --fit measured.csv\n"
             "\ninclude/footfall/granular/resistive_force.hpp has the theory.");
}

}  // namespace footfall::granular_commands
