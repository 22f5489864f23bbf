// The size of a robot's soles, for people who want to know what touches.
#pragma once

#include "footfall/foot/sole.hpp"

namespace footfall {

// What a foot stands on, seen from below in the standing pose.
struct SoleSummary {
  std::string shapes;  // "box", "4 spheres", "2 capsules, box"
  double length = 0;   // of the narrowest rectangle around it [m]
  double width = 0;    // its smaller side [m]
  double area = 0;     // of its shapes, what overlaps counted once; of round ones their plan [m²]
  int points = 0;      // sole points of the foot, other parts of its body included
  double contact_width = 0;  // b of the pressure law; the least where parts differ [m]
  std::vector<int> geoms;    // on which it stands
  std::vector<int> others;   // of its body, that touch when it sinks or falls
};

SoleSummary summarize_sole(const RobotModel& model, const Soles& soles, int foot,
                           const std::vector<double>& qpos);

}  // namespace footfall
