// Which of a robot's shapes are its feet, when nobody says so.
#pragma once

#include <vector>

#include "footfall/robot/model.hpp"

namespace footfall {

// The robot's pose when it stands: keyframe "stand", or the first keyframe, or the reference pose.
const std::vector<double>& standing_pose(const RobotModel& model);

// Indices of the geoms that are feet, in the order of the model.
//
// Candidates are the colliding geoms of end links: links from which no further link hangs. In the
// standing pose, the lowest geom of each end link is a foot if its lowest point is at most a tenth
// of the robot's height above the lowest of all candidates. Geoms of the same link that reach as
// low (within 1 % of the robot's height) are feet too: heel and toe. Up is against gravity, or z
// without gravity.
std::vector<int> find_feet(const RobotModel& model);

// Foot geoms as feet: those of one link are one foot. With `whole`, a foot has all other colliding geoms
// of its geoms' bodies too, after them.
std::vector<std::vector<int>> join_feet(const RobotModel& model, const std::vector<int>& geoms,
                                        bool whole);

}  // namespace footfall
