// A robot's geoms seen from a camera at infinity.
#pragma once

#include <vector>

#include "footfall/robot/data.hpp"
#include "report/picture_svg.hpp"

namespace footfall::picture {

// Parallel projection: looks from the robot's right side (−y), a little from the front and above.
struct Camera {
  Vec3d right{1, 0, 0}, up{0, 0, 1}, toward{0, -1, 0};  // unit axes of the image, frame W
  Point origin;                                         // where W's origin is drawn [pixels]
  double scale = 1;                                     // [pixels/m]

  Point project(const Vec3d& p_W) const {
    return {origin.x + scale * dot(p_W, right), origin.y - scale * dot(p_W, up)};
  }
  double depth(const Vec3d& p_W) const { return dot(p_W, toward); }  // larger is nearer [m]
};
// Turned to the front by yaw, and raised by pitch [rad].
Camera make_camera(double yaw = 0.44, double pitch = 0.22);

// Points of each geom's surface, enough that their hull looks like the geom; frame W.
std::vector<Vec3d> surface_points(const Geom& geom, const RobotData<double>& pose);

// The smallest convex polygon around the points.
std::vector<Point> convex_hull(std::vector<Point> points);

// All geoms, the farthest first.
void draw_robot(const RobotModel& robot, const RobotData<double>& pose, const Camera& camera,
                Svg& svg);

}  // namespace footfall::picture
