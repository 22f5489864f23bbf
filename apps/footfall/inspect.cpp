// footfall inspect: what a robot is made of and, with --compare-mujoco, whether our dynamics of it
// are MuJoCo's.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <memory>

#include "commands.hpp"
#include "footfall/compare/compare.hpp"
#include "footfall/foot/sole_summary.hpp"
#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/load.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/robot/robot_file.hpp"
#include "io/data_folders.hpp"
#include "io/text_file.hpp"

namespace footfall {
namespace {

constexpr double kAgreement = 1e-8;  // largest relative error that still counts as the same

struct InspectOptions {
  std::string robot;
  bool compare_mujoco = false;
  int states = 100;
  unsigned seed = 1;
  bool json = false;
  std::string export_file;
};

const char* type_name(JointType type) {
  constexpr std::array names = {"free", "ball", "hinge", "slide"};
  return names[static_cast<std::size_t>(type)];
}
const char* type_name(GeomType type) {
  constexpr std::array names = {"sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh"};
  return names[static_cast<std::size_t>(type)];
}

// What users call an actuator with these gains.
const char* actuator_kind(const Actuator& a) {
  if (a.bias0 == 0 && a.bias1 == 0 && a.bias2 == 0) return "motor";
  if (a.bias0 == 0 && a.bias1 == -a.gain) return "position servo";
  if (a.bias0 == 0 && a.bias1 == 0 && a.bias2 == -a.gain) return "velocity servo";
  return "affine actuator";
}

// ---- for people ----

std::string vector_text(const Vec3d& v) { return fmt::format("({:g}, {:g}, {:g})", v.x, v.y, v.z); }

std::string joint_text(const Joint& joint) {
  std::string text = fmt::format("{} {}", type_name(joint.type), joint.name);
  if (position_count(joint.type) == 1) text += ", axis " + vector_text(joint.axis);
  if (joint.limited) {
    const char* unit = joint.type == JointType::slide ? "m" : "rad";
    text += fmt::format(", {:.4g} to {:.4g} {}", joint.lower, joint.upper, unit);
  }
  return text;
}

void print_bodies(const RobotModel& model) {
  fmt::print("\nBodies and joints\n");
  std::vector<int> depth(model.bodies.size(), 0);
  std::size_t width = 0;
  for (int b = 1; b < model.body_count(); ++b) {
    const Body& body = model.bodies[b];
    depth[b] = depth[body.parent] + 1;
    width = std::max(width, body.name.size() + 2 * depth[b]);
  }
  for (int b = 1; b < model.body_count(); ++b) {
    const Body& body = model.bodies[b];
    const std::string name = std::string(2 * depth[b], ' ') + body.name;
    const std::string first = body.joint_count > 0 ? joint_text(model.joints[body.first_joint])
                              : body.parent == 0   ? "fixed to the world"
                                                   : "welded to " + model.bodies[body.parent].name;
    fmt::print("{:<{}}  {:>9.4g} kg   {}\n", name, width, body.mass, first);
    for (int j = 1; j < body.joint_count; ++j) {
      fmt::print("{:<{}}  {:>12}   {}\n", "", width, "",
                 joint_text(model.joints[body.first_joint + j]));
    }
  }
}

void print_actuators(const RobotModel& model) {
  fmt::print("\nActuators{}\n", model.actuators.empty() ? ": none" : "");
  for (const Actuator& a : model.actuators) {
    const Joint& joint = model.joints[a.joint];
    std::string text = fmt::format("  {}: {} on {}", a.name, actuator_kind(a), joint.name);
    if (velocity_count(joint.type) > 1) text += fmt::format(", dof {}", a.dof - joint.v_index);
    if (a.gear != 1) text += fmt::format(", gear {:g}", a.gear);
    if (a.gain != 1) text += fmt::format(", gain {:g}", a.gain);
    if (a.bias2 != 0) text += fmt::format(", velocity gain {:g}", -a.bias2);
    if (a.control_limited) {
      text += fmt::format(", control {:g} to {:g}", a.control_lower, a.control_upper);
    }
    if (a.force_limited) text += fmt::format(", force {:g} to {:g}", a.force_lower, a.force_upper);
    fmt::print("{}\n", text);
  }
}

std::string geom_text(const RobotModel& model, int g) {
  const Geom& geom = model.geoms[g];
  return geom.name.empty() ? fmt::format("{} {}", type_name(geom.type), g) : geom.name;
}

std::string geoms_text(const RobotModel& model, const std::vector<int>& geoms) {
  std::vector<std::string> names;
  names.reserve(geoms.size());
  for (const int g : geoms) names.push_back(geom_text(model, g));
  return fmt::format("{}", fmt::join(names, ", "));
}

void print_soles(const RobotModel& model, const Soles& soles) {
  fmt::print("Feet, found automatically:{}\n",
             soles.feet.empty() ? " none; name them in the scenario" : "");
  for (std::size_t i = 0; i < soles.feet.size(); ++i) {
    const Foot& foot = soles.feet[i];
    const SoleSummary s = summarize_sole(model, soles, static_cast<int>(i), standing_pose(model));
    fmt::print("  {}: {} of {}, {:.4g} x {:.4g} mm, {:.4g} cm^2, {} point{}, b = {:.4g} mm\n",
               foot.name, s.shapes, model.bodies[foot.body].name, 1e3 * s.length, 1e3 * s.width,
               1e4 * s.area, s.points, s.points == 1 ? "" : "s", 1e3 * s.contact_width);
    if (s.geoms.size() > 1) fmt::print("    stands on {}\n", geoms_text(model, s.geoms));
    if (!s.others.empty()) fmt::print("    and has {}\n", geoms_text(model, s.others));
  }
}

void print_robot(const RobotModel& model, const Soles& soles) {
  fmt::print("{}: {} bodies, {} degrees of freedom, {} actuators, {:.6g} kg, gravity {} m/s^2\n",
             model.name, model.body_count() - 1, model.velocity_size(), model.actuators.size(),
             model.total_mass(), vector_text(model.gravity));
  print_bodies(model);
  print_actuators(model);

  fmt::print("\nKeyframes:{}\n", model.keyframes.empty() ? " none" : "");
  for (const Keyframe& key : model.keyframes) fmt::print("  {}\n", key.name);
  print_soles(model, soles);
  if (!model.warnings.empty()) fmt::print("Warnings\n");
  for (const std::string& warning : model.warnings) fmt::print("  {}\n", warning);
}

void print_comparison(const DynamicsComparison& error, unsigned seed) {
  fmt::print("\nAgainst MuJoCo {}, at {} random states (seed {})\n", mj_versionString(),
             error.states, seed);
  fmt::print("  {:<18} largest relative error\n", "");
  fmt::print("  {:<18} {:.1e}\n", "mass matrix", error.mass_matrix);
  fmt::print("  {:<18} {:.1e}\n", "bias force", error.bias_force);
  fmt::print("  {:<18} {:.1e}\n", "jacobian", error.jacobian);
  fmt::print("  {:<18} {:.1e}\n", "forward dynamics", error.forward_dynamics);
  fmt::print("  {}\n", error.largest() <= kAgreement
                           ? "The dynamics agree."
                           : "The dynamics DIFFER: do not trust this robot's motion.");
}

// ---- for programs ----

Json vector_json(const Vec3d& v) { return {v.x, v.y, v.z}; }

Json joint_json(const RobotModel& model, const Joint& joint) {
  const bool linear = joint.type == JointType::slide;
  Json out{{"name", joint.name},
           {"type", type_name(joint.type)},
           {"body", model.bodies[joint.body].name}};
  if (position_count(joint.type) == 1) out["axis"] = vector_json(joint.axis);
  if (joint.limited) {
    out[linear ? "lower_m" : "lower_rad"] = joint.lower;
    out[linear ? "upper_m" : "upper_rad"] = joint.upper;
  }
  return out;
}

Json actuator_json(const RobotModel& model, const Actuator& a) {
  Json out{{"name", a.name}, {"kind", actuator_kind(a)}, {"joint", model.joints[a.joint].name},
           {"gear", a.gear}, {"gain", a.gain},           {"bias", {a.bias0, a.bias1, a.bias2}}};
  if (a.control_limited) out["control_range"] = {a.control_lower, a.control_upper};
  if (a.force_limited) out["force_range"] = {a.force_lower, a.force_upper};
  return out;
}

Json sole_json(const RobotModel& model, const Soles& soles, int index) {
  const Foot& foot = soles.feet[index];
  const SoleSummary s = summarize_sole(model, soles, index, standing_pose(model));
  const auto names = [&](const std::vector<int>& geoms) {
    Json out = Json::array();
    for (const int g : geoms) out.push_back(geom_text(model, g));
    return out;
  };
  return {{"name", foot.name},
          {"body", model.bodies[foot.body].name},
          {"shapes", s.shapes},
          {"geoms", names(s.geoms)},
          {"other_geoms", names(s.others)},
          {"length_mm", 1e3 * s.length},
          {"width_mm", 1e3 * s.width},
          {"area_cm2", 1e4 * s.area},
          {"points", s.points},
          {"contact_width_mm", 1e3 * s.contact_width}};
}

Json robot_json(const RobotModel& model, const Soles& soles) {
  Json out{{"robot", model.name},
           {"file", model.source_file},
           {"total_mass_kg", model.total_mass()},
           {"gravity_m_s2", vector_json(model.gravity)},
           {"position_count", model.position_size()},
           {"velocity_count", model.velocity_size()}};
  for (const char* list : {"bodies", "joints", "actuators", "keyframes", "feet", "soles"}) {
    out[list] = Json::array();
  }
  for (int b = 1; b < model.body_count(); ++b) {
    const Body& body = model.bodies[b];
    out["bodies"].push_back(
        {{"name", body.name}, {"parent", model.bodies[body.parent].name}, {"mass_kg", body.mass}});
  }
  for (const Joint& joint : model.joints) out["joints"].push_back(joint_json(model, joint));
  for (const Actuator& a : model.actuators) out["actuators"].push_back(actuator_json(model, a));
  for (const Keyframe& key : model.keyframes) out["keyframes"].push_back(key.name);
  for (std::size_t i = 0; i < soles.feet.size(); ++i) {
    out["feet"].push_back(soles.feet[i].name);
    out["soles"].push_back(sole_json(model, soles, static_cast<int>(i)));
  }
  out["warnings"] = model.warnings;
  return out;
}

Json comparison_json(const DynamicsComparison& error) {
  return {{"mass_matrix", error.mass_matrix},
          {"bias_force", error.bias_force},
          {"jacobian", error.jacobian},
          {"forward_dynamics", error.forward_dynamics}};
}

void run_inspect(InspectOptions options) {
  options.robot = find_file(robot_files(), options.robot, "", "").string();
  const RobotModel model = load_robot(options.robot);
  if (!options.export_file.empty()) {
    check_robot_file_name(options.export_file);
    write_text_file(options.export_file, write_robot(model));
  }
  const Soles soles = make_joined_soles(model, join_feet(model, find_feet(model), true), false,
                                        standing_pose(model));
  DynamicsComparison error;
  if (options.compare_mujoco) {
    error =
        compare_dynamics(model, *load_mujoco_model(options.robot), options.states, options.seed);
  }
  if (options.json) {
    Json out = robot_json(model, soles);
    if (options.compare_mujoco) {
      out["mujoco_version"] = mj_versionString();
      out["states"] = options.states;
      out["seed"] = options.seed;
      out["relative_error"] = comparison_json(error);
    }
    print_json(out);
  } else {
    print_robot(model, soles);
    if (options.compare_mujoco) print_comparison(error, options.seed);
  }
  if (!(error.largest() <= kAgreement)) throw CLI::RuntimeError(1);
}

}  // namespace

void add_inspect_command(CLI::App& app) {
  auto [command, options] =
      add_command<InspectOptions>(app, "inspect", "Show what a robot is made of", run_inspect);
  command.footer("Examples:\n"
                 "  footfall inspect robots/quadruped.xml\n"
                 "  footfall inspect robots/two_link_leg.urdf --compare-mujoco\n"
                 "  footfall inspect robots/quadruped.xml --export quadruped.json");
  command.add_option("robot", options.robot, "MJCF, URDF or robot.json file, or a name in robots/")
      ->required();
  command.add_flag("--compare-mujoco", options.compare_mujoco,
                   "Compare our dynamics with MuJoCo's at random states; status 1 if they differ");
  command.add_option("--states", options.states, "Number of random states")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Seed of the random states")->capture_default_str();
  command.add_flag("--json", options.json, "Print JSON");
  command
      .add_option("--export", options.export_file,
                  "Write the whole robot to this file, which every command can run")
      ->type_name("FILE.json");
}

}  // namespace footfall
