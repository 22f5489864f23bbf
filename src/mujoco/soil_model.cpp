#include "footfall/mujoco/soil_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>

#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/log.hpp"
#include "footfall/mujoco/soft_world.hpp"
#include "footfall/robot/feet.hpp"
#include "input_error.hpp"
#include "mujoco/build.hpp"
#include "mujoco/may_touch.hpp"
#include "mujoco/soil_memory.hpp"
#include "mujoco/soil_world.hpp"

namespace footfall {
namespace {

using namespace from_mujoco;

struct SpecOwner {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
};
using Spec = std::unique_ptr<mjSpec, SpecOwner>;

MjModelPtr compile(mjSpec* spec, const std::filesystem::path& file) {
  MjModelPtr model(mj_compile(spec, nullptr));
  if (!model)
    throw input_error("robot file '{}': {}", file.string(), on_one_line(mjs_getError(spec)));
  return model;
}

mjsGeom* spec_geom(mjSpec* spec, int id) {
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_GEOM); e != nullptr;
       e = mjs_nextElement(spec, e)) {
    if (mjs_getId(e) == id) return mjs_asGeom(e);
  }
  throw input_error("geom {} is not in the file",
                    id);  // not reached: the model is compiled from it
}

// Of several planes and heightfields the one of that name, or the only one that a moving geom can touch. −1: none.
int find_ground(const mjModel& m, const std::string& name) {
  std::vector<int> found;
  for (int g = 0; g < m.ngeom; ++g) {
    if (!is_static(m, m.geom_bodyid[g])) continue;
    if (m.geom_type[g] != mjGEOM_PLANE && m.geom_type[g] != mjGEOM_HFIELD) continue;
    if (!name.empty()) {
      if (label(m, mjOBJ_GEOM, g) == fmt::format("geom '{}'", name)) return g;
      continue;
    }
    bool touches = false;
    for (int h = 0; h < m.ngeom; ++h)
      touches = touches || (!is_static(m, m.geom_bodyid[h]) && may_touch(m, h, g));
    if (touches) found.push_back(g);
  }
  if (!name.empty())
    throw input_error("--ground '{}' is no fixed plane or heightfield of the file", name);
  if (found.size() > 1) {
    std::vector<std::string> names;
    names.reserve(found.size());
    for (const int g : found) names.push_back(label(m, mjOBJ_GEOM, g));
    throw input_error("the file has {} grounds, {}: say which one with --ground", found.size(),
                      list_of(names));
  }
  return found.empty() ? -1 : found[0];
}

void add_ground(mjSpec* spec) {
  mjsGeom* plane = mjs_addGeom(mjs_findBody(spec, "world"), nullptr);
  mjs_setName(plane->element, "ground");
  plane->type = mjGEOM_PLANE;
  std::fill_n(plane->size, 2, 0.0);
  plane->size[2] = 0.05;
  constexpr float kSand[] = {0.72F, 0.62F, 0.45F, 1};
  std::copy_n(kSand, 4, plane->rgba);
}

// The tree with most degrees of freedom: the robot.
int robot_tree(const mjModel& m) {
  if (m.ntree == 0) throw InputError("the file has no body that can move, expected a robot");
  return static_cast<int>(std::max_element(m.tree_dofnum, m.tree_dofnum + m.ntree) - m.tree_dofnum);
}

std::vector<int> find_foot_geoms(const mjModel& m, const std::vector<std::string>& names) {
  std::vector<int> feet;
  for (const std::string& name : names) {
    feet.push_back(mj_name2id(&m, mjOBJ_GEOM, name.c_str()));
    if (feet.back() < 0)
      throw input_error("--feet has '{}', expected names of geoms of the file", name);
  }
  if (!feet.empty()) return feet;
  RobotModel robot;
  robot.gravity = vec3(m.opt.gravity);
  robot.qpos0.assign(m.qpos0, m.qpos0 + m.nq);
  build_bodies(m, robot);
  build_joints(m, robot);
  build_geoms(m, robot);
  build_keyframes(m, robot);
  const std::vector<int> number = mujoco_geoms(m);
  const int tree = robot_tree(m);
  for (Geom& geom : robot.geoms) {
    geom.collides = geom.collides && m.body_treeid[geom.body] == tree;
  }
  // with the other shapes of their bodies: a shank must not stand on hard ground beside a foot that has sunk
  for (const std::vector<int>& foot : join_feet(robot, find_feet(robot), true)) {
    for (const int g : foot) feet.push_back(number[g]);
  }
  if (feet.empty())
    throw InputError(
        "no geom of the robot can touch the ground, expected feet: name them with --feet");
  return feet;
}

