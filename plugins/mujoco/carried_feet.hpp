// Feet that another engine carries, on our ground.
//
// The other engine has the robot: its inertia, its joints and all their forces. We have the soles, the ground and
// what it remembers. The world's robot is one free body for each body with soles; its poses and twists come from
// the engine. One step minimises, over the engine's own velocities v,
//
//   ½ (v − v_free)ᵀ M (v − v_free) + Σ_feet ℓ_f(J_f v) + Σ_rows ℓ_r(J_r v)
//
// as step.hpp does, by the same Newton iteration over the same terms; M is dense here. What the feet are to be
// given are the forces that balance at the end of the step, so ground of any stiffness is stable.
//
//   find    where the soles may touch                        pure
//   solve   the wrench on each body                          pure
//   commit  what the ground remembers, into state.memory; `solution` has the velocities at the end of the engine's step
#pragma once

#include "footfall/ground/contact.hpp"
#include "host_rows.hpp"

namespace footfall {

// Dense numbers of dofs stand in blocks of four, which kernels load at once; the last block is filled up with zeros.
inline constexpr int kBlock = 4;
inline constexpr int padded(int dofs) { return (dofs + kBlock - 1) / kBlock * kBlock; }

// The twist of a body about its own origin, world axes, angular first, by the engine's dofs. Only blocks that move the
// body are kept.
struct CarriedJacobian {
  // `dofs`: that move the body, ascending.
  explicit CarriedJacobian(std::vector<int> dofs);
  int width() const { return kBlock * static_cast<int>(blocks.size()); }

  std::vector<int> columns;  // the dofs
  std::vector<int> blocks;   // ascending: block b is of dofs 4b to 4b + 3
  std::vector<int> place;    // of each column: where its number is in a row
  std::vector<double> rows;  // six, each of width()
};

// The engine's side of the problem. Filled by the engine between find and solve.
struct CarrierMotion {
  int dofs = 0;
  std::vector<double> inertia;   // M, dofs × padded(dofs); the lower triangle is read
  std::vector<double> momentum;  // M v_free: of the step without the feet's forces and the rows
  std::vector<CarriedJacobian> jacobians;  // of each body
  HostRows rows;
};

struct CarriedFeet {
  // `dofs`: of the engine's trees that have the feet.
  CarriedFeet(const World& world, int dofs);

  // One for each body of the world's robot but [0].
  struct Carried {
    int group = 0, item = 0, slot = 0;
    bool touching = false;  // filled by solve: the ground may act on it
    Wrench<double> wrench =
        zero6<double>();  // filled by solve: on the body about its origin, world axes [N m, N]
  };

  RobotStep<double> robot;
  Contact<double> contact;
  State<double> state;  // poses and twists are the engine's, memory is the ground's
  CarrierMotion motion;
  std::vector<Carried> bodies;
  bool near = false;  // filled by find: some point is watched
  SolverReport<double> report;
  std::vector<Footprint> prints;  // filled by commit: those that it pressed into the ruts
  std::vector<double> solution;   // velocities of the engine at the end of the step, padded
  // scratch
  std::vector<double> matrix, product, push;
};

enum class CarriedStage { find, solve, commit };

// Runs a stage, compiled for the machine as step() is. Soil, resistive force and wrench spaces; not penalty laws.
void run_carried(const World& world, CarriedStage stage, CarriedFeet& feet);

// Throws InputError where a ground is none of those.
void require_terms(const Ground& ground);

}  // namespace footfall
