// How deep a foot may be for the laws of bearing to mean something, and what to say where it is deeper.
//
// | foot                       | holds to                                                                     |
// |----------------------------|------------------------------------------------------------------------------|
// | disc, rectangle            | three widths b (of a disc its diameter): plate tests go no deeper, and soil  |
// |                            | then flows round the plate instead of yielding below it                      |
// | sphere, cylinder           | its radius: θ₁ = π/2, where Ding 2013 ends                                   |
// | mesh                       | its own height                                                               |
// | ball or foot with a shank  | the height of its link: a ball that is in deeper than its radius presses     |
// |                            | with its greatest section, πR², as the capsule that ball and shank are       |
//
// A soil that says what it was measured with holds for these widths, depths and rates only: soil.hpp.
#pragma once

#include <string>
#include <vector>

#include "footfall/foot/foot_sole.hpp"

namespace footfall {

struct ValidDepth {
  double depth = 0;  // [m]
  std::string what;  // "three widths"
};

// Of a foot on a rig, which has no shank.
ValidDepth valid_depth(const FootSole& sole);

// Of a foot of a robot as it stands in the pose: with all that its body has above its sole.
ValidDepth valid_depth(const RobotModel& model, const Soles& soles, int foot,
                       const std::vector<double>& qpos);

// The deepest and fastest that a foot has been.
struct FootUse {
  double width = 0;    // contact width b [m]
  double sinkage = 0;  // [m]
  double rate = 0;     // of sinking [m/s]

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("sinkage_m", sinkage);
    archive("rate_m_per_s", rate);
  }
};

// "66 mm deep, its laws hold to 20 mm (its radius)", and what of the soil's measured range is left. Empty: nothing.
// soil: null where the ground is not plastic.
std::string outside_validity(const FootUse& use, const ValidDepth& valid, const PlasticSoil* soil);

}  // namespace footfall
