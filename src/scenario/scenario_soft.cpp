// contact.model = "soft_constraint": what a scenario says of it, and the world's part of it.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <set>

#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/soft_world.hpp"
#include "footfall/soft/soft_curve.hpp"
#include "scenario/scenario_parts.hpp"

namespace footfall {
namespace {

// N numbers of a list, all within the range.
template <std::size_t N>
std::array<double, N> read_numbers(const TableReader& reader, const std::string& key,
                                   const Range& range) {
  const ConfigNode& node = reader.node(key);
  if (node.kind != ConfigNode::Kind::array || node.elements.size() != N) {
    reader.refuse(key, range.expected);
  }
  std::array<double, N> out{};
  for (std::size_t i = 0; i < N; ++i) {
    out[i] = checked_number(node.elements[i], reader.key_path(key), range);
  }
  return out;
}

SoftReference read_solref(const TableReader& reader) {
  const char* expected =
      "two positive numbers (time constant [s], damping ratio) or two that are not "
      "(minus stiffness [1/s²], minus damping [1/s])";
  const auto x = read_numbers<2>(reader, "solref", {-1e12, 1e6, expected});
  const SoftReference solref{x[0], x[1]};
  if (is_mixed(solref)) reader.refuse("solref", expected);
  return solref;
}

void read_ground_numbers(const TableReader& reader, SoftChoice& out) {
  const Range length{0, 10, "0 to 10 m"};
  if (reader.has("solref")) out.solref = read_solref(reader);
  if (reader.has("solimp")) {
    const auto x = read_numbers<5>(
        reader, "solimp", {0, 1e6, "five numbers: d0, d_width, width [m], midpoint, power"});
    out.solimp = SoftImpedance{x[0], x[1], x[2], x[3], x[4]};
  }
  if (reader.has("friction")) {
    out.friction = read_numbers<3>(reader, "friction",
                                   {0, 1e3, "three numbers: sliding, spinning [m], rolling [m]"});
  }
  reader.read("condim", out.condim, {1, 6, "1, 3, 4 or 6"});
  if (out.condim == 2 || out.condim == 5) reader.refuse("condim", "1, 3, 4 or 6");
  reader.read("priority", out.priority, {-1e6, 1e6, "a whole number"});
  reader.read("solmix", out.solmix, {0, 1e6, "0 or more"});
  reader.read("margin_m", out.margin, length);
  reader.read("gap_m", out.gap, length);
}

SoftGeom ground_of(const SoftChoice& choice, SoftGeom ground) {
  ground.solref = choice.solref.value_or(ground.solref);
  ground.solimp = choice.solimp.value_or(ground.solimp);
  ground.friction = choice.friction.value_or(ground.friction);
  ground.condim = choice.condim.value_or(ground.condim);
  ground.priority = choice.priority.value_or(ground.priority);
  ground.solmix = choice.solmix.value_or(ground.solmix);
  ground.margin = choice.margin.value_or(ground.margin);
  ground.gap = choice.gap.value_or(ground.gap);
  return ground;
}

// What in the robot's file and the scenario's ground undo each other.
void warn_about_file(const mjModel& m, std::vector<std::string>& warnings) {
  const auto is_plane = [&](int geom) { return m.geom_type[geom] == mjGEOM_PLANE; };
  int pairs = 0;
  for (int p = 0; p < static_cast<int>(m.npair); ++p) {
    pairs += is_plane(m.pair_geom1[p]) || is_plane(m.pair_geom2[p]) ? 1 : 0;
  }
  if (pairs > 0) {
    warnings.push_back(fmt::format("[contact] describes the ground: <pair>s of the robot's "
                                   "file with its plane, {} of them, are not used",
                                   pairs));
  }
  if ((m.opt.enableflags & mjENBL_OVERRIDE) != 0) {
    warnings.emplace_back("option flag override = enable in the robot's file gives every contact "
                          "o_solref, o_solimp, o_friction and o_margin: those of [contact] are not "
                          "used");
  }
}

// Its shape is left out, but what [contact] does not say comes from it.
void name_file_ground(const mjModel& m, std::vector<std::string>& warnings) {
  for (int g = 0; g < static_cast<int>(m.ngeom); ++g) {
    if (m.geom_type[g] != mjGEOM_PLANE) continue;
    const char* name = mj_id2name(&m, mjOBJ_GEOM, g);
    warnings.push_back(fmt::format(
        "solref, solimp, friction, condim, priority, solmix, margin and gap of the ground, as far "
        "as "
        "[contact] does not give them, are those of the file's plane, {}",
        name == nullptr ? fmt::format("unnamed geom {}", g) : fmt::format("geom '{}'", name)));
    return;
  }
}

// Each solref once, with the first geom that meets the ground by it.
void warn_of_long_step(const SoftModel& soft, double timestep, RobotModel& robot) {
  std::set<std::string> said;
  for (const SoftPairing& pairing : soft.pairings) {
    const std::string text = describe_long_step(pairing.law.solref, {timestep, soft.refsafe});
    if (text.empty() || !said.insert(text).second) continue;
    robot.warnings.push_back(
        fmt::format("contact of geom '{}': {}", robot.geoms[pairing.geom].name, text));
  }
}

}  // namespace

std::vector<std::string> soft_contact_keys() {
  return {"cone",   "impratio", "exact_diagonal", "refsafe", "solref",   "solimp",
          "condim", "friction", "priority",       "solmix",  "margin_m", "gap_m"};
}

SoftChoice read_soft_contact(const TableReader& reader, bool is_soft) {
  SoftChoice out;
  if (!is_soft) {
    reader.refuse_given(soft_contact_keys(), "none unless contact.model = \"soft_constraint\"");
  }
  reader.read_choice("cone", out.cone, {"pyramidal", "elliptic"});
  reader.read("impratio", out.impratio, {1e-6, 1e6, "1e-6 to 1e6"});
  reader.read("exact_diagonal", out.exact_diagonal);
  reader.read("refsafe", out.refsafe);
  read_ground_numbers(reader, out);
  return out;
}

SoftModel build_soft_contacts(const Scenario& scenario, const Terrain& terrain, RobotModel& robot,
                              const Soles& soles) {
  if (!terrain.is_plane) {
    throw InputError(place_of(scenario, "ground.kind") +
                     "contact.model = \"soft_constraint\" needs ground.kind = \"plane\" or "
                     "\"slope\"");
  }
  if (!scenario.ground.regions.empty()) {
    throw InputError(place_of(scenario, "ground.region") +
                     "contact.model = \"soft_constraint\" has no regions: one ground for all");
  }
  const MjModelPtr model = load_mujoco_model(scenario.robot.file);
  std::vector<bool> touches(robot.geoms.size(), false);
  for (const SoleGroup& group : soles.groups) touches[group.geom] = true;
  const SoftPlane plane{"ground", terrain.plane_point, terrain.plane_normal};
  std::optional<SoftGeom> ground;
  name_file_ground(*model, robot.warnings);
  if (scenario.soft.describes_ground()) {
    ground = ground_of(scenario.soft, file_ground(*model));
    warn_about_file(*model, robot.warnings);
  }
  SoftModel soft = build_soft_model(*model, touches, plane, ground);
  soft.cone = scenario.soft.cone.value_or(soft.cone);
  soft.impratio = scenario.soft.impratio.value_or(soft.impratio);
  soft.exact_diagonal = scenario.soft.exact_diagonal.value_or(soft.exact_diagonal);
  soft.refsafe = scenario.soft.refsafe.value_or(soft.refsafe);
  warn_of_long_step(soft, scenario.step.timestep, robot);
  return soft;
}

}  // namespace footfall
