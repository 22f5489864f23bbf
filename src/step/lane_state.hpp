// One robot of eight in lanes: its state taken out, or put in.
#pragma once

#include "footfall/ground/world.hpp"

namespace footfall {

// Everything that a step changes, of the robot in lane `i`.
State<double> take_lane(const State<Lane8>& from, int i);

// The other way: lane `i` of `to` becomes the robot `from`, of the same world. The other lanes stay as they are.
void put_lane(const State<double>& from, int i, State<Lane8>& to);

}  // namespace footfall
