// The steps of prepare_test.
#pragma once

#include <vector>

#include "footfall/identify/rig_test.hpp"

namespace footfall {

// What the force sensor shows in the air.
struct ForceFloor {
  double mean = 0, noise = 0;  // [N]
  double level = 0;            // above it the foot touches [N]
};

// Where and when the foot touched; the rest of it is found in the data, or known.
struct Contact {
  int first = 0;  // sample that touches
  double sinkage = 0, error = 0, time = 0;
  double position_noise = 0;  // by which the sinkage at the crossing is off; 0: none to be seen [m]
  double tare = 0;            // force in the air of a load cell that is not at zero [N]
  ForceFloor floor;
};

// The surface is where the sinkage column says.
Contact contact_at_zero(const Recording& recording);
// The last sample whose force is in the noise of those before it, and from there back to where the
// rise began: F − F_air ≈ k (z − z(0))ⁿ through the first third of it and the air before, z(0), k and n
// by least squares.
// Throws InputError: no contact, or it touches in the first row.
Contact find_contact(const Recording& recording);

// Turns of a series: of each sample the way it goes, +1 or −1, seen with a hysteresis.
std::vector<int> find_ways(const std::vector<double>& values, std::size_t first, double hysteresis);

// Air, loading, holding, unloading and reloading.
std::vector<Phase> find_phases(const RigTest& test, const ForceFloor& floor);
// From the touch until the rate first falls to zero.
void mark_impact(RigTest& test);
// From the start of the drag until it turns. Finds x(0).
void mark_sliding(RigTest& test);

}  // namespace footfall
