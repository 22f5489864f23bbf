// Heightfields from a few numbers: ramp, stairs, bumps, noise.
//
// The shapes are functions of (x, y), sampled at the grid's points and bilinear between them, so a
// corner or a riser that falls between two points is spread over one spacing. Each parameter
// struct is checked when its heightfield is made: InputError with the value and the range.
#pragma once

#include <cstdint>

#include "footfall/terrain/terrain.hpp"

namespace footfall {

// The rectangle that the grid covers. Where the size is no multiple of the spacing, the grid
// reaches beyond x_max or y_max by less than one spacing.
struct GridExtent {
  double x_min = -5, x_max = 5, y_min = -5, y_max = 5;  // [m], within ±1e7
  double spacing = 0.05;                                // [m], in [1e-6, 1e4]
};

// Level, then an even slope, then level:  height = rise · clamp((s − start) / length, 0, 1)
// with s = x cos(direction) + y sin(direction).
struct RampParameters {
  double start = 0;      // s where the slope begins [m]
  double length = 1;     // of the slope, horizontal [m], > 0
  double rise = 0.2;     // from the lower to the upper level [m]; negative leads down
  double direction = 0;  // heading of s about z [rad], within ±2π
};

// Treads of equal height and depth:
//   height = step_height · clamp(⌊(s − start)/step_depth⌋ + 1, 0, step_count)
// A grid point on a riser belongs to the upper tread, whose edge is there; the riser falls over the spacing on its lower side.
struct StairsParameters {
  double start = 0;          // s of the first riser [m]
  double step_height = 0.1;  // [m]; negative leads down
  double step_depth = 0.3;   // [m], at least one spacing
  int step_count = 5;        // in [1, 100000]
  double direction = 0;      // heading of s about z [rad], within ±2π
};

// A carpet of waves with a crest at the origin:
//   height = amplitude cos(2π x/wavelength_x) cos(2π y/wavelength_y)
struct BumpsParameters {
  double amplitude = 0.02;  // [m], ≥ 0
  // [m], at least two spacings, or 0 for no change along that axis: corrugations
  double wavelength_x = 0.5, wavelength_y = 0.5;
};

// Gradient noise (Perlin 1985, 2002: the quintic fade) on a hashed lattice, summed over octaves;
// each has half the wavelength of the one before and `persistence` times its height. The sum is
// scaled so that |height| ≤ amplitude; its root mean square is near 0.3 amplitude for one octave
// and 0.19 for the four below. The same seed gives the same bits with every compiler.
struct NoiseParameters {
  double amplitude = 0.05;   // bound of |height| [m], ≥ 0
  double wavelength = 1;     // of the first octave [m], at least two spacings
  int octaves = 4;           // in [1, 16]
  double persistence = 0.5;  // in [0, 1]
  std::uint64_t seed = 0;
};

Heightfield make_ramp(const RampParameters& ramp, const GridExtent& extent);
Heightfield make_stairs(const StairsParameters& stairs, const GridExtent& extent);
Heightfield make_bumps(const BumpsParameters& bumps, const GridExtent& extent);
Heightfield make_noise(const NoiseParameters& noise, const GridExtent& extent);

}  // namespace footfall
