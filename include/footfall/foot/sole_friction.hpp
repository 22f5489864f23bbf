// Friction of the robot's own shapes.
#pragma once

#include "footfall/foot/sole.hpp"

namespace footfall {

// MuJoCo's sliding friction of a geom whose file says nothing about it [-].
inline constexpr double kUnsaidFriction = 1;

// Gives every sole point the sliding friction of its geom: the ground holds the point by the smaller of
// its own coefficient and this one. A compiled MuJoCo model does not tell whether a geom's 1 was written
// or is the default, so 1 leaves the limit to the ground, as kAnyFriction does.
void set_sole_friction(const RobotModel& robot, Soles& soles);

}  // namespace footfall
