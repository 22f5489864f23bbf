// Robots put together in the program, without any file.
#pragma once

#include <gtest/gtest.h>

#include "footfall/robot/assemble.hpp"

namespace footfall::testing {

inline Body make_body(const std::string& name, int parent, double mass, const Vec3d& position) {
  Body body;
  body.name = name;
  body.parent = parent;
  body.position = position;
  body.mass = mass;
  const double moment = 0.01 * mass;
  body.inertia = {moment, 0, 0, moment, 0, moment};
  return body;
}

// A ball of 1 kg as a free body.
inline RobotModel make_ball(double radius) {
  RobotModel robot;
  robot.name = "ball";
  robot.bodies = {make_body("world", 0, 0, {0, 0, 0}), make_body("ball", 0, 1, {0, 0, 0})};
  const double moment = 0.4 * radius * radius;
  robot.bodies[1].inertia = {moment, 0, 0, moment, 0, moment};
  robot.joints.push_back({.name = "root", .type = JointType::free, .body = 1});
  robot.dofs.resize(6);
  Geom& sphere = robot.geoms.emplace_back();
  sphere.name = "ball";
  sphere.body = 1;
  sphere.size = {radius, 0, 0};
  robot.qpos0 = {0, 0, radius, 1, 0, 0, 0};
  const std::optional<RobotFault> fault = assemble_robot(robot);
  EXPECT_FALSE(fault) << fault->message();
  return robot;
}

// A free trunk of 2 kg on two legs: a hinge, a shin of 0.5 kg and a ball as its foot, with motors.
inline RobotModel make_hopper() {
  RobotModel robot;
  robot.name = "hopper";
  robot.bodies = {make_body("world", 0, 0, {0, 0, 0}), make_body("trunk", 0, 2, {0, 0, 0.4}),
                  make_body("left", 1, 0.5, {0, 0.1, 0}), make_body("right", 1, 0.5, {0, -0.1, 0})};
  robot.joints.resize(3);
  robot.joints[0] = {.name = "base", .type = JointType::free, .body = 1};
  robot.joints[1] = {.name = "left_hip", .body = 2, .axis = {0, 1, 0}};
  robot.joints[2] = {.name = "right_hip", .body = 3, .axis = {0, 1, 0}};
  robot.dofs.resize(8);
  for (int leg = 0; leg < 2; ++leg) {
    Geom foot;
    foot.name = leg == 0 ? "left_foot" : "right_foot";
    foot.body = 2 + leg;
    foot.position = {0, 0, -0.35};
    foot.size = {0.05, 0, 0};
    robot.geoms.push_back(foot);
    robot.actuators.push_back({.name = foot.name, .joint = 1 + leg, .dof = 6 + leg});
  }
  robot.qpos0 = {0, 0, 0.4, 1, 0, 0, 0, 0, 0};
  robot.keyframes = {{.name = "stand",
                      .qpos = robot.qpos0,
                      .qvel = std::vector<double>(8, 0.0),
                      .control = {0, 0}}};
  const std::optional<RobotFault> fault = assemble_robot(robot);
  EXPECT_FALSE(fault) << fault->message();
  return robot;
}

}  // namespace footfall::testing
