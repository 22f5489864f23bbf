// Random scenes for comparing soft constraints: MJCF texts, the same for the same seed everywhere.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "footfall/mujoco/handle.hpp"

namespace footfall {

// Numbers that the standard fixes, unlike those of its distributions.
class SceneRandom {
 public:
  explicit SceneRandom(unsigned seed) : random_(seed) {}
  double uniform(double lower, double upper) {
    return lower + (upper - lower) * (static_cast<double>(random_()) + 0.5) / 4294967296.0;
  }
  double log_uniform(double lower, double upper);
  bool chance(double probability) { return uniform(0, 1) < probability; }
  int index(int count) { return static_cast<int>(uniform(0, count)); }
  template <class X>
  X pick(const std::vector<X>& from) {
    return from[index(static_cast<int>(from.size()))];
  }

 private:
  std::mt19937 random_;
};

struct RandomScene {
  std::string name;
  bool has_robot = false;
  MjModelPtr model;
  std::vector<double> qpos, qvel;
};

// Scene number `number` of a series: free bodies of all shapes, chains of links with limits and dry
// friction, or one of `robots` (files), on one or two planes, level or sloping; random solref,
// solimp, friction, condim, priority, solmix, margin, gap, pairs, override, cone, impratio, Â, step. The
// bodies begin near the ground, some above it, some in it, moving.
RandomScene make_random_scene(unsigned seed, int number, const std::vector<std::string>& robots);

// A model in which only shapes and planes touch.
// A copy in which the robot's shapes touch static geoms as before and never each other.
MjModelPtr keep_ground_contacts(const mjModel_& model);

// One line that names the pairs of geoms of two links that MuJoCo lets touch; none: no line.
std::vector<std::string> name_link_contacts(const mjModel_& model);

}  // namespace footfall
