// MuJoCo's soft constraints of a model, for our engine: contacts of the robot's shapes with static
// planes, joint limits, joint friction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "footfall/ground/world.hpp"
#include "footfall/soft/soft_model.hpp"

struct mjModel_;

namespace footfall {

// The soft constraints of a model whose shapes touch its own planes. Throws InputError that names
// what cannot be had: shapes that touch other static geoms than planes, meshes, options. Contacts
// between two links are left out; RobotModel::warnings speaks of them.
SoftModel build_soft_model(const mjModel_& model);

// The same against one plane of the caller's, that of a scenario. `touches` says which of the
// robot's geoms touch it. `ground` says what the plane is made of; where it is not given it is the
// file's first plane, or MuJoCo's defaults.
SoftModel build_soft_model(const mjModel_& model, const std::vector<bool>& touches,
                           const SoftPlane& plane, const std::optional<SoftGeom>& ground);

// What the file's first plane says about its contacts, or MuJoCo's defaults.
SoftGeom file_ground(const mjModel_& model);

// MuJoCo's number of each of the robot's geoms.
std::vector<int> mujoco_geoms(const mjModel_& model);

// What a geom of the file says about its contacts.
SoftGeom read_soft_geom(const mjModel_& model, int mujoco_geom);

// A world that moves as the file does in MuJoCo: its timestep, its planes, its constraints. The
// integrator is euler or implicitfast; throws InputError for others.
World build_soft_world(const mjModel_& model, const std::string& source);

}  // namespace footfall
