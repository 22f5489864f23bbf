// A rotation matrix as a quaternion.
#pragma once

#include <Eigen/Geometry>

#include "footfall/math/spatial.hpp"

namespace footfall {

inline Quatd to_quaternion(const Mat3d& r) {
  Eigen::Matrix3d m;
  m << r.x.x, r.y.x, r.z.x, r.x.y, r.y.y, r.z.y, r.x.z, r.y.z, r.z.z;
  const Eigen::Quaterniond q = Eigen::Quaterniond(m).normalized();
  return {q.w(), q.x(), q.y(), q.z()};
}

}  // namespace footfall
