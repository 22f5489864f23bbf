// Scenario: what a run is, as written in a TOML file. docs/scenario.md lists every key.
//
//   Scenario scenario = load_scenario("scenarios/quadruped_drop.toml", {"step.duration_s=1"});
//   World world = build_world(scenario);
//   State<double> state = place_robot(scenario, world);
//
// All throw InputError with the place in the file, the key, the value found and what is expected:
//   drop.toml:12:13: key 'soil.stiffness' = -3, expected above 0 N/m
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "footfall/gait/gait_parameters.hpp"
#include "footfall/granular/learning.hpp"
#include "footfall/ground/world.hpp"
#include "footfall/ground/wrench_space.hpp"
#include "footfall/io/heightfield.hpp"
#include "footfall/step/push.hpp"
#include "footfall/terrain/procedural.hpp"

namespace footfall {

// [robot]
struct RobotChoice {
  std::filesystem::path file;  // found, as it will be opened
  std::optional<std::string> keyframe;
  // names of geoms or bodies, of each foot those that are its sole together; empty: found automatically
  std::vector<std::vector<std::string>> feet;
  bool body_contacts = true;          // the robot's other shapes touch the ground too
  std::optional<FootPad> pad;         // [robot.pad], under every foot
  std::optional<double> drop_height;  // gap between the lowest sole and the ground [m]
  bool align_to_ground = false;  // turn the base so that its keyframe's up is the ground's normal
  std::optional<Vec3d> linear_velocity;   // of the base, frame W [m/s]
  std::optional<Vec3d> angular_velocity;  // of the base, frame B [rad/s]
};

enum class GroundKind { plane, slope, heightfield, ramp, stairs, bumps, noise };

// [ground]. Only the fields of its kind are used.
struct GroundChoice {
  GroundKind kind = GroundKind::plane;
  double height = 0;                // plane [m]
  double slope = 0, direction = 0;  // slope [rad]
  std::filesystem::path file;       // heightfield
  GridPlacement placement;          // heightfield
  GreyRange grey;                   // heightfield from an image
  GridExtent extent;                // ramp, stairs, bumps, noise
  RampParameters ramp;
  StairsParameters stairs;
  BumpsParameters bumps;
  NoiseParameters noise;
  std::vector<Region> regions;  // their soil is an index into Scenario::soils
};

// A soil under the name by which regions call it. [0] of Scenario::soils is [soil].
struct SoilChoice {
  std::string name;
  std::optional<CompliantGround<double>> compliant;  // what contact model compliant needs
  std::optional<PlasticSoil> plastic;                // [terramechanics]
};

enum class ContactModel {
  compliant,       // elastic ground, ground/compliant.hpp
  terramechanics,  // soils that yield and remember, soil/plastic.hpp; those without such values are
                   // compliant
  none,
  soft_constraint,      // MuJoCo's, soft/soft_point.hpp
  feedback_linearized,  // hard ground, ground/penalty.hpp
  spring_damper,        // likewise
  wrench_space,         // granular media, ground/wrench_space.hpp
  resistive_force,      // dry grains on surface elements, ground/resistive_terms.hpp
};

// [contact] sole_friction: what limits friction between soil and sole.
enum class SoleFriction {
  smaller,  // of the soil's and the geom's coefficient, see foot/sole_friction.hpp
  soil,     // the soil's alone
};

// [contact] of model soft_constraint. What is not given is as in the robot's file: the options, and
// the ground's numbers as those of its first plane (or MuJoCo's defaults).
struct SoftChoice {
  std::optional<SoftCone> cone;
  std::optional<double> impratio;
  std::optional<bool> exact_diagonal;
  std::optional<bool> refsafe;
  // of the ground
  std::optional<SoftReference> solref;
  std::optional<SoftImpedance> solimp;
  std::optional<std::array<double, 3>> friction;  // sliding [-], spinning [m], rolling [m]
  std::optional<int> condim;
  std::optional<int> priority;
  std::optional<double> solmix;
  std::optional<double> margin, gap;  // [m]

  bool describes_ground() const {
    return solref || solimp || friction || condim || priority || solmix || margin || gap;
  }
};

// [contact] of models feedback_linearized and spring_damper.
struct PenaltyChoice {
  PenaltyModel model;
  std::optional<double> friction_coefficient;  // in place of the soils'
};

// [contact] of model wrench_space.
struct WrenchChoice {
  std::filesystem::path database;  // found, as it will be opened
  LearningOptions learning;
  WrenchSpaceOptions options;
};

// [contact] of model resistive_force.
struct ResistiveChoice {
  double scale = 1;            // ζ [-]
  double yield_length = 5e-4;  // [m]
};

enum class ControllerKind { none, hold, torque_file, trajectory_file, walk, trot };

// A gain for every joint, or one for all: `gains` of single joints come before `common`.
struct GainChoice {
  std::optional<double> common;
  std::map<std::string, double> gains;
  bool given() const { return common.has_value() || !gains.empty(); }
};

// [controller]
struct ControllerChoice {
  ControllerKind kind = ControllerKind::none;
  std::optional<std::string> keyframe;  // hold; default: the robot's
  std::filesystem::path file;           // torque_file, trajectory_file
  GainChoice kp;                        // [N m/rad or N/m]
  GainChoice kd;                        // [N m s/rad or N s/m]
  WalkParameters walk;
  TrotParameters trot;
};

struct Scenario {
  std::string name;                    // of the file, without extension
  std::filesystem::path file;          // where it was read; empty: from memory
  std::filesystem::path folder;        // that relative paths in it start from
  std::vector<std::string> overrides;  // "key.path=value"
  std::string text;                    // as run: overrides are part of it

  RobotChoice robot;
  GroundChoice ground;
  std::vector<SoilChoice> soils;
  ContactModel contact = ContactModel::compliant;
  SoleFriction sole_friction = SoleFriction::smaller;
  SoftChoice soft;
  PenaltyChoice penalty;
  WrenchChoice wrench;
  ResistiveChoice resistive;
  RutOptions ruts;                  // [ground.ruts]
  std::filesystem::path ruts_file;  // whose ruts the ground has at the start; empty: none
  StepOptions step;
  double duration = 0;   // [s]
  int record_every = 1;  // steps per row of the run file
  ControllerChoice controller;
  std::vector<Push> pushes;      // [[push]]
  std::filesystem::path output;  // folder of the results

  std::map<std::string, std::string> places;  // "file:line:column" of each key that was given
};

// Steps of the whole run: duration over timestep, rounded.
std::int64_t step_count(const Scenario& scenario);

// Reads and checks a scenario. An override is "key.path=value", the value as TOML or a plain word.
Scenario load_scenario(const std::filesystem::path& file,
                       const std::vector<std::string>& overrides = {});

// The same from text. `name` stands in messages for the file; relative paths start from `folder`.
Scenario parse_scenario(const std::string& text, const std::string& name,
                        const std::filesystem::path& folder,
                        const std::vector<std::string>& overrides = {});

// Loads the robot and makes ground, soils and soles of the scenario.
World build_world(const Scenario& scenario);

// The state in which the run starts: keyframe, then placed on or above the ground, then pushed.
State<double> place_robot(const Scenario& scenario, const World& world);

// "file:line:column: " of a key, or of its nearest section, for messages about its value.
std::string place_of(const Scenario& scenario, const std::string& key);

// The robot's keyframe of that name, or the one in which it stands if there is no name. Throws
// InputError that lists the keyframes; `place` begins its message.
std::vector<double> find_pose(const RobotModel& robot, const std::optional<std::string>& keyframe,
                              const std::string& place);

}  // namespace footfall
