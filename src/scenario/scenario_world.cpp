// From a scenario to a world, and the robot's place in it.

#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/foot/sole_friction.hpp"
#include "footfall/mujoco/load.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/robot/kinematics.hpp"
#include "input_error.hpp"
#include "io/words.hpp"
#include "placed.hpp"
#include "scenario/scenario_parts.hpp"

namespace footfall {
namespace {

// The geoms of a foot by its name: that geom, or the colliding geoms of that body.
std::vector<int> geoms_named(const RobotModel& robot, const std::string& name,
                             const std::string& place) {
  const int geom = robot.find_geom(name);
  if (geom >= 0) return {geom};
  const int body = robot.find_body(name);
  std::vector<int> geoms;
  for (std::size_t i = 0; i < robot.geoms.size(); ++i) {
    if (body >= 0 && robot.geoms[i].body == body && robot.geoms[i].collides) {
      geoms.push_back(static_cast<int>(i));
    }
  }
  if (!geoms.empty()) return geoms;
  if (body >= 0) {
    throw input_error("{}foot '{}' is a body without shapes that collide", place, name);
  }
  std::vector<std::string> known = names_of(robot.geoms);
  for (const Body& b : robot.bodies) known.push_back(b.name);
  throw input_error("{}foot '{}' is no geom or body of robot '{}'{}", place, name, robot.name,
                    suggestion(name, known));
}

// The geoms of each foot; of those that are found all shapes of their bodies with `whole`.
std::vector<std::vector<int>> choose_feet(const Scenario& scenario, const RobotModel& robot,
                                          bool whole) {
  const std::string place = place_of(scenario, "robot.feet");
  if (scenario.robot.feet.empty()) {
    const std::vector<int> geoms = find_feet(robot);
    if (geoms.empty()) {
      throw InputError(place + "robot '" + robot.name +
                       "' has no shape that could be a foot: name its feet in robot.feet");
    }
    return join_feet(robot, geoms, whole);
  }
  std::vector<std::vector<int>> feet;
  std::vector<bool> is_taken(robot.geoms.size(), false);
  for (const std::vector<std::string>& names : scenario.robot.feet) {
    std::vector<int>& foot = feet.emplace_back();
    for (const std::string& name : names) {
      for (const int geom : geoms_named(robot, name, place)) {
        if (is_taken[geom]) {
          throw input_error("{}foot '{}' is named twice", place, name);
        }
        is_taken[geom] = true;
        foot.push_back(geom);
      }
    }
  }
  return feet;
}

// The base: the first joint if it is free.
bool has_free_base(const RobotModel& robot) {
  return !robot.joints.empty() && robot.joints[0].type == JointType::free;
}

// How far qpos[index] lifts the robot per unit; index −1: nothing lifts it.
struct Lift {
  int index = -1;
  double sign = 1;
};

Lift find_lift(const RobotModel& robot) {
  if (has_free_base(robot)) return {robot.joints[0].q_index + 2, 1};
  for (const Joint& joint : robot.joints) {
    const Body& body = robot.bodies[joint.body];
    if (joint.type != JointType::slide || body.parent != 0) continue;
    const double up = (body.rotation * joint.axis).z;
    if (std::abs(up) > 0.999) return {joint.q_index, up > 0 ? 1.0 : -1.0};
  }
  return {};
}

// How far above the ground under it the lowest point of all soles lies, vertically [m].
double lowest_gap(const World& world, const std::vector<double>& qpos) {
  RobotData<double> data(world.robot);
  compute_positions(world.robot, qpos.data(), data);
  double lowest = std::numeric_limits<double>::infinity();
  for (const SoleGroup& group : world.soles.groups) {
    for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
      const SolePoint& sole = world.soles.points[i];
      const Mat3d& R_WB = data.R_WB[group.body];
      const Vec3d axis = R_WB * sole.axis;
      for (const Vec3d& place : reach_of(sole)) {
        const Vec3d p = data.p_WB[group.body] + R_WB * place;
        const GroundPoint<double> ground = sample_ground(world.terrain, p.x, p.y);
        const double tilt = dot(axis, ground.normal);  // a roller reaches less far when it leans
        const double reach = sole.radius * std::sqrt(std::fmax(1 - tilt * tilt, 0.0));
        lowest = std::fmin(lowest, p.z - ground.height - reach / ground.normal.z);
      }
    }
  }
  return lowest;
}

// The rotation that takes z to the unit vector n, n.z > −1.
Quatd rotation_to(const Vec3d& n) {
  const Quatd q{1 + n.z, -n.y, n.x, 0};
  const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y);
  return {q.w / length, q.x / length, q.y / length, 0};
}

