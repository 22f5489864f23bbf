// Tilted soles: a sole that is pressed into soil at a fixed angle by the engine, held against the exact
// integral of the pressure law over its surface.
//
//   F = K_σ ∫ z₊ⁿ dA,   M = K_σ ∫ x z₊ⁿ dA   over the plan of all sides that look down, z the depth of each part
//
// The integral takes another way than the engine: wet triangles are cut out, split and summed by Gauss's
// rule. Damping is left out of both. In dry grains that resist every part of the surface (soil/resistive.hpp)
// pressure is that of the theory times depth, over all sides.
#pragma once

#include <string>
#include <vector>

#include "footfall/foot/foot_sole.hpp"
#include "footfall/robot/model.hpp"
#include "footfall/soil/soil_entry.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

// Shapes that are pressed: a plate of 200 × 100 mm, a disc of 50 mm radius, a mesh: a plate of
// 200 × 100 mm whose edges are cut off by 10 × 5 mm.
enum class TiltedShape { plate, disc, mesh };
inline constexpr const char* kTiltedShapeNames[] = {"plate", "disc", "mesh"};

struct TiltedPress {
  TiltedShape shape = TiltedShape::plate;
  double tilt = 0;             // [rad]
  double direction = 0;        // that it leans to, about the vertical [rad]
  std::vector<double> depths;  // of the lowest point, rising [m]
  // a border along the y axis at x = border_x, with the second soil beyond it; without one: one soil
  double border_x = 1e3;  // [m]
};

struct TiltedSample {
  double depth = 0;         // [m]
  double force = 0;         // of the engine [N]
  double exact_force = 0;   // [N]
  double center_error = 0;  // distance between the centres of pressure, in plan [m]
  double moment_error = 0;  // of the moment about the sole's middle [N m]
  double exact_moment = 0;  // [N m]
};

// Throws InputError for a soil that has no law of pressure or stiffness.
std::vector<TiltedSample> press_tilted(const TiltedPress& press, const Soil& soil,
                                       const Soil& beyond_border);

// The same in grains of scale ζ by resistive force theory, which know no border.
std::vector<TiltedSample> press_tilted_in_grains(const TiltedPress& press, double scale);

}  // namespace footfall
