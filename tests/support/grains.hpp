// Worlds on granular media for tests.
#pragma once

#include <memory>

#include "footfall/granular/learning.hpp"
#include "footfall/ground/wrench_space.hpp"
#include "support/worlds.hpp"

namespace footfall::testing {

inline const WrenchDatabase& play_sand() {
  static const WrenchDatabase database =
      read_wrench_database(std::string(FOOTFALL_SOURCE_DIR) + "/media/play-sand.csv");
  return database;
}

struct Grains {
  WrenchSpaceOptions options{};
  Terrain terrain{};
  double timestep = 1e-3;
};

inline World make_grain_world(RobotModel robot, const Grains& grains,
                              const WrenchDatabase& database = play_sand()) {
  StepOptions options;
  options.timestep = grains.timestep;
  const std::vector<double> pose = standing_pose(robot);
  Soles soles = make_soles(robot, find_feet(robot), false, pose);
  GranularGround ground{"grains",
                        std::make_shared<WrenchSpace>(learn_wrenches(database), grains.options,
                                                      robot, soles, grains.terrain, pose)};
  return make_world(std::move(robot), grains.terrain, std::move(ground), std::move(soles), options);
}
inline World make_grain_world(const std::string& robot, const Grains& grains,
                              const WrenchDatabase& database = play_sand()) {
  return make_grain_world(load_robot(robot_file(robot)), grains, database);
}

}  // namespace footfall::testing
