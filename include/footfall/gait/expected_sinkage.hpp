// How deep a foot will stand: what a gait asks the ground when it expects to sink (Gora's motive).
//
// The sinkage at rest under a given load, of the same laws that the run will use: compliant ground
// (F/k)^{1/n}, plastic soil the inverse of its exact bearing. Static: a foot that comes down hard goes
// deeper, one on soil that damps sinking (a short stance on standard sand) less deep.
#pragma once

#include <algorithm>
#include <vector>

#include "footfall/gait/gait_parameters.hpp"
#include "footfall/ground/world.hpp"

namespace footfall {

// Sinkage [m] of a level foot at rest on the world's soil of that index, under a load [N].
double find_foot_sinkage(const World& world, int foot, int soil, double load);

// What each foot is expected to sink on each soil, asked once: looking it up costs nothing.
class SinkageMap {
 public:
  // `load` is what a foot carries in stance [N]. Throws InputError where there is no soil to ask:
  // with contacts that do not know the world's soils, or a foot whose law is not known.
  SinkageMap(const World& world, const ExpectedSinkage& expected, double load);

  // Under a foot at (x, y), along the ground's normal [m].
  double at(const World& world, int foot, double x, double y) const {
    return sinkage_[foot * soils_ + soil_at(world.terrain, x, y)];
  }
  // The most under any foot on any soil [m].
  double largest() const { return *std::max_element(sinkage_.begin(), sinkage_.end()); }

 private:
  std::size_t soils_ = 1;
  std::vector<double> sinkage_;  // [foot * soils_ + soil]
};

}  // namespace footfall
