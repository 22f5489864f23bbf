// What the files of SoftScene share among themselves.
#pragma once

#include "tune/soft_scene.hpp"

namespace footfall {

// The spec as a new model with a new state.
void compile_scene(SoftScene& scene);
// Against gravity, a unit vector. Throws InputError: there is none.
std::array<double, 3> find_up(const mjModel& m);
// For messages: "plane", "box", ...
std::string ground_type(const mjModel& m, int geom);
// The geom of that name, the file's only level plane or box, or an added plane; compiles the spec.
// Throws InputError: no such geom, several, ground that is not level, a heightfield or mesh.
void find_or_add_ground(SoftScene& scene, const mjModel& plain, const std::string& name);
// Is it the robot's, and may it touch the ground by its bits or by a <pair>?
bool may_touch_ground(const SoftScene& scene, int geom);
// Priority or pairs for what touches the ground first, and for more geoms; changes the spec
// accordingly and compiles it again.
void choose_means(SoftScene& scene, const std::vector<int>& also_tuned);
// Fills weight and height.
void weigh(SoftScene& scene);

}  // namespace footfall
