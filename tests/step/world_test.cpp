// What a world refuses before a run begins.
#include "footfall/ground/world.hpp"

#include <gtest/gtest.h>

#include "footfall/error.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

template <class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(World, RefusesARobotThatCannotMove) {
  RobotModel robot;
  robot.name = "rock";
  robot.bodies.resize(1);  // the world
  const CompliantGround<double> ground = testing::table_4()[0].ground;
  EXPECT_EQ(message_of([&] { make_world(robot, {}, SoilGround{{{"soil", ground}}}, {}, {}); }),
            "robot 'rock' has no moving body");
}

TEST(World, SaysTheWholeRangeOfAStiffness) {
  CompliantGround<double> ground = testing::table_4()[0].ground;
  ground.stiffness = 1e13;
  EXPECT_EQ(message_of([&] { check_ground(ground); }),
            "stiffness = 10000000000000, expected above 0 and at most 1e12 N/m^n");
  ground.stiffness = 1e12;
  EXPECT_EQ(message_of([&] { check_ground(ground); }), "no error");
  ground.shear_stiffness = 0;
  EXPECT_EQ(message_of([&] { check_ground(ground); }),
            "shear_stiffness = 0, expected above 0 and at most 1e12 N/m");
}

}  // namespace
}  // namespace footfall
