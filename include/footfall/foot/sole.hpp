// Soles: the places on a robot that can touch the ground.
//
// A sole is a set of points, each with a share (weight) of the foot's stiffness; the shares of a
// flat, level sole add up to one, so that it carries what the law says for the whole foot. A point of
// a flat sole is a cell: a triangle over which the pressure is integrated exactly at any tilt
// (soil/cell.hpp); it touches at its centre of pressure. Others may be round:
//   radius 0, no cell   a point fixed in the body
//   radius R, no axis   a ball: touches at p − R·n
//   radius R and axis   the rim of a roller: touches at p + R·d, d pointing down, normal to the axis
//
// | sole      | points                                                     | level stiffness |
// |-----------|------------------------------------------------------------|-----------------|
// | sphere    | its centre, radius R                                       | 1               |
// | rectangle | 8 cells about its middle                                   | 1               |
// | disc      | 24 cells: a polygon of the same area (the force of a disc  | 1               |
// |           | of 50 mm at 30°, 2 mm deep, is 1 % off)                    |                 |
// | cylinder  | 3 along the axis, Simpson's weights, radius R              | 1               |
// | hull      | the faces of a mesh's hull as cells, by their plan         | 1               |
//
// A flat point has its part of the surface as a vector out of that side, of which the ground sees what
// faces it: the upper side of a foot that is deep in soil carries nothing. Plastic soil presses on that
// area; compliant ground, whose stiffness is given for a foot, on its share of the foot's. A sphere
// presses as a whole, a roller by its part of the width. A corner has the areas of its three sides.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "footfall/robot/model.hpp"
#include "footfall/soil/bearing.hpp"

namespace footfall {

enum class SoleShape { sphere, rectangle, disc, cylinder, hull };

// A disc is a polygon of this many sides with the same area; at borders between soils it is round.
inline constexpr int kDiscSides = 24;

// Friction of a sole that leaves the limit to the ground [-].
inline constexpr double kAnyFriction = 1e9;

struct SolePoint {
  int foot = -1;                   // −1: belongs to no foot (a knee, a trunk)
  int group = 0;                   // see SoleGroup
  Vec3d position{0, 0, 0};         // p_BP [m]
  Vec3d axis{0, 0, 0};             // roller axis, frame B; zero: none
  double radius = 0;               // [m]
  double weight = 1;               // share of the foot's law [-]
  bool is_cell = false;            // a triangle; its position is the middle
  std::array<Vec3d, 3> corners{};  // of a cell [m]
  bool is_sector = false;  // a cell of kDiscSides: its edge beyond corner 0 stands for an arc
  // Where shear acts, from the centre of pressure of a cell that is all in the ground: so that cells resist
  // spinning as the whole sole does [m]
  Vec3d shear_offset{0, 0, 0};
  int soil = -1;  // the soil that a cell stands for, see split_cells; −1: that under it
  // how it presses on plastic soil, see soil/bearing.hpp
  BearingKind bearing = BearingKind::flat;
  double size = 0;                 // width of a rim [m], share of a ball [-]
  Vec3d area{0, 0, 0};             // of a flat point, as a vector out of its side, frame B [m²]
  double contact_width = 0;        // b of the pressure law: the sole's smaller dimension [m]
  bool is_element = false;         // see SolePoints::elements
  double friction = kAnyFriction;  // the sole's coefficient, see set_sole_friction [-]
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

// One foot is one sole, of one geom or of several that are joined: they share the foot's law by their
// plan areas, and what lies inside another, or above it when the robot stands, counts once. The geoms
// on which the robot stands come first; other parts of the foot's body, a shank beside a ball, carry
// by their plan area too once they reach the ground.
struct Foot {
  std::string name;
  int body = 0;            // of its first geom
  int geom = 0;            // the first on which it stands
  std::vector<int> geoms;  // all that have points, those on which it stands first
  int sole_count = 1;      // of geoms: how many it stands on
  int group = 0;           // of the first geom; those of the others follow
  int group_count = 1;
  SoleShape shape = SoleShape::sphere;  // hull: a mesh, or several geoms
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
  geoms,  // shares, also of what lies inside another shape: for laws that know each geom by itself
};

// Soles of the given feet, each a list of geoms. `body_contacts`: all other colliding geoms touch the
// ground too. The pose `qpos` (a standing one) says which side of a box or cylinder is the sole.
Soles make_joined_soles(const RobotModel& model, const std::vector<std::vector<int>>& feet,
                        bool body_contacts, const std::vector<double>& qpos,
                        SolePoints points = SolePoints::shares);

// The same for foot geoms in one list: those of one link are one foot. With `body_contacts` all other
// colliding geoms of their bodies belong to the foot too.
Soles make_soles(const RobotModel& model, const std::vector<int>& foot_geoms, bool body_contacts,
                 const std::vector<double>& qpos, SolePoints points = SolePoints::shares);

// The places at which a point reaches farthest: the corners of a cell, else its position.
inline std::vector<Vec3d> reach_of(const SolePoint& point) {
  if (point.is_cell) return {point.corners.begin(), point.corners.end()};
  return {point.position};
}

// Gives every cell a copy for each soil, of which each stands for the part of the cell that lies on that
// soil: so a sole on a border is shared by area.
Soles split_cells(const Soles& soles, int soil_count);

// Cuts cells until none is longer than `size` [m], or until a geom has kMostCells of them: for uneven ground, of
// which a cell sees no more than what lies below its corners.
inline constexpr int kMostCells = 1200;
Soles cut_cells(const Soles& soles, double size);

// Points of a foot, which follow one another.
struct PointRange {
  int first = 0, end = 0;
};
PointRange points_of(const Soles& soles, const Foot& foot);
PointRange sole_points_of(const Soles& soles, const Foot& foot);  // of the geoms that it stands on

}  // namespace footfall
