// footfall mujoco soil: a model whose ground gives way, for the plugin footfall.soil.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/mujoco/soil_model.hpp"
#include "footfall/soil/soil_line.hpp"
#include "input_error.hpp"
#include "io/data_folders.hpp"
#include "parts.hpp"

namespace footfall::mujoco_commands {
namespace {

struct SoilCommand {
  std::string robot, soil, wrench_space;
  double resistive_force = 0;
  double grain_inertia_factor = 2;
  std::vector<std::string> regions;
  SoilModelOptions options;
  bool json = false;
};

// The soil of a region, added to the lines unless it is there.
std::string add_region(const std::string& region, std::vector<std::string>& names,
                       std::string& soils) {
  auto pairs = parse_pairs(region);
  const auto named = pairs.find("soil");
  if (named == pairs.end()) throw input_error("--region '{}' has no soil=<name>", region);
  const Soil soil = load_named_soil(named->second, "--region");
  if (std::find(names.begin(), names.end(), soil.name) == names.end()) {
    names.push_back(soil.name);
    soils += "; " + soil_line(soil);
  }
  named->second = soil.name;
  std::string line;
  for (const auto& [key, value] : pairs)
    line += fmt::format("{}{}={}", line.empty() ? "" : " ", key, value);
  return line;
}

// The database, learned, beside the model.
template <bool has_granular>
void write_wrenches(const SoilCommand& c) {
  if constexpr (has_granular) {
    granular_commands::learn_medium_file(c.wrench_space, c.options.wrenches);
  } else {
    throw input_error("--wrench-space needs the part granular, which this build lacks: {}",
                      parts::granular);
  }
}

void fill_wrenches(SoilCommand& c) {
  if (!c.options.pad.empty()) throw InputError("--pad with --wrench-space, expected --soil");
  c.options.soil = fmt::format("law=wrench_space grain_inertia_factor={}", c.grain_inertia_factor);
  c.options.wrenches = std::filesystem::absolute(c.options.output).replace_extension(".wrenches");
  write_wrenches<parts::granular.empty()>(c);
}

void fill_soils(SoilCommand& c) {
  const int grounds =
      int{!c.soil.empty()} + int{c.resistive_force != 0} + int{!c.wrench_space.empty()};
  if (grounds != 1) {
    throw input_error("{} of --soil, --resistive-force and --wrench-space are given, expected one",
                      grounds);
  }
  if (c.soil.empty()) {
    if (!c.regions.empty()) throw InputError("--region is given without --soil, expected both");
    if (!c.wrench_space.empty()) return fill_wrenches(c);
    if (!c.options.pad.empty()) throw InputError("--pad with --resistive-force, expected --soil");
    c.options.soil = fmt::format("law=resistive_force scale={}", c.resistive_force);
    return;
  }
  const Soil soil = load_named_soil(c.soil, "--soil");
  std::vector<std::string> names = {soil.name};
  c.options.soil = soil_line(soil);
  for (const std::string& region : c.regions) {
    c.options.regions +=
        (c.options.regions.empty() ? "" : "; ") + add_region(region, names, c.options.soil);
  }
}

void run(SoilCommand c) {
  const std::string robot = find_file(robot_files(), c.robot, "", "").string();
  fill_soils(c);
  const SoilModelReport report = write_soil_model(robot, c.options);
  if (c.json) {
    print_json(nlohmann::ordered_json{{"robot", robot},
                                      {"ground", report.ground},
                                      {"ground_added", report.ground_added},
                                      {"feet", report.feet},
                                      {"named", report.named},
                                      {"bit", report.bit},
                                      {"geoms_with_bit", report.moved_geoms},
                                      {"parted_pairs", report.parted_pairs},
                                      {"wrenches", c.options.wrenches.string()},
                                      {"output", c.options.output.string()}});
    return;
  }
  fmt::print("{}\n\n", robot);
  const auto row = [](const char* name, const std::string& text) {
    fmt::print("  {:<8}{}\n", name, text);
  };
  row("ground", fmt::format("geom '{}'{}", report.ground,
                            report.ground_added ? ", a plane that was added" : ""));
  row("feet", fmt::format("geoms {}", fmt::join(report.feet, ", ")));
  row("soil", c.soil.empty() ? c.wrench_space.empty() ? c.options.soil : c.wrench_space : c.soil);
  row("contact", fmt::format("{} pairs of feet and ground left MuJoCo's own; bit {} of contype "
                             "keeps the ground for {} "
                             "other geoms",
                             report.parted_pairs, report.bit, report.moved_geoms));
  if (!report.named.empty())
    row("named", fmt::format("{}, which had no name", fmt::join(report.named, ", ")));
  if (!c.options.wrenches.empty())
    row("grains", fmt::format("{}, which the model refers to", c.options.wrenches.string()));
  fmt::print("\nModel: {}\n", c.options.output.string());
}

}  // namespace

void add_soil(CLI::App& mujoco) {
  auto c = std::make_shared<SoilCommand>();
  CLI::App* sub = mujoco.add_subcommand(
      "soil", "Write a model whose ground gives way, for MuJoCo's plugin footfall.soil");
  sub->add_option("robot", c->robot, "MJCF or URDF file, or a name in robots/")->required();
  sub->add_option("--soil", c->soil,
                  "Soil of the library or soil file; or --resistive-force, or --wrench-space");
  sub->add_option("--resistive-force", c->resistive_force,
                  "Dry grains by resistive force theory: their scale ζ")
      ->check(CLI::Range(1e-6, 1e6));
  sub->add_option("--wrench-space", c->wrench_space,
                  "Granular medium by its wrench database: a CSV file or a name in media/");
  sub->add_option(
         "--grain-inertia-factor", c->grain_inertia_factor,
         "With --wrench-space: inertia of the grains that move with a foot, over that of its link")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  sub->add_option(
      "--pad", c->options.pad,
      "A soft pad under every foot: \"stiffness=5e4 exponent=1 damping=200\" [SI units]");
  sub->add_option("--region", c->regions,
                  "Another soil somewhere: \"soil=concrete shape=half_plane a=1 b=0 c=1.5\"");
  sub->add_option("--feet", c->options.feet,
                  "Geoms that are its feet; default: the lowest of its end links")
      ->delimiter(',');
  sub->add_option("--ground", c->options.ground,
                  "Geom that gives way, a fixed plane or heightfield; default: the only one, or a "
                  "plane is added");
  sub->add_option("--prints", c->options.prints, "How many footprints the ground remembers")
      ->check(CLI::Range(2, 4096))
      ->capture_default_str();
  sub->add_option("-o,--output", c->options.output, "The model to write, an MJCF file")->required();
  sub->add_flag("--json", c->json, "Print JSON, and nothing else, on stdout");
  sub->footer("Example:\n"
              "  footfall mujoco soil robots/quadruped.xml --soil dry-sand --output soft.xml\n"
              "\ndocs/mujoco-plugin.md says how to load it.");
  sub->callback([c] { run(*c); });
}

}  // namespace footfall::mujoco_commands