// Turns the base with the ground, about the point of the ground below it.
void align_base(const World& world, std::vector<double>& qpos) {
  double* q = qpos.data() + world.robot.joints[0].q_index;
  const GroundPoint<double> ground = sample_ground(world.terrain, q[0], q[1]);
  const double height = q[2];
  const Quatd turned = rotation_to(ground.normal) * Quatd{q[3], q[4], q[5], q[6]};
  q[0] += height * ground.normal.x;
  q[1] += height * ground.normal.y;
  q[2] = ground.height + height * ground.normal.z;
  q[3] = turned.w;
  q[4] = turned.x;
  q[5] = turned.y;
  q[6] = turned.z;
}

void require_free_base(const Scenario& scenario, const World& world, const std::string& key) {
  if (has_free_base(world.robot)) return;
  throw input_error("{}key '{}' needs a robot whose first joint is free; that of '{}' is not",
                    place_of(scenario, key), key, world.robot.name);
}

void drop_base(const Scenario& scenario, const World& world, std::vector<double>& qpos) {
  const Lift lift = find_lift(world.robot);
  if (lift.index < 0) {
    throw input_error("{}key 'robot.drop_height_m' needs a base that is free or slides vertically; "
                      "that of robot '{}' does not",
                      place_of(scenario, "robot.drop_height_m"), world.robot.name);
  }
  const double gap = world.soles.points.empty() ? 0 : lowest_gap(world, qpos);
  qpos[lift.index] += lift.sign * (*scenario.robot.drop_height - gap);
}

// The soil's friction, or what the scenario says in its place.
double hard_friction(const Scenario& scenario, const SoilChoice& soil) {
  if (scenario.penalty.friction_coefficient) return *scenario.penalty.friction_coefficient;
  return soil.compliant ? soil.compliant->friction_coefficient
                        : std::tan(soil.plastic->friction_angle);
}

GroundSoil ground_soil(const Scenario& scenario, const SoilChoice& soil) {
  if (scenario.contact == ContactModel::terramechanics && soil.plastic) {
    return {soil.name, *soil.plastic};
  }
  if (soil.compliant) return {soil.name, *soil.compliant};
  throw input_error(
      "{}soil '{}' has no [compliant] section: use contact.model = \"terramechanics\"",
      place_of(scenario, "soil"), soil.name);
}

// The step that the robot's file asks for, where somebody wrote it there.
void warn_of_timestep(const Scenario& scenario, RobotModel& robot) {
  constexpr double kUsual = 0.002;  // MuJoCo's [s]
  const double asked = robot.file_timestep, used = scenario.step.timestep;
  if (asked == kUsual || asked == used) return;
  robot.warnings.push_back(fmt::format("timestep of the robot's file not used: {:g} ms; the "
                                       "scenario's step.timestep_s is {:g} ms",
                                       1e3 * asked, 1e3 * used));
}

SolePoints sole_points(ContactModel contact) {
  if (is_penalty(contact)) return SolePoints::corners;
  if (contact == ContactModel::soft_constraint) return SolePoints::geoms;
  return contact == ContactModel::resistive_force ? SolePoints::elements : SolePoints::shares;
}

Ground build_ground(const Scenario& scenario, const std::vector<double>& pose,
                    const Terrain& terrain, const Soles& soles, RobotModel& robot) {
  switch (scenario.contact) {
  case ContactModel::none: {
    NoGround ground;
    for (const SoilChoice& soil : scenario.soils) ground.soil_names.push_back(soil.name);
    return ground;
  }
  case ContactModel::soft_constraint:
    return SoftGround{scenario.soils[0].name, build_soft_contacts(scenario, terrain, robot, soles)};
  case ContactModel::feedback_linearized:
  case ContactModel::spring_damper: {
    PenaltyGround ground{scenario.penalty.model, {}};
    for (const SoilChoice& soil : scenario.soils) {
      ground.soils.push_back({soil.name, hard_friction(scenario, soil)});
    }
    return ground;
  }
  case ContactModel::wrench_space:
    return build_granular_ground(scenario, pose, terrain, soles, robot);
  case ContactModel::resistive_force:
    return ResistiveGround{scenario.soils[0].name, scenario.resistive.scale,
                           scenario.resistive.yield_length};
  case ContactModel::compliant:
  case ContactModel::terramechanics:
    break;
  }
  SoilGround ground{{}, scenario.robot.pad, scenario.ruts};
  for (const SoilChoice& soil : scenario.soils) {
    ground.soils.push_back(ground_soil(scenario, soil));
  }
  return ground;
}

}  // namespace

