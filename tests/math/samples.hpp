// Random numbers for the tests of math: the same on every platform.
#pragma once

#include <cstdint>
#include <random>

#include "footfall/math/spatial.hpp"

namespace footfall::test {

struct Samples {
  std::mt19937_64 engine{20240607};

  // between low and high
  double number(double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1p-53;
  }
  Vec3d vector() { return {number(-1, 1), number(-1, 1), number(-1, 1)}; }
  Spatial<double> spatial() { return {vector(), vector()}; }
  Quatd unit_quat() {
    return normalized(Quatd{number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)});
  }
  Lane8 lanes(double low, double high) {
    Lane8 x(0);
    for (int i = 0; i < kLaneCount; ++i) x.set(i, number(low, high));
    return x;
  }
};

}  // namespace footfall::test
