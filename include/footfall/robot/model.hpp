// RobotModel: what a robot is. Built once (see mujoco/load.hpp, robot_file.hpp, assemble.hpp), constant
// during a run.
//
// Conventions are MuJoCo's, so that qpos and qvel mean the same in both programs: a free joint has
// qpos = (position, quaternion w x y z) and qvel = (linear velocity in W, angular velocity in the
// body's frame); a ball joint has a quaternion and an angular velocity in the body's frame.
// Bodies stand parents first; body 0 is the world.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "footfall/math/spatial.hpp"
#include "footfall/robot/joint_type.hpp"

namespace footfall {

struct Joint {
  std::string name;
  JointType type = JointType::hinge;
  int body = 0;           // the body it moves
  int q_index = 0;        // first of its coordinates in qpos
  int v_index = 0;        // first of its velocities in qvel
  Vec3d axis{0, 0, 1};    // unit axis, frame B [-]
  Vec3d anchor{0, 0, 0};  // a point on the axis, frame B [m]
  double q0 = 0;          // coordinate of the model's reference pose (hinge, slide) [rad or m]
  double stiffness = 0;   // spring [N m/rad or N/m]
  double spring_ref = 0;  // coordinate at which a hinge's or slide's spring is at rest [rad or m]
  Quatd spring_ref_quat{1, 0, 0, 0};   // the same for a ball, and a free joint's orientation
  Vec3d spring_ref_position{0, 0, 0};  // the same for a free joint's position [m]
  bool limited = false;
  double lower = 0, upper = 0;          // limits [rad or m]; a ball's upper is the largest angle
  bool actuator_force_limited = false;  // limits the sum of all actuators
  double actuator_force_lower = 0, actuator_force_upper = 0;  // [N m or N]
};

// One velocity coordinate.
struct Dof {
  int joint = 0;
  int body = 0;
  int parent = -1;           // the dof before it on the way to the world, −1 at a root
  double armature = 0;       // [kg m² or kg]
  double damping = 0;        // [N m s/rad or N s/m]
  double friction_loss = 0;  // dry friction [N m or N]
};

struct Body {
  std::string name;
  int parent = 0;
  int root = 0;             // the top body of its tree; its position is the tree's point O
  Vec3d position{0, 0, 0};  // p_PB, frame of the parent [m]
  Mat3d rotation = identity3<double>();  // R_PB
  Quatd quat{1, 0, 0, 0};                // the same rotation
  double mass = 0;                       // [kg]
  Vec3d com{0, 0, 0};                    // p_BCm, frame B [m]
  Sym3<double> inertia{};                // about the centre of mass, axes of B [kg m²]
  double gravity_compensation = 0;       // share of its weight that is taken off [-]
  int first_joint = 0, joint_count = 0;
};

enum class GeomType { sphere, capsule, cylinder, box, ellipsoid, mesh };

// A shape that can touch the ground.
struct Geom {
  std::string name;
  GeomType type = GeomType::sphere;
  int body = 0;
  Vec3d position{0, 0, 0};               // p_BG [m]
  Mat3d rotation = identity3<double>();  // R_BG
  Vec3d size{0, 0, 0};   // sphere r; capsule, cylinder r, half length; box, ellipsoid half axes [m]
  double friction = 1;   // sliding friction coefficient of the file [-]
  bool collides = true;  // false: only there to be looked at
  std::vector<Vec3d> vertices;                // of a mesh's convex hull, frame G [m]
  std::vector<std::array<int, 3>> triangles;  // of that hull, for pictures
  std::array<float, 4> rgba{0.6F, 0.6F, 0.6F, 1.0F};
};

// force = gain·control + bias0 + bias1·(gear·q) + bias2·(gear·q̇), clamped; torque = gear·force.
// A motor has gain 1; a position servo gain kp, bias1 −kp, bias2 −kv; a velocity servo gain kv,
// bias2 −kv. Its joint is a hinge or a slide, or one axis of a free or ball joint (dof).
struct Actuator {
  std::string name;
  int joint = 0;
  int dof = 0;
  double gear = 1;
  double gain = 1;
  double bias0 = 0, bias1 = 0, bias2 = 0;
  bool control_limited = false;
  double control_lower = 0, control_upper = 0;
  bool force_limited = false;
  double force_lower = 0, force_upper = 0;
};

struct Keyframe {
  std::string name;
  std::vector<double> qpos, qvel, control;
};

struct RobotModel {
  std::string name;
  std::string source_file;
  std::vector<Body> bodies;  // [0] is the world
  std::vector<Joint> joints;
  std::vector<Dof> dofs;
  std::vector<Geom> geoms;
  std::vector<Actuator> actuators;
  std::vector<Keyframe> keyframes;
  Vec3d gravity{0, 0, -9.81};    // [m/s²]
  std::vector<double> qpos0;     // reference pose
  double file_timestep = 0.001;  // the step that the robot's file asks for [s]
  std::vector<std::string>
      warnings;  // what the file has that is left out, and why that is harmless

  int position_size() const { return static_cast<int>(qpos0.size()); }
  int velocity_size() const { return static_cast<int>(dofs.size()); }
  int body_count() const { return static_cast<int>(bodies.size()); }
  double total_mass() const {
    double sum = 0;
    for (const Body& b : bodies) sum += b.mass;
    return sum;
  }
  int find_body(const std::string& wanted) const;      // −1: no body of that name
  int find_geom(const std::string& wanted) const;      // −1 likewise
  int find_keyframe(const std::string& wanted) const;  // −1 likewise
};

// Throws InputError where a number is none, or is larger than any robot's: a mass or a moment of inertia above 1e9 kg or
// kg m², a place, an angle or a speed above 1e6.
void check_magnitudes(const RobotModel& model);

}  // namespace footfall
