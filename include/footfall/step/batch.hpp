// Batch: many robots side by side, each in its own copy of a world, on all processors.
//
//   auto start = std::make_shared<BatchWorld>(world, make_state<double>(world, pose));
//   Batch batch(std::vector(1024, start));
//   batch.arrays().servo_position[robot * nu + actuator] = 0.3;   // rad
//   batch.step(10);
//   batch.arrays().qpos[robot * nq + 2];                          // m
//
// Robots of one world move eight at a time in SIMD lanes, or alone. Alone each has the bits of a Simulation. In lanes
// it differs from them by what the solver's tolerance leaves, for lanes stop iterating together; which eight share
// lanes follows from their order alone, so the number of threads changes nothing.
//
// A robot whose state is not finite any more has failed: its row says so, keeps what it held before the call of
// step() in which that happened, and stands still until it is reset. The others go on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "footfall/ground/world.hpp"

namespace footfall {

// A world, and the state that its robots start from.
struct BatchWorld {
  World world;
  State<double> start;
};

struct BatchOptions {
  int threads = 0;    // at most; 0: as many as there are processors
  bool lanes = true;  // eight at a time; false: alone. Grounds that take one robot at a time: alone
  bool feet = false;  // measure feet at the end of each step(); only alone
};

// Rows of numbers, one for each robot. All but those of feet, time and failures may be written between steps.
struct BatchArrays {
  std::vector<double> time;  // n [s]
  std::vector<double> qpos;  // n × nq, as MuJoCo's
  std::vector<double> qvel;  // n × nv
  // What the robots are told, see Control; gains are those of all robots.
  std::vector<double> control, servo_position, servo_velocity;  // n × nu
  std::vector<double> servo_kp, servo_kd;                       // nu
  std::vector<std::uint8_t> failed;                             // n; 1: its state was not finite
  // Of each foot in the last step, with BatchOptions::feet.
  std::vector<double> foot_force;         // n × feet × 3, of the ground on the foot, frame W [N]
  std::vector<double> foot_sinkage;       // n × feet [m]
  std::vector<double> foot_friction_use;  // n × feet, tangential force over its limit [-]
};

class Batch {
 public:
  // One robot for each entry, of that world; entries may be the same world or different ones, whose robots then
  // have the same numbers of coordinates, velocities, actuators and feet. Throws InputError.
  explicit Batch(std::vector<std::shared_ptr<const BatchWorld>> worlds,
                 const BatchOptions& options = {});
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  int size() const;
  int threads() const;
  // Whether any robots share lanes.
  bool lanes() const;
  const BatchWorld& world(int robot) const;

  BatchArrays& arrays();

  // Every robot, or without lanes those of the mask, takes `substeps` steps. Throws InputError, and moves nothing,
  // where a row of a robot that has not failed holds a number that is not finite.
  void step(int substeps = 1, std::span<const std::uint8_t> mask = {});

  // Robots of the mask go back to the start of their worlds, without any history.
  void reset(std::span<const std::uint8_t> mask);
  // A robot goes to the start of another world; only without lanes.
  void replace_world(int robot, std::shared_ptr<const BatchWorld> world);

  // One robot's state with all that ground and joints remember: Simulation's, and back.
  State<double> save(int robot) const;
  void restore(int robot, const State<double>& saved);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall
