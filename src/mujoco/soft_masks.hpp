// A model in which only shapes and planes touch.
#pragma once

#include <string>
#include <vector>

#include "footfall/mujoco/handle.hpp"

namespace footfall {

// A copy in which the robot's shapes touch static geoms as before and never each other.
MjModelPtr keep_ground_contacts(const mjModel_& model);

// One line that names the pairs of geoms of two links that MuJoCo lets touch; none: no line.
std::vector<std::string> name_link_contacts(const mjModel_& model);

}  // namespace footfall
