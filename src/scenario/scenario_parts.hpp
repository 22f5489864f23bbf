// The sections of a scenario, one reader each.
#pragma once

#include "footfall/scenario/scenario.hpp"
#include "io/config.hpp"
#include "io/data_folders.hpp"

namespace footfall {

RobotChoice read_robot(const ConfigNode& section, NamedFiles& files);

// The soil of `section`, or of the library where it names one. `path` is its key: soil, soils.wet.
SoilChoice read_soil(const ConfigNode& section, const std::string& path, NamedFiles& files);

// Regions may add soils of the library to `soils`.
GroundChoice read_ground(const ConfigNode& section, NamedFiles& files,
                         std::vector<SoilChoice>& soils);
Terrain build_terrain(const Scenario& scenario);

// What [contact] says of soft constraints; the keys are errors for other models.
std::vector<std::string> soft_contact_keys();
SoftChoice read_soft_contact(const TableReader& reader, bool is_soft);

// The robot's soft constraints against the scenario's plane. `soles` says which geoms touch; the robot gets warnings. Throws InputError where the ground is no
// plane.
SoftModel build_soft_contacts(const Scenario& scenario, const Terrain& terrain, RobotModel& robot,
                              const Soles& soles);

// The same of models feedback_linearized and spring_damper.
std::vector<std::string> penalty_contact_keys();
PenaltyChoice read_penalty_contact(const TableReader& reader, ContactModel contact);
bool is_penalty(ContactModel contact);

// The same of model wrench_space.
std::vector<std::string> wrench_contact_keys();
WrenchChoice read_wrench_contact(const TableReader& reader, bool is_wrench, NamedFiles& files);
// Grains know no soils, and nothing but feet touches them.
void refuse_for_wrenches(const TableReader& top, const Scenario& scenario);
// The medium at the feet. The pose is a standing one; the robot gets warnings.
GranularGround build_granular_ground(const Scenario& scenario, const std::vector<double>& pose,
                                     const Terrain& terrain, const Soles& soles, RobotModel& robot);

// The keys of kind = "walk" and kind = "trot"; those of a kind that is not chosen are errors.
std::vector<std::string> gait_keys();
void read_gait(const TableReader& reader, ControllerChoice& out);

// [[push]]; `node` is the array.
std::vector<Push> read_pushes(const ConfigNode& node);

ControllerChoice read_controller(const ConfigNode& section, NamedFiles& files);

}  // namespace footfall
