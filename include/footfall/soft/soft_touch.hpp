// Where MuJoCo lets a shape touch a plane: the same points, in the same order, as its collision
// functions find them (4.0.0). A contact point lies halfway between the shape and the plane.
#pragma once

#include <array>

#include "footfall/soft/soft_model.hpp"

namespace footfall {

inline constexpr int kMaxTouches = 4;

struct SoftTouch {
  Vec3d position{0, 0, 0};  // frame W [m]
  double distance = 0;      // negative when the shape is below the plane [m]
  Vec3d tangent{0, 0, 0};   // that the contact's frame is aligned with, frame W; zero: any
};

struct SoftTouches {
  int count = 0;
  std::array<SoftTouch, kMaxTouches> touches;
};

// How many contacts a shape can have with a plane.
int max_touches(const Geom& geom);

// Contacts nearer than `cutoff` (margin and gap) of a geom at p_WG with axes R_WG; `hull` is that of
// a mesh, null for other shapes.
void find_touches(const Geom& geom, const SoftHull* hull, const SoftPlane& plane, const Vec3d& p_WG,
                  const Mat3d& R_WG, double cutoff, SoftTouches& found);

// A contact's frame: normal, and two tangents of which the first is near `tangent`.
Mat3d contact_frame(const Vec3d& normal, const Vec3d& tangent);

}  // namespace footfall
