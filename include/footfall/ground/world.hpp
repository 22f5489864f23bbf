// World, State, Control: what a step needs, what it changes, what it is told.
#pragma once

#include <string>
#include <vector>

#include "footfall/foot/sole.hpp"
#include "footfall/ground/ground.hpp"
#include "footfall/robot/model.hpp"
#include "footfall/solver/solve.hpp"
#include "footfall/solver/wrench_qp.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

// How velocities enter the smooth forces of a step. Contacts are implicit in all of them.
enum class Integrator {
  euler,         // implicit in joint damping, as MuJoCo's Euler
  implicitfast,  // and in actuators' velocity gains, as MuJoCo's implicitfast; with soft constraints
                 // also in the gyroscopic moment of lone free bodies, see lone_bodies.hpp
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
  Ground ground;
  Soles soles;  // what of the robot touches the ground
  StepOptions options;
  // derived by make_world
  double terrain_top = 0;               // highest ground of a heightfield [m]
  double rim_reach = 0;                 // how high a rim of soil may stand [m]
  double force_scale = 0;               // the robot's weight, or mass × 1 m/s² without gravity [N]
  std::vector<double> joint_inertia{};  // of each dof at qpos0, M's diagonal [kg m² or kg]
};

// Whether constraint forces are found before damping is taken into account, as MuJoCo's Euler and
// implicitfast do: only with soft constraints.
inline bool splits_step(const World& world) {
  return world.options.integrator != Integrator::implicit &&
         soft_constraints(world.ground) != nullptr;
}

// Fills what is derived and checks that all parts fit together. Throws InputError.
World make_world(RobotModel robot, Terrain terrain, Ground ground, Soles soles,
                 StepOptions options);

// Throws InputError where a world has forces that integrator rk4 cannot take.
void require_smooth(const World& world);

// Of a robot's sole group: whether its points are in footprints that the ruts do not have yet.
enum class PrintStage : char { none, standing, moved };

// Footprints under the soles, of each sole point; empty where no soil is plastic. When the foot has
// left they become ruts.
template <class T>
struct PlasticMemory {
  std::vector<T> is_pressed;        // 1 while the point is in its footprint, else 0
  std::vector<T> plastic_sinkage;   // δ_p [m]
  std::vector<T> sinkage_max;       // δ_max [m]
  std::vector<T> bearing;           // V at the reference depth, see soil/plastic.hpp [N]
  std::vector<T> rim_height;        // by which the ground was raised where the point came down [m]
  std::vector<T> strength;          // L that shear was limited by in the last step [N]
  std::vector<T> unload_stiffness;  // k_u of a cell [N/m]
  std::vector<T> offset;            // CellPart::offset, that plastic_sinkage is at [m]
  std::vector<T> corner_x, corner_y;  // three of each cell, from print_x and print_y [m]
  std::vector<T> gap;                 // height above the footprint's bottom after the step [m]
  std::vector<T> print_x, print_y;    // where its footprint is, frame W [m]
  std::vector<T> shear_x, shear_y;    // shear displacement when it last carried, frame W [m]
  std::vector<PrintStage> stage;      // of each sole group, of each robot
};

// What the ground and the joints remember.
template <class T>
struct ContactMemory {
  std::vector<Vec3<T>> shear_displacement;  // j of each sole point [m], frame W
  std::vector<T> spin_displacement;         // of each sole point, at 1/√2 of its patch's radius [m]
  std::vector<T> joint_displacement;        // bristle of joint friction, of each dof [rad or m]
  std::vector<T> normal_force;              // of each sole point in the last step [N]
  // see ground/find.hpp:
  std::vector<T> sinkage;  // that the last step led each sole point to expect [m]
  std::vector<T> jump;     // sinkage that is not counted [m]
  std::vector<T>
      energy;           // that compliant ground stores below each cell, grains at each element [J]
  std::vector<T> soil;  // index of the soil below each sole point, −1 away from the ground
  PlasticMemory<T> plastic;
  std::vector<T> pad_compression;  // δ_F of each sole point [m]; empty: the feet have no pads
  std::vector<RutGrid> ruts;       // of each robot; empty where no soil is plastic
  // of each surface element on resistive ground: what it resists with [N] and its last way, frame W
  std::vector<Vec3<T>> resistance, motion;
  // Vertices that held each foot in the last step, kMaxCorral of each, see solver/wrench_qp.hpp: where
  // the search for the next step's begins. Only on granular ground.
  std::vector<int> wrench_vertices;
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
  const std::size_t points = world.soles.points.size();
  const SoilGround* soils = soil_ground(world.ground);
  const bool even = world.terrain.is_plane, several = soils != nullptr && soils->soils.size() > 1;
  // a start in the ground is meant
  if (!even || soils != nullptr) {
    state.memory.sinkage.assign(points, T(1e3));
    state.memory.jump.assign(points, T(0));
  }
  if (soils != nullptr) state.memory.energy.assign(points, T(1e30));
  if (several) state.memory.soil.assign(points, T(-1));
  if (foot_pad(world.ground) != nullptr) state.memory.pad_compression.assign(points, T(0));
  if (wrench_space(world.ground) != nullptr) {
    state.memory.wrench_vertices.assign(world.soles.feet.size() * kMaxCorral, kNoVertex);
  }
  if (std::holds_alternative<ResistiveGround>(world.ground)) {
    state.memory.resistance.assign(points, zero3<T>());
    state.memory.motion.assign(points, {T(0), T(0), T(-1)});
    state.memory.energy.assign(points, T(0));
  }
  if (keeps_prints(world.ground)) {
    PlasticMemory<T>& plastic = state.memory.plastic;
    for (std::vector<T>* values :
         {&plastic.is_pressed, &plastic.plastic_sinkage, &plastic.sinkage_max, &plastic.bearing,
          &plastic.rim_height, &plastic.strength, &plastic.unload_stiffness, &plastic.offset,
          &plastic.gap, &plastic.print_x, &plastic.print_y, &plastic.shear_x, &plastic.shear_y}) {
      values->assign(points, T(0));
    }
    plastic.corner_x.assign(3 * points, T(0));
    plastic.corner_y.assign(3 * points, T(0));
    plastic.stage.assign(world.soles.groups.size() * lane_count<T>, PrintStage::none);
    state.memory.ruts.assign(lane_count<T>, RutGrid(soils->ruts));
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
