// The convex hull of a mesh as soft contacts read it.
#pragma once

#include <mujoco/mujoco.h>

#include "footfall/soft/soft_model.hpp"

namespace footfall::from_mujoco {

// The mesh must have a hull: mesh_graphadr ≥ 0.
SoftHull build_soft_hull(const mjModel& m, int mesh);

}  // namespace footfall::from_mujoco
