#include "stress/make_scene.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "compare/random_scenes.hpp"
#include "footfall/robot/assemble.hpp"

namespace footfall::stress_scenes {
namespace {

using Random = SceneRandom;

Vec3d unit_vector(Random& r) {
  const double z = r.uniform(-1, 1), angle = r.uniform(0, 2 * std::numbers::pi);
  const double s = std::sqrt(1 - z * z);
  return {s * std::cos(angle), s * std::sin(angle), z};
}

Quatd random_turn(Random& r, double most) {
  const Vec3d axis = unit_vector(r);
  const double half = 0.5 * r.uniform(0, most);
  return {std::cos(half), std::sin(half) * axis.x, std::sin(half) * axis.y,
          std::sin(half) * axis.z};
}

Vec3d random_vector(Random& r, double most) { return r.uniform(0, most) * unit_vector(r); }

// An octahedron: the simplest mesh that has an inside.
void make_mesh(Geom& geom, const Vec3d& half) {
  geom.vertices = {{half.x, 0, 0},  {-half.x, 0, 0}, {0, half.y, 0},
                   {0, -half.y, 0}, {0, 0, half.z},  {0, 0, -half.z}};
  geom.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                    {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
}

Geom make_geom(Random& r, int body) {
  Geom geom;
  geom.body = body;
  geom.type =
      r.pick<GeomType>({GeomType::sphere, GeomType::sphere, GeomType::capsule, GeomType::cylinder,
                        GeomType::box, GeomType::box, GeomType::ellipsoid, GeomType::mesh});
  const Vec3d half{r.log_uniform(0.015, 0.12), r.log_uniform(0.015, 0.12),
                   r.log_uniform(0.015, 0.12)};
  geom.size = half;
  if (geom.type == GeomType::sphere) geom.size = {half.x, 0, 0};
  if (geom.type == GeomType::capsule || geom.type == GeomType::cylinder) {
    geom.size = {half.x, half.z, 0};
  }
  if (geom.type == GeomType::mesh) {
    geom.size = {0, 0, 0};
    make_mesh(geom, half);
  }
  geom.position = random_vector(r, 0.05);
  geom.rotation = to_matrix(random_turn(r, std::numbers::pi));
  if (r.chance(0.3)) geom.friction = r.log_uniform(0.05, 1.5);
  return geom;
}

// `bare`: without what the sums of energies leave out or take in by halves.
void add_dofs(Random& r, RobotModel& robot, int count, bool is_root, bool bare) {
  for (int i = 0; i < count; ++i) {
    Dof& dof = robot.dofs.emplace_back();
    if (is_root) continue;
    if (r.chance(0.5)) dof.damping = r.log_uniform(0.01, 1);
    if (bare) continue;
    if (r.chance(0.3)) dof.armature = r.log_uniform(0.001, 0.05);
    if (r.chance(0.2)) dof.friction_loss = r.log_uniform(0.01, 1);
  }
}

// A body as heavy as a box of its size would be, from foam to steel.
Body make_link(Random& r, int number, int parent) {
  Body body;
  body.name = fmt::format("link{}", number);
  body.parent = parent;
  if (parent > 0) body.position = random_vector(r, 0.25);
  body.quat = parent > 0 ? random_turn(r, 1) : Quatd{1, 0, 0, 0};
  body.rotation = to_matrix(body.quat);
  body.mass = r.log_uniform(0.05, 10);
  body.com = random_vector(r, 0.03);
  const Vec3d side{r.log_uniform(0.04, 0.25), r.log_uniform(0.04, 0.25), r.log_uniform(0.04, 0.25)};
  const double m = body.mass / 12;
  body.inertia = {
      m * (side.y * side.y + side.z * side.z), 0, 0,
      m * (side.x * side.x + side.z * side.z), 0, m * (side.x * side.x + side.y * side.y)};
  return body;
}

Joint make_joint(Random& r, int body, bool is_root, bool bare) {
  Joint joint;
  joint.name = fmt::format("joint{}", body);
  joint.body = body;
  joint.type = is_root ? r.pick<JointType>({JointType::free, JointType::free, JointType::free,
                                            JointType::free, JointType::free, JointType::slide})
                       : r.pick<JointType>({JointType::hinge, JointType::hinge, JointType::hinge,
                                            JointType::hinge, JointType::slide, JointType::ball});
  if (is_root) return joint;  // a slide: along z
  joint.axis = unit_vector(r);
  joint.anchor = random_vector(r, 0.05);
  const bool turns = joint.type == JointType::hinge;
  if (bare) return joint;
  if (joint.type != JointType::ball && r.chance(0.4)) {
    joint.limited = true;
    joint.lower = -r.uniform(0.1, turns ? 2 : 0.1);
    joint.upper = r.uniform(0.1, turns ? 2 : 0.15);
  }
  if (r.chance(0.2)) joint.stiffness = r.log_uniform(1, turns ? 100 : 1e4);
  return joint;
}

RobotModel make_robot(Random& r, bool is_passive, bool bare) {
  RobotModel robot;
  robot.name = "stress";
  robot.bodies.push_back({.name = "world"});
  const int joints = static_cast<int>(r.log_uniform(1, 31));
  for (int body = 1; body <= joints; ++body) {
    const bool is_root = body == 1;
    // chains, brooms, and what lies between
    const int parent = is_root ? 0 : std::max(1, body - 1 - r.index(r.chance(0.6) ? 2 : body));
    robot.bodies.push_back(make_link(r, body, parent));
    const Joint joint = make_joint(r, body, is_root, bare);
    const int first = robot.velocity_size();
    add_dofs(r, robot, velocity_count(joint.type), is_root, bare);
    robot.joints.push_back(joint);
    if (is_root || r.chance(0.8)) robot.geoms.push_back(make_geom(r, body));
    if (r.chance(0.15)) robot.geoms.push_back(make_geom(r, body));
    const bool single = joint.type == JointType::hinge || joint.type == JointType::slide;
    if (is_root || !single || !r.chance(0.6)) continue;
    Actuator motor{.name = fmt::format("motor{}", body), .joint = body - 1, .dof = first};
    if (!is_passive && r.chance(0.3)) {  // a position servo
      motor.gain = r.log_uniform(1, 300);
      motor.bias1 = -motor.gain;
      motor.bias2 = -r.log_uniform(0.01, 10);
    }
    robot.actuators.push_back(motor);
  }
  for (std::size_t i = 0; i < robot.geoms.size(); ++i) {
    robot.geoms[i].name = fmt::format("geom{}", i);
  }
  Keyframe start{.name = "start",
                 .qpos = {},
                 .qvel = {},
                 .control = std::vector<double>(robot.actuators.size(), 0.0)};
  const bool moves = r.chance(0.5);
  for (const Joint& joint : robot.joints) {
    if (joint.type == JointType::free) {
      robot.qpos0.insert(robot.qpos0.end(), {0, 0, 1, 1, 0, 0, 0});
      const Quatd q = random_turn(r, std::numbers::pi);
      const double x = r.uniform(-0.3, 0.3), y = r.uniform(-0.3, 0.3);
      start.qpos.insert(start.qpos.end(), {x, y, 1, q.w, q.x, q.y, q.z});
    } else if (joint.type == JointType::ball) {
      robot.qpos0.insert(robot.qpos0.end(), {1, 0, 0, 0});
      const Quatd q = random_turn(r, 1);
      start.qpos.insert(start.qpos.end(), {q.w, q.x, q.y, q.z});
    } else {
      robot.qpos0.push_back(0);
      const double most = joint.type == JointType::hinge ? 1 : 0.05;
      start.qpos.push_back(std::clamp(r.uniform(-most, most), joint.limited ? joint.lower : -most,
                                      joint.limited ? joint.upper : most));
    }
    for (int k = 0; k < velocity_count(joint.type); ++k) {
      start.qvel.push_back(moves ? r.uniform(-1, 1) : 0);
    }
  }
  robot.keyframes.push_back(start);
  if (const auto fault = assemble_robot(robot)) {
    throw std::logic_error("a random robot is wrong: " + fault->message());
  }
  return robot;
}

std::string soil_regions(Random& r, const std::vector<std::string>& soils) {
  std::string out;
  for (int i = r.chance(0.3) ? 1 + r.index(3) : 0; i > 0; --i) {
    const std::string soil = r.pick(soils);
    if (r.chance(0.5)) {
      out += fmt::format(
          "[[ground.region]]\nsoil = \"{}\"\nshape = \"half_plane\"\ndirection_deg = {}\n"
          "distance_m = {}\n",
          soil, r.uniform(-180, 180), r.uniform(-0.3, 0.3));
    } else {
      out +=
          fmt::format("[[ground.region]]\nsoil = \"{}\"\nshape = \"circle\"\ncenter_x_m = {}\n"
                      "center_y_m = {}\nradius_m = {}\n",
                      soil, r.uniform(-0.5, 0.5), r.uniform(-0.5, 0.5), r.log_uniform(0.02, 0.5));
    }
  }
  return out;
}

std::string ground_shape(Random& r, bool needs_plane) {
  const int kind = needs_plane ? r.index(2) : r.index(6);
  const std::string grid = fmt::format("x_min_m = -3\nx_max_m = 3\ny_min_m = -3\ny_max_m = 3\n"
                                       "spacing_m = {}\n",
                                       r.log_uniform(0.02, 0.2));
  switch (kind) {
  case 0:
    return "[ground]\nkind = \"plane\"\n";
  case 1:
    return fmt::format("[ground]\nkind = \"slope\"\nslope_deg = {}\ndirection_deg = {}\n",
                       r.uniform(0, 40), r.uniform(-180, 180));
  case 2:
    return fmt::format("[ground]\nkind = \"stairs\"\nstep_height_m = {}\nstep_depth_m = {}\n"
                       "step_count = 5\nstart_m = -0.2\ndirection_deg = {}\n{}",
                       r.uniform(-0.1, 0.1), r.uniform(0.25, 0.5), r.uniform(-180, 180), grid);
  case 3:
    return fmt::format("[ground]\nkind = \"bumps\"\namplitude_m = {}\nwavelength_x_m = {}\n"
                       "wavelength_y_m = {}\n{}",
                       r.log_uniform(0.002, 0.1), r.uniform(0.4, 2), r.uniform(0.4, 2), grid);
  case 4:
    return fmt::format(
        "[ground]\nkind = \"ramp\"\nlength_m = {}\nrise_m = {}\ndirection_deg = {}\n{}",
        r.uniform(0.2, 1), r.uniform(-0.3, 0.3), r.uniform(-180, 180), grid);
  default:
    return fmt::format(
        "[ground]\nkind = \"noise\"\namplitude_m = {}\nwavelength_m = {}\nseed = {}\n{}",
        r.log_uniform(0.002, 0.1), r.uniform(0.3, 2), r.index(1000), grid);
  }
}

}  // namespace

Scene make_scene(unsigned seed, std::int64_t number, double duration,
                 const std::vector<std::string>& soils) {
  Random r(seed * 2654435761U + static_cast<unsigned>(number) * 40503U + 1U);
  Scene scene;
  scene.is_passive = r.chance(0.6);
  const std::string ground =
      r.pick<std::string>({"soil", "soil", "soil", "soil", "soil", "soil", "soil",
                           "resistive_force", "wrench_space", "feedback_linearized", "none"});
  scene.ground = ground;
  scene.gives_no_energy = scene.is_passive && ground == "soil";
  scene.robot = make_robot(r, scene.is_passive, scene.gives_no_energy);

  std::string& text = scene.scenario;
  if (ground == "soil") text = "contact = \"terramechanics\"\n";
  text += "[robot]\nfile = \"robot.json\"\nkeyframe = \"start\"\n";
  // links with a shape, some of them feet
  std::vector<std::string> feet;
  for (const Geom& geom : scene.robot.geoms) {
    const std::string body = "\"" + scene.robot.bodies[geom.body].name + "\"";
    if (std::find(feet.begin(), feet.end(), body) == feet.end()) feet.push_back(body);
  }
  while (feet.size() > 1 + static_cast<std::size_t>(r.index(4))) {
    feet.erase(feet.begin() + r.index(static_cast<int>(feet.size())));
  }
  text += fmt::format("feet = [{}]\n", fmt::join(feet, ", "));
  if (ground == "wrench_space" || r.chance(0.1)) text += "body_contacts = false\n";
  text +=
      fmt::format("drop_height_m = {}\n", r.chance(0.2) ? -r.uniform(0, 0.05) : r.uniform(0, 0.2));
  if (scene.robot.joints[0].type == JointType::free && r.chance(0.5)) {
    text += fmt::format("linear_velocity_m_per_s = [{}, {}, {}]\n", r.uniform(-2, 2),
                        r.uniform(-2, 2), r.uniform(-3, 1));
  }
  if (ground == "soil" && r.chance(0.15)) {
    text += fmt::format("[robot.pad]\nstiffness = {}\ndamping = {}\n", r.log_uniform(1e3, 1e6),
                        r.log_uniform(1, 1e3));
  }
  text += ground_shape(r, ground == "none");
  if (ground == "soil" || ground == "feedback_linearized") {
    text += soil_regions(r, soils);
    text += fmt::format("[soil]\nname = \"{}\"\n", r.pick(soils));
  }
  if (ground == "soil") {
    text += fmt::format("[ground.ruts]\ncell_mm = {}\nrim_share = {}\n", r.pick<int>({2, 5, 5, 10}),
                        r.chance(0.5) ? 0 : r.uniform(0, 1));
  } else {
    text += fmt::format("[contact]\nmodel = \"{}\"\n", ground);
    if (ground == "wrench_space") {
      text += fmt::format("database = \"{}\"\n",
                          r.pick<std::string>({"play-sand", "beads", "pebbles"}));
    }
  }
  // the product of its k_v and the step should be well below 1; without damping, Coriolis forces are explicit
  const double longest = ground == "feedback_linearized" ? 1e-3
                         : scene.gives_no_energy         ? 2e-3
                                                         : 5e-3;
  text += fmt::format("[step]\ntimestep_s = {}\nduration_s = {}\n", r.log_uniform(5e-4, longest),
                      duration);
  if (!scene.is_passive && r.chance(0.3)) {
    text += fmt::format("[[push]]\ntime_s = {}\nduration_s = {}\nforce_N = [{}, {}, {}]\n",
                        r.uniform(0, 0.8), r.uniform(0.001, 0.2), r.uniform(-100, 100),
                        r.uniform(-100, 100), r.uniform(-100, 100));
  }
  return scene;
}

}  // namespace footfall::stress_scenes
