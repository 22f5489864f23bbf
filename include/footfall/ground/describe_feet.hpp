// describe_feet: what happened under each foot in a step, on ground of any kind.
#pragma once

#include <vector>

#include "footfall/ground/contact.hpp"
#include "footfall/ground/foot_patch.hpp"

namespace footfall {

// Patches of all feet after a step; `patches` has one entry per foot and is overwritten. `listed`: the
// contact's points, see list_contacts; `data`: where the bodies were at the step's start.
void describe_feet(const World& world, const State<double>& state, const RobotData<double>& data,
                   const std::vector<ContactPoint<double>>& listed, Contact<double>& contact,
                   std::vector<FootPatch>& patches);

// Energy that the ground and the feet's pads hold at a point [J].
double elastic_energy(const ContactPoint<double>& point, double shear_displacement);

}  // namespace footfall
