// Scene `number` of a series: the same in every run of a build.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "footfall/robot/model.hpp"

namespace footfall::stress_scenes {

struct Scene {
  RobotModel robot;
  std::string scenario;          // TOML; its robot is robot.json beside it
  std::string ground;            // "plastic", "compliant", "resistive_force", ...
  bool is_passive = false;       // no motor moves, nothing pushes
  bool gives_no_energy = false;  // and the ground's law is one that cannot
};

Scene make_scene(unsigned seed, std::int64_t number, double duration,
                 const std::vector<std::string>& soils);

}  // namespace footfall::stress_scenes
