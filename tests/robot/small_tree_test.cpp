// The sweep over plain arrays, as GPUs run it, against the step's own over vectors.
#include "nvrtc/small_tree.hpp"

#include <gtest/gtest.h>

#include "footfall/robot/link_sweep.hpp"
#include "support/made_robots.hpp"

namespace footfall {
namespace {

// The robot of make_tree: x of its links is z of these bodies, and z is y.
RobotModel make_robot() {
  RobotModel robot;
  robot.bodies = {testing::make_body("world", 0, 0, {0, 0, 0}),
                  testing::make_body("base", 0, 8, {0, 0, 0})};
  robot.joints = {{.name = "base", .type = JointType::free, .body = 1}};
  for (const double side : {0.1, -0.1}) {
    const int thigh = robot.body_count();
    robot.bodies.push_back(testing::make_body("thigh", 1, 0.5, {0, side, 0}));
    robot.bodies.push_back(testing::make_body("shank", thigh, 0.5, {0, 0, -0.2}));
    robot.joints.push_back({.name = "hip", .body = thigh, .axis = {0, 1, 0}});
    robot.joints.push_back({.name = "knee", .body = thigh + 1, .axis = {0, 1, 0}});
  }
  for (Body& body : robot.bodies) {
    const bool is_leg = body.mass == 0.5;
    body.inertia =
        is_leg ? Sym3<double>{0.02, 0, 0, 0.01, 0, 0.02} : Sym3<double>{0.02, 0, 0, 0.02, 0, 0.01};
    if (is_leg) body.com = {0, 0, -0.1};
  }
  robot.dofs.resize(10);
  robot.qpos0 = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_FALSE(assemble_robot(robot));
  return robot;
}

std::vector<double> sweep_vectors(const std::vector<double>& qpos,
                                  const std::vector<double>& qvel) {
  using T = Lane8;  // a group is one link, as on a GPU
  const RobotModel robot = make_robot();
  const LinkTree<T> tree(robot);
  LinkData<T> data(tree);
  LinkSweep<T> sweep(tree);
  const std::vector<T> q(qpos.begin(), qpos.end()), v(qvel.begin(), qvel.end());
  move_links(robot, tree, 1e-3, q.data(), v.data(), data);
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    sweep.diagonal[s] = T(tree.slots[s].dof[0] < 6 ? 0.0 : 0.01);
    sweep.generalized[s] = T(0);
  }
  const auto group_of = [&](int body) {
    return tree.plan.links[tree.plan.bodies[body].link].group;
  };
  const auto add_contacts = [&](int g, Sym6<T>& inertia, Wrench<T>& wrench) {
    if (g != group_of(3) && g != group_of(5)) return;
    inertia.linear.zz += T(20);
    wrench.lin.z += T(3);
  };
  solve_links(tree, data, add_contacts, sweep);
  std::vector<double> out(10);
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    out[tree.slots[s].dof[0]] = sweep.solution[s][0];
  }
  return out;
}

TEST(SmallTree, ArraysInFloatGiveWhatVectorsDo) {
  const std::vector<double> qpos = {0.1,     0.2, 0.4,  0.923, 0.1026, 0.3077,
                                    -0.2051, 0.3, -0.7, 0.5,   -0.9};
  const std::vector<double> qvel = {0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, -0.8, 0.9, -1.0};
  const std::vector<double> expected = sweep_vectors(qpos, qvel);
  const std::vector<float> q(qpos.begin(), qpos.end()), v(qvel.begin(), qvel.end());
  std::vector<float> out(10);
  sweep_links(q.data(), v.data(), out.data());
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(out[i], expected[i], 1e-5) << "dof " << i;
  EXPECT_GT(std::abs(expected[7] - qvel[7]), 0.5);  // the springs have done something
}

}  // namespace
}  // namespace footfall