std::vector<double> find_pose(const RobotModel& robot, const std::optional<std::string>& keyframe,
                              const std::string& place) {
  if (!keyframe) return standing_pose(robot);
  const int index = robot.find_keyframe(*keyframe);
  if (index >= 0) return robot.keyframes[index].qpos;
  throw input_error("{}robot '{}' has no keyframe '{}'{}", place, robot.name, *keyframe,
                    suggestion(*keyframe, names_of(robot.keyframes)));
}

World build_world(const Scenario& scenario) {
  RobotModel robot =
      placed(place_of(scenario, "robot.file"), [&] { return load_robot(scenario.robot.file); });
  std::vector<double> pose =
      find_pose(robot, scenario.robot.keyframe, place_of(scenario, "robot.keyframe"));
  // Depth and tilt are those of the sole on which the foot stands, however it lies at the start.
  if (scenario.contact == ContactModel::wrench_space) pose = standing_pose(robot);
  const bool touches = scenario.contact != ContactModel::none;
  const bool whole =
      touches && scenario.robot.body_contacts && scenario.contact != ContactModel::wrench_space;
  std::vector<std::vector<int>> feet;
  if (touches) feet = choose_feet(scenario, robot, whole);
  Soles soles = make_joined_soles(robot, feet, whole, pose, sole_points(scenario.contact));
  if (scenario.sole_friction == SoleFriction::smaller && !scenario.penalty.friction_coefficient) {
    set_sole_friction(robot, soles);
  }
  if (scenario.contact == ContactModel::soft_constraint) {
    // these say that the file's contact parameters are not used; here they are
    std::erase_if(robot.warnings, [](const std::string& warning) {
      return warning.find("solref") != std::string::npos ||
             warning.find("contact pair") != std::string::npos ||
             warning.find("soft_constraint") != std::string::npos ||
             warning.find("file's own ground") != std::string::npos;
    });
  }
  warn_of_timestep(scenario, robot);
  Terrain terrain = build_terrain(scenario);
  Ground ground = build_ground(scenario, pose, terrain, soles, robot);
  return placed(place_of(scenario, "step.integrator"), [&] {
    return make_world(std::move(robot), std::move(terrain), std::move(ground), std::move(soles),
                      scenario.step);
  });
}

State<double> place_robot(const Scenario& scenario, const World& world) {
  const RobotChoice& choice = scenario.robot;
  const std::string place = place_of(scenario, "robot.keyframe");
  std::vector<double> qpos = find_pose(world.robot, choice.keyframe, place);
  if (choice.align_to_ground) {
    require_free_base(scenario, world, "robot.align_to_ground");
    align_base(world, qpos);
  }
  if (choice.drop_height) drop_base(scenario, world, qpos);
  State<double> state = make_state<double>(world, qpos);
  if (choice.keyframe) {
    const Keyframe& key = world.robot.keyframes[world.robot.find_keyframe(*choice.keyframe)];
    if (key.qvel.size() == state.qvel.size()) state.qvel = key.qvel;
  }
  const auto set_velocity = [&](const std::optional<Vec3d>& v, const char* key, int offset) {
    if (!v) return;
    require_free_base(scenario, world, key);
    const int index = world.robot.joints[0].v_index + offset;
    state.qvel[index] = v->x;
    state.qvel[index + 1] = v->y;
    state.qvel[index + 2] = v->z;
  };
  set_velocity(choice.linear_velocity, "robot.linear_velocity_m_per_s", 0);
  set_velocity(choice.angular_velocity, "robot.angular_velocity_rad_per_s", 3);
  return state;
}

}  // namespace footfall
