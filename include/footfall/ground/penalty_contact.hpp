// Contact with hard ground by a penalty law (ground/penalty.hpp): what the points in the ground want,
// what forces give them that, what of these friction allows, and the velocities that follow.
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

#include "footfall/ground/commit.hpp"
#include "footfall/ground/find.hpp"
#include "footfall/ground/robot_step.hpp"
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
    int pack = 0, item = 0;  // of the packs of points
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
  std::vector<int> found;  // pack of points for each sole pack; −1: none
  std::vector<Active> active;
  std::vector<Vec3d> position;  // p_OC of each active point [m]
  std::vector<Vec3d> wanted;    // change of velocity that forces must make [m/s]
  std::vector<Vec3d> impulse;   // on each active point, frame W [N s]
  std::vector<Body> bodies;
  std::vector<Lane8> response;  // y/√D, a lane for each basis vector of a body
  std::vector<double> Z, parts;
  PivotedCholesky cholesky;
  std::vector<Wrench<Pack<double>>> wrench;  // of the links before contact forces came
  int active_count = 0, body_count = 0, rank = 0;
};

// Gives points their law: it has no memory, and of the soil only friction counts.
struct PenaltyLaw {
  explicit PenaltyLaw(const PenaltyGround& ground);
  PenaltyModel model;
  std::vector<double> friction;  // of each soil

  void set(const World& world, const SolePack<double>& sole,
           const std::array<int, pack_size<double>>& soil,
           const find_detail::PackMotion<double>& link, const ContactMemory<double>& memory,
           const Pack<double>& sinkage, const Mask<Pack<double>>& watched,
           PointLaw<Pack<double>>& point, PointTrial<Pack<double>>& trial) const;
};

// One robot at a time.
struct PenaltyContact {
  PenaltyContact(const World& world, const LinkTree<double>& tree);
  SolePlan<double> soles;
  PenaltyLaw law;
  PointTerms<double> points;
  PenaltyWorkspace work;
};

void find_contacts(const World& world, const State<double>& state, const RobotStep<double>& robot,
                   PenaltyContact& contact);
// Fills points and rows with what v⁺ makes of them. Adds the contact impulses to robot.links.wrench.
SolverReport<double> solve_contacts(const World& world, const State<double>& state,
                                    RobotStep<double>& robot, PenaltyContact& contact);
void commit_contacts(const World& world, const RobotStep<double>& robot,
                     const PenaltyContact& contact, ContactMemory<double>& memory);
void list_contacts(const World& world, const PenaltyContact& contact,
                   std::vector<ContactPoint<double>>& listed);

}  // namespace footfall
