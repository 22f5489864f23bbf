// FootPatch: what happened under a foot during a step, summed over its sole's points.
#pragma once

#include <vector>

#include "footfall/step/step.hpp"

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

// Patches of all feet after a step; `patches` has one entry per foot and is overwritten.
void summarize_feet(const World& world, const State<double>& state,
                    StepWorkspace<double>& workspace, std::vector<FootPatch>& patches);

// Energies of a robot on compliant ground [J].
struct Energy {
  double kinetic = 0;
  double gravity = 0;  // potential, zero at W's origin
  double springs = 0;  // joint springs
  double ground = 0;   // elastic, normal and shear, and of the feet's pads
  double total() const { return kinetic + gravity + springs + ground; }
};

// Energy of the state; the ground's part is that of the soles' present sinkage and shear.
// Overwrites the workspace: call it after summarize_feet.
Energy measure_energy(const World& world, const State<double>& state,
                      StepWorkspace<double>& workspace);

}  // namespace footfall
