// Energy of a robot and its ground.
#pragma once

namespace footfall {

// Energies [J].
struct Energy {
  double kinetic = 0;
  double gravity = 0;  // potential, zero at W's origin
  double springs = 0;  // joint springs
  double ground = 0;   // elastic, normal and shear, and of the feet's pads
  double total() const { return kinetic + gravity + springs + ground; }
};

}  // namespace footfall
