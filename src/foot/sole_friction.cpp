#include "footfall/foot/sole_friction.hpp"

namespace footfall {

void set_sole_friction(const RobotModel& robot, Soles& soles) {
  for (const SoleGroup& group : soles.groups) {
    const double said = robot.geoms[group.geom].friction;
    const double friction = said == kUnsaidFriction ? kAnyFriction : said;
    for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
      soles.points[i].friction = friction;
    }
  }
}

}  // namespace footfall