int free_bit(const mjModel& m) {
  int used = 0;
  for (int g = 0; g < m.ngeom; ++g) used |= m.geom_contype[g] | m.geom_conaffinity[g];
  for (int f = 0; f < m.nflex; ++f) used |= m.flex_contype[f] | m.flex_conaffinity[f];
  for (int bit = 0; bit < 31; ++bit) {
    if ((used & (1 << bit)) == 0) return bit;
  }
  throw InputError(
      "the file's geoms use all 31 bits of contype and conaffinity, expected one that is free");
}

bool is_foot(const std::vector<int>& feet, int geom) {
  return std::find(feet.begin(), feet.end(), geom) != feet.end();
}

// Gives the bit to whatever met the ground and is no foot; returns to how many geoms.
int part(mjSpec* spec, const mjModel& m, int ground, const std::vector<int>& feet, int bit) {
  int count = 0;
  for (int g = 0; g < m.ngeom; ++g) {
    if (is_static(m, m.geom_bodyid[g]) || is_foot(feet, g) || !masks_match(m, g, ground)) continue;
    spec_geom(spec, g)->contype |= 1 << bit;
    ++count;
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_FLEX); e != nullptr;
       e = mjs_nextElement(spec, e)) {
    const int f = mjs_getId(e), type = m.flex_contype[f], affinity = m.flex_conaffinity[f];
    const bool met =
        (type & m.geom_conaffinity[ground]) != 0 || (m.geom_contype[ground] & affinity) != 0;
    if (met) mjs_asFlex(e)->contype |= 1 << bit;
  }
  mjsGeom* plane = spec_geom(spec, ground);
  plane->contype = 0;
  plane->conaffinity = 1 << bit;
  std::vector<mjsElement*> pairs;
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_PAIR); e != nullptr;
       e = mjs_nextElement(spec, e)) {
    const int p = mjs_getId(e), a = m.pair_geom1[p], b = m.pair_geom2[p];
    if ((a == ground && is_foot(feet, b)) || (b == ground && is_foot(feet, a))) pairs.push_back(e);
  }
  for (mjsElement* e : pairs) mjs_delete(spec, e);
  return count;
}

// Whether two geoms are looked at by MuJoCo; static ones never meet.
bool meet(const mjModel& m, int g, int h) {
  const bool both_static = is_static(m, m.geom_bodyid[g]) && is_static(m, m.geom_bodyid[h]);
  return find_pair(m, g, h) >= 0 || (!both_static && may_touch(m, g, h));
}

// All pairs are as before, but feet and ground; returns how many of those there were.
int compare_pairs(const mjModel& before, const mjModel& after, int ground,
                  const std::vector<int>& feet) {
  int parted = 0;
  for (int g = 0; g < before.ngeom; ++g) {
    for (int h = 0; h < g; ++h) {
      const bool ours = (g == ground && is_foot(feet, h)) || (h == ground && is_foot(feet, g));
      const bool then = meet(before, g, h), now = meet(after, g, h);
      if (ours ? now : then != now) {
        throw input_error("{} and {} would {} touch in the new model: please report this file",
                          label(before, mjOBJ_GEOM, g), label(before, mjOBJ_GEOM, h),
                          now ? "" : "no longer");
      }
      parted += ours && then ? 1 : 0;
    }
  }
  return parted;
}

// A name without blanks, given if there is none.
std::string name_geom(mjSpec* spec, const mjModel& m, int geom, std::vector<std::string>& named) {
  const char* known = mj_id2name(&m, mjOBJ_GEOM, geom);
  if (known != nullptr) {
    if (std::string_view(known).find(' ') != std::string_view::npos) {
      throw input_error(
          "geom '{}' has a blank in its name, expected none: the plugin's feet are a list of words",
          known);
    }
    return known;
  }
  const std::string name = fmt::format("soil_geom_{}", geom);
  mjs_setName(spec_geom(spec, geom)->element, name.c_str());
  named.push_back(name);
  return name;
}

std::string xml_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
    }
  }
  return out;
}

