// Soles: the places on a robot that can touch the ground.
//
// A sole is a set of points, each with a share (weight) of the foot's stiffness; the shares of a
// flat, level sole add up to one, so that it carries what the law says for the whole foot, and a
// tilted one resists with the moment that the spread of its points gives. A point may be round:
//   radius 0            a point fixed in the body
//   radius R, no axis   a ball: touches at p − R·n
//   radius R and axis   the rim of a roller: touches at p + R·d, d pointing down, normal to the axis
//
// | sole      | points                                                     | level stiffness |
// |-----------|------------------------------------------------------------|-----------------|
// | sphere    | its centre, radius R                                       | 1               |
// | rectangle | 3×3, Simpson's weights: exact for force and tilting moment | 1               |
// | disc      | centre ½ and 8 on the rim 1/16: exact for both too         | 1               |
// | cylinder  | 3 along the axis, Simpson's weights, radius R              | 1               |
// | hull      | points of a mesh's hull, by their part of its plan         | 1               |
//
// Plastic soil presses on areas, not on shares: there a flat point has its part of the sole's area (of
// a hull the part of its plan that is nearest to it) as a vector out of that side, of which the ground
// sees what faces it: the upper side of a foot that is deep in soil carries nothing. A sphere
// presses as a whole, a roller by its part of the width. A corner has the areas of its three sides.
#pragma once

#include <string>
#include <vector>

#include "footfall/robot/model.hpp"
#include "footfall/soil/bearing.hpp"

namespace footfall {

enum class SoleShape { sphere, rectangle, disc, cylinder, hull };

struct SolePoint {
  int foot = -1;            // −1: belongs to no foot (a knee, a trunk)
  int group = 0;            // see SoleGroup
  Vec3d position{0, 0, 0};  // p_BP [m]
  Vec3d axis{0, 0, 0};      // roller axis, frame B; zero: none
  double radius = 0;        // [m]
  double weight = 1;        // share of the foot's law [-]
  // how it presses on plastic soil, see soil/bearing.hpp
  BearingKind bearing = BearingKind::flat;
  double size = 0;           // width of a rim [m], share of a ball [-]
  Vec3d area{0, 0, 0};       // of a flat point, as a vector out of its side, frame B [m²]
  double contact_width = 0;  // b of the pressure law: the sole's smaller dimension [m]
  bool is_element = false;   // see SolePoints::elements
};

// Points of one geom: skipped together while their common ball is clear of the ground.
struct SoleGroup {
  int body = 0;
  int foot = -1;
  int first_point = 0, point_count = 0;
  Vec3d center{0, 0, 0};  // p_BC [m]
  double radius = 0;      // of a ball about center that holds all points [m]
  int geom = -1;          // of the robot
};

struct Foot {
  std::string name;
  int body = 0;
  int geom = 0;
  int group = 0;
  SoleShape shape = SoleShape::sphere;
  double area = 0;    // of a flat sole in full contact [m²]; 0 for round ones, whose area varies
  double radius = 0;  // of a round sole [m]
  double width = 0;   // of a cylinder [m]
};

struct Soles {
  std::vector<Foot> feet;
  std::vector<SoleGroup> groups;
  std::vector<SolePoint> points;
};

// Which points a foot's sole has.
enum class SolePoints {
  shares,  // those of the table above, for laws that press on areas
  corners,  // only those that a hard sole stands on: 4 of a rectangle, 8 on a disc's rim, 2 ends of a
            // cylinder
  elements,  // small parts of the whole surface, with their area as a vector out of it, for laws that act
             // on surfaces
};

// Soles of the given foot geoms. `body_contacts`: all other colliding geoms touch the ground too.
// The pose `qpos` (a standing one) says which side of a box or cylinder is the sole.
Soles make_soles(const RobotModel& model, const std::vector<int>& foot_geoms, bool body_contacts,
                 const std::vector<double>& qpos, SolePoints points = SolePoints::shares);

}  // namespace footfall
