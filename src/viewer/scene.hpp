// What stays the same during a run.
#pragma once

#include <vector>

#include "footfall/ground/world.hpp"
#include "footfall/record/run_data.hpp"
#include "viewer/array_store.hpp"

namespace footfall::viewer {

struct Scene {
  RobotModel robot;
  Terrain terrain;
  std::vector<RunFoot> feet;
  std::vector<RunSoil> soils;
};
Scene read_scene(const RunContents& run);

// The robot, the ground without what feet pressed into it, and the feet: their parts of a page's Run.
Json robot_json(const RobotModel& robot, ArrayStore& arrays);
Json ground_json(const Scene& scene, ArrayStore& arrays);
Json feet_json(const Scene& scene);

// Area of a foot's sole, of a round one that of its largest section [m²].
double sole_area(const Scene& scene, int foot);

}  // namespace footfall::viewer
