// Ground: what a robot stands on. One value of several kinds; what each kind is made of is here, and the
// questions that anyone may ask of a ground without knowing its kind. How a step finds, solves and
// commits contact with each kind: ground/contact.hpp.
//
// | kind           | contact.model in scenarios          | laws                                       |
// |----------------|-------------------------------------|--------------------------------------------|
// | NoGround       | none                                |                                            |
// | SoilGround     | compliant, terramechanics           | ground/compliant.hpp, soil/plastic.hpp     |
// | SoftGround     | soft_constraint                     | soft/soft_point.hpp: MuJoCo's              |
// | PenaltyGround  | feedback_linearized, spring_damper  | ground/penalty.hpp                         |
// | GranularGround | wrench_space                        | ground/wrench_space.hpp                    |
// | ResistiveGround| resistive_force                     | ground/resistive_terms.hpp                 |
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "footfall/foot/pad.hpp"
#include "footfall/foot/sole.hpp"
#include "footfall/ground/penalty.hpp"
#include "footfall/soft/soft_model.hpp"
#include "footfall/terrain/ruts.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

class WrenchSpace;  // ground/wrench_space.hpp

// Nothing touches.
struct NoGround {
  std::vector<std::string> soil_names{};  // for pictures
};

// A soil that comes back, or one that yields and stays down.
struct GroundSoil {
  std::string name;
  std::variant<CompliantGround<double>, PlasticSoil> law;
};

// Soils over regions of the terrain.
struct SoilGround {
  std::vector<GroundSoil> soils;  // [0] lies where no region is
  std::optional<FootPad> pad{};   // under every foot
  RutOptions ruts{};              // of plastic soils
};

// MuJoCo's soft constraints: contacts, joint limits and joint friction.
struct SoftGround {
  std::string name;
  SoftModel model;
};

// Hard ground, kept by a penalty law.
struct PenaltySoil {
  std::string name;
  double friction_coefficient = 0;
};
struct PenaltyGround {
  PenaltyModel law;
  std::vector<PenaltySoil> soils;  // [0] lies where no region is
};

// Feet are held by the wrench spaces of a granular medium; nothing else of the robot touches.
struct GranularGround {
  std::string name;
  std::shared_ptr<const WrenchSpace> space;
};

// Dry grains that resist the surface elements of feet and legs (SolePoints::elements).
struct ResistiveGround {
  std::string name;
  double scale = 1;            // ζ, see soil/resistive.hpp [-]
  double yield_length = 5e-4;  // way on which the grains' resistance builds up [m]
};

using Ground =
    std::variant<NoGround, SoilGround, SoftGround, PenaltyGround, GranularGround, ResistiveGround>;

// Throws InputError with the value and the expected range.
void check_ground(const CompliantGround<double>& ground);
void check_ground(const Ground& ground);

// ---- questions to a ground of any kind -------------------------------------------------------------

// Names of its soils, which regions of the terrain refer to by index.
std::vector<std::string> soil_names(const Ground& ground);
// One line about a soil, with units: "dry-sand: plastic, n 1.1, ...".
std::string describe_soil(const Ground& ground, int soil);
// One line about the contact law; empty where the soils say it all.
std::string describe_law(const Ground& ground);

// How well soil holds a foot against sliding.
struct GroundStrength {
  double friction_coefficient = 0;
  double cohesion = 0;  // [Pa]
};
// Under this foot: of soil's friction and the sole's own the smaller; soft constraints take the friction
// of the foot's own shape.
GroundStrength ground_strength(const Ground& ground, const RobotModel& robot, const Soles& soles,
                               int foot, int soil);

// Whether a soil keeps footprints, and whether any does.
bool keeps_prints(const Ground& ground, int soil);
bool keeps_prints(const Ground& ground);
// What pictures colour a soil by: stiffness of soils that come back [N/mⁿ], 0 of those that yield.
double soil_stiffness(const Ground& ground, int soil);

// The parts of a ground that laws, files and planners read; null where the ground has no such part.
const SoilGround* soil_ground(const Ground& ground);
const CompliantGround<double>* compliant_soil(const Ground& ground, int soil);
const PlasticSoil* plastic_soil(const Ground& ground, int soil);
const FootPad* foot_pad(const Ground& ground);
const SoftModel* soft_constraints(const Ground& ground);
const WrenchSpace* wrench_space(const Ground& ground);

}  // namespace footfall
