// [ground] and [[ground.region]]: from keys to a Terrain.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "footfall/io/soil_library.hpp"
#include "footfall/terrain/plane.hpp"
#include "input_error.hpp"
#include "placed.hpp"
#include "scenario/scenario_parts.hpp"

namespace footfall {
namespace {

const std::vector<std::string> kKinds = {"plane",  "slope", "heightfield", "ramp",
                                         "stairs", "bumps", "noise"};
const std::vector<std::string> kShapes = {"rectangle", "circle", "half_plane"};

constexpr Range kPlace{-1e7, 1e7, "a position within ±1e7 m"};
constexpr Range kSpacing{1e-6, 1e4, "1e-6 to 1e4 m"};
constexpr Range kHeading{-360, 360, "-360 to 360 degrees"};
constexpr Range kHeight{-1e5, 1e5, "a height within ±1e5 m"};
constexpr Range kLength{1e-6, 1e7, "above 0 m"};

const std::vector<std::string>& keys_of(GroundKind kind) {
  static const std::vector<std::string> keys[] = {
      {"height_m"},
      {"slope_deg", "direction_deg"},
      {"file", "spacing_m", "origin_x_m", "origin_y_m", "height_min_m", "height_max_m"},
      {"start_m", "length_m", "rise_m", "direction_deg", "x_min_m", "x_max_m", "y_min_m", "y_max_m",
       "spacing_m"},
      {"start_m", "step_height_m", "step_depth_m", "step_count", "direction_deg", "x_min_m",
       "x_max_m", "y_min_m", "y_max_m", "spacing_m"},
      {"amplitude_m", "wavelength_x_m", "wavelength_y_m", "x_min_m", "x_max_m", "y_min_m",
       "y_max_m", "spacing_m"},
      {"amplitude_m", "wavelength_m", "octaves", "persistence", "seed", "x_min_m", "x_max_m",
       "y_min_m", "y_max_m", "spacing_m"}};
  return keys[static_cast<std::size_t>(kind)];
}

std::vector<std::string> all_keys() {
  std::vector<std::string> all = {"kind", "region", "ruts"};
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    for (const std::string& key : keys_of(static_cast<GroundKind>(kind))) {
      if (std::find(all.begin(), all.end(), key) == all.end()) all.push_back(key);
    }
  }
  return all;
}

// A key that another kind of ground has deserves a better answer than "unknown".
void refuse_keys_of_other_kinds(const ConfigNode& section, GroundKind kind) {
  for (const std::string& key : section.keys) {
    const auto knows = [&key](const std::vector<std::string>& keys) {
      return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    if (knows(keys_of(kind))) continue;
    for (std::size_t other = 0; other < kKinds.size(); ++other) {
      if (!knows(keys_of(static_cast<GroundKind>(other)))) continue;
      throw input_error("{}: key 'ground.{}' belongs to kind '{}', but ground.kind is '{}'",
                        section.find(key)->where, key, kKinds[other],
                        kKinds[static_cast<std::size_t>(kind)]);
    }
  }
}

GridExtent read_extent(const TableReader& reader) {
  GridExtent e;
  reader.read("x_min_m", e.x_min, kPlace);
  reader.read("x_max_m", e.x_max, kPlace);
  reader.read("y_min_m", e.y_min, kPlace);
  reader.read("y_max_m", e.y_max, kPlace);
  reader.read("spacing_m", e.spacing, kSpacing);
  return e;
}

void read_heightfield(const TableReader& reader, NamedFiles& files, GroundChoice& ground) {
  static_cast<void>(reader.text("file", "the path of a .csv, .npy or .png file"));
  ground.file = find_file(plain_files(), reader, "file", files);
  ground.placement.spacing = reader.number("spacing_m", kSpacing);
  ground.placement.origin_x = reader.number_or("origin_x_m", 0, kPlace);
  ground.placement.origin_y = reader.number_or("origin_y_m", 0, kPlace);
  if (ground.file.extension() == ".png") {
    ground.grey.height_min = reader.number("height_min_m", kHeight);
    ground.grey.height_max = reader.number("height_max_m", kHeight);
    return;
  }
  reader.refuse_given({"height_min_m", "height_max_m"},
                      "it left out: only an image's greys need a range");
}

void read_ramp(const TableReader& reader, GroundChoice& ground) {
  RampParameters& r = ground.ramp;
  reader.read("start_m", r.start, kPlace);
  r.length = reader.number("length_m", kLength);
  r.rise = reader.number("rise_m", kHeight);
  r.direction = reader.degrees_or("direction_deg", 0, kHeading);
}

void read_stairs(const TableReader& reader, GroundChoice& ground) {
  StairsParameters& s = ground.stairs;
  reader.read("start_m", s.start, kPlace);
  s.step_height = reader.number("step_height_m", kHeight);
  s.step_depth = reader.number("step_depth_m", kLength);
  s.step_count =
      static_cast<int>(reader.integer("step_count", {1, 100000, "a whole number, 1 to 100000"}));
  s.direction = reader.degrees_or("direction_deg", 0, kHeading);
}

void read_bumps(const TableReader& reader, GroundChoice& ground) {
  const Range wavelength{0, 1e7, "0 m (no waves along that axis) or more"};
  ground.bumps.amplitude = reader.number("amplitude_m", {0, 1e5, "0 m or more"});
  ground.bumps.wavelength_x = reader.number("wavelength_x_m", wavelength);
  ground.bumps.wavelength_y = reader.number("wavelength_y_m", wavelength);
}

void read_noise(const TableReader& reader, GroundChoice& ground) {
  NoiseParameters& n = ground.noise;
  n.amplitude = reader.number("amplitude_m", {0, 1e5, "0 m or more"});
  n.wavelength = reader.number("wavelength_m", kLength);
  reader.read("octaves", n.octaves, {1, 16, "a whole number, 1 to 16"});
  reader.read("persistence", n.persistence, {0, 1, "0 to 1"});
  constexpr double kLargest = 9.2e18;
  n.seed = static_cast<std::uint64_t>(
      reader.integer_or("seed", 0, {0, kLargest, "a whole number, 0 or more"}));
}

// The index of a region's soil, which may have to be fetched from the library first.
int soil_index(const TableReader& reader, NamedFiles& files, std::vector<SoilChoice>& soils) {
  const std::string name = reader.text("soil", "the name of a soil in [soils] or in the library");
  for (std::size_t i = 1; i < soils.size(); ++i) {
    if (soils[i].name == name) return static_cast<int>(i);
  }
  try {
    const Soil soil = load_soil(find_file(soil_files(), reader, "soil", files));
    soils.push_back({name, soil.compliant, soil.plastic});
  } catch (const InputError& error) {
    if (soils.size() < 2) throw;
    std::vector<std::string> own;
    for (std::size_t i = 1; i < soils.size(); ++i) own.push_back(soils[i].name);
    throw input_error("{}; [soils] has {}", error.what(), fmt::join(own, ", "));
  }
  return static_cast<int>(soils.size()) - 1;
}

Region read_region(const ConfigNode& node, const std::string& path, NamedFiles& files,
                   std::vector<SoilChoice>& soils) {
  const TableReader reader(node, path,
                           {"name", "soil", "shape", "x_min_m", "x_max_m", "y_min_m", "y_max_m",
                            "center_x_m", "center_y_m", "radius_m", "direction_deg", "distance_m"});
  Region region;
  region.soil = soil_index(reader, files, soils);
  region.name = reader.text_if_given("name", "the region's name").value_or(path);
  region.shape = static_cast<RegionShape>(reader.choice("shape", kShapes));
  const auto only_for = [&](RegionShape shape, const std::vector<std::string>& keys) {
    if (region.shape == shape) return true;
    reader.refuse_given(keys, fmt::format("it left out: shape is '{}', and it belongs to '{}'",
                                          kShapes[static_cast<std::size_t>(region.shape)],
                                          kShapes[static_cast<std::size_t>(shape)]));
    return false;
  };
  if (only_for(RegionShape::rectangle, {"x_min_m", "x_max_m", "y_min_m", "y_max_m"})) {
    region.x_min = reader.number("x_min_m", kPlace);
    region.x_max = reader.number("x_max_m", kPlace);
    region.y_min = reader.number("y_min_m", kPlace);
    region.y_max = reader.number("y_max_m", kPlace);
  }
  if (only_for(RegionShape::circle, {"center_x_m", "center_y_m", "radius_m"})) {
    region.center_x = reader.number("center_x_m", kPlace);
    region.center_y = reader.number("center_y_m", kPlace);
    region.radius = reader.number("radius_m", kLength);
  }
  if (only_for(RegionShape::half_plane, {"direction_deg", "distance_m"})) {
    const double heading = reader.degrees("direction_deg", kHeading);
    region.a = std::cos(heading);
    region.b = std::sin(heading);
    region.c = reader.number_or("distance_m", 0, kPlace);
  }
  placed(node.where + ": ", [&] { check_region(region); });
  return region;
}

void read_shape(const TableReader& reader, NamedFiles& files, GroundChoice& ground) {
  switch (ground.kind) {
  case GroundKind::plane:
    ground.height = reader.number_or("height_m", 0, kHeight);
    return;
  case GroundKind::slope:
    ground.slope = reader.degrees("slope_deg", {0, 88, "0 to 88 degrees"});
    ground.direction = reader.degrees_or("direction_deg", 0, kHeading);
    return;
  case GroundKind::heightfield:
    read_heightfield(reader, files, ground);
    return;
  case GroundKind::ramp:
    read_ramp(reader, ground);
    break;
  case GroundKind::stairs:
    read_stairs(reader, ground);
    break;
  case GroundKind::bumps:
    read_bumps(reader, ground);
    break;
  case GroundKind::noise:
    read_noise(reader, ground);
    break;
  }
  ground.extent = read_extent(reader);
}

Terrain build_shape(const GroundChoice& g) {
  switch (g.kind) {
  case GroundKind::plane:
    return make_flat(g.height);
  case GroundKind::slope:
    return make_slope(g.slope, g.direction);
  case GroundKind::heightfield:
    return make_terrain(load_heightfield(g.file, g.placement, g.grey));
  case GroundKind::ramp:
    return make_terrain(make_ramp(g.ramp, g.extent));
  case GroundKind::stairs:
    return make_terrain(make_stairs(g.stairs, g.extent));
  case GroundKind::bumps:
    return make_terrain(make_bumps(g.bumps, g.extent));
  case GroundKind::noise:
    break;
  }
  return make_terrain(make_noise(g.noise, g.extent));
}

}  // namespace

GroundChoice read_ground(const ConfigNode& section, NamedFiles& files,
                         std::vector<SoilChoice>& soils) {
  const TableReader reader(section, "ground", all_keys());
  GroundChoice ground;
  ground.kind = static_cast<GroundKind>(reader.choice_or("kind", 0, kKinds));
  refuse_keys_of_other_kinds(section, ground.kind);
  read_shape(reader, files, ground);
  if (reader.has("region")) {
    const ConfigNode& regions = reader.node("region");
    if (regions.kind != ConfigNode::Kind::array)
      reader.refuse("region", "[[ground.region]] tables");
    for (std::size_t i = 0; i < regions.elements.size(); ++i) {
      ground.regions.push_back(
          read_region(regions.elements[i], fmt::format("ground.region.{}", i), files, soils));
    }
  }
  return ground;
}

Terrain build_terrain(const Scenario& scenario) {
  return placed(place_of(scenario, "ground"), [&] {
    Terrain terrain = build_shape(scenario.ground);
    terrain.regions = scenario.ground.regions;
    check_terrain(terrain);
    return terrain;
  });
}

}  // namespace footfall
