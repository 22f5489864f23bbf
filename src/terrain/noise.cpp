// Every product that is added to something is an explicit std::fma: rounding is then the same
// whether or not a compiler fuses, and a seed gives the same bits everywhere.
#include <cstdint>
#include <vector>

#include "input_error.hpp"
#include "terrain/grid.hpp"

namespace footfall {
namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Dot product of the lattice point's gradient, one of eight unit vectors, with (dx, dy).
double corner(std::uint64_t seed, double ix, double iy, double dx, double dy) {
  constexpr double d = 0.70710678118654752440;
  constexpr double gradient_x[] = {1, d, 0, -d, -1, -d, 0, d};
  constexpr double gradient_y[] = {0, d, 1, d, 0, -d, -1, -d};
  const auto whole = [](double i) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(i));
  };
  const std::uint64_t which = mix(mix(seed ^ mix(whole(ix))) + whole(iy)) >> 61;
  return std::fma(gradient_x[which], dx, gradient_y[which] * dy);
}

double fade(double t) { return t * t * t * std::fma(t, std::fma(t, 6.0, -15.0), 10.0); }
double blend(double a, double b, double weight) { return std::fma(weight, b - a, a); }

// One octave in units of its wavelength, within ±√½.
double gradient_noise(std::uint64_t seed, double u, double v) {
  const double iu = std::floor(u), iv = std::floor(v);
  const double du = u - iu, dv = v - iv;
  const double low =
      blend(corner(seed, iu, iv, du, dv), corner(seed, iu + 1, iv, du - 1, dv), fade(du));
  const double high = blend(corner(seed, iu, iv + 1, du, dv - 1),
                            corner(seed, iu + 1, iv + 1, du - 1, dv - 1), fade(du));
  return blend(low, high, fade(dv));
}

struct Octave {
  std::uint64_t seed;
  double gain;              // of its height
  double wavelength;        // [m]
  double shift_x, shift_y;  // of its lattice, in wavelengths, in [0, 1)
};

// A number in [0, 1) from a hash.
double fraction(std::uint64_t hash) { return static_cast<double>(hash >> 11) * 0x1p-53; }

// The octaves, their gains scaled so that the sum stays within ±amplitude. Each lattice is shifted
// by a fraction of its own: gradient noise vanishes at lattice points, which unshifted octaves
// share.
std::vector<Octave> make_octaves(const NoiseParameters& noise) {
  double gain_sum = 1;  // 1 + p + p² + …
  for (int i = 1; i < noise.octaves; ++i) gain_sum = std::fma(gain_sum, noise.persistence, 1.0);
  constexpr double kSqrt2 = 1.41421356237309504880;
  double gain = noise.amplitude * kSqrt2 / gain_sum, wavelength = noise.wavelength;
  std::vector<Octave> octaves;
  for (int i = 0; i < noise.octaves; ++i) {
    const std::uint64_t seed = mix(noise.seed + mix(static_cast<std::uint64_t>(i)));
    octaves.push_back({seed, gain, wavelength, fraction(mix(seed)), fraction(mix(~seed))});
    gain *= noise.persistence;
    wavelength /= 2;
  }
  return octaves;
}

void check_noise(const NoiseParameters& noise, double spacing) {
  check_value(noise.amplitude >= 0 && is_height(noise.amplitude), "noise amplitude",
              noise.amplitude, "m", "[0, 1e5]");
  check_value(noise.wavelength >= 2 * spacing && std::isfinite(noise.wavelength),
              "noise wavelength", noise.wavelength, "m",
              fmt::format("at least two spacings, {} m", 2 * spacing));
  if (noise.octaves < 1 || noise.octaves > 16) {
    throw input_error("noise octaves = {}, expected [1, 16]", noise.octaves);
  }
  check_value(noise.persistence >= 0 && noise.persistence <= 1, "noise persistence",
              noise.persistence, "", "[0, 1]");
}

}  // namespace

Heightfield make_noise(const NoiseParameters& noise, const GridExtent& extent) {
  Heightfield field = empty_heightfield(extent);
  check_noise(noise, extent.spacing);
  const std::vector<Octave> octaves = make_octaves(noise);
  const auto height_at = [&octaves](double x, double y) {
    double height = 0;
    for (const Octave& o : octaves) {
      const double u = x / o.wavelength + o.shift_x, v = y / o.wavelength + o.shift_y;
      height = std::fma(o.gain, gradient_noise(o.seed, u, v), height);
    }
    return height;
  };
  fill_heightfield(height_at, field);
  return field;
}

}  // namespace footfall
