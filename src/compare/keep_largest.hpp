#pragma once

#include <cmath>

namespace footfall {

// A NaN is the largest of all, and stays.
inline void keep_largest(double value, double& largest) {
  if (!std::isnan(largest) && !(value <= largest)) largest = value;
}

}  // namespace footfall
