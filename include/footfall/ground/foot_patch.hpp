// FootPatch: what happened under a foot during a step, whatever the ground is.
#pragma once

#include "footfall/math/spatial.hpp"

namespace footfall {

// What granular media add to a foot's patch: where W(θ) was asked, and what came of it.
struct GrainPatch {
  double depth = 0;  // of the sole's centre at the start of the step [m]
  double tilt =
      0;  // of the foot's axis from the ground's normal; in the plane, positive towards x [rad]
  bool clamped = false;   // θ is outside the data
  Vec3d force{0, 0, 0};   // on the foot, surface frame [N]
  Vec3d torque{0, 0, 0};  // about p_r, surface frame [N m]
};

struct FootPatch {
  bool touching = false;       // carries any force
  Vec3d center{0, 0, 0};       // pressure-weighted centre p_WC [m]
  Vec3d normal{0, 0, 1};       // of the ground there, frame W
  double sinkage = 0;          // at the centre, at the end of the step; of soft constraints the
                               // mean over contacts that touch [m]
  double sinkage_rate = 0;     // [m/s], positive while sinking
  double pad_compression = 0;  // of the foot's pad, which is not part of the sinkage [m]
  double contact_area = 0;     // [m²]
  Vec3d velocity{0, 0, 0};     // of the sole at the centre, frame W [m/s]
  Vec3d shear_displacement{0, 0, 0};  // force-weighted mean j, frame W [m]
  double normal_force = 0;            // F_N [N]
  double tangential_force = 0;        // [N]
  Vec3d force{0, 0, 0};               // of the ground on the foot, frame W [N]
  Vec3d moment{0, 0, 0};              // about the centre, frame W [N m]
  double friction_use = 0;            // tangential force over its limit, largest of the points; in
                                      // granular media of the wrench, over the boundary of W [-]
  GrainPatch grains;                  // only with a wrench space
};

}  // namespace footfall
