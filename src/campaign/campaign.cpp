#include "footfall/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "footfall/error.hpp"
#include "io/config.hpp"
#include "io/text_file.hpp"

namespace footfall {
namespace {

constexpr double kWallMargin = 2;  // grain diameters between foot and walls or floor, at least

const std::vector<std::string> kFootShapes = {"cylinder", "box", "sphere"};
const Range kLength{1e-5, 100, "1e-5 to 100 m"};
const Range kSpeed{1e-6, 100, "1e-6 to 100 m/s"};

const ConfigNode& section_of(const TableReader& top, const std::string& name) {
  if (!top.has(name)) top.refuse_missing(name, "a section [" + name + "]");
  return top.node(name);
}

Grains read_grains(const ConfigNode& section) {
  const TableReader r(section, "grains",
                      {"radius_m", "density_kg_per_m3", "youngs_modulus_Pa", "poisson_ratio",
                       "friction_coefficient", "restitution"});
  Grains g;
  g.radius = r.number("radius_m", {1e-5, 1, "1e-5 to 1 m"});
  g.density = r.number("density_kg_per_m3", {1, 3e4, "1 to 3e4 kg/m³"});
  g.youngs_modulus = r.number("youngs_modulus_Pa", {1e4, 1e12, "1e4 to 1e12 Pa"});
  g.poisson_ratio = r.number("poisson_ratio", {0, 0.5, "0 to 0.5"});
  g.friction_coefficient = r.number("friction_coefficient", {0, 10, "0 to 10"});
  g.restitution = r.number("restitution", {0.01, 1, "0.01 to 1"});
  return g;
}

void read_bed(const TableReader& r, const Grains& grains, BedOptions& bed) {
  bed.grains = grains;
  bed.length_x = r.number("length_x_m", kLength);
  bed.width_y = r.number("width_y_m", kLength);
  bed.depth = r.number("depth_m", kLength);
  const Range seeds{1, 1e9, "a whole number, 1 to 1e9"};
  bed.seed = static_cast<std::uint32_t>(r.integer_or("seed", 1, seeds));
  bed.timestep =
      r.number_or("timestep_s", 0, {0, 0.01, "0 (a share of the grains' Rayleigh time) to 0.01 s"});
}

GrainFoot read_foot(const ConfigNode& section) {
  const TableReader r(
      section, "foot",
      {"shape", "radius_m", "length_x_m", "width_y_m", "height_m", "reference_height_m"});
  GrainFoot foot;
  foot.shape = static_cast<GrainFootShape>(r.choice("shape", kFootShapes));
  const auto size = [&](const char* key, bool has) {
    if (!has && r.has(key)) {
      r.refuse(key, fmt::format("none: a {} has no such size", r.text("shape", "a word")));
    }
    return has ? r.number(key, kLength) : 0.0;
  };
  const bool box = foot.shape == GrainFootShape::box, sphere = foot.shape == GrainFootShape::sphere;
  foot.radius = size("radius_m", !box);
  foot.length_x = size("length_x_m", box);
  foot.width_y = size("width_y_m", box);
  foot.height = size("height_m", !sphere);
  r.read("reference_height_m", foot.reference_height, {0, 10, "0 to 10 m"});
  return foot;
}

// A list of numbers that rises.
std::vector<double> read_list(const TableReader& r, const std::string& key, const Range& each) {
  const std::string expected = fmt::format("a list of rising numbers, each {}", each.expected);
  if (!r.has(key)) r.refuse_missing(key, expected);
  const ConfigNode& node = r.node(key);
  if (node.kind != ConfigNode::Kind::array || node.elements.empty()) r.refuse(key, expected);
  std::vector<double> values;
  for (const ConfigNode& element : node.elements) {
    values.push_back(checked_number(element, r.key_path(key), each));
    if (values.size() > 1 && !(values.back() > values[values.size() - 2])) r.refuse(key, expected);
  }
  return values;
}

void read_directions(const TableReader& r, CampaignSampling& s) {
  if (r.has("directions")) {
    const Range either{26, 58, "26 or 58"};
    s.direction_count = static_cast<int>(r.integer_or("directions", 26, either));
    if (s.direction_count != 26 && s.direction_count != 58) r.refuse("directions", either.expected);
  }
  if (!r.has("only_directions")) return;
  const std::string expected =
      fmt::format("a list of whole numbers, each 0 to {} and no one twice", s.direction_count - 1);
  const ConfigNode& node = r.node("only_directions");
  if (node.kind != ConfigNode::Kind::array || node.elements.empty()) {
    r.refuse("only_directions", expected);
  }
  for (const ConfigNode& e : node.elements) {
    if (e.kind != ConfigNode::Kind::integer || e.integer < 0 || e.integer >= s.direction_count) {
      r.refuse("only_directions", expected);
    }
    s.only.push_back(static_cast<int>(e.integer));
  }
  std::sort(s.only.begin(), s.only.end());
  if (std::adjacent_find(s.only.begin(), s.only.end()) != s.only.end()) {
    r.refuse("only_directions", expected);
  }
  const std::vector<PlanarVelocity> all = velocity_directions(s.direction_count, {1, 1, 1});
  std::vector<PlanarVelocity> chosen;
  chosen.reserve(s.only.size());
  for (const int direction : s.only) chosen.push_back(all[direction]);
  try {
    mirrored_directions(chosen);
  } catch (const InputError&) {
    r.refuse("only_directions",
             "the mirror image of each direction too, as `granular select` gives");
  }
}

void read_sampling(const TableReader& r, CampaignSampling& s) {
  s.depths = read_list(r, "depths_m", {1e-6, 100, "above 0 m, at most 100 m"});
  s.tilts = read_list(r, "tilts_rad",
                      {0, std::numbers::pi / 2, "0 to π/2 rad (others come by symmetry)"});
  read_directions(r, s);
  s.speeds.x = r.number("speed_x_m_per_s", kSpeed);
  s.speeds.z = r.number("speed_z_m_per_s", kSpeed);
  s.speeds.tilt = r.number("tilt_rate_rad_per_s", {1e-6, 1000, "1e-6 to 1000 rad/s"});
  s.duration = r.number("duration_s", {1e-4, 1000, "1e-4 to 1000 s"});
  s.approach_speed = r.number_or("approach_speed_m_per_s", s.speeds.z, kSpeed);
  r.read("sample_interval_s", s.sample_interval, {1e-7, 1, "1e-7 to 1 s"});
  if (s.sample_interval > s.duration / 50) {
    r.refuse("sample_interval_s",
             fmt::format("at most {:g} s, a 50th of sampling.duration_s", s.duration / 50));
  }
  // The end of the path must be far enough from 0.8 of it that the filter does not see it, and a filter
  // beyond half of the sampling rate does nothing.
  const double least = 2.5 / s.duration, most = 0.5 / s.sample_interval;
  const std::string expected = fmt::format(
      "{:g} Hz (half a period in the last fifth of the path) to {:g} Hz (half the sampling rate)",
      least, most);
  s.filter_cutoff = r.number("filter_cutoff_Hz", {least, most, expected.c_str()});
  s.repeats = static_cast<int>(r.integer_or("repeats", 1, {1, 1000, "a whole number, 1 to 1000"}));
}

void read_engine(const TableReader& top, Campaign& out) {
  if (!top.has("engine")) return;
  const TableReader r(top.node("engine"), "engine",
                      {"name", "program", "processes", "bed_processes", "launcher"});
  r.choice_or("name", 0, {"lammps"});
  const Range whole{1, 1e6, "a whole number, 1 or more"};
  out.processes = static_cast<int>(r.integer_or("processes", 1, whole));
  out.bed_processes = static_cast<int>(r.integer_or("bed_processes", out.processes, whole));
  out.program = r.text_if_given("program", "the engine's program").value_or("");
  out.launcher = r.text_if_given("launcher", "a command such as \"mpirun -np 8\"").value_or("");
}

// A path starts at a tilt of its own; beyond a right angle the foot would stand on its head.
void check_tilts(const TableReader& r, const CampaignSampling& s) {
  const double turned = 0.8 * s.duration * s.speeds.tilt;
  if (s.tilts.back() + turned <= std::numbers::pi / 2) return;
  r.refuse("tilts_rad",
           fmt::format("none above {:.4g} rad: a path starts at most {:.3g} rad (0.8 duration_s "
                       "tilt_rate_rad_per_s) from it, and no foot leans by more than π/2",
                       std::numbers::pi / 2 - turned, turned));
}

// Foot and paths stay clear of walls and floor.
void check_room(const TableReader& bed, const Campaign& campaign) {
  const CampaignReach reach = measure_reach(campaign);
  const double margin = 2 * kWallMargin * campaign.bed.grains.radius;
  const auto require = [&](const char* key, double has, double needs, const char* why) {
    if (has >= needs) return;
    bed.refuse(
        key, fmt::format("at least {:.4g} m: {}, and two grain diameters lie between the foot and "
                         "a wall or the floor",
                         needs, why));
  };
  require("length_x_m", campaign.bed.length_x, 2 * (reach.half_length_x + margin),
          "so far the foot in the grains reaches on its paths along x");
  require("width_y_m", campaign.bed.width_y, 2 * (reach.half_width_y + margin),
          "so wide is the foot");
  require("depth_m", campaign.bed.depth, reach.depth + margin,
          "so deep the foot's lowest point comes on its paths");
}

}  // namespace

Campaign read_campaign(const std::filesystem::path& file,
                       const std::vector<std::string>& overrides) {
  const ConfigDocument document = parse_config(read_text_file(file), file.string(), overrides);
  const TableReader top(document.root, "",
                        {"medium", "grains", "bed", "foot", "sampling", "engine"});
  Campaign out;
  out.medium = top.text("medium", "the medium's name");
  const Grains grains = read_grains(section_of(top, "grains"));
  const TableReader bed(section_of(top, "bed"), "bed",
                        {"length_x_m", "width_y_m", "depth_m", "seed", "timestep_s"});
  read_bed(bed, grains, out.bed);
  out.foot = read_foot(section_of(top, "foot"));
  const TableReader sampling(section_of(top, "sampling"), "sampling",
                             {"depths_m", "tilts_rad", "directions", "only_directions",
                              "speed_x_m_per_s", "speed_z_m_per_s", "tilt_rate_rad_per_s",
                              "duration_s", "approach_speed_m_per_s", "sample_interval_s",
                              "filter_cutoff_Hz", "repeats"});
  read_sampling(sampling, out.sampling);
  check_tilts(sampling, out.sampling);
  read_engine(top, out);
  check_room(bed, out);
  return out;
}

}  // namespace footfall
