// Simulation: a world, its state and everything a step needs, as one object.
//
//   Simulation sim(make_world(robot, terrain, ground, soles, options), pose);
//   sim.control().control[0] = 3;   // N m
//   sim.step();
//   sim.feet()[0].sinkage;          // m
//
// This is what programs, bindings and plugins use. It has no templates; for robots in lanes and for other
// loops over steps see step/step.hpp.
#pragma once

#include <memory>
#include <vector>

#include "footfall/ground/foot_patch.hpp"
#include "footfall/ground/world.hpp"
#include "footfall/step/energy.hpp"

namespace footfall {

class Simulation {
 public:
  // The robot rests in the pose `qpos`; empty: qpos0 of its file. Throws InputError where the pose has
  // another size than the robot's coordinates.
  explicit Simulation(World world, const std::vector<double>& qpos = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const World& world() const;
  double time() const;  // [s]

  // Coordinates and velocities of all joints, as MuJoCo's; may be written between steps.
  std::vector<double>& qpos();
  std::vector<double>& qvel();
  // What the robot is told in the next steps.
  Control<double>& control();

  // Takes `count` steps; returns the report of the last. Throws InputError where control, qpos or qvel have
  // lost their size, or hold a number that is not finite.
  SolverReport<double> step(int count = 1);

  // What happened under each foot in the last step; all zero before the first.
  const std::vector<FootPatch>& feet();
  // Of the present state [J].
  Energy energy();

  // The state with all that ground and joints remember, footprints included. A restored state goes on bit
  // by bit as the saved one did.
  const State<double>& save() const;
  void restore(const State<double>& saved);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall
