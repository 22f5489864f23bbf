// One scene, run and looked at.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "footfall/run/replay.hpp"
#include "stress/make_scene.hpp"

namespace footfall::stress_scenes {

struct Fault {
  std::string check, what;
  std::optional<StepRecord> record;  // before the step that shows it; none: of the whole scene
};

struct SceneResult {
  std::int64_t steps = 0;
  double energy_rise = 0;  // in all, over weight times a metre; 0 where it is not watched
  std::optional<Fault> fault;
};

// `folder` is where the robot and the scenario have been written. Throws InputError where the scene is refused.
SceneResult check_scene(const Scene& scene, const Scenario& scenario, unsigned seed);

}  // namespace footfall::stress_scenes
