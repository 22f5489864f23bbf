#include "footfall/terrain/procedural.hpp"

#include <algorithm>

#include "input_error.hpp"
#include "terrain/grid.hpp"

namespace footfall {
namespace {

// A heading about z, as the axis along which s is measured.
struct Axis {
  double x, y;

  explicit Axis(double direction) : x(1), y(0) { sincos(direction, y, x); }
  double distance(double at_x, double at_y) const { return at_x * x + at_y * y; }
};

void check_ramp(const RampParameters& ramp) {
  check_finite("ramp start", ramp.start, "m");
  check_value(ramp.length > 0 && std::isfinite(ramp.length), "ramp length", ramp.length, "m",
              "> 0");
  check_value(is_height(ramp.rise), "ramp rise", ramp.rise, "m", "[-1e5, 1e5]");
  check_direction("ramp direction", ramp.direction);
}

void check_stairs(const StairsParameters& stairs, double spacing) {
  check_finite("stairs start", stairs.start, "m");
  if (stairs.step_count < 1 || stairs.step_count > 100000) {
    throw input_error("stairs step_count = {}, expected [1, 100000]", stairs.step_count);
  }
  check_value(is_height(stairs.step_height * stairs.step_count), "stairs step_height",
              stairs.step_height, "m", "|step_height · step_count| ≤ 1e5 m");
  check_value(stairs.step_depth >= spacing && std::isfinite(stairs.step_depth), "stairs step_depth",
              stairs.step_depth, "m", fmt::format("at least the grid's spacing, {} m", spacing));
  check_direction("stairs direction", stairs.direction);
}

void check_wavelength(std::string_view name, double wavelength, double spacing) {
  check_value(wavelength == 0 || (wavelength >= 2 * spacing && std::isfinite(wavelength)), name,
              wavelength, "m", fmt::format("0 or at least two spacings, {} m", 2 * spacing));
}

void check_bumps(const BumpsParameters& bumps, double spacing) {
  check_value(bumps.amplitude >= 0 && is_height(bumps.amplitude), "bumps amplitude",
              bumps.amplitude, "m", "[0, 1e5]");
  check_wavelength("bumps wavelength_x", bumps.wavelength_x, spacing);
  check_wavelength("bumps wavelength_y", bumps.wavelength_y, spacing);
}

// cos(2π x/wavelength); whole waves are taken off first, so that it stays accurate far out.
double wave(double x, double wavelength) {
  if (wavelength == 0) return 1;
  const double waves = x / wavelength;
  double sin_phase = 0, cos_phase = 1;
  sincos(2 * M_PI * (waves - std::round(waves)), sin_phase, cos_phase);
  return cos_phase;
}

}  // namespace

Heightfield make_ramp(const RampParameters& ramp, const GridExtent& extent) {
  Heightfield field = empty_heightfield(extent);
  check_ramp(ramp);
  const Axis axis(ramp.direction);
  const auto height_at = [&](double x, double y) {
    return ramp.rise * std::clamp((axis.distance(x, y) - ramp.start) / ramp.length, 0.0, 1.0);
  };
  fill_heightfield(height_at, field);
  return field;
}

Heightfield make_stairs(const StairsParameters& stairs, const GridExtent& extent) {
  Heightfield field = empty_heightfield(extent);
  check_stairs(stairs, extent.spacing);
  const Axis axis(stairs.direction);
  // A point this close to a riser stands on its upper tread, whose edge is where the riser is wanted.
  const double on_riser = std::copysign(1e-6 * extent.spacing, stairs.step_height);
  const auto height_at = [&](double x, double y) {
    const double s = axis.distance(x, y) - stairs.start + on_riser;
    const double step = std::floor(s / stairs.step_depth) + 1;
    return stairs.step_height * std::clamp(step, 0.0, static_cast<double>(stairs.step_count));
  };
  fill_heightfield(height_at, field);
  return field;
}

Heightfield make_bumps(const BumpsParameters& bumps, const GridExtent& extent) {
  Heightfield field = empty_heightfield(extent);
  check_bumps(bumps, extent.spacing);
  const auto height_at = [&](double x, double y) {
    return bumps.amplitude * wave(x, bumps.wavelength_x) * wave(y, bumps.wavelength_y);
  };
  fill_heightfield(height_at, field);
  return field;
}

}  // namespace footfall
