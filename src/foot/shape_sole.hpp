// The sole points of one geom, which make_soles joins with those of others.
#pragma once

#include "footfall/foot/sole.hpp"

namespace footfall {

struct ShapeSole {
  int geom = -1;  // of the robot
  Foot size;      // shape, area, radius and width, as of a foot that is this geom alone
  std::vector<SolePoint> points;  // foot and group are not set yet
};

// A geom as a foot that stands on it. `down` points down in the geom's frame G when the robot stands.
ShapeSole make_foot_shape(const RobotModel& model, int geom, const Vec3d& down, SolePoints points);

// A geom that may come to lie on the ground with any side.
ShapeSole make_body_shape(const RobotModel& model, int geom, SolePoints points);

// The same for a part of a foot's body that reaches the ground only when the foot has sunk in: a shank.
// `down` as of make_foot_shape.
ShapeSole make_limb(const RobotModel& model, int geom, const Vec3d& down, SolePoints points);

// The side of a foot's geom that its sole leaves out, for a robot that has fallen; may have no points.
ShapeSole make_back(const RobotModel& model, const ShapeSole& sole, const Vec3d& down,
                    SolePoints points);

// Cells of one geom at their middles have less moment of inertia than its sole: shear acts farther out.
void set_shear_offsets(SolePoint* first, SolePoint* end);

}  // namespace footfall
