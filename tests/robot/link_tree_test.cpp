// The step's kernels on packs of links against the plain ones, body by body.
#include "footfall/robot/link_sweep.hpp"

#include <gtest/gtest.h>

#include "mujoco/model_text.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using testing::Random;

constexpr double kRoundOff = 1e-12;

// A free box with welded, turned and lifted parts, a ball joint, hinges and slides of any axis and
// anchor, several joints on a body; a second tree on slides, a third on a fixed post.
constexpr const char* kOddities = R"(
<mujoco><option gravity="0.1 0 -9.81"/><worldbody>
  <body name="a" pos="0 0 0.5" gravcomp="0.3"><freejoint/>
    <geom type="box" size=".1 .05 .03" pos="0.01 0.02 0.03" euler="10 20 30" mass="2"/>
    <body name="welded" pos="0.1 0 0.1" euler="10 0 5" gravcomp="0.5">
      <geom type="sphere" size="0.04" mass="0.3"/>
      <body name="b" pos="0.1 0 0" euler="0 20 0">
        <joint type="ball" pos="0.01 0.02 0.03" armature="0.01"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02" mass="0.4"/>
        <body name="c" pos="0.2 0 0">
          <joint type="hinge" axis="1 2 3" pos="0.01 -0.02 0.01" ref="10"/>
          <joint type="slide" axis="0 1 1"/>
          <geom type="sphere" size="0.05" mass="0.5"/>
        </body>
      </body>
    </body>
    <body name="d" pos="-0.1 0.1 0"><joint axis="0 -1 0" armature="0.01"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.2" size="0.02" mass="0.4"/>
    </body>
    <body name="e" pos="-0.1 -0.1 0"><joint axis="0 1 0"/><joint axis="1 0 0" pos="0 0 0.01"/>
      <geom type="cylinder" fromto="0 -0.03 -0.2 0 0.03 -0.2" size="0.03" mass="0.4"/>
    </body>
  </body>
  <body name="x" pos="1 1 0.6">
    <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>
    <geom type="box" size=".1 .1 .1" mass="1"/>
    <body name="y" pos="0.2 0 0"><joint axis="0 0 1"/>
      <geom type="sphere" size=".05" pos="0.1 0 -0.1" mass="0.2"/>
    </body>
  </body>
  <body name="post" pos="-1 0 1"><geom type="sphere" size=".02" mass="0.2"/>
    <body name="arm" pos="0 0 0.2"><joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.1 0 -0.3" size=".02" mass="0.2"/>
    </body>
  </body>
</worldbody></mujoco>)";

RobotModel load(const std::string& name) {
  if (name == "oddities") return test::load_text(kOddities);
  return load_robot(testing::robot_file(name));
}

class Links : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Robots, Links,
                         ::testing::Values("ball", "box", "single_foot", "quadruped", "humanoid",
                                           "biped", "robosimian_planar", "robosimian", "oddities"),
                         [](const auto& test) { return std::string(test.param); });

void expect_near(const Vec3d& a, const Vec3d& b, const std::string& what) {
  EXPECT_LT(norm(a - b), kRoundOff * (1 + norm(b))) << what;
}

template <class T>
Vec3d lane_of(const Vec3<T>& a, int i) {
  return {lane(a.x, i), lane(a.y, i), lane(a.z, i)};
}

