#include "mujoco/soil_world.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include "footfall/foot/sole_friction.hpp"
#include "footfall/ground/wrench_file.hpp"
#include "footfall/ground/wrench_space.hpp"
#include "footfall/math/quaternion.hpp"
#include "footfall/robot/assemble.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/robot/kinematics.hpp"
#include "footfall/soil/soil_line.hpp"
#include "input_error.hpp"
#include "mujoco/build.hpp"
#include "mujoco/may_touch.hpp"

namespace footfall {

const char* const kSoilAttributes[] = {"feet", "ground", "soil",     "wrenches",  "regions",
                                       "pad",  "prints", "rut_cell", "rim_share", "numbers"};
const int kSoilAttributeCount = std::size(kSoilAttributes);

namespace {

std::string attribute(const SoilConfig& config, const char* name) {
  const auto found = config.find(name);
  return found != config.end() ? found->second : "";
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    if (part.find_first_not_of(" \t\n") != std::string::npos) parts.push_back(part);
  }
  return parts;
}

double to_number(const std::string& key, const std::string& text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() ||
      !std::isfinite(value)) {
    throw input_error("{} = '{}', expected a number", key, text);
  }
  return value;
}

double number_or(const SoilConfig& config, const char* key, double otherwise) {
  const std::string text = attribute(config, key);
  return text.empty() ? otherwise : to_number(key, text);
}

// Takes numbers out of "key=value key=value"; whatever is left over is unknown.
struct NumberTable {
  std::string what;
  std::map<std::string, std::string> values;
  void take(const char* key, double& number) {
    const auto found = values.find(key);
    if (found == values.end()) return;
    number = to_number(what + ": " + key, found->second);
    values.erase(found);
  }
  std::string take_word(const char* key, const std::string& otherwise) {
    const auto found = values.find(key);
    if (found == values.end()) return otherwise;
    const std::string word = found->second;
    values.erase(found);
    return word;
  }
  void require_none() const {
    if (!values.empty()) throw input_error("{}: unknown key '{}'", what, values.begin()->first);
  }
};

int find_geom(const mjModel& m, const char* attribute_name, const std::string& name) {
  for (int geom = 0; geom < m.ngeom; ++geom) {
    if (name == m.names + m.name_geomadr[geom]) return geom;
  }
  throw input_error("{} = '{}', expected the name of a geom of this model", attribute_name, name);
}

// ---- the ground ----

std::optional<FootPad> read_pad(const std::string& text) {
  if (text.empty()) return {};
  FootPad pad;
  NumberTable table{"pad", parse_pairs(text)};
  table.take("stiffness", pad.stiffness);
  table.take("exponent", pad.exponent);
  table.take("damping", pad.damping);
  table.take("damping_exponent", pad.damping_exponent);
  table.take("rate_exponent", pad.rate_exponent);
  table.require_none();
  check_pad(pad);
  return pad;
}

bool has_law(const SoilConfig& config, const std::string& law) {
  return parse_pairs(split(attribute(config, "soil") + " ", ';').at(0))["law"] == law;
}

// What a wrench space is made of, beside the feet.
struct WrenchLine {
  MediumFile medium;
  WrenchSpaceOptions options;
};
WrenchLine read_wrench_line(const SoilConfig& config) {
  NumberTable table{"soil", parse_pairs(attribute(config, "soil"))};
  table.take_word("law", "");
  WrenchLine out;
  table.take("grain_inertia_factor", out.options.grain_inertia_factor);
  double spin_radius = -1;
  table.take("spin_radius", spin_radius);
  if (spin_radius >= 0) out.options.spin_radius = spin_radius;
  table.require_none();
  for (const char* key : {"regions", "pad"}) {
    if (!attribute(config, key).empty())
      throw input_error("{} is given, expected none with law=wrench_space", key);
  }
  const std::string file = attribute(config, "wrenches");
  if (file.empty())
    throw InputError(
        "wrenches is not given, expected the path of a file of wrenches with law=wrench_space");
  out.medium = read_medium_file(file);
  return out;
}

