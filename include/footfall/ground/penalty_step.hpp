// Stage 4 of a step with a penalty law (ground/penalty.hpp): what the points in the ground want, what
// forces give them that, what of these friction allows, and the velocities that follow.
//
// The system (18) is that of the discrete step: A is the inertia with implicit damping, servos and
// joint limits as extra armature, and the free motion is that of the step without contact. So where no
// force is saturated the points end the step at exactly the velocities wanted. Z of minimum_norm.hpp
// comes from the articulated sweep's own factors, see robot/link_response.hpp.
//
// Joint limits, dry friction and actuators at their limits bend with the velocity. They are taken as
// they are at the last trial; where the velocities found change that, forces are found anew from
// there, at most kMaxPasses times. The last solve is exact in them in any case, so momentum balances.
#pragma once

#include "footfall/ground/sole_plan.hpp"
#include "footfall/robot/link_response.hpp"
#include "footfall/solver/minimum_norm.hpp"

namespace footfall {

inline constexpr int kMaxPasses = 4;

// Made once per run; solving allocates nothing.
struct PenaltyWorkspace {
  PenaltyWorkspace(const World& world, const LinkTree<double>& tree, const SolePlan<double>& soles);

  // A sole point's place.
  struct Place {
    int sole_pack = 0, item = 0, link = 0;
  };
  // An active point.
  struct Active {
    int pack = 0, item = 0;  // of the problem's packs
  };
  // A link with active points.
  struct Body {
    int link = 0, first = 0;  // of its points
    PointBasis basis;
    int first_row = 0;  // of Z
    int first_response = 0;
  };

  // constants
  std::vector<LinkPath> paths;  // of each link
  std::vector<Place> places;    // of all sole points, link by link
  // of a step
  std::vector<int> found;  // pack of the problem for each sole pack; −1: none
  std::vector<Active> active;
  std::vector<Vec3d> position;  // p_OC of each active point [m]
  std::vector<Vec3d> wanted;    // change of velocity that forces must make [m/s]
  std::vector<Vec3d> impulse;   // on each active point, frame W [N s]
  std::vector<Body> bodies;
  std::vector<Lane8> response;  // y/√D, a lane for each basis vector of a body
  std::vector<double> Z, parts;
  PivotedCholesky cholesky;
  std::vector<Wrench<Pack<double>>> wrench;  // of the links before contact forces came
  std::vector<int> no_packs;                 // first_pack of a problem without points
  int active_count = 0, body_count = 0, rank = 0;
};

// Fills the problem's points and rows with what v⁺ makes of them, and solver.qvel with v⁺. Adds the
// contact impulses to links.wrench.
SolverReport<double> solve_penalty_step(const World& world, const LinkTree<double>& tree,
                                        const JointBalance<double>& balance,
                                        LinkData<double>& links, ContactProblem<double>& problem,
                                        SolverWorkspace<double>& solver, PenaltyWorkspace& w);

}  // namespace footfall