// Random states of all lanes; compares poses, twists, biases, inertias and accelerations.
template <class T>
void compare(const RobotModel& model, Random& random) {
  std::vector<T> qpos, qvel, force;
  for (double q : model.qpos0) qpos.push_back(T(q));
  for (T& q : qpos) {
    for (int i = 0; i < lane_count<T>; ++i) set_lane(q, i, lane(q, i) + 0.5 * random());
  }
  for (int d = 0; d < model.velocity_size(); ++d) {
    qvel.push_back(T(0));
    force.push_back(T(random()));
    for (int i = 0; i < lane_count<T>; ++i) set_lane(qvel.back(), i, random());
  }
  RobotData<T> plain(model), listed(model);
  compute_positions(model, qpos.data(), plain);
  compute_velocities(model, qvel.data(), plain);
  ArticulatedSweep<T> sweep(model);
  forward_dynamics(model, plain, force.data(), sweep);

  const LinkTree<T> tree(model);
  LinkData<T> links(tree);
  move_links(model, tree, 1.0, qpos.data(), qvel.data(), links);
  list_bodies(model, tree, links, listed);
  for (int i = 0; i < lane_count<T>; ++i) {
    for (int b = 1; b < model.body_count(); ++b) {
      const std::string what = model.bodies[b].name + ", lane " + std::to_string(i);
      expect_near(lane_of(listed.p_WB[b], i), lane_of(plain.p_WB[b], i), what);
      expect_near(lane_of(listed.R_WB[b].x, i), lane_of(plain.R_WB[b].x, i), what);
      expect_near(lane_of(listed.R_WB[b].y, i), lane_of(plain.R_WB[b].y, i), what);
      expect_near(lane_of(listed.V[b].ang, i), lane_of(plain.V[b].ang, i), what);
      expect_near(lane_of(listed.V[b].lin, i), lane_of(plain.V[b].lin, i), what);
      expect_near(lane_of(listed.A_bias[b].ang, i), lane_of(plain.A_bias[b].ang, i), what);
      expect_near(lane_of(listed.A_bias[b].lin, i), lane_of(plain.A_bias[b].lin, i), what);
    }
    for (int d = 0; d < model.velocity_size(); ++d) {
      const std::string what = "dof " + std::to_string(d);
      expect_near(lane_of(listed.S[d].ang, i), lane_of(plain.S[d].ang, i), what);
      expect_near(lane_of(listed.S[d].lin, i), lane_of(plain.S[d].lin, i), what);
    }
  }

  // accelerations: over a step of 1 s without the momentum, wrenches are the bias wrenches
  LinkSweep<T> link_sweep(tree);
  for (std::size_t g = 0; g < tree.groups.size(); ++g) {
    links.wrench[g] += links.inertia[g] * links.motion[g].V;
  }
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    link_sweep.diagonal[s] = Pack<T>(tree.slots[s].armature);
    link_sweep.generalized[s] = gather(force.data(), tree.slots[s].source);
  }
  solve_links(tree, links, [](int, Sym6<Pack<T>>&, Wrench<Pack<T>>&) {}, link_sweep);
  std::vector<T> acceleration(model.dofs.size());
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    scatter<T>(link_sweep.solution[s], tree.slots[s].dof, acceleration.data());
  }
  bool is_lifted = false;  // forward_dynamics knows no gravity compensation
  for (const Body& b : model.bodies) is_lifted = is_lifted || b.gravity_compensation != 0;
  for (int d = 0; d < model.velocity_size() && !is_lifted; ++d) {
    for (int i = 0; i < lane_count<T>; ++i) {
      const double expected = lane(sweep.solution[d], i);
      EXPECT_NEAR(lane(acceleration[d], i), expected, 1e-10 * (1 + std::abs(expected)))
          << "dof " << d << ", lane " << i;
    }
  }
}

TEST_P(Links, MoveAndAccelerateAsBodiesDo) {
  const RobotModel model = load(GetParam());
  Random random(7);
  for (int trial = 0; trial < 20; ++trial) {
    compare<double>(model, random);
    compare<Lane8>(model, random);
  }
}

// Each link stands in one place, after its parent.
TEST_P(Links, StandInGroupsBehindTheirParents) {
  const RobotModel model = load(GetParam());
  for (int size : {1, 4}) {
    const LinkPlan plan = make_link_plan(model, size);
    int placed = 0;
    for (std::size_t g = 0; g < plan.groups.size(); ++g) {
      ASSERT_EQ(static_cast<int>(plan.groups[g].size()), size);
      for (int item = 0; item < size; ++item) {
        const int i = plan.groups[g][item];
        if (i < 0) continue;
        ++placed;
        const Link& link = plan.links[i];
        EXPECT_EQ(link.group, static_cast<int>(g));
        EXPECT_EQ(link.item, item);
        EXPECT_TRUE(link.parent < 0 || plan.links[link.parent].group < link.group);
      }
    }
    EXPECT_EQ(placed, static_cast<int>(plan.links.size()));
  }
}

TEST(Links, FourLegsShareTheirGroups) {
  EXPECT_EQ(make_link_plan(load("quadruped"), 4).groups.size(), 4U);
}

}  // namespace
}  // namespace footfall