Ground read_ground(const SoilConfig& config) {
  const std::vector<std::string> lines = split(attribute(config, "soil"), ';');
  if (!attribute(config, "wrenches").empty()) {
    throw InputError("wrenches is given, expected none without law=wrench_space");
  }
  if (lines[0].find("law=resistive_force") != std::string::npos) {
    ResistiveGround ground;
    NumberTable table{"soil", parse_pairs(lines[0])};
    table.take_word("law", "");
    ground.name = table.take_word("name", "grains");
    table.take("scale", ground.scale);
    table.take("yield_length", ground.yield_length);
    table.require_none();
    if (lines.size() > 1)
      throw InputError("soil: law=resistive_force is one soil, expected no other beside it");
    return ground;
  }
  SoilGround ground;
  for (const std::string& line : lines) {
    const Soil soil = parse_soil_line(line);
    if (soil.plastic) {
      ground.soils.push_back({soil.name, *soil.plastic});
    } else {
      ground.soils.push_back({soil.name, *soil.compliant});
    }
  }
  ground.pad = read_pad(attribute(config, "pad"));
  ground.ruts.cell = number_or(config, "rut_cell", ground.ruts.cell);
  ground.ruts.rim_share = number_or(config, "rim_share", ground.ruts.rim_share);
  return ground;
}

std::vector<Region> read_regions(const SoilConfig& config, const std::vector<std::string>& soils) {
  std::vector<Region> regions;
  for (const std::string& line : split(attribute(config, "regions"), ';')) {
    NumberTable table{"regions", parse_pairs(line)};
    Region region;
    region.name = table.take_word("name", fmt::format("region_{}", regions.size()));
    const std::string soil = table.take_word("soil", "");
    const auto found = std::find(soils.begin(), soils.end(), soil);
    if (found == soils.end()) {
      throw input_error("regions: soil = '{}', expected one of {}", soil, fmt::join(soils, ", "));
    }
    region.soil = static_cast<int>(found - soils.begin());
    const std::string shape = table.take_word("shape", "rectangle");
    if (shape == "rectangle") {
      region.shape = RegionShape::rectangle;
      table.take("x_min", region.x_min), table.take("x_max", region.x_max);
      table.take("y_min", region.y_min), table.take("y_max", region.y_max);
    } else if (shape == "circle") {
      region.shape = RegionShape::circle;
      table.take("center_x", region.center_x), table.take("center_y", region.center_y);
      table.take("radius", region.radius);
    } else if (shape == "half_plane") {
      region.shape = RegionShape::half_plane;
      table.take("a", region.a), table.take("b", region.b), table.take("c", region.c);
    } else {
      throw input_error("regions: shape = '{}', expected rectangle, circle or half_plane", shape);
    }
    table.require_none();
    check_region(region);
    regions.push_back(region);
  }
  return regions;
}

// ---- what it lies on ----

struct Pose {
  Mat3d R;
  Vec3d p;
};
Pose body_pose(const RobotData<double>& data, int body) {
  return {data.R_WB[body], data.p_WB[body]};
}
Pose operator*(const Pose& a, const Pose& b) { return {a.R * b.R, a.p + a.R * b.p}; }
Pose inverse(const Pose& a) {
  const Mat3d e = identity3<double>();
  const Mat3d Rt{transpose_times(a.R, e.x), transpose_times(a.R, e.y), transpose_times(a.R, e.z)};
  return {Rt, -(Rt * a.p)};
}

Terrain make_terrain(const mjModel& m, int geom, const RobotData<double>& data) {
  const std::string name = from_mujoco::name_or_index(m, mjOBJ_GEOM, geom, geom);
  const int body = m.geom_bodyid[geom];
  if (m.body_weldid[body] != 0 || m.body_mocapid[body] >= 0) {
    throw input_error("ground = '{}' moves, expected a geom that is fixed in the world", name);
  }
  const Pose pose =
      body_pose(data, body) * Pose{to_matrix(from_mujoco::quat(m.geom_quat + 4 * geom)),
                                   from_mujoco::vec3(m.geom_pos + 3 * geom)};
  Terrain terrain;
  if (m.geom_type[geom] == mjGEOM_PLANE) {
    terrain.plane_point = pose.p;
    terrain.plane_normal = pose.R.z;
    check_terrain(terrain);
    return terrain;
  }
  if (m.geom_type[geom] != mjGEOM_HFIELD) {
    throw input_error("ground = '{}' is neither a plane nor a heightfield", name);
  }
  const int field = m.geom_dataid[geom], rows = m.hfield_nrow[field],
            columns = m.hfield_ncol[field];
  const mjtNum* size = m.hfield_size + 4 * field;
  const double dx = 2 * size[0] / (columns - 1), dy = 2 * size[1] / (rows - 1);
  if (std::abs(dx - dy) > 1e-6 * dx) {
    throw input_error(
        "ground = '{}' has points {} m apart along x and {} m along y, expected the same", name, dx,
        dy);
  }
  if (pose.R.x.x < 1 - 1e-9 || pose.R.z.z < 1 - 1e-9) {
    throw input_error("ground = '{}' is turned, expected a heightfield along the world's axes",
                      name);
  }
  terrain.is_plane = false;
  terrain.field = {.nx = columns,
                   .ny = rows,
                   .origin_x = pose.p.x - size[0],
                   .origin_y = pose.p.y - size[1],
                   .spacing = dx,
                   .heights = {}};
  const float* heights = m.hfield_data + m.hfield_adr[field];
  for (int i = 0; i < rows * columns; ++i) {
    terrain.field.heights.push_back(pose.p.z + size[2] * static_cast<double>(heights[i]));
  }
  check_terrain(terrain);
  return terrain;
}

