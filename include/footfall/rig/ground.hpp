// The ground of the test rig: one foot as a point, standing level. It knows nothing of the robot
// engine's contact code, so that either can witness for the other; only V, k_u and the damping of
// the soil's laws are shared.
//
//   plastic    F_N = clamp( k_u (δ − δ_p + τ δ̇), 0, V(δ) + b δᵖ max(δ̇, 0)^q )   soil/plastic.hpp
//              F_T = −L e,  L = c S_c + F_N tanφ,  de/ds = (d − r(|e|) e)/κ       d: direction of dj
//   compliant  F_N = k δⁿ + b δᵖ |δ̇|^q sgn δ̇, never below zero                  ground/compliant.hpp
//              F_T = −(k_t j + b_t j̇), |F_T| ≤ μ F_N
//
// Of the force on plastic soil, clamp( k_u (δ − δ_p), 0, V(δ) ) is the part at rest; the rest is
// damping. δ_p = δ − (part at rest)/k_u while the soil yields, and never falls. Damping does not
// count there: its force is gone before the foot turns round.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "footfall/foot/foot_sole.hpp"
#include "footfall/soil/soil_entry.hpp"

namespace footfall {

// V(δ) of a sole for which it takes long (a mesh, a rim deeper than its radius): cubic pieces of
// 0.1 mm, made as they are needed, so not for several threads at once.
class BearingTable {
 public:
  explicit BearingTable(const SoleLaw& law) : law_(law) {}
  Bearing<double> operator()(double sinkage);

 private:
  SoleLaw law_;
  std::vector<Bearing<double>> nodes_;
};

struct RigGround {
  std::optional<FootSole> sole = {};        // none: only on compliant ground, whose law has no size
  std::optional<PlasticSoil> plastic = {};  // one of these two
  std::optional<CompliantGround<double>> compliant = {};
  SoleLaw law = {};                          // of plastic soil: V(δ)
  std::shared_ptr<BearingTable> table = {};  // in place of it where time counts
};

// The soil's plastic law where it has one, else its compliant one. Throws InputError where plastic
// soil has no sole, or compliant ground a form of force that it does not know.
RigGround make_rig_ground(const std::optional<FootSole>& sole, const Soil& soil,
                          const NormalLaw& law = {});

// What the ground remembers of one foot.
struct GroundMemory {
  double plastic_sinkage = 0;   // δ_p [m]
  double max_sinkage = 0;       // δ_max [m]
  double unload_stiffness = 0;  // k_u at δ_max [N/m]; 0 before the first touch
  Vec3d mobilized{0, 0, 0};     // e, plastic [-]
  Vec3d shear_spring{0, 0, 0};  // j of the spring, compliant [m]
};

struct GroundForce {
  double force = 0;          // F_N [N]
  double at_rest = 0;        // of it what stays when the foot stops [N]
  double sinkage_slope = 0;  // dF_N/dδ [N/m]
  double rate_slope = 0;     // dF_N/dδ̇ [N s/m]
};
GroundForce evaluate_ground(const RigGround& ground, const GroundMemory& memory, double sinkage,
                            double rate);
// The foot is now at this sinkage. In the air shear is forgotten.
void commit_sinkage(const RigGround& ground, double sinkage, GroundMemory& memory);

// k_u of a footprint of that depth [N/m].
double find_unload_stiffness(const RigGround& ground, double max_sinkage);
// What an infinitely slow lift-off would give back [J].
double elastic_energy(const RigGround& ground, const GroundMemory& memory, double sinkage);

struct ShearForce {
  Vec3d force{0, 0, 0};  // on the foot [N]
  double strength = 0;   // L, or μ F_N [N]
  double mobilized = 0;  // |F_T|/strength [-]
};
// Moves the foot by dj [m] along a straight line in dt [s] under a normal force, and answers with
// the force at its end.
ShearForce commit_shear(const RigGround& ground, double sinkage, double normal_force,
                        const Vec3d& dj, double dt, GroundMemory& memory);

// k xⁿ + b xᵖ |ẋ|^q sgn ẋ, never below zero, with slopes: pad and compliant ground.
struct HuntCrossley {
  double stiffness = 0, exponent = 1;
  double damping = 0, damping_exponent = 0, rate_exponent = 1;
};
GroundForce evaluate_hunt_crossley(const HuntCrossley& law, double x, double rate);
HuntCrossley normal_part(const CompliantGround<double>& ground);

}  // namespace footfall
