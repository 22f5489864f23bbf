// Contact with granular media: the sets W(θ) of the feet that are in the ground, and the
// impulses h w_i, w_i in W(θ_i), that leave as little kinetic energy as possible to the robot and to the
// grains that move with its feet (Zhu 2019, (2), with h on the right side: A c ≤ h b):
//
//   minimise ½ v⁺ᵀ A v⁺ + ½ Σ_i u_iᵀ M_g,i u_i,   u_i = J_i v⁺,   v⁺ = v_free + A⁻¹ Σ_i J_iᵀ h w_i
//
// u_i is the twist of sole i's centre. A is the robot's inertia with implicit damping, servos and joint limits
// as extra armature, as in the other contact models; v_free is the step without contact. In the terms of
// robot/link_response.hpp, with u = Yᵀz, z = z_free + Y h w, the sum is ½ |Sᵀ z|² with
// S Sᵀ = 1 + Y M_g Yᵀ: the problem of solver/wrench_qp.hpp. Where a foot is held inside its set, u_i = 0
// solves the step and rounding is all that is left of its motion; where it moves, w_i is on the boundary.
//
// Joint limits, dry friction and actuators at their limits bend with the velocity, and are treated as in
// ground/penalty_contact.hpp: found anew until they agree, and solved exactly with the last impulses in any
// case, so momentum balances.
#pragma once

#include "footfall/ground/point.hpp"
#include "footfall/ground/robot_step.hpp"
#include "footfall/ground/wrench_space.hpp"
#include "footfall/robot/link_response.hpp"
#include "footfall/solver/wrench_gauge.hpp"

namespace footfall {

// What the grains do to a foot in one step.
struct WrenchContact {
  // filled by find_contacts
  bool touching = false;  // C is in the ground
  SolePose place;
  PredictedAt at;  // what W is of: θ, brought into the data
  Vec3d p_OC{};    // [m]
  // filled by solve_contacts
  Wrench<double> wrench = zero6<double>();   // about C, frame W [N m, N]
  Twist<double> velocity = zero6<double>();  // v⁺ of C, frame W [rad/s, m/s]
};

// One robot at a time. Made once per run; a step allocates nothing.
struct GranularContact {
  GranularContact(const World& world, const LinkTree<double>& tree);

  std::shared_ptr<const WrenchSpace> space;
  // constants, of each foot
  std::vector<int> link;  // −1: fixed in the world
  std::vector<LinkPath> paths;
  // of a step
  std::vector<WrenchContact> contacts;  // of each foot
  std::vector<VertexSet> sets;          // h W, of each foot
  PlanarWrenches scratch;
  std::vector<int> active;                    // feet in the ground
  std::vector<const VertexSet*> active_sets;  // theirs
  std::vector<int> corrals;                   // of active feet, see ContactMemory
  WrenchQp qp;
  WrenchQpReport report;
  WrenchQp gauge;                            // for measure_wrench_use
  std::vector<int> row_of;                   // by dof: its row of Y, −1: none yet
  std::vector<Lane8> response;               // of a foot
  std::vector<double> parts;                 // of a foot
  std::vector<double> masses;                // of active feet: M_g's diagonals
  bool any_grains = false;                   // that have inertia
  std::vector<Wrench<Pack<double>>> wrench;  // of the links before contact came
  bool timed = false;                        // fill qp_seconds
  double qp_seconds = 0;
};

// Fills contacts and sets, and takes over where to begin.
void find_contacts(const World& world, const State<double>& state, const RobotStep<double>& robot,
                   GranularContact& contact);
// Fills contacts' wrenches. Adds the impulses to robot.links.wrench.
SolverReport<double> solve_contacts(const World& world, const State<double>& state,
                                    RobotStep<double>& robot, GranularContact& contact);
// Remembers what the next step starts from, and the loads of the feet, at the first point of each sole.
void commit_contacts(const World& world, const RobotStep<double>& robot,
                     const GranularContact& contact, ContactMemory<double>& memory);
// A wrench space has no points.
void list_contacts(const World& world, const GranularContact& contact,
                   std::vector<ContactPoint<double>>& listed);

// How far a foot's wrench is on its way to the boundary of W: 1 is on it (solver/wrench_gauge.hpp).
double measure_wrench_use(const World& world, int foot, GranularContact& contact);

}  // namespace footfall