// ---- the feet ----

// The whole robot with its shapes, for its standing pose.
RobotModel read_robot(const mjModel& m) {
  RobotModel robot;
  robot.gravity = from_mujoco::vec3(m.opt.gravity);
  robot.qpos0.assign(m.qpos0, m.qpos0 + m.nq);
  from_mujoco::build_bodies(m, robot);
  from_mujoco::build_joints(m, robot);
  from_mujoco::build_geoms(m, robot);
  for (int k = 0; k < m.nkey; ++k) {
    Keyframe key;
    key.name = from_mujoco::name_or_index(m, mjOBJ_KEY, k, k);
    key.qpos.assign(m.key_qpos + k * m.nq, m.key_qpos + (k + 1) * m.nq);
    robot.keyframes.push_back(key);
  }
  return robot;
}

// `carries`: the body of the whole robot whose mass the foot has. Grains that move with it are a share of that; the
// inertia of the motion is the engine's.
void add_body(const std::string& name, const Pose& pose, const Body& carries, RobotModel& feet) {
  Body body;
  body.name = name;
  body.mass = carries.mass;
  body.inertia = carries.inertia;
  feet.bodies.push_back(body);
  Joint joint;
  joint.name = name;
  joint.type = JointType::free;
  joint.body = static_cast<int>(feet.bodies.size()) - 1;
  feet.joints.push_back(joint);
  feet.dofs.resize(feet.dofs.size() + 6);
  const Quatd q = to_quaternion(pose.R);
  for (const double value : {pose.p.x, pose.p.y, pose.p.z, q.w, q.x, q.y, q.z})
    feet.qpos0.push_back(value);
}

// A geom of the whole robot on a body of the feet's.
Geom move_geom(const RobotModel& whole, const std::string& name, const RobotData<double>& data,
               const Pose& pose, int body) {
  Geom geom = whole.geoms[whole.find_geom(name)];
  const Pose place =
      inverse(pose) * body_pose(data, geom.body) * Pose{geom.rotation, geom.position};
  geom.body = body;
  geom.rotation = place.R;
  geom.position = place.p;
  geom.collides = true;
  return geom;
}

// The body itself, or the next one towards the root that has mass; all of them may lack it, as only a tree must have
// some.
Body massive_body(const RobotModel& whole, int body) {
  while (body > 0 && !(whole.bodies[body].mass > 0)) body = whole.bodies[body].parent;
  if (body > 0) return whole.bodies[body];
  Body unit;
  unit.mass = 1;
  unit.inertia = {1, 0, 0, 1, 0, 1};
  return unit;
}

void add_dofs(const mjModel& m, int body, std::vector<int>& dofs) {
  const int tree = m.body_treeid[body];
  for (int i = 0; i < m.tree_dofnum[tree]; ++i) dofs.push_back(m.tree_dofadr[tree] + i);
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
}

double weight_of(const mjModel& m, const std::vector<int>& bodies) {
  std::vector<int> roots;
  double mass = 0;
  for (const int body : bodies) {
    const int root = m.body_rootid[body];
    if (std::find(roots.begin(), roots.end(), root) != roots.end()) continue;
    roots.push_back(root);
    mass += m.body_subtreemass[root];
  }
  const double g = norm(from_mujoco::vec3(m.opt.gravity));
  return mass * (g > 0 ? g : 1);
}

void check_foot(const mjModel& m, const std::string& name, int geom, int ground) {
  const int type = m.geom_type[geom];
  const bool shaped = type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER ||
                      type == mjGEOM_BOX || type == mjGEOM_ELLIPSOID || type == mjGEOM_MESH;
  if (!shaped) throw input_error("feet: geom '{}' is a {}, expected a solid shape", name, type);
  if (m.body_treeid[m.geom_bodyid[geom]] < 0) {
    throw input_error("feet: geom '{}' is fixed in the world, expected one that moves", name);
  }
  if (from_mujoco::may_touch(m, geom, ground)) {
    throw input_error(
        "feet: geom '{}' still touches the ground in MuJoCo itself: part them by contype and "
        "conaffinity, as `footfall mujoco soil` does",
        name);
  }
}

}  // namespace

