// How a body may move against its parent.
#pragma once

namespace footfall {

enum class JointType { free, ball, hinge, slide };

// Coordinates and velocities a joint of this type has.
constexpr int position_count(JointType t) {
  return t == JointType::free ? 7 : t == JointType::ball ? 4 : 1;
}
constexpr int velocity_count(JointType t) {
  return t == JointType::free ? 6 : t == JointType::ball ? 3 : 1;
}

}  // namespace footfall
