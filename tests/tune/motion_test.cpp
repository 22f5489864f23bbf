// Forces along a motion: those of mj_step where MuJoCo made the motion, those of mj_inverse for any other.
#include "footfall/tune/motion.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <mujoco/mujoco.h>

#include <array>
#include <cmath>

#include "footfall/error.hpp"
#include "mujoco/model_text.hpp"
#include "support/worlds.hpp"
#include "tune/soft_scene.hpp"

namespace footfall {
namespace {

using ::testing::HasSubstr;
using testing::robot_file;

constexpr SoftReference kGround{-3000, -150};
constexpr SoftImpedance kImpedance{0.1, 0.95, 0.012, 0.5, 2};

SoftScene make_ground_under(const char* robot) {
  SoftScene scene = make_soft_scene(robot_file(robot));
  set_softness(scene, kGround, kImpedance);
  return scene;
}

std::string header(const mjModel& m, bool velocities) {
  std::string text = "time [s]";
  for (int i = 0; i < m.nq; ++i) text += fmt::format(",qpos[{}] [m]", i);
  for (int i = 0; velocities && i < m.nv; ++i) text += fmt::format(",qvel[{}] [m/s]", i);
  return text;
}

std::string table_row(double time, const mjtNum* qpos, int nq, const mjtNum* qvel, int nv) {
  std::string text = fmt::format("\n{}", time);
  for (int i = 0; i < nq; ++i) text += fmt::format(",{}", qpos[i]);
  for (int i = 0; i < nv; ++i) text += fmt::format(",{}", qvel[i]);
  return text;
}

// Of all contacts on the robot, frame W.
Vec3d contact_sum(const mjModel& m, const mjData& d) {
  Vec3d sum{0, 0, 0};
  for (int i = 0; i < d.ncon; ++i) {
    std::array<mjtNum, 6> force{};
    std::array<mjtNum, 3> world{};
    mj_contactForce(&m, &d, i, force.data());
    mju_mulMatTVec(world.data(), d.contact[i].frame, force.data(), 3, 3);
    sum += {world[0], world[1], world[2]};
  }
  return sum;
}

TEST(MotionForces, AreThoseOfTheSimulationThatMadeTheMotion) {
  SoftScene scene = make_ground_under("box");
  mjModel& m = *scene.model;
  mjData& d = *scene.data;
  m.opt.integrator = mjINT_EULER;
  m.opt.tolerance = 1e-15;
  place(scene, lift_for_sinkage(scene, -0.02));
  d.qvel[0] = 0.4;
  d.qvel[3] = 1.5;
  d.qvel[4] = 0.7;
  std::string text = header(m, true);
  std::vector<Vec3d> force;
  for (int k = 0; k < 400; ++k) {
    text += table_row(d.time, d.qpos, static_cast<int>(m.nq), d.qvel, static_cast<int>(m.nv));
    mj_step(&m, &d);
    force.push_back(contact_sum(m, d));
  }
  const test::TextFile file(text, ".csv");
  MotionOptions options{.solref = kGround, .solimp = kImpedance, .forward = true};
  const MotionForces found = find_motion_forces(robot_file("box"), file.path(), options);
  ASSERT_EQ(found.rows.size(), force.size());
  ASSERT_EQ(found.bodies.size(), 1u);
  double largest = 0;
  for (std::size_t k = 0; k + 1 < force.size(); ++k) {
    EXPECT_LT(norm(found.rows[k].contact_force[0] - force[k]), 1e-6 * found.weight) << k;
    for (const double left : found.rows[k].joint_force)
      EXPECT_NEAR(left, 0, 1e-6 * found.weight) << k;
    largest = std::max(largest, norm(force[k]));
  }
  EXPECT_GT(largest, 2 * found.weight);
}

TEST(MotionForces, AreMujocosInverseDynamicsOfAnyMotion) {
  SoftScene scene = make_ground_under("humanoid");
  const mjModel& m = *scene.model;
  mjData& d = *scene.data;
  const int nq = static_cast<int>(m.nq), nv = static_cast<int>(m.nv), rows = 30;
  const double dt = 0.01, touch = lift_for_sinkage(scene, 0);
  std::vector<std::vector<double>> qpos;
  std::string text = header(m, false);
  for (int k = 0; k < rows; ++k) {
    place(scene, touch - 0.004 * std::sin(0.4 * k));
    d.qpos[0] += 0.002 * k;
    for (int i = 7; i < nq; ++i) d.qpos[i] += 0.05 * std::sin(0.3 * k + i);
    d.qpos[4] = 0.02 * std::sin(0.2 * k);
    d.qpos[5] = 0.03 * std::sin(0.3 * k);
    mju_normalize4(d.qpos + 3);
    qpos.emplace_back(d.qpos, d.qpos + nq);
    text += table_row(dt * k, d.qpos, nq, nullptr, 0);
  }
  const test::TextFile file(text, ".csv");
  const MotionForces found = find_motion_forces(robot_file("humanoid"), file.path(),
                                                {.solref = kGround, .solimp = kImpedance});
  const auto velocity = [&](int k) {
    std::vector<double> v(static_cast<std::size_t>(nv));
    mj_differentiatePos(&m, v.data(), 2 * dt, qpos[k - 1].data(), qpos[k + 1].data());
    return v;
  };
  int touching = 0;
  for (int k = 2; k < rows - 2; ++k) {
    const std::vector<double> before = velocity(k - 1), now = velocity(k), after = velocity(k + 1);
    std::copy(qpos[k].begin(), qpos[k].end(), d.qpos);
    std::copy(now.begin(), now.end(), d.qvel);
    for (int i = 0; i < nv; ++i) d.qacc[i] = (after[i] - before[i]) / (2 * dt);
    mj_inverse(&m, &d);
    touching += d.ncon > 0 ? 1 : 0;
    Vec3d sum{0, 0, 0};
    for (const Vec3d& f : found.rows[k].contact_force) sum += f;
    EXPECT_LT(norm(sum - contact_sum(m, d)), 1e-7 * found.weight) << k;
    for (int i = 0; i < nv; ++i) {
      EXPECT_NEAR(found.rows[k].joint_force[i], d.qfrc_inverse[i], 1e-7 * found.weight)
          << k << " " << i;
    }
  }
  EXPECT_GT(touching, 10);
}

TEST(MotionForces, BadTablesAreNamed) {
  const auto error = [](const std::string& text, bool with_ground = true) -> std::string {
    const test::TextFile file(text, ".csv");
    try {
      MotionOptions options;
      if (with_ground) options.solref = kGround;
      find_motion_forces(robot_file("ball"), file.path(), options);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const std::string head = "time,qpos[0],qpos[1],qpos[2],qpos[3],qpos[4],qpos[5],qpos[6]\n";
  const std::string pose = ",0,0,0.1,1,0,0,0\n";
  EXPECT_THAT(error("time,qpos[0]\n0,0\n"),
              HasSubstr("no column 'qpos[1]', expected qpos[0] to qpos[6]"));
  EXPECT_THAT(error("t,qpos[0]\n0,0\n"), HasSubstr("no column 'time [s]'"));
  EXPECT_THAT(error(head + "0" + pose + "1" + pose), HasSubstr("2 rows, expected at least 3"));
  EXPECT_THAT(error(head + "0" + pose + "1" + pose + "1" + pose),
              HasSubstr("row 3: time 1 s after 1 s"));
  EXPECT_THAT(error(head + "0" + pose + "1" + pose + "2,0,0,0.1,2,0,0,0\n"),
              HasSubstr("has length 2"));
  EXPECT_THAT(error(head + "0" + pose + "1" + pose + "2" + pose, false), HasSubstr("has no plane"));
}

}  // namespace
}  // namespace footfall