int count_sensor_feet(const mjModel& m, const SoilConfig& config) {
  std::set<int> bodies;
  for (const std::string& name : split(attribute(config, "feet"), ' ')) {
    bodies.insert(m.body_weldid[m.geom_bodyid[find_geom(m, "feet", name)]]);
  }
  return static_cast<int>(bodies.size());
}

int given_numbers(const SoilConfig& config) {
  return static_cast<int>(number_or(config, "numbers", 0));
}

void refuse_integrator(const mjModel& m) {
  const char* expected = "expected Euler, implicit or implicitfast";
  if (m.opt.integrator == mjINT_RK4) {
    throw input_error("integrator = RK4 asks for forces between steps, {}", expected);
  }
  if (m.opt.integrator == mjINT_DISCRETE) {
    throw input_error("integrator = discrete changes MuJoCo's own rows within the step, {}",
                      expected);
  }
}

SoilWorld make_soil_world(const mjModel& m, const SoilConfig& config) {
  refuse_integrator(m);
  SoilWorld out;
  const std::string ground_name = attribute(config, "ground");
  if (ground_name.empty())
    throw InputError("ground is not given, expected the name of a plane or heightfield");
  out.ground = find_geom(m, "ground", ground_name);
  const std::vector<std::string> names = split(attribute(config, "feet"), ' ');
  if (names.empty()) throw InputError("feet are not given, expected names of geoms");

  const RobotModel whole = read_robot(m);
  RobotData<double> data(whole);
  compute_positions(whole, standing_pose(whole).data(), data);
  RobotModel feet;
  feet.name = "feet";
  feet.gravity = whole.gravity;
  feet.bodies.emplace_back();
  feet.bodies[0].name = "world";
  std::vector<int> soles;
  for (const std::string& name : names) {
    const int geom = find_geom(m, "feet", name);
    check_foot(m, name, geom, out.ground);
    out.geoms.push_back(geom);
    const int body = m.body_weldid[m.geom_bodyid[geom]];
    auto place = std::find(out.bodies.begin(), out.bodies.end(), body);
    if (place == out.bodies.end()) {
      add_body(from_mujoco::name_or_index(m, mjOBJ_BODY, body, body), body_pose(data, body),
               massive_body(whole, body), feet);
      add_dofs(m, body, out.dofs);
      place = out.bodies.insert(out.bodies.end(), body);
    }
    soles.push_back(static_cast<int>(feet.geoms.size()));
    feet.geoms.push_back(move_geom(whole, name, data, body_pose(data, body),
                                   static_cast<int>(place - out.bodies.begin()) + 1));
  }
  if (const auto fault = assemble_robot(feet)) throw InputError(fault->message());
  feet.file_timestep = m.opt.timestep;

  if (split(attribute(config, "soil"), ';').empty()) {
    throw InputError("soil is not given, expected a line such as \"law=bekker exponent=1.1 …\"");
  }
  Terrain terrain = make_terrain(m, out.ground, data);
  const bool grains = has_law(config, "wrench_space");
  Ground ground = grains ? Ground{NoGround{}} : read_ground(config);
  if (!grains) terrain.regions = read_regions(config, soil_names(ground));
  const bool elements = std::holds_alternative<ResistiveGround>(ground);
  const std::vector<double> pose = feet.qpos0;
  Soles sole = make_joined_soles(feet, join_feet(feet, soles, false), false, pose,
                                 elements ? SolePoints::elements : SolePoints::shares);
  if (grains) {
    const WrenchLine line = read_wrench_line(config);
    ground = GranularGround{line.medium.medium,
                            std::make_shared<WrenchSpace>(line.medium.expansion, line.options, feet,
                                                          sole, terrain, pose)};
  }
  set_sole_friction(feet, sole);
  StepOptions options;
  options.timestep = m.opt.timestep;
  options.integrator = Integrator::euler;
  out.world =
      make_world(std::move(feet), std::move(terrain), std::move(ground), std::move(sole), options);
  out.world.force_scale = weight_of(m, out.bodies);
  const double prints = number_or(config, "prints", 64);
  if (!(prints >= 2 && prints <= 4096 && prints == std::floor(prints))) {
    throw input_error("prints = {}, expected a whole number from 2 to 4096", prints);
  }
  out.prints = static_cast<int>(prints);
  return out;
}

}  // namespace footfall
