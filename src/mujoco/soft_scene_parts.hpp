// What the files of SoftScene share among themselves.
#pragma once

#include "mujoco/soft_scene.hpp"

namespace footfall {

// The spec as a new model with a new state.
void compile_scene(SoftScene& scene);
// Is it the robot's, and may it touch the ground by its bits or by a <pair>?
bool may_touch_ground(const SoftScene& scene, int geom);
// Priority or pairs; changes the spec accordingly and compiles it again.
void choose_means(SoftScene& scene);
// Fills weight and height.
void weigh(SoftScene& scene);

}  // namespace footfall
