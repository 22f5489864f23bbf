// A robot from an MJCF or URDF file, or from our own (.json, robot/robot_file.hpp).
//
// MuJoCo's own compiler reads MJCF and URDF, so defaults, includes, meshes and inertias mean what they
// mean there. Bodies, joints, dofs, qpos and qvel keep MuJoCo's order. Geoms of the world and
// planes are left out: the scenario brings the ground. Actuators and keyframes keep their order.
//
// What changes the motion and is not simulated (equality constraints, tendons that pull, flexes,
// activation dynamics, fluids, …) is an InputError that names every such element. What does not
// change the motion and is left out stands in RobotModel::warnings.
#pragma once

#include <filesystem>
#include <string>

#include "footfall/error.hpp"
#include "footfall/robot/model.hpp"

struct mjModel_;

namespace footfall {

RobotModel load_robot(const std::filesystem::path& file);

// The same from a compiled model; `source` is the file's name in messages. Elements without a name
// get their kind and index, as in "geom_3".
RobotModel build_robot(const mjModel_& model, const std::string& source);

}  // namespace footfall
