// World, State, Control: what a step needs, what it changes, what it is told.
#pragma once

#include <string>
#include <vector>

#include "footfall/contact/compliant.hpp"
#include "footfall/foot/sole.hpp"
#include "footfall/robot/model.hpp"
#include "footfall/solver/solve.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

// How velocities enter the smooth forces of a step. Contacts are implicit in all of them.
enum class Integrator {
  euler,         // implicit in joint damping, as MuJoCo's Euler
  implicitfast,  // and in actuators' velocity gains, as MuJoCo's implicitfast (which also takes the
                 // gyroscopic moment of a free body without joints implicitly; we do not)
  implicit,      // and in the stiffness of actuators, servos and joint springs: stable at any gain
  rk4,           // classical Runge–Kutta, all explicit: only without contacts, see rk4.hpp
};

struct StepOptions {
  double timestep = 0.001;  // h [s]
  Integrator integrator = Integrator::implicit;
  bool joint_limits = true;
  bool joint_friction = true;
  // Joint limits and joint friction are springs with this time constant against the joint's own
  // inertia at qpos0, critically damped, solved implicitly [s].
  double joint_time_constant = 0.004;
  SolverOptions solver;
};

// All that never changes during a run.
struct World {
  RobotModel robot;
  Terrain terrain;
  std::vector<std::string> soil_names;
  std::vector<CompliantGround<double>> soils;  // [0] lies where no region is
  Soles soles;
  StepOptions options;
  double terrain_top = 0;               // highest ground of a heightfield [m]
  double force_scale = 0;               // the robot's weight, or mass × 1 m/s² without gravity [N]
  std::vector<double> joint_inertia{};  // of each dof at qpos0, M's diagonal [kg m² or kg]
};

// Throws InputError with the value and the expected range.
void check_ground(const CompliantGround<double>& ground);

// Fills what is derived (terrain_top, force_scale, joint_inertia) and checks that all parts fit
// together. Throws InputError.
World make_world(RobotModel robot, Terrain terrain, std::vector<std::string> soil_names,
                 std::vector<CompliantGround<double>> soils, Soles soles, StepOptions options);

// What the ground and the joints remember.
template <class T>
struct ContactMemory {
  std::vector<Vec3<T>> shear_displacement;  // j of each sole point [m], frame W
  std::vector<T> spin_displacement;         // of each sole point about the normal [rad]
  std::vector<T> joint_displacement;        // bristle of joint friction, of each dof [rad or m]
  std::vector<T> normal_force;              // of each sole point in the last step [N]
  // only on heightfields, see uncounted_jump in contact/find.hpp:
  std::vector<T> sinkage;  // that the last step led each sole point to expect [m]
  std::vector<T> jump;     // part of it that is not counted [m]
};

template <class T>
struct State {
  T time{0};            // [s]
  std::vector<T> qpos;  // as MuJoCo's
  std::vector<T> qvel;
  ContactMemory<T> memory;
};

// The state of a robot at rest in the given pose, clear of any history.
template <class T>
State<T> make_state(const World& world, const std::vector<double>& qpos) {
  State<T> state;
  for (double q : qpos) state.qpos.push_back(T(q));
  state.qvel.assign(world.robot.dofs.size(), T(0));
  state.memory.shear_displacement.assign(world.soles.points.size(), zero3<T>());
  state.memory.spin_displacement.assign(world.soles.points.size(), T(0));
  state.memory.normal_force.assign(world.soles.points.size(), T(0));
  state.memory.joint_displacement.assign(world.robot.dofs.size(), T(0));
  if (!world.terrain.is_plane) {  // a start in the ground is meant
    state.memory.sinkage.assign(world.soles.points.size(), T(1e3));
    state.memory.jump.assign(world.soles.points.size(), T(0));
  }
  return state;
}

// What the robot is told to do in a step: a control for every actuator, and, for motors (gain 1,
// no bias), an optional servo: torque = kp (position − q) + kd (velocity − q̇) + control.
template <class T>
struct Control {
  std::vector<T> control;   // of each actuator, in its own unit
  std::vector<T> position;  // servo target of each actuator's joint [rad or m]
  std::vector<T> velocity;  // [rad/s or m/s]
  std::vector<double> kp;   // [N m/rad or N/m]; 0: no servo
  std::vector<double> kd;   // [N m s/rad or N s/m]
};

template <class T>
Control<T> make_control(const RobotModel& model) {
  const std::size_t n = model.actuators.size();
  return {std::vector<T>(n, T(0)), std::vector<T>(n, T(0)), std::vector<T>(n, T(0)),
          std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
}

}  // namespace footfall