SoilConfig make_config(const SoilModelOptions& o, const SoilModelReport& report, const mjModel& m) {
  SoilConfig config = {{"ground", report.ground},
                       {"feet", fmt::format("{}", fmt::join(report.feet, " "))},
                       {"soil", o.soil},
                       {"wrenches", o.wrenches.string()},
                       {"regions", o.regions},
                       {"pad", o.pad},
                       {"prints", fmt::format("{}", o.prints)}};
  const SoilWorld soil = make_soil_world(m, config);  // checks it, too
  config["numbers"] = fmt::format("{}", SoilMemory(soil.world, soil.prints).number_count());
  return config;
}

std::string extension_text(const SoilConfig& config) {
  std::string text =
      "\n  <extension>\n    <plugin plugin=\"footfall.soil\">\n      <instance name=\"soil\">\n";
  for (const auto& [key, value] : config) {
    if (!value.empty())
      text += fmt::format("        <config key=\"{}\" value=\"{}\"/>\n", key, xml_text(value));
  }
  return text + "      </instance>\n    </plugin>\n  </extension>\n";
}

// Folders of meshes and textures are relative to the file: to the new one now.
void move_folders(mjSpec* spec, const std::filesystem::path& file,
                  const std::filesystem::path& output) {
  const std::filesystem::path from = std::filesystem::absolute(file).parent_path();
  const std::filesystem::path to = std::filesystem::absolute(output).parent_path();
  if (from == to) return;
  for (mjString* folder : {spec->compiler.meshdir, spec->compiler.texturedir}) {
    const std::filesystem::path old = mjs_getString(folder);
    if (old.is_relative()) mjs_setString(folder, (from / old).lexically_relative(to).c_str());
  }
}

std::string spec_text(mjSpec* spec) {
  std::string xml(std::size_t{1} << 16, '\0');
  std::array<char, 1024> error{};
  // too small a buffer: the number of bytes that it takes
  int size = mj_saveXMLString(spec, xml.data(), static_cast<int>(xml.size()), error.data(),
                              static_cast<int>(error.size()));
  if (size > 0) {
    xml.assign(static_cast<std::size_t>(size) + 1, '\0');
    size = mj_saveXMLString(spec, xml.data(), static_cast<int>(xml.size()), error.data(),
                            static_cast<int>(error.size()));
  }
  if (size != 0) throw input_error("MuJoCo cannot write the model: {}", on_one_line(error.data()));
  xml.resize(xml.find('\0'));
  return xml;
}

}  // namespace

SoilModelReport write_soil_model(const std::filesystem::path& file,
                                 const SoilModelOptions& options) {
  require_mujoco_file(file);
  std::error_code missing;
  if (std::filesystem::equivalent(file, options.output, missing)) {
    throw input_error("--output '{}' is the robot's own file, expected another",
                      options.output.string());
  }
  MujocoLogScope log;
  std::array<char, 2048> error{};
  const Spec spec(mj_parseXML(file.c_str(), nullptr, error.data(), static_cast<int>(error.size())));
  if (!spec) throw input_error("robot file '{}': {}", file.string(), on_one_line(error.data()));
  MjModelPtr before = compile(spec.get(), file);
  try {
    refuse_integrator(*before);
  } catch (const InputError& refusal) {
    throw input_error("robot file '{}': {}", file.string(), refusal.what());
  }
  SoilModelReport report;
  int ground = find_ground(*before, options.ground);
  if (ground < 0) {
    add_ground(spec.get());
    report.ground_added = true;
    before = compile(spec.get(), file);
    ground = find_ground(*before, "ground");
  }
  const std::vector<int> feet = find_foot_geoms(*before, options.feet);
  report.bit = free_bit(*before);
  report.moved_geoms = part(spec.get(), *before, ground, feet, report.bit);
  report.ground = name_geom(spec.get(), *before, ground, report.named);
  for (const int foot : feet)
    report.feet.push_back(name_geom(spec.get(), *before, foot, report.named));
  move_folders(spec.get(), file, options.output);
  const MjModelPtr after = compile(spec.get(), file);
  report.parted_pairs = compare_pairs(*before, *after, ground, feet);
  const SoilConfig config = make_config(options, report, *after);

  std::string xml = spec_text(spec.get());
  const std::size_t top = xml.find("<mujoco"),
                    end = top == std::string::npos ? top : xml.find('>', top);
  if (end == std::string::npos) throw input_error("robot file '{}' is empty", file.string());
  xml.insert(end + 1, extension_text(config));
  std::ofstream out(options.output, std::ios::binary);
  out << xml;
  out.close();
  if (!out) throw input_error("output file '{}' cannot be written", options.output.string());
  return report;
}

}  // namespace footfall
