// The parts of reproduce_rengifo2009. Each adds its items, tables and figures.
#pragma once

#include <string>

#include "footfall/reproduce/reproduction.hpp"
#include "footfall/step/step.hpp"

namespace footfall::rengifo2009 {

inline constexpr double kGravity = 9.81;  // [m/s²]

void add_ball(Reproduction& out);                             // Figs. 4 and 5, Section II.A
void add_classical(Reproduction& out);                        // (2), with and without a guard
void add_brick(Reproduction& out);                            // Section II.B
void add_clipping(Reproduction& out);                         // (20)
void add_walk(Reproduction& out, const ShareDone& progress);  // Figs. 11 to 14
void add_balance(Reproduction& out);                          // (10): forces, weight and momentum

// A robot of robots/ on hard ground.
struct HardGround {
  PenaltyModel model{};
  double timestep = 1e-4;  // [s]
  double friction = 0.8;
  Terrain terrain{};
};
RobotModel load_named(const std::string& name);
World make_hard_world(RobotModel robot, const HardGround& ground);
// Force of the ground on the whole robot in the last step, frame W [N]. After list_results.
Vec3d ground_force(const StepWorkspace<double>& workspace);

}  // namespace footfall::rengifo2009
