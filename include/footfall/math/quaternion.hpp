// A rotation matrix as a quaternion.
#pragma once

#include <cmath>

#include "footfall/math/spatial.hpp"

namespace footfall {

// By the largest of the quaternion's parts, so that nothing is divided by a small number (Shepperd 1978).
inline Quatd to_quaternion(const Mat3d& r) {
  const double m[3][3] = {{r.x.x, r.y.x, r.z.x}, {r.x.y, r.y.y, r.z.y}, {r.x.z, r.y.z, r.z.z}};
  double w = 0, v[3] = {};
  const double trace = m[0][0] + m[1][1] + m[2][2];
  if (trace > 0) {
    const double root = std::sqrt(trace + 1);
    w = 0.5 * root;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (j + 1) % 3;
      v[i] = (m[k][j] - m[j][k]) * (0.5 / root);
    }
  } else {
    int i = m[1][1] > m[0][0] ? 1 : 0;
    if (m[2][2] > m[i][i]) i = 2;
    const int j = (i + 1) % 3, k = (j + 1) % 3;
    const double root = std::sqrt(m[i][i] - m[j][j] - m[k][k] + 1);
    w = (m[k][j] - m[j][k]) * (0.5 / root);
    v[i] = 0.5 * root;
    v[j] = (m[j][i] + m[i][j]) * (0.5 / root);
    v[k] = (m[k][i] + m[i][k]) * (0.5 / root);
  }
  const double length = std::sqrt(w * w + v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return {w / length, v[0] / length, v[1] / length, v[2] / length};
}

}  // namespace footfall
