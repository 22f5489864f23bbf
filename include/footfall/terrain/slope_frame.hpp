// The frame of a foot on a slope, from the ground's normal and the heading (Ding 2013 (3)).
//
// With the normal (A, B, C), C > 0, and the heading φ_w, the angle about z from the world's x axis to
// the foot's direction seen from above, the axes of the frame are
//
//   x ∝ (C cosφ_w, C sinφ_w, −A cosφ_w − B sinφ_w),  z ∝ (A, B, C),  y = z × x
//
// x lies in the slope, straight below or above the heading. The paper's matrix has these columns
// with the first divided by cosφ_w: it is orthonormal, but knows only tanφ_w, so a foot that heads
// backwards (|φ_w| > π/2) is turned to the front, and φ_w = ±π/2 is no number.
#pragma once

#include "footfall/math/spatial.hpp"

namespace footfall {

// R_WC. Throws InputError unless the normal is finite and points up, and the heading is finite [rad].
Mat3d slope_frame(const Vec3d& normal, double heading);

}  // namespace footfall
