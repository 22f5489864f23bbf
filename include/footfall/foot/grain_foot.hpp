// A foot that is driven through grains.
#pragma once

namespace footfall {

enum class GrainFootShape { cylinder, box, sphere };

struct GrainFoot {
  GrainFootShape shape = GrainFootShape::cylinder;
  double radius = 0.05;              // of a cylinder or sphere [m]
  double length_x = 0, width_y = 0;  // of a box's sole [m]
  double height = 0.3;               // of a cylinder or box along its axis [m]
  double reference_height = 0.25;    // of p_r above the sole's centre, along the axis [m]
};

}  // namespace footfall
